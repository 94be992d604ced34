"""In which order designs are sat, and how many weeks in a row have had a round."""

import datetime as dt
from collections.abc import Iterable, Sequence
from itertools import zip_longest

RECOMMENDED = ("m01", "m02", "m08", "m03", "m06", "m05", "m07", "m04", "chatgpt")
FIRST = RECOMMENDED[0]
WEEK = dt.timedelta(days=7)


def sitting_order(slugs: Iterable[str]) -> list[str]:
    """The slugs in the order they are sat: the recommended ones, a second pack's between them, one of each by turns."""
    installed = list(slugs)
    own = [slug for slug in RECOMMENDED if slug in installed]
    others = [slug for slug in installed if slug not in RECOMMENDED]
    return [slug for pair in zip_longest(own, others) for slug in pair if slug is not None]


def next_to_sit(order: Sequence[str], sat: Sequence[str], unfinished: Iterable[str]) -> str | None:
    """The first design not sat yet; once all were, the one that was sat longest ago.

    `sat` are the slugs of submitted rounds, oldest first. A design with an unfinished round is not offered again.
    """
    open_slugs = set(unfinished)
    free = [slug for slug in order if slug not in open_slugs]
    never = [slug for slug in free if slug not in sat]
    if never:
        return never[0]
    last_sat = {slug: index for index, slug in enumerate(sat)}
    return min(free, key=lambda slug: last_sat[slug], default=None)


def week_of(day: dt.date) -> dt.date:
    """The Monday of a study day's week."""
    return day - dt.timedelta(days=day.weekday())


def streak_weeks(days: Iterable[dt.date], today: dt.date) -> int:
    """How many weeks in a row have had a round; a present week that has none yet breaks nothing."""
    weeks = {week_of(day) for day in days}
    week = week_of(today)
    if week not in weeks:
        week -= WEEK
    streak = 0
    while week in weeks:
        streak += 1
        week -= WEEK
    return streak
