"""The form of the weekly plan: what is refused is refused by its field and range."""

import datetime as dt
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from django import forms

from trainer.accounts.models import User
from trainer.study.core.plan import WEEKDAYS, WEEKS, Wish

FIRST_DAY, LAST_DAY = dt.date(2000, 1, 1), dt.date(2099, 12, 31)
EVENING = dt.time(19, 0)
_DAY = f"a day from {FIRST_DAY} to {LAST_DAY}, as 2027-01-31"
_WEEKS = f"a whole number from {WEEKS[0]} to {WEEKS[-1]}"


class PlanForm(forms.Form):
    """From which day, on which evening, at what time, for how many weeks, in which zone."""

    start = forms.DateField(
        label="From",
        input_formats=["%Y-%m-%d"],
        error_messages={"required": f"From: give {_DAY}.", "invalid": f"From: give {_DAY}."},
        widget=forms.DateInput(attrs={"type": "date", "class": "input"}, format="%Y-%m-%d"),
    )
    weekday = forms.TypedChoiceField(
        label="Evening",
        choices=list(enumerate(WEEKDAYS)),
        coerce=int,
        error_messages={
            "required": "Evening: choose a day of the week.",
            "invalid_choice": "Evening: a number from 0 (Monday) to 6 (Sunday).",
        },
    )
    time = forms.TimeField(
        label="At",
        input_formats=["%H:%M"],
        error_messages={"required": "At: give a time, as 19:00.", "invalid": "At: give a time from 00:00 to 23:59."},
        widget=forms.TimeInput(attrs={"type": "time", "class": "input"}, format="%H:%M"),
    )
    weeks = forms.IntegerField(
        label="Weeks",
        min_value=WEEKS[0],
        max_value=WEEKS[-1],
        error_messages=dict.fromkeys(("required", "invalid", "min_value", "max_value"), f"Weeks: {_WEEKS}."),
    )
    zone = forms.CharField(
        label="Time zone",
        max_length=64,
        error_messages={"required": "Time zone: give its name, as Europe/Berlin."},
    )

    def clean_start(self) -> dt.date:
        """Within years that every calendar knows."""
        start: dt.date = self.cleaned_data["start"]
        if not FIRST_DAY <= start <= LAST_DAY:
            raise forms.ValidationError(f"From: give {_DAY}.")
        return start

    def clean_zone(self) -> str:
        """A zone that there is."""
        zone: str = self.cleaned_data["zone"]
        if zone not in available_timezones():
            raise forms.ValidationError(f"Time zone: there is none called {zone[:40]!r}; for example Europe/Berlin.")
        return zone

    @staticmethod
    def first(user: User, today: dt.date, designs: int) -> dict[str, Any]:
        """What the form is filled with at first."""
        return {
            "start": today,
            "weekday": today.weekday(),
            "time": EVENING,
            "weeks": min(max(designs, WEEKS[0]), WEEKS[-1]),
            "zone": user.time_zone,
        }

    def wish(self, *, owner: str) -> Wish:
        """What the plan is made for; of a form that is valid."""
        got = self.cleaned_data
        return Wish(got["start"], got["weekday"], got["time"], got["weeks"], ZoneInfo(got["zone"]), owner)
