"""The study day: a date that turns over in the small hours of the trainee's own zone, not at midnight.

A review at 23:50 and the next at 07:00 are one study day apart, and so are two reviews 25 hours apart across the end
of summer time. So schedules count study days, as dates; they never divide hours by 24.
"""

import datetime as dt

HOURS = range(24)


def day_begins_at(day: dt.date, zone: dt.tzinfo, turns_over_at_hour: int) -> dt.datetime:
    """The instant, in UTC, at which a study day begins.

    Where the clocks skip that hour, the day begins when it would have come; where they repeat it, at the first.
    Raises: ValueError when the hour is not 0 to 23.
    """
    if turns_over_at_hour not in HOURS:
        raise ValueError(f"turns_over_at_hour: must be {HOURS.start} to {HOURS.stop - 1}, not {turns_over_at_hour!r}")
    return dt.datetime.combine(day, dt.time(turns_over_at_hour), tzinfo=zone).astimezone(dt.UTC)


def study_day(at: dt.datetime, zone: dt.tzinfo, turns_over_at_hour: int) -> dt.date:
    """The study day that an instant falls on: the latest one that has begun.

    Holds when: `at` is aware, in whatever zone. It never runs backwards in one zone, even where clocks do.
    Raises: ValueError when `at` is naive, or the hour is not 0 to 23.
    """
    instant = as_utc(at)
    latest = instant.astimezone(zone).date() + dt.timedelta(days=1)
    while day_begins_at(latest, zone, turns_over_at_hour) > instant:
        latest -= dt.timedelta(days=1)
    return latest


def as_utc(at: dt.datetime) -> dt.datetime:
    """The same instant in UTC.

    Raises: ValueError when `at` is naive: whose clock it was read from is unknown.
    """
    if at.tzinfo is None or at.utcoffset() is None:
        raise ValueError("at: must carry its time zone; a naive time names no instant")
    return at.astimezone(dt.UTC)
