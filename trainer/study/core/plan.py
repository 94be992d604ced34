"""The weekly plan: one design a week, ten minutes a day, as events of a calendar (RFC 5545)."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from icalendar import Calendar, Event

PRODUCT = "-//Roofline//Weekly plan//EN"
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
WEEKS = range(1, 27)
DAILY_AT = dt.time(8, 0)


@dataclass(frozen=True)
class Stop:
    """A design of the order, with what may be said of it before it is earned."""

    slug: str
    title: str
    reason: str
    address: str


@dataclass(frozen=True)
class Wish:
    """What the plan is made for: the first day, the evening, the hour, how many weeks, and whose zone."""

    start: dt.date
    weekday: int
    at: dt.time
    weeks: int
    zone: dt.tzinfo
    owner: str


@dataclass(frozen=True)
class Session:
    """One evening."""

    uid: str
    begins_at: dt.datetime
    stop: Stop
    again: bool


def sessions(left: Sequence[Stop], order: Sequence[Stop], wish: Wish) -> list[Session]:
    """One evening a week from the first wished weekday on, for the designs that are left; then all of them again."""
    first = wish.start + dt.timedelta(days=(wish.weekday - wish.start.weekday()) % 7)
    found = []
    for week in range(wish.weeks):
        turn, place = (1, week) if week < len(left) else divmod(week - len(left) + 2 * len(order), len(order))
        again = turn > 1
        stop = order[place] if again else left[place]
        day = first + dt.timedelta(weeks=week)
        uid = f"{stop.slug}-{turn}.{wish.owner}@roofline"
        found.append(Session(uid, dt.datetime.combine(day, wish.at, wish.zone), stop, again))
    return found


def calendar(
    left: Sequence[Stop],
    order: Sequence[Stop],
    wish: Wish,
    *,
    round_minutes: int,
    daily_minutes: int,
    round_title: str,
    daily_title: str,
    now: dt.datetime,
) -> bytes:
    """The plan as an .ics file. A UID names the design, so that importing a changed plan moves its events.

    `round_title` has `{{ title }}` where the design's title goes.
    """
    made = Calendar()
    made.add("prodid", PRODUCT)
    made.add("version", "2.0")
    made.add("calscale", "GREGORIAN")
    made.add("method", "PUBLISH")
    made.add("x-wr-calname", "Roofline")
    evenings = sessions(left, order, wish)
    for one in evenings:
        title = round_title.replace("{{ title }}", one.stop.title)
        text = f"{one.stop.reason}\n{one.stop.address}" if not one.again else f"Once more.\n{one.stop.address}"
        event = _event(one.uid, one.begins_at, round_minutes, title, text, now)
        event.add("url", one.stop.address)
        made.add_component(event)
    daily = _event(
        f"daily.{wish.owner}@roofline",
        dt.datetime.combine(wish.start, DAILY_AT, wish.zone),
        daily_minutes,
        daily_title,
        "",
        now,
    )
    daily.add("rrule", {"freq": "daily", "count": wish.weeks * 7})
    made.add_component(daily)
    year = dt.timedelta(days=366)
    made.add_missing_timezones(wish.start - year, wish.start + dt.timedelta(weeks=wish.weeks) + year)
    return made.to_ical()


def _event(uid: str, begins_at: dt.datetime, minutes: int, title: str, text: str, now: dt.datetime) -> Event:
    event = Event()
    event.add("uid", uid)
    event.add("dtstamp", now)
    event.add("last-modified", now)
    event.add("sequence", int(now.timestamp()) // 60)  # a plan that is made later replaces the one before
    event.add("summary", title)
    event.add("dtstart", begins_at)
    event.add("duration", dt.timedelta(minutes=minutes))
    if text:
        event.add("description", text)
    return event
