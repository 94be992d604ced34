"""The trainee's own study day, and what their settings ask of the schedule."""

import datetime as dt
from zoneinfo import ZoneInfo

from trainer.accounts.models import User
from trainer.review.core.scheduling import Policy
from trainer.review.core.study_day import day_begins_at, study_day


def study_day_of(user: User, at: dt.datetime) -> dt.date:
    """The study day that an instant falls on for this trainee, where they are now."""
    return study_day(at, ZoneInfo(user.time_zone), user.day_turns_over_at_hour)


def study_day_begins_at(user: User, day: dt.date) -> dt.datetime:
    """The instant at which a study day begins for this trainee."""
    return day_begins_at(day, ZoneInfo(user.time_zone), user.day_turns_over_at_hour)


def policy_of(user: User) -> Policy:
    """The trainee's retention and interview date."""
    return Policy(desired_retention=user.desired_retention, interview_date=user.interview_date)
