"""What is shown while a round is sat: the clock, the questions, the editors, the worksheet, the form of the scores."""

from dataclasses import dataclass
from datetime import datetime

from django.utils.safestring import SafeString


@dataclass(frozen=True)
class Clock:
    """The server's clock for the running phase; the same values go out as `clock.json`."""

    state: str
    mode: str
    server_now: datetime
    deadline_at: datetime | None  # the bell of the running phase; none while paused or without a clock
    seal_at: datetime | None  # writing only: the bell and the grace after it
    paused: bool
    paused_seconds_left: float | None

    @property
    def seconds_left(self) -> float | None:
        """Seconds to the bell (0 in the grace after it), as of `server_now`; none without a clock."""
        if self.paused:
            return self.paused_seconds_left
        if self.deadline_at is None:
            return None
        return max(0.0, (self.deadline_at - self.server_now).total_seconds())

    @property
    def rung(self) -> bool:
        """The bell has rung and the grace runs: late saves still land, stars and pauses do not."""
        return self.deadline_at is not None and self.server_now >= self.deadline_at


@dataclass(frozen=True)
class Asked:
    """A clarifying question as typed, with the interviewer's answer."""

    text: str
    answer_html: SafeString
    matched: bool  # a card answered it; otherwise "Assume, and say so."
    asked_at: datetime


@dataclass(frozen=True)
class EditorDocument:
    """One editor's text. Titles are the template's, the same for every design: they give nothing away."""

    key: str  # "s1" to "s10"
    number: int
    title: str
    hint: str  # one line on what belongs there
    text: str
    revision: int
    saved_at: datetime | None


@dataclass(frozen=True)
class WorksheetRow:
    """One line of the worksheet with its value, or with what is wrong with it."""

    number: int  # 1-based
    source: str
    name: str  # "" when the line names nothing
    expression: str  # "" for a blank line or a comment
    value_text: str  # "40.0 GiB"; "" without a value
    with_numbers: str
    mixed: bool  # GB and GiB were combined
    error: str  # "" when the line is fine
    error_column: int | None
    starred: bool


@dataclass(frozen=True)
class Worksheet:
    """The worksheet as last saved, evaluated, with the starred line."""

    text: str
    revision: int
    saved_at: datetime | None
    rows: tuple[WorksheetRow, ...]
    starred_name: str  # "" when none is starred
    starred_at: datetime | None
    starred_stands: bool  # the starred name still has a value in the worksheet

    @property
    def starrable(self) -> tuple[WorksheetRow, ...]:
        """The named lines that have a value."""
        return tuple(row for row in self.rows if row.name and row.value_text)


@dataclass(frozen=True)
class OwnText:
    """One document of the submission, read-only."""

    key: str
    number: int  # 1 to 10; 0 for the worksheet
    title: str
    text: str


@dataclass(frozen=True)
class Addendum:
    """Text that arrived after the seal."""

    id: int
    key: str
    title: str
    text: str
    received_at: datetime
    decision: str  # "offered", "kept", "discarded"


@dataclass(frozen=True)
class AnchorText:
    """What a level says on a line; figures are "…" until the reveal."""

    level: int
    text: str


@dataclass(frozen=True)
class ScoringLine:
    """One line of the rubric, with what was last stored or posted for it."""

    number: int
    name: str
    weight: int
    asks: str  # one sentence on what the line looks for
    anchors: tuple[AnchorText, ...]
    level: str  # "" or "0" to "4": as typed
    quote: str
    confidence: str  # "" or a percentage, as typed


@dataclass(frozen=True)
class Scoring:
    """The form of eight lines."""

    lines: tuple[ScoringLine, ...]
    levels: tuple[tuple[int, str], ...]  # (0, "absent") ...
