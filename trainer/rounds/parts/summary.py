"""What a round came to."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from uuid import UUID

from trainer.rounds.parts.running import AnchorText


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
    title: str  # the beginning of its front, without markup
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
