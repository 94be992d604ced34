"""In which order designs are sat, and how weeks are counted."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainer.home.order import RECOMMENDED, next_to_sit, sitting_order, streak_weeks, week_of

MONDAY = dt.date(2026, 3, 2)
WEEK = dt.timedelta(days=7)


def test_the_recommended_order_begins_with_the_three_that_are_mandatory_and_ends_with_chatgpt():
    assert RECOMMENDED == ("m01", "m02", "m08", "m03", "m06", "m05", "m07", "m04", "chatgpt")


def test_only_designs_that_load_are_in_the_order():
    assert sitting_order(["m04", "m08", "m01"]) == ["m01", "m08", "m04"]


def test_a_second_pack_is_interleaved_one_of_each_by_turns():
    assert sitting_order(["m01", "m02", "d01", "d02", "d03"]) == ["m01", "d01", "m02", "d02", "d03"]


@pytest.mark.parametrize(
    ("sat", "unfinished", "expected"),
    [
        ([], [], "m01"),
        (["m01"], [], "m02"),
        (["m02"], [], "m01"),
        (["m01"], ["m02"], "m08"),
        (["m01", "m02", "m08"], [], "m01"),
        (["m01", "m02", "m08", "m01"], [], "m02"),
        ([], ["m01", "m02", "m08"], None),
    ],
)
def test_next_comes_the_first_not_sat_then_the_one_sat_longest_ago(sat, unfinished, expected):
    assert next_to_sit(["m01", "m02", "m08"], sat, unfinished) == expected


def test_without_designs_nothing_comes_next():
    assert next_to_sit([], [], []) is None


@given(st.lists(st.sampled_from(RECOMMENDED)), st.sets(st.sampled_from(RECOMMENDED)))
def test_a_design_with_a_round_open_is_never_offered(sat, unfinished):
    assert next_to_sit(RECOMMENDED, sat, unfinished) not in unfinished


def test_a_week_begins_on_monday():
    assert week_of(MONDAY) == week_of(MONDAY + dt.timedelta(days=6)) == MONDAY
    assert week_of(MONDAY - dt.timedelta(days=1)) == MONDAY - WEEK


@pytest.mark.parametrize(
    ("weeks_ago", "streak"),
    [([], 0), ([0], 1), ([1], 1), ([2], 0), ([0, 1, 2], 3), ([1, 2], 2), ([0, 2, 3], 1), ([0, 0, 1], 2)],
)
def test_the_streak_counts_weeks_in_a_row_and_the_present_one_may_still_be_empty(weeks_ago, streak):
    thursday = MONDAY + dt.timedelta(days=3)
    assert streak_weeks([MONDAY - ago * WEEK for ago in weeks_ago], thursday) == streak


def test_the_streak_goes_on_over_the_end_of_a_year():
    days = [dt.date(2026, 12, 21), dt.date(2026, 12, 30), dt.date(2027, 1, 5)]
    assert streak_weeks(days, dt.date(2027, 1, 6)) == 3
