"""Nothing that a model says reaches the trainee before this has checked it."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from calculator.expressions import Facts
from grading.core.case import Case
from grading.core.schemas import CritiqueDraft, CritiqueReply, MutationDraft
from grading.core.submission import Place

MOST_SHOWN = 6


class Reason(StrEnum):
    """Why a critique was dropped, in the words that are shown and counted."""

    QUOTE_NOT_FOUND = "quote not found"
    QUOTE_TOO_SHORT = "quote too short"
    QUOTE_TOO_LONG = "quote too long"
    QUOTE_IS_HEADING = "quote is only a heading"
    UNKNOWN_SECTION = "unknown section"
    UNKNOWN_CLASS = "unknown defect class"
    CLASS_NAME = "class name does not fit"
    UNKNOWN_LINE = "unknown rubric line"
    EMPTY_TEXT = "nothing is said"
    TEXT_TOO_LONG = "too long"
    EXPRESSION_WRONG = "expression does not evaluate"
    VALUE_MISSING = "claims no value"
    VALUE_UNREADABLE = "claimed value cannot be read"
    VALUE_WRONG = "number is wrong"
    UNKNOWN_INPUT = "number from nowhere"
    UNSHOWN_NUMBER = "number without its arithmetic"
    PRAISE = "praises"
    POINTS = "awards points"


@dataclass(frozen=True)
class CheckedCritique:
    """A critique that stands. All texts are plain: a page escapes them and renders no markup.

    `place` is None for a built-in finding about what is missing. `value_text` is the value that code worked out.
    """

    quote: str
    place: Place | None
    defect_class: str
    class_name: str
    attack: str
    scenario: str
    rubric_line: int
    expression: str = ""
    with_numbers: str = ""
    claimed_value: str = ""
    value_text: str = ""


@dataclass(frozen=True)
class Dropped:
    """A draft that does not stand, and why. `repairable` tells that asking again with the reason may help."""

    draft: CritiqueDraft
    reason: Reason
    detail: str
    repairable: bool

    @property
    def text(self) -> str:
        """The reason with its detail: "number is wrong: 2 * 3 GiB gives 6 GiB, not 7 GiB"."""
        return f"{self.reason}: {self.detail}" if self.detail else str(self.reason)


@dataclass(frozen=True)
class Checked:
    """What is shown, what was dropped and why, how many were merged into one shown, and how many were beyond six."""

    shown: tuple[CheckedCritique, ...]
    dropped: tuple[Dropped, ...]
    merged: int
    surplus: int = 0


@dataclass(frozen=True)
class CheckedMutation:
    """A change of the problem that is asked of this design; `generic` when it is one of the built-in ones."""

    title: str
    ask: str
    generic: bool


def check_critiques(reply: CritiqueReply, case: Case, facts: Facts, already: Sequence[CheckedCritique] = ()) -> Checked:
    """Which critiques of a reply stand. `already` are those shown before (a repair adds to them).

    `shown` holds `already` first, then what is new, six at most. `dropped`, `merged` and `surplus` count this reply.
    """
    raise NotImplementedError


def check_mutations(drafts: Sequence[MutationDraft], case: Case, *, seed: int) -> tuple[CheckedMutation, ...]:
    """Three mutations: the model's that stand, in order, then generic ones chosen by design and seed."""
    raise NotImplementedError


def answer_problem(text: str) -> Reason | None:
    """What is wrong with the text of a model's reply to an answer: it must say something, neither praise nor score."""
    raise NotImplementedError
