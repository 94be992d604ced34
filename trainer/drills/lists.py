"""The index of drills: groups and kinds, each drill with one's own record."""

from collections import Counter
from dataclasses import dataclass

from trainer.drills.core.forms import Drill, Kind
from trainer.drills.core.picking import Record
from trainer.drills.selectors import GROUPS, Filters


@dataclass(frozen=True)
class DrillRow:
    """A drill in the list."""

    drill: Drill
    record: Record


@dataclass(frozen=True)
class Group:
    """The drills of a concept group."""

    id: str
    title: str
    rows: tuple[DrillRow, ...]
    folded: bool

    @property
    def tried(self) -> int:
        """How many were tried."""
        return sum(bool(row.record.tried) for row in self.rows)

    @property
    def weak(self) -> int:
        """How many were answered wrong when last tried."""
        return sum(row.record.weak for row in self.rows)


def groups_of(drills: dict[str, Drill], records: dict[str, Record], filters: Filters) -> tuple[Group, ...]:
    """The drills that the filters take, by group; within one those due or weak come first."""
    rows = [DrillRow(drill, records.get(id, Record())) for id, drill in drills.items()]
    rows = [row for row in rows if filters.takes(row.drill, row.record)]
    rows.sort(key=lambda row: (not row.record.due, not row.record.weak))
    found: list[Group] = []
    for id, title in GROUPS.items():
        own = tuple(row for row in rows if row.drill.group == id)
        if own:
            found.append(Group(id, title, own, folded=bool(found) and not filters.narrow))
    return tuple(found)


def kinds_of(drills: dict[str, Drill]) -> dict[Kind, int]:
    """How many drills there are of each kind that has one."""
    count = Counter(drill.kind for drill in drills.values())
    return {kind: count[kind] for kind in Kind if count[kind]}
