"""A design's arithmetic, run: givens and steps in order, each by the expression language."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from calculator.expressions import ExpressionError, Facts, Quantity, evaluate
from designs.core.document import Design, Given, Problem, Step, Text
from designs.core.parser import DesignRefused


@dataclass(frozen=True)
class DerivedGiven:
    id: str
    title: str
    quantity: Quantity
    text: str
    expression: str
    source: str
    date: str


@dataclass(frozen=True)
class DerivedStep:
    """One step with its result. `text` is the result as shown; `decides` is still a writer's text (unfilled)."""

    id: str
    title: str
    quantity: Quantity
    text: str
    digits: int
    expression: str
    with_numbers: str
    formula: str
    decides: str
    deciding: bool
    also: tuple[str, ...]
    part: str


@dataclass(frozen=True)
class Derivation:
    names: Mapping[str, Quantity]
    shown: Mapping[str, str]  # each name's value in its own unit and digits
    givens: tuple[DerivedGiven, ...]
    steps: tuple[DerivedStep, ...]

    @property
    def deciding(self) -> DerivedStep:
        return next(step for step in self.steps if step.deciding)

    @property
    def accepted(self) -> tuple[DerivedStep, ...]:
        """The deciding step, then those whose values are as good an answer."""
        also = (self.step(id) for id in self.deciding.also)
        return (self.deciding, *(step for step in also if step))

    def step(self, id: str) -> DerivedStep | None:
        return next((step for step in self.steps if step.id == id), None)

    def steps_of(self, part: str) -> tuple[DerivedStep, ...]:
        """The steps that are shown with one part: `s1` to `s10`, `r1` to `r6`."""
        return tuple(step for step in self.steps if step.part == part)


def derive(design: Design, *, facts: Facts) -> Derivation:
    """Evaluate every given and step of a design.

    Raises: DesignRefused naming each given and step that does not evaluate, once, at its own line.
    """
    run = _Run(facts)
    givens = tuple(run.given(given) for given in design.givens)
    steps = tuple(run.step(step) for step in design.steps)
    if run.problems:
        raise DesignRefused(run.problems)
    return Derivation(
        names=run.names,
        shown=run.shown,
        givens=tuple(given for given in givens if given),
        steps=tuple(step for step in steps if step),
    )


def _typed_digits(expression: str) -> int:
    """How many digits a given was typed with ("989.5 TFLOP/s": 4), so that it is shown as it was given."""
    literal = re.fullmatch(r"\s*(\d[\d_,]*(?:\.\d+)?)(?:e[+-]?\d+)?\s*[^\d*/+()-]*(?:/[^\d*/+()]*)*", expression)
    if not literal:
        return 3
    typed = re.sub(r"[_,]", "", literal.group(1)).lstrip("0")
    return max(1, min(12, len(typed.replace(".", "") if "." in typed else typed.rstrip("0"))))


class _Run:
    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.names: dict[str, Quantity] = {}
        self.shown: dict[str, str] = {}
        self.failed: list[str] = []
        self.problems: list[Problem] = []

    def given(self, given: Given) -> DerivedGiven | None:
        result = self._evaluate(given.id, given.value, given.unit)
        if result is None:
            return None
        quantity, _ = result
        text = quantity.text(given.digits or _typed_digits(given.value.source))
        self._keep(given.id, quantity, text)
        return DerivedGiven(
            id=given.id,
            title=given.title.source,
            quantity=quantity,
            text=text,
            expression=given.value.source,
            source=given.source,
            date=given.date,
        )

    def step(self, step: Step) -> DerivedStep | None:
        result = self._evaluate(step.id, step.expression, step.unit)
        if result is None:
            return None
        quantity, with_numbers = result
        text = quantity.text(step.digits)
        self._keep(step.id, quantity, text)
        return DerivedStep(
            id=step.id,
            title=step.title.source,
            quantity=quantity,
            text=text,
            digits=step.digits,
            expression=step.expression.source,
            with_numbers=with_numbers,
            formula=step.formula,
            decides=step.decides.source,
            deciding=step.deciding,
            also=step.also,
            part=step.part,
        )

    def _keep(self, id: str, quantity: Quantity, text: str) -> None:
        self.names[id] = quantity
        self.shown[id] = text

    def _evaluate(self, id: str, expression: Text, unit: str) -> tuple[Quantity, str] | None:
        try:
            evaluated = evaluate(expression.source, names=self.names, facts=self.facts)
            quantity = evaluated.quantity.to(unit) if unit else evaluated.quantity
        except ExpressionError as error:
            # A step that only fails because an earlier one did is no news.
            if not (error.kind == "name" and any(failed in expression.source for failed in self.failed)):
                where = f" (column {error.column})" if error.column else ""
                self.problems.append(Problem(expression.file, expression.line, f"`{id}`: {error.message}{where}"))
            self.failed.append(id)
            return None
        return quantity, evaluated.with_numbers
