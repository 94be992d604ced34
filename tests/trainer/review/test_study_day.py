"""The study day: dates that turn over at 04:00 local, across summer time and travel."""

import datetime as dt
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.trainer.review.helpers import at, day
from trainer.review.core.study_day import as_utc, day_begins_at, study_day

ZONES = [
    "UTC",
    "Europe/Berlin",
    "America/New_York",
    "America/St_Johns",
    "America/Sao_Paulo",
    "Asia/Tokyo",
    "Asia/Kathmandu",
    "Australia/Lord_Howe",
    "Pacific/Apia",
    "Pacific/Kiritimati",
    "Africa/Cairo",
]
BERLIN = ZoneInfo("Europe/Berlin")
INSTANTS = st.datetimes(
    min_value=dt.datetime(1975, 1, 1),  # noqa: DTZ001 - the strategy adds the zone itself
    max_value=dt.datetime(2037, 12, 31),  # noqa: DTZ001
    timezones=st.just(dt.UTC),
)
HOURS = st.integers(0, 23)
SOME_ZONE = st.sampled_from(ZONES).map(ZoneInfo)


@pytest.mark.parametrize(
    ("local", "expected"),
    [
        ("2026-03-02 03:59:59", "2026-03-01"),
        ("2026-03-02 04:00", "2026-03-02"),
        ("2026-03-02 23:50", "2026-03-02"),
        ("2026-03-03 00:10", "2026-03-02"),
        ("2026-03-03 07:00", "2026-03-03"),
    ],
)
def test_the_day_turns_over_at_four_in_the_morning_local(local, expected):
    assert study_day(at(local, "Europe/Berlin"), BERLIN, 4) == day(expected)


def test_b066_the_fall_back_night_at_2328_has_not_rolled_over():
    assert study_day(at("2026-10-25 23:28", "Europe/Berlin"), BERLIN, 0) == day("2026-10-25")
    assert study_day(at("2026-10-24 23:28", "Europe/Berlin"), BERLIN, 0) == day("2026-10-24")


def test_b060_twenty_five_hours_across_the_end_of_summer_time_are_one_study_day():
    evening, next_evening = at("2026-10-24 20:00", "Europe/Berlin"), at("2026-10-25 20:00", "Europe/Berlin")
    assert next_evening - evening == dt.timedelta(hours=25)
    assert study_day(next_evening, BERLIN, 4) - study_day(evening, BERLIN, 4) == dt.timedelta(days=1)


def test_the_repeated_hour_does_not_turn_the_day_twice():
    first, second = at("2026-10-25 02:30", "Europe/Berlin"), at("2026-10-25 02:30", "Europe/Berlin", fold=1)
    assert second - first == dt.timedelta(hours=1)
    assert study_day(first, BERLIN, 2) == study_day(second, BERLIN, 2) == day("2026-10-25")


def test_where_the_clocks_skip_the_turn_over_hour_the_day_turns_with_them():
    begins = day_begins_at(day("2026-03-29"), BERLIN, 2)
    assert begins == at("2026-03-29 03:00", "Europe/Berlin")
    assert study_day(begins - dt.timedelta(seconds=1), BERLIN, 2) == day("2026-03-28")


def test_a_day_that_a_zone_skipped_altogether_is_passed_over():
    apia = ZoneInfo("Pacific/Apia")
    before, after = at("2011-12-29 12:00", "Pacific/Apia"), at("2011-12-31 12:00", "Pacific/Apia")
    assert study_day(after, apia, 4) - study_day(before, apia, 4) == dt.timedelta(days=2)
    assert after - before == dt.timedelta(hours=24)


@given(INSTANTS, SOME_ZONE, HOURS)
def test_an_instant_lies_within_the_day_it_falls_on(instant, zone, hour):
    found = study_day(instant, zone, hour)
    assert day_begins_at(found, zone, hour) <= instant < day_begins_at(found + dt.timedelta(days=1), zone, hour)


@given(INSTANTS, st.timedeltas(min_value=dt.timedelta(0), max_value=dt.timedelta(days=3)), SOME_ZONE, HOURS)
def test_the_study_day_never_runs_backwards(instant, later, zone, hour):
    assert study_day(instant + later, zone, hour) >= study_day(instant, zone, hour)


@given(INSTANTS, SOME_ZONE, HOURS)
def test_48_hours_later_one_to_three_study_days_have_passed(instant, zone, hour):
    passed = study_day(instant + dt.timedelta(hours=48), zone, hour) - study_day(instant, zone, hour)
    assert 1 <= passed.days <= 3


@given(INSTANTS, SOME_ZONE, SOME_ZONE, HOURS)
def test_whose_clock_an_instant_is_read_from_makes_no_difference(instant, zone, other, hour):
    assert study_day(instant.astimezone(other), zone, hour) == study_day(instant, zone, hour)


def test_a_naive_time_is_refused():
    naive = at("2026-03-02 12:00").replace(tzinfo=None)
    with pytest.raises(ValueError, match="at: must carry its time zone"):
        study_day(naive, BERLIN, 4)
    with pytest.raises(ValueError, match="at: must carry its time zone"):
        as_utc(naive)


@pytest.mark.parametrize("hour", [-1, 24])
def test_an_hour_that_no_day_has_is_refused(hour):
    with pytest.raises(ValueError, match="turns_over_at_hour: must be 0 to 23"):
        study_day(at("2026-03-02 12:00"), BERLIN, hour)
