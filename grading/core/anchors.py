"""The rubric by anchors: a model says met or not, with a quote; code decides what counts and computes the levels."""

from dataclasses import dataclass
from enum import StrEnum

from grading.core.case import Case
from grading.core.schemas import AnchorsReply
from grading.core.submission import Place


class AnchorProblem(StrEnum):
    """Why an anchor does not count as met although the model did not plainly say "not met"."""

    NONE = ""
    NOT_ANSWERED = "not answered"
    NO_QUOTE = "no quote"
    QUOTE_NOT_FOUND = "quote not found"
    QUOTE_IS_HEADING = "quote is only a heading"
    CONFLICTING = "answered both ways"


@dataclass(frozen=True)
class AnchorVerdict:
    """What counts for one anchor. `quote` and `place` are given only when `met`."""

    anchor_id: str
    line: int
    level: int
    met: bool
    quote: str
    place: Place | None
    problem: AnchorProblem


def judge(reply: AnchorsReply, case: Case) -> tuple[AnchorVerdict, ...]:
    """A verdict on every anchor of the case, in its order."""
    raise NotImplementedError


def levels_of(verdicts: tuple[AnchorVerdict, ...], case: Case) -> dict[int, int]:
    """The level of every rubric line that has anchors."""
    raise NotImplementedError
