"""The list of rounds, and the history of the drafts of one."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID


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

    @property
    def first_round(self) -> bool:
        """None has been handed in: what was abandoned before that was not sat."""
        return not any(design.attempts for design in self.designs)


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
