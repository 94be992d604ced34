"""What the Today page is made of. `selectors.today_page` fills these; the template reads them and nothing else."""

import datetime as dt
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from trainer.review.selectors import Standing


class Primary(StrEnum):
    """The one thing the primary button does."""

    CLOCK = "clock"  # go back to the round whose clock runs
    REVIEW = "review"
    RESUME = "resume"  # go on with a round left unfinished
    START = "start"
    DRILL = "drill"
    NONE = "none"


@dataclass(frozen=True)
class UnfinishedRound:
    """A round left before its end."""

    id: UUID
    slug: str
    title: str
    stands: str  # "in writing", "at scoring"
    clocked: bool  # its clock runs, or is paused
    paused: bool
    deadline_at: dt.datetime | None
    begun_at: dt.datetime


@dataclass(frozen=True)
class NextDesign:
    """The design to sit next."""

    slug: str
    title: str
    summary: str
    read_before: bool
    sat_before: bool


@dataclass(frozen=True)
class NextDrill:
    """The drill of the day."""

    title: str
    what: str  # "work out a number"
    due: bool  # its card is due
    seconds: int


@dataclass(frozen=True)
class LineRow:
    """One rubric line over the scored rounds; None where a round has no score on it."""

    number: int
    name: str
    weight: int
    levels: tuple[int | None, ...]


@dataclass(frozen=True)
class ScoredRound:
    """The head of a column of the table of scores."""

    id: UUID
    slug: str
    on: dt.date
    percentage: float | None
    evidence: bool


@dataclass(frozen=True)
class Scores:
    """Scores by line, the oldest round first."""

    rounds: tuple[ScoredRound, ...]
    lines: tuple[LineRow, ...]


@dataclass(frozen=True)
class WeakLine:
    """A line whose mean level over the latest rounds is low."""

    number: int
    name: str
    mean_level: float


@dataclass(frozen=True)
class WeakClass:
    """A defect class, and how many critiques of it were marked partial or miss."""

    name: str
    missed: int
    met: int


@dataclass(frozen=True)
class TodayPage:
    """Everything of the page."""

    first_visit: bool
    first_round: bool  # none has been handed in
    primary: Primary
    standing: Standing
    unfinished: tuple[UnfinishedRound, ...]
    next_design: NextDesign | None
    next_drill: NextDrill | None
    drills_today: int
    sat_this_week: bool
    designs_count: int
    refused_names: tuple[str, ...]
    streak_weeks: int
    scores: Scores
    weak_lines: tuple[WeakLine, ...]
    weak_classes: tuple[WeakClass, ...]
