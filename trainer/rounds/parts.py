"""What a round's page is made of. `selectors.round_page` fills these; templates read them and nothing else.

A part that the present state may not show is `None` (or empty): it is not merely hidden, it was never loaded.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from uuid import UUID

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


@dataclass(frozen=True)
class DecidingNumber:
    """The design's deciding calculation beside the starred line of one's own worksheet."""

    title: str
    formula: str
    expression: str
    with_numbers: str
    value_text: str
    decides_html: SafeString
    own_name: str  # "" when none was starred
    own_expression: str
    own_value_text: str  # "" when absent
    own_starred_at: datetime | None
    verdict: str  # "agrees" (within 10%), "off", "unit" (another dimension), "absent"
    ratio: float | None  # own over the design's, when they can be compared


@dataclass(frozen=True)
class Drawing:
    """A diagram of the design, drawn when its version was stored. Show the words when the SVG is empty."""

    svg: SafeString
    text_html: SafeString  # the text alternative


@dataclass(frozen=True)
class RevealedSection:
    """A section of the worked design beside one's own."""

    number: int
    title: str
    html: SafeString
    own_text: str
    drawing: Drawing | None  # the first draft's, with section 4


@dataclass(frozen=True)
class Reveal:
    """The worked design, read up to `position`: 0 is the deciding number, then sections 1 to 10."""

    position: int
    last_position: int
    deciding: DecidingNumber
    sections: tuple[RevealedSection, ...]  # 1 to `position`; the last one is the one being read
    revised_drawing: Drawing | None  # done only: the design after its six revisions

    @property
    def current(self) -> RevealedSection | None:
        """The section being read; none at position 0."""
        return self.sections[-1] if self.sections else None


@dataclass(frozen=True)
class CritiqueView:
    """A worked critique. The revision and what earns partial credit are there only once it was answered."""

    number: int
    title: str
    class_name: str
    attacks: int  # the section
    quote: str  # the attacked words, as the section says them
    html: SafeString
    shown_at: datetime
    first_sentence_by: datetime  # 90 s after it was shown
    answer_by: datetime  # 5 min after it was shown (soft)
    first_sentence_at: datetime | None
    answer: str
    answered_at: datetime | None
    revision_html: SafeString | None
    partial_html: SafeString | None
    mark: str  # "", "hit", "partial", "miss"

    @property
    def first_sentence_s(self) -> float | None:
        """Seconds from being shown to the first sentence."""
        if self.first_sentence_at is None:
            return None
        return (self.first_sentence_at - self.shown_at).total_seconds()


@dataclass(frozen=True)
class Critiques:
    """The critiques up to the present one."""

    total: int
    soft_deadline_at: datetime  # 30 min for all of them, with the extra time
    earlier: tuple[CritiqueView, ...]
    current: CritiqueView | None  # none once all are marked


@dataclass(frozen=True)
class ScoredLine:
    """A line of the rubric as scored, with its anchors in full."""

    number: int
    name: str
    weight: int
    level: int
    level_name: str
    quote: str
    confidence: int
    anchors: tuple[AnchorText, ...]


@dataclass(frozen=True)
class Bar:
    """The hire bar, with the caps that held it down."""

    name: str
    percentage: float
    caps: tuple[str, ...]


@dataclass(frozen=True)
class TimeUsed:
    """Time spent on one section, the worksheet or the calculator."""

    key: str
    title: str
    used: timedelta
    share: float  # of all the time counted, 0 to 1


@dataclass(frozen=True)
class MissedCard:
    """A card that a miss of this round became."""

    id: int
    kind: str
    front: str
    link: str
    due_on: date


@dataclass(frozen=True)
class EarlierLine:
    """One line of the rubric in an earlier round and in this one."""

    number: int
    name: str
    then: int
    now: int

    @property
    def change(self) -> int:
        """Levels gained (negative: lost)."""
        return self.now - self.then


@dataclass(frozen=True)
class EarlierRound:
    """An earlier round of the same design, compared line by line."""

    id: UUID
    submitted_at: datetime
    mode: str
    read_before: bool
    percentage: float
    lines: tuple[EarlierLine, ...]

    @property
    def improved(self) -> tuple[EarlierLine, ...]:
        """The lines that went up."""
        return tuple(line for line in self.lines if line.change > 0)


@dataclass(frozen=True)
class Summary:
    """What the round came to."""

    lines: tuple[ScoredLine, ...]
    bar: Bar
    evidence: bool  # an attempt on an unread design in exam mode; otherwise practice
    time_used: tuple[TimeUsed, ...]
    paused: timedelta
    submitted_at: datetime
    submitted_by_bell: bool
    writing_used: timedelta
    cards: tuple[MissedCard, ...]
    earlier: tuple[EarlierRound, ...]  # newest first


@dataclass(frozen=True)
class RoundPage:
    """Everything the page of a round shows in its present state, and nothing of a later one."""

    id: UUID
    slug: str
    title: str
    state: str
    mode: str
    read_before: bool
    extra_time_factor: float
    created_at: datetime
    submitted_at: datetime | None
    submitted_by_bell: bool
    clock: Clock
    allowed: frozenset[str]  # actions open now: "ask", "begin", "save", "star", "submit", "pause", "resume", ...
    prompt_html: SafeString
    asked: tuple[Asked, ...]
    worksheet: Worksheet | None = None  # arithmetic, writing
    documents: tuple[EditorDocument, ...] = ()  # writing
    submission: tuple[OwnText, ...] = ()  # from scoring on, and when abandoned; the worksheet comes last
    addenda: tuple[Addendum, ...] = ()  # from the seal on
    scoring: Scoring | None = None  # scoring
    scored: tuple[ScoredLine, ...] = ()  # from reveal on
    reveal: Reveal | None = None  # reveal, critique, done
    critiques: Critiques | None = None  # critique, done
    summary: Summary | None = None  # done


@dataclass(frozen=True)
class RoundRow:
    """One round in the list."""

    id: UUID
    slug: str
    title: str
    state: str
    mode: str
    read_before: bool
    created_at: datetime
    submitted_at: datetime | None
    percentage: float | None
    bar_name: str
    unfinished: bool


@dataclass(frozen=True)
class StartableDesign:
    """A design a round can be started on. Title alone: the rest is learnt in the round."""

    slug: str
    title: str
    read_before: bool
    attempts: int
    waiting_round_id: UUID | None  # a round of it that stands at the prompt


@dataclass(frozen=True)
class RoundsIndex:
    """The list of one's rounds, and what can be started."""

    rounds: tuple[RoundRow, ...]
    designs: tuple[StartableDesign, ...]
    running: RoundRow | None  # the one whose clock runs


@dataclass(frozen=True)
class Draft:
    """One acknowledged text of a document on the time line."""

    key: str
    title: str
    revision: int
    saved_at: datetime
    offset: timedelta  # from the start of the arithmetic
    text: str


@dataclass(frozen=True)
class Timeline:
    """The history of the drafts of a round, oldest first. Only after the seal."""

    page_id: UUID
    title: str
    drafts: tuple[Draft, ...]
    phases: Mapping[str, datetime]  # "arithmetic", "writing", "submitted"
