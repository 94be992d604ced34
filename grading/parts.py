"""What the pages of a critique are made of. `panel` and `pages` fill these; templates read them and nothing else.

Every text of a model is plain text: a template escapes it, and renders no markup of it.
"""

from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from django.utils.safestring import SafeString

from grading.selectors import Cost, Progress
from trainer.rounds.parts import AnchorText, MissedCard


@dataclass(frozen=True)
class EndpointSays:
    """Where a submission would be sent, and what that may cost."""

    model: str
    host: str
    price_as_of: date | None  # none: no price is set, so that no budget can hold it
    cap: str  # "$0.50", of one critique; "" without one
    left: str  # of today's budget; "" without one
    limit: str
    budget_ends_at: datetime


@dataclass(frozen=True)
class Panel:
    """The request of a critique and how far it is. Nothing of its results is in it."""

    round_id: UUID
    endpoint: EndpointSays | None
    may_request: bool
    replaces: bool  # a model's critique would take the built-in one's place
    kind: str  # "model", "builtin"; "" before it was asked for
    progress: Progress | None
    said: str  # the state in a sentence
    opens: bool  # the results may be read now
    done: bool  # the round is

    @property
    def under_way(self) -> bool:
        """The page is to look again."""
        return self.progress is not None and self.progress.under_way

    @property
    def seen(self) -> str:
        """The state in a word: where it changes, a screen reader is told."""
        return _seen(self.progress)


def _seen(progress: Progress | None) -> str:
    if progress is None:
        return ""
    waits = "" if progress.retry_in_s is None else "later"
    ahead = "" if progress.ahead is None else progress.ahead
    return "-".join(str(part) for part in (progress.state, progress.step, ahead, waits, progress.attempts))


@dataclass(frozen=True)
class Excerpt:
    """Words in their place in one's own text: what stands before and after them, near by and in full."""

    part_key: str
    title: str
    near_before: str
    words: str
    near_after: str
    before: str
    after: str
    cut_before: bool
    cut_after: bool


@dataclass(frozen=True)
class Reply:
    """What the model says to an answer, or how far it is."""

    progress: Progress
    said: str
    text: str
    holds: str

    @property
    def seen(self) -> str:
        """As a panel's."""
        return _seen(self.progress)


@dataclass(frozen=True)
class Asked:
    """A critique or a mutation, with one's answer to it."""

    kind: str  # "critique", "mutation"
    number: int
    of: int
    name: str  # the defect class, or what the built-in critic looked for; the title of a mutation
    line_number: int
    line_name: str
    excerpt: Excerpt | None
    attack: str  # the ask of a mutation
    scenario: str
    formula: SafeString  # of the worked design's step, in words; empty for a model's number
    expression: str  # a model's
    with_numbers: str
    value_text: str
    claimed_value: str
    repaired: bool
    answer: str
    answered_at: datetime | None
    reply: Reply | None
    mark: str
    may_answer: bool
    may_mark: bool
    anchors: tuple[AnchorText, ...]  # once answered
    remedy_number: int | None  # once answered: the worked critique that it was taken from
    argument_html: SafeString | None  # what that says of the worked draft
    remedy_html: SafeString | None


@dataclass(frozen=True)
class Stop:
    """One of the nine in the list of them."""

    kind: str
    number: int
    name: str
    about: str  # what tells it from others of that name; "" for a mutation
    state: str  # "open", "waits for the reply", "to be marked", or the mark
    current: bool


@dataclass(frozen=True)
class Head:
    """How the critique came about."""

    kind: str
    model_name: str
    prompt_version: str
    made_at: datetime | None
    cost: Cost | None
    cost_text: str
    drafted: int
    shown: int
    repaired: int
    merged: int
    surplus: int
    dropped: tuple[str, ...]  # why, one for each
    reasons: tuple[tuple[str, int], ...]  # the same, counted


@dataclass(frozen=True)
class Finding:
    """One thing that the built-in critic found."""

    title: str
    more: str


@dataclass(frozen=True)
class AnchorRow:
    """A statement of the rubric, whether it counts as met, and the words that show it."""

    level: int
    text: str
    met: bool
    quote: str
    where: str
    problem: str


@dataclass(frozen=True)
class RubricRow:
    """One line of the rubric by every scorer."""

    number: int
    name: str
    weight: int
    levels: tuple[int | None, ...]
    difference: int | None  # one's own level less the model's
    own_quote: str
    anchors: tuple[AnchorRow, ...]


@dataclass(frozen=True)
class RubricTable:
    """Scorers side by side, oneself first."""

    scorers: tuple[str, ...]
    rows: tuple[RubricRow, ...]
    percentages: tuple[float | None, ...]


@dataclass(frozen=True)
class Closing:
    """What is left, and what becomes of it."""

    closed_at: datetime | None
    unanswered: int
    unmarked: int
    cards: tuple[MissedCard, ...]


@dataclass(frozen=True)
class CriticPage:
    """Everything that the page of a critique shows; without results while they may not be seen."""

    round_id: UUID
    slug: str
    title: str
    state: str
    state_name: str
    panel: Panel | None  # none before the submission
    head: Head | None = None
    findings: tuple[tuple[str, tuple[Finding, ...]], ...] = ()
    stops: tuple[Stop, ...] = ()
    current: Asked | None = None
    rubric: RubricTable | None = None
    closing: Closing | None = None
