"""What one trainee has done with the designs: who has earned the reading of which, and the rounds sat."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from designs.loaded import LoadedDesign
from trainer.accounts.models import User
from trainer.rounds.models import DesignReading, Round, State


@dataclass(frozen=True)
class RoundLine:
    """One round of a design, for its history."""

    id: UUID
    state: str
    mode: str
    begun_at: datetime
    done_at: datetime | None


@dataclass(frozen=True)
class IndexEntry:
    """A design in the list: what may be seen before it is earned, and one's own history with it."""

    slug: str
    title: str
    summary: str
    why: str
    hard_parts: tuple[str, str]
    rounds: tuple[RoundLine, ...]
    read: bool
    earned: bool

    @property
    def done(self) -> int:
        return sum(line.state == State.DONE for line in self.rounds)

    @property
    def open_round(self) -> RoundLine | None:
        return next((line for line in self.rounds if line.state not in (State.DONE, State.ABANDONED)), None)


def is_earned(user: User, slug: str) -> bool:
    """Whether this trainee may read the worked design: a round of it finished, or a reading on record."""
    return (
        Round.objects.filter(user=user, slug=slug, state=State.DONE).exists()
        or DesignReading.objects.filter(user=user, slug=slug).exists()
    )


def earned_slugs(user: User) -> set[str]:
    """The designs that this trainee may read."""
    done = Round.objects.filter(user=user, state=State.DONE).values_list("slug", flat=True)
    return {*done, *DesignReading.objects.filter(user=user).values_list("slug", flat=True)}


def index_entries(user: User, designs: Iterable[LoadedDesign]) -> list[IndexEntry]:
    """The designs in their order, each with the trainee's own rounds, newest first."""
    rounds: dict[str, list[RoundLine]] = defaultdict(list)
    for row in Round.objects.filter(user=user).order_by("-created_at"):
        rounds[row.slug].append(RoundLine(row.pk, row.state, row.mode, row.created_at, row.done_at))
    read = set(DesignReading.objects.filter(user=user).values_list("slug", flat=True))
    return [_entry(loaded, tuple(rounds[loaded.slug]), loaded.slug in read) for loaded in designs]


def index_entry(user: User, loaded: LoadedDesign) -> IndexEntry:
    """The same for one design."""
    rows = Round.objects.filter(user=user, slug=loaded.slug).order_by("-created_at")
    rounds = tuple(RoundLine(row.pk, row.state, row.mode, row.created_at, row.done_at) for row in rows)
    return _entry(loaded, rounds, DesignReading.objects.filter(user=user, slug=loaded.slug).exists())


def _entry(loaded: LoadedDesign, rounds: tuple[RoundLine, ...], read: bool) -> IndexEntry:
    return IndexEntry(
        slug=loaded.slug,
        title=loaded.title,
        summary=loaded.summary,
        why=loaded.why,
        hard_parts=loaded.hard_part_titles,
        rounds=rounds,
        read=read,
        earned=read or any(line.state == State.DONE for line in rounds),
    )
