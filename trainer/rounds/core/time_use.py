"""How the time of a round was used: by section, from where the trainee turned and what was saved."""

from bisect import bisect_right
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
    for index, turn in enumerate(ordered):
        following = ordered[index + 1].at if index + 1 < len(ordered) else end
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


CATCHING_UP = timedelta(seconds=10)


def turns_of(focuses: Iterable[Turn], saves: Iterable[Turn]) -> list[Turn]:
    """Where the trainee was, from where they turned and what was saved, in order.

    A save says where they are too (another tab, or a browser without scripts), unless it comes right after they
    turned elsewhere: then it is the text of the place they left, catching up.
    """
    turns = sorted(focuses, key=lambda turn: turn.at)
    moments = [turn.at for turn in turns]
    for save in saves:
        before = bisect_right(moments, save.at)
        if before == 0 or save.at - moments[before - 1] > CATCHING_UP:
            turns.append(save)
    return sorted(turns, key=lambda turn: turn.at)
