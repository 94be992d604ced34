"""Which drill comes next."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

_LONG_AGO = dt.datetime(2000, 1, 1, tzinfo=dt.UTC)


@dataclass(frozen=True)
class Record:
    """How one trainee stands with a drill. `due` says that its card is due and it was not tried since the day began."""

    tried: int = 0
    right: int = 0
    last_right: bool | None = None
    last_at: dt.datetime | None = None
    due: bool = False

    @property
    def weak(self) -> bool:
        """Whether the last answer was wrong."""
        return self.last_right is False


def order(ids: Sequence[str], records: Mapping[str, Record]) -> list[str]:
    """Due ones first, then those never tried as they are listed, then weak ones, then the rest, longest ago first."""

    def key(id: str) -> tuple[int, dt.datetime, int]:
        record = records.get(id, Record())
        rank = 0 if record.due else 1 if not record.tried else 2 if record.weak else 3
        return rank, record.last_at or _LONG_AGO, place[id]

    place = {id: index for index, id in enumerate(ids)}
    return sorted(ids, key=key)


def pick(ids: Sequence[str], records: Mapping[str, Record], after: str = "") -> str | None:
    """The next drill; the one just done only where there is no other."""
    return next((id for id in order(ids, records) if id != after), after if after in ids else None)
