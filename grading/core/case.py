"""Everything that a critic is told of one round, and everything that its claims are checked against."""

from collections.abc import Mapping
from dataclasses import dataclass

from calculator.expressions import Facts, Quantity
from designs.core.derivation import Derivation
from designs.core.document import Design
from grading.core.submission import Submission


@dataclass(frozen=True)
class CaseGiven:
    """A figure that the prompt states, by the name that an expression may use."""

    id: str
    title: str
    text: str


@dataclass(frozen=True)
class CaseAnchor:
    """A checkable statement of one level of one rubric line. `figures` are those that its text shows."""

    id: str
    line: int
    level: int
    text: str
    needs_figure: bool = False


@dataclass(frozen=True)
class OwnLine:
    """A line of the trainee's worksheet that has a value. `called` is its name in expressions of a critique:
    the line's own, or `own_<name>` where the line is called like a given."""

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


def case_for(design: Design, derivation: Derivation, submission: Submission, *, facts: Facts) -> Case:
    """The case of one submission to one design.

    `names` holds the givens and the trainee's evaluated worksheet lines: what an expression of a critique may use
    beside facts and formulas. Steps of the derivation are not in it: they are the worked answer.
    """
    raise NotImplementedError
