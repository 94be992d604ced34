"""What one trainee may see of the rows: a row of a design stays on the server until that design is earned."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from designs.history import is_earned
from trainer.accounts.models import User


class Row(Protocol):
    """A row that designs hold back."""

    @property
    def designs(self) -> tuple[str, ...]: ...


@dataclass(frozen=True)
class Shown[T]:
    """A row as a page has it: the row itself, or the designs that hold it back and nothing of the row."""

    label: str
    anchor: str
    row: T | None
    waits_for: tuple[str, ...] = ()

    @property
    def waits_text(self) -> str:
        """When it opens: "of m04: after its round"."""
        *others, last = self.waits_for
        several = f"{', '.join(others)} and {last}: after their rounds"
        return f"of {several}" if others else f"of {last}: after its round"


def earned_of(user: User, rows: Iterable[Row]) -> frozenset[str]:
    """The designs among those of the rows that this trainee has earned."""
    slugs = {slug for row in rows for slug in row.designs}
    return frozenset(slug for slug in slugs if is_earned(user, slug))


def shown[T: Row](label: str, anchor: str, row: T, earned: frozenset[str]) -> Shown[T]:
    """The row if each of its designs is earned, else what it waits for."""
    waits_for = tuple(slug for slug in row.designs if slug not in earned)
    return Shown(label, anchor, None if waits_for else row, waits_for)
