"""Everything that a critic is told of one round, and everything that its claims are checked against."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from calculator.core.hardware import Accelerator
from calculator.core.llms import LanguageModel
from calculator.expressions import Facts, Quantity, evaluate_worksheet
from designs.core.derivation import Derivation
from designs.core.document import DEFECT_CLASSES, Design
from designs.core.prose import fill
from grading.core import rubric
from grading.core.submission import Submission

OWN = "own_"
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)


@dataclass(frozen=True)
class CaseGiven:
    """A figure that the prompt states, by the name that an expression may use."""

    id: str
    title: str
    text: str


@dataclass(frozen=True)
class CaseAnchor:
    """A checkable statement of one level of one rubric line."""

    id: str
    line: int
    level: int
    text: str
    needs_figure: bool = False


@dataclass(frozen=True)
class OwnLine:
    """A line of the trainee's worksheet that has a name and a value.

    `called` is its name in the expressions of a critique: the line's own, or `own_<name>` where a given has the name.
    """

    number: int
    name: str
    called: str
    expression: str
    text: str


@dataclass(frozen=True)
class Case:
    """One round as a critic is told it. Nothing of the worked design is in it but the anchors."""

    slug: str
    title: str
    prompt: str
    givens: tuple[CaseGiven, ...]
    own_lines: tuple[OwnLine, ...]
    names: Mapping[str, Quantity]
    anchors: tuple[CaseAnchor, ...]
    defect_classes: Mapping[str, str]
    submission: Submission

    def anchor(self, id: str) -> CaseAnchor | None:
        """The anchor of that id."""
        return next((anchor for anchor in self.anchors if anchor.id == id), None)


class FirstOf:
    """Facts as a kept design has them, and those of the catalogue for what it does not use.

    A trainee's worksheet may use any fact of the catalogue; the version of a design that a round keeps holds its own.
    """

    def __init__(self, kept: Facts, catalogue: Facts) -> None:
        self._tables = (kept, catalogue)

    def fact(self, path: str) -> Quantity | None:
        """The fact called `path`, or None."""
        return next((found for table in self._tables if (found := table.fact(path)) is not None), None)

    def language_model(self, key: str) -> LanguageModel | None:
        """The model called `key`, or None."""
        return next((found for table in self._tables if (found := table.language_model(key)) is not None), None)

    def accelerator(self, key: str) -> Accelerator | None:
        """The accelerator called `key`, or None."""
        return next((found for table in self._tables if (found := table.accelerator(key)) is not None), None)

    def suggest(self, name: str) -> list[str]:
        """Names near `name`, nearest first."""
        return [near for table in self._tables for near in table.suggest(name)]


def case_for(design: Design, derivation: Derivation, submission: Submission, *, facts: Facts) -> Case:
    """The case of one submission to one design.

    `names` holds the givens and the trainee's evaluated worksheet lines: what an expression of a critique may use
    beside facts and formulas. Steps of the derivation are not in it: they are the worked answer. `facts` are those that
    the trainee had: of a kept design, `FirstOf(kept facts, catalogue)`.

    Raises: ExpressionError for a placeholder of the design that has no value; ValueError for an anchor id that comes
    twice.
    """
    names = {given.id: given.quantity for given in derivation.givens}
    own_lines: list[OwnLine] = []
    for line in evaluate_worksheet(submission.worksheet, facts=facts):
        if line.name is None or line.evaluated is None:
            continue
        called = _free(line.name, names)
        names[called] = line.evaluated.quantity
        own_lines.append(
            OwnLine(line.number, line.name, called, line.expression or "", line.evaluated.quantity.text(4))
        )
    return Case(
        slug=design.slug,
        title=fill(design.title.source, derivation, facts=facts),
        prompt=_COMMENT.sub("", fill(design.prompt.source, derivation, facts=facts)).strip(),
        givens=tuple(
            CaseGiven(given.id, fill(given.title, derivation, facts=facts), given.text) for given in derivation.givens
        ),
        own_lines=tuple(own_lines),
        names=names,
        anchors=_anchors(design, derivation, facts),
        defect_classes=DEFECT_CLASSES,
        submission=submission,
    )


def generic_anchor_id(line: int, level: int, number: int) -> str:
    """The id of an anchor that the rubric gives itself: "line2-level3-1"."""
    return f"line{line}-level{level}-{number}"


def _free(name: str, taken: Mapping[str, Quantity]) -> str:
    """The name, with `own_` put before it until nothing else has it."""
    while name in taken:
        name = OWN + name
    return name


def _anchors(design: Design, derivation: Derivation, facts: Facts) -> tuple[CaseAnchor, ...]:
    anchors = [
        CaseAnchor(generic_anchor_id(line.number, level, number), line.number, level, text)
        for line in rubric.LINES
        for level, texts in line.generic_anchors.items()
        for number, text in enumerate(texts, start=1)
    ]
    anchors += [
        CaseAnchor(
            anchor.id, anchor.line, anchor.level, fill(anchor.text.source, derivation, facts=facts), anchor.needs_figure
        )
        for anchor in design.anchors
    ]
    ids = [anchor.id for anchor in anchors]
    if len(set(ids)) != len(ids):
        raise ValueError(f"anchors: an id comes twice in {design.slug}")
    return tuple(sorted(anchors, key=lambda anchor: (anchor.line, anchor.level)))
