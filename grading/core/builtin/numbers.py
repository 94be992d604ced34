"""Which of the numbers that a design turns on stand nowhere in a submission."""

from collections.abc import Iterable, Iterator
from functools import cached_property

from calculator.expressions import ExpressionError, Facts, Quantity, evaluate, evaluate_worksheet
from designs.core.derivation import Derivation, DerivedStep
from designs.core.document import Design
from designs.core.opened import names_in
from designs.core.prose import PLACEHOLDER, fill, read_placeholder
from grading.core.builtin.findings import AbsentFigure, AbsentNumber
from grading.core.case import Case
from grading.core.figures import Figure, figures_in, near

NEAR_SHARE = 0.10
COUNT_SHARE = 0.05
"""How near a plain count must be: a plain number stands somewhere sooner than one with a unit."""
MEASURED_LINE, HIGHEST_MAIN_LEVEL = 1, 3
_SHARES = ("%", "pp")


class Said:
    """Every number of a submission: those of the text, and the values of the worksheet's lines."""

    def __init__(self, case: Case, facts: Facts) -> None:
        self.case = case
        self.facts = facts

    @cached_property
    def values(self) -> tuple[Quantity, ...]:
        """What the worksheet's lines come to, those without a name too."""
        lines = evaluate_worksheet(self.case.submission.worksheet, facts=self.facts)
        return tuple(line.evaluated.quantity for line in lines if line.evaluated)

    @cached_property
    def figures(self) -> tuple[Figure, ...]:
        """What stands in the text, and in the worksheet's comments and lines."""
        return tuple(figure for part in self.case.submission.parts for figure in figures_in(part.text))

    def holds(self, quantity: Quantity) -> bool:
        """Whether a number is said: within a tenth, or within a twentieth for a plain count."""
        value, dimension, share = quantity.value, quantity.dimension, _share(quantity)
        if any(own.dimension == dimension and _within(own.value, value, share) for own in self.values):
            return True
        if near(self._alike(quantity), value, dimension, share):
            return True
        return self._said_otherwise(quantity)

    def _alike(self, quantity: Quantity) -> Iterator[Figure]:
        """Figures that may mean it: a count with another label does not."""
        for figure in self.figures:
            labelled = figure.quantity.unit if not figure.measures else ""
            if not labelled or not quantity.unit or labelled == quantity.unit or quantity.dimension:
                yield figure

    def _said_otherwise(self, quantity: Quantity) -> bool:
        """A share as one in so many; a count as a rate per day; a rate as "17.5 writes a day"."""
        value = quantity.value
        written = [figure.quantity.magnitude for figure in self.figures if not figure.dimension]
        if quantity.unit in _SHARES and value:
            return any(_within(1 / number, value, COUNT_SHARE) for number in written if number > 1 and number % 1)
        if quantity.dimension == "1/second":
            return any(_within(number, quantity.magnitude, COUNT_SHARE) for number in written)
        if not quantity.dimension and not quantity.unit:
            rates = [figure.quantity.magnitude for figure in self.figures if figure.dimension == "1/second"]
            return any(_within(rate, value, COUNT_SHARE) for rate in rates)
        return False


def absent_numbers(case: Case, design: Design, derivation: Derivation, said: Said) -> tuple[AbsentNumber, ...]:
    """The deciding number, if none of those as good is said; then the main steps of section 2 that are not."""
    steps: list[DerivedStep] = []
    if not any(said.holds(step.quantity) for step in derivation.accepted):
        steps.append(derivation.deciding)
    others = [step for step in main_steps(design, derivation) if step not in derivation.accepted]
    steps += [step for step in others if not said.holds(step.quantity)]
    return tuple(
        AbsentNumber(
            step_id=step.id,
            title=fill(step.title, derivation, facts=said.facts),
            value_text=step.text,
            expression=step.expression,
            with_numbers=step.with_numbers,
            consequence=fill(step.decides, derivation, facts=said.facts),
            deciding=step.deciding,
        )
        for step in steps
    )


def main_steps(design: Design, derivation: Derivation) -> tuple[DerivedStep, ...]:
    """The steps of section 2 that the deciding one is worked out from, or that line 1's anchors name up to level 3.

    A step that restates what the prompt gives, or that only writes a number down, is none of them.
    """
    wanted = _ancestors(derivation)
    for anchor in design.anchors:
        if anchor.line == MEASURED_LINE and anchor.level <= HIGHEST_MAIN_LEVEL:
            wanted |= set(_named(anchor.text.source))
    given = [given.quantity for given in derivation.givens]
    return tuple(
        step
        for step in derivation.steps_of("s2")
        if step.id in wanted
        and names_in(step.expression)
        and not any(_restates(step.quantity, quantity) for quantity in given)
    )


def absent_figures(case: Case, design: Design, derivation: Derivation, said: Said) -> tuple[AbsentFigure, ...]:
    """Anchors that ask for a figure of which none stands in the submission."""
    found: list[AbsentFigure] = []
    for anchor in design.anchors:
        if not anchor.needs_figure:
            continue
        quantities = list(_quantities(anchor.text.source, derivation, said.facts))
        if quantities and not any(said.holds(quantity) for quantity in quantities):
            text = fill(anchor.text.source, derivation, facts=said.facts)
            found.append(AbsentFigure(anchor.id, anchor.line, anchor.level, text))
    return tuple(found)


def _ancestors(derivation: Derivation) -> set[str]:
    """Ids of the steps that the deciding one is worked out from."""
    seen: set[str] = set()
    waiting = [derivation.deciding.id]
    while waiting:
        step = derivation.step(waiting.pop())
        if step is not None and step.id not in seen:
            seen.add(step.id)
            waiting += names_in(step.expression)
    return seen


def _named(text: str) -> Iterator[str]:
    for match in PLACEHOLDER.finditer(text):
        yield from names_in(read_placeholder(match[1]).expression)


def _quantities(text: str, derivation: Derivation, facts: Facts) -> Iterator[Quantity]:
    for match in PLACEHOLDER.finditer(text):
        placeholder = read_placeholder(match[1])
        try:
            quantity = evaluate(placeholder.expression, names=derivation.names, facts=facts).quantity
            yield quantity.to(placeholder.unit) if placeholder.unit else quantity
        except ExpressionError:
            continue


def _share(quantity: Quantity) -> float:
    return NEAR_SHARE if quantity.dimension or quantity.unit in _SHARES else COUNT_SHARE


def _within(own: float, value: float, share: float) -> bool:
    return abs(own - value) <= share * abs(value) * (1 + 1e-12)


def _restates(first: Quantity, second: Quantity) -> bool:
    return first.dimension == second.dimension and _within(first.value, second.value, 0.001)


def close(first: Quantity, second: Quantity) -> bool:
    """Whether two quantities are of one dimension and within a tenth of the second."""
    return first.dimension == second.dimension and _within(first.value, second.value, NEAR_SHARE)


def nearby(quantity: Quantity, others: Iterable[Quantity]) -> bool:
    """Whether one of the others is close."""
    return any(close(quantity, other) for other in others)
