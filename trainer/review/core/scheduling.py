"""When a card comes back: the FSRS algorithm of the `fsrs` package, counted in study days.

The package measures elapsed time in whole 24 h. So it is handed the noon, in UTC, of a study day in place of an
instant: the difference of two such noons in days is exactly the number of study days between them, whatever the hours
of the two reviews, summer time, or travel. Its `due` is a noon too, and its date is the study day the card is due on.
The real instants are kept by the caller.

Fuzz is off (it draws on global randomness, so that a button's label would differ from what is applied), there are no
learning steps (a miss is due the next study day by the algorithm itself), and the card id and the time are always
passed (the package would otherwise sleep and read the clock).
"""

import datetime as dt
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from typing import Any

import fsrs

LOWEST_RETENTION, HIGHEST_RETENTION = 0.7, 0.97
LEECH_AFTER_LAPSES = 4
DAYS_BEFORE_INTERVIEW = 7
MAXIMUM_INTERVAL_DAYS = 36_500


class Rating(IntEnum):
    """How well the back was known."""

    AGAIN = 1
    HARD = 2
    GOOD = 3
    EASY = 4

    @property
    def label(self) -> str:
        """The word on its button."""
        return self.name.capitalize()


@dataclass(frozen=True)
class Policy:
    """What of the schedule the trainee decides.

    Raises: ValueError when the retention is out of its range.
    """

    desired_retention: float = 0.9
    interview_date: dt.date | None = None

    def __post_init__(self) -> None:
        if not LOWEST_RETENTION <= self.desired_retention <= HIGHEST_RETENTION:
            raise ValueError(
                f"desired_retention: must be {LOWEST_RETENTION} to {HIGHEST_RETENTION}, not {self.desired_retention!r}"
            )


@dataclass(frozen=True)
class Schedule:
    """Where a card stands. `memory` is the package's own card, in its own JSON form."""

    memory: dict[str, Any]
    due_on: dt.date
    seen_on: dt.date
    lapses: int = 0


@dataclass(frozen=True)
class Outcome:
    """What one rating would make of a card. `interval_days` is what its button says, and what is applied."""

    rating: Rating
    schedule: Schedule
    interval_days: int
    early: bool  # rated before the day it was due
    leech: bool  # lapsed often enough to be set aside


def missed(card_id: int, today: dt.date, policy: Policy) -> Schedule:
    """The schedule of a card whose miss is recorded today: logged as Again, due the next study day."""
    new = fsrs.Card(card_id=card_id, due=_noon(today))
    memory = _reviewed(new, Rating.AGAIN, today, policy)
    return Schedule(memory=dict(memory.to_dict()), due_on=memory.due.date(), seen_on=today)


def previews(schedule: Schedule, card_id: int, today: dt.date, policy: Policy) -> dict[Rating, Outcome]:
    """What each of the four ratings would make of the card today; Again <= Hard <= Good <= Easy in days.

    A second review on one study day teaches the schedule nothing more: a pass leaves it as it stands, and so does an
    Again where the card is due tomorrow already. So looking ahead never stretches an interval.
    """
    outcomes: dict[Rating, Outcome] = {}
    at_least = 1
    for rating in Rating:
        outcome = _outcome(schedule, rating, card_id, today, policy, at_least)
        outcomes[rating] = outcome
        at_least = outcome.interval_days
    return outcomes


def due_by(
    due_on: dt.date, *, seen_on: dt.date, card_id: int, today: dt.date, interview_date: dt.date | None
) -> dt.date:
    """The study day a card is due on, an interview date taken into account.

    A card not yet seen in the week before the interview is due on its own day of that week at the latest; the ids
    spread the cards over it. Once the interview is over the plain due day holds again.
    """
    if interview_date is None or today >= interview_date:
        return due_on
    week_begins_on = interview_date - dt.timedelta(days=DAYS_BEFORE_INTERVIEW)
    if seen_on >= week_begins_on:
        return due_on
    return min(due_on, week_begins_on + dt.timedelta(days=card_id % DAYS_BEFORE_INTERVIEW))


def _outcome(
    schedule: Schedule, rating: Rating, card_id: int, today: dt.date, policy: Policy, at_least: int
) -> Outcome:
    due_now = due_by(
        schedule.due_on,
        seen_on=schedule.seen_on,
        card_id=card_id,
        today=today,
        interview_date=policy.interview_date,
    )
    early = today < due_now
    seen_today = schedule.seen_on >= today
    due_tomorrow = (schedule.due_on - today).days <= 1
    if seen_today and (rating is not Rating.AGAIN or due_tomorrow):
        return Outcome(rating, schedule, (schedule.due_on - today).days, early=early, leech=False)
    card = fsrs.Card.from_dict({**schedule.memory, "card_id": card_id})  # type: ignore[typeddict-item]
    memory = _reviewed(card, rating, max(today, schedule.seen_on), policy)
    due_on = due_by(
        memory.due.date(), seen_on=today, card_id=card_id, today=today, interview_date=policy.interview_date
    )
    if rating is Rating.AGAIN and seen_today:
        due_on = min(due_on, schedule.due_on)
    due_on = max(due_on, today + dt.timedelta(days=at_least))
    memory.due = _noon(due_on)
    lapses = schedule.lapses + (1 if rating is Rating.AGAIN else 0)
    return Outcome(
        rating,
        Schedule(memory=dict(memory.to_dict()), due_on=due_on, seen_on=max(today, schedule.seen_on), lapses=lapses),
        (due_on - today).days,
        early=early,
        leech=rating is Rating.AGAIN and lapses >= LEECH_AFTER_LAPSES,
    )


def _reviewed(card: fsrs.Card, rating: Rating, day: dt.date, policy: Policy) -> fsrs.Card:
    reviewed, _ = _scheduler(policy.desired_retention).review_card(card, fsrs.Rating(rating), _noon(day))
    return reviewed


@lru_cache(maxsize=64)
def _scheduler(desired_retention: float) -> fsrs.Scheduler:
    return fsrs.Scheduler(
        desired_retention=desired_retention,
        learning_steps=(),
        relearning_steps=(),
        maximum_interval=MAXIMUM_INTERVAL_DAYS,
        enable_fuzzing=False,
    )


def _noon(day: dt.date) -> dt.datetime:
    return dt.datetime.combine(day, dt.time(12), tzinfo=dt.UTC)
