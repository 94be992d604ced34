"""How the time of a round was used: by section, from where the trainee turned and what was saved."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

AWAY = "away"


@dataclass(frozen=True)
class Turn:
    """At `at` the trainee was at `key`: they turned to it, or a text of it was saved."""

    key: str
    at: datetime


@dataclass(frozen=True)
class Interval:
    """From `start` (inclusive) to `end`; an open pause ends with the phase."""

    start: datetime
    end: datetime | None


def time_use(
    turns: Iterable[Turn], *, start: datetime, end: datetime, pauses: Sequence[Interval] = ()
) -> dict[str, timedelta]:
    """Time by key between `start` and `end`, pauses left out. The longest first.

    A turn holds until the next one. What was before the first turn counts for the place it turned to only if that
    turn was made before `start`; otherwise it belongs to no key. "away" is kept out.
    """
    ordered = sorted((turn for turn in turns if turn.at < end), key=lambda turn: turn.at)
    used: dict[str, timedelta] = {}
    for turn, following in zip(ordered, [*(turn.at for turn in ordered[1:]), end], strict=True):
        spent = _overlap(turn.at, following, start, end)
        for pause in pauses:
            spent -= _overlap(max(turn.at, start), min(following, end), pause.start, pause.end or end)
        if turn.key != AWAY and spent > timedelta():
            used[turn.key] = used.get(turn.key, timedelta()) + spent
    return dict(sorted(used.items(), key=lambda item: -item[1]))


def paused_time(pauses: Iterable[Interval], *, start: datetime, end: datetime) -> timedelta:
    """How long the clock stood still between `start` and `end`."""
    return sum((_overlap(pause.start, pause.end or end, start, end) for pause in pauses), timedelta())


def _overlap(start: datetime, end: datetime, from_: datetime, to: datetime) -> timedelta:
    return max(timedelta(), min(end, to) - max(start, from_))
