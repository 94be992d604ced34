"""The schedule: FSRS counted in study days, with labels that are what is applied."""

import datetime as dt
import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.trainer.review.helpers import day
from trainer.review.core.scheduling import (
    DAYS_BEFORE_INTERVIEW,
    LEECH_AFTER_LAPSES,
    Policy,
    Rating,
    Schedule,
    due_by,
    missed,
    previews,
)

START = day("2026-03-02")
PLAIN = Policy()
CARD = 7
RATINGS = st.sampled_from(list(Rating))
POLICIES = st.builds(
    Policy,
    desired_retention=st.floats(0.7, 0.97),
    interview_date=st.none() | st.integers(-30, 400).map(lambda days: START + dt.timedelta(days=days)),
)
# A history: a rating, and on which day counted from the due day (before it: studied ahead).
HISTORIES = st.lists(st.tuples(RATINGS, st.integers(-20, 40)), max_size=12)


def after(history, policy: Policy = PLAIN, card_id: int = CARD) -> tuple[Schedule, dt.date]:
    """The schedule that a history leaves, and the day of its last review."""
    schedule, today = missed(card_id, START, policy), START
    for rating, offset in history:
        today = max(today, schedule.due_on + dt.timedelta(days=offset))
        schedule = previews(schedule, card_id, today, policy)[rating].schedule
    return schedule, today


def test_a_miss_is_due_the_next_study_day_by_the_algorithm_itself():
    schedule = missed(CARD, START, PLAIN)
    assert schedule.due_on == START + dt.timedelta(days=1)
    assert schedule.memory["due"].startswith("2026-03-03")


def test_later_goods_give_2_6_17_44_and_102_days():
    schedule, intervals = missed(CARD, START, PLAIN), []
    for _ in range(5):
        outcome = previews(schedule, CARD, schedule.due_on, PLAIN)[Rating.GOOD]
        intervals.append(outcome.interval_days)
        schedule = outcome.schedule
    assert intervals == [2, 6, 17, 44, 102]


def test_a_higher_retention_asked_for_gives_shorter_intervals():
    at_90, _ = after([(Rating.GOOD, 0)] * 4)
    at_97, _ = after([(Rating.GOOD, 0)] * 4, Policy(desired_retention=0.97))
    assert (at_97.due_on - at_97.seen_on).days < (at_90.due_on - at_90.seen_on).days


@given(HISTORIES, st.integers(0, 60), POLICIES)
def test_b084_again_hard_good_and_easy_never_change_places(history, waited, policy):
    schedule, today = after(history, policy)
    days = [
        outcome.interval_days
        for outcome in previews(schedule, CARD, today + dt.timedelta(days=waited), policy).values()
    ]
    assert days == sorted(days)
    assert days[0] >= 1


@pytest.mark.parametrize(
    ("history", "waited"),
    [
        ([], 0),  # new, on the day of the miss
        ([], 1),  # new, due
        ([(Rating.GOOD, 0)] * 3, 17),  # due
        ([(Rating.GOOD, 0)] * 3, 5),  # early
        ([(Rating.GOOD, 0)] * 3, 90),  # late
        ([(Rating.GOOD, 0), (Rating.GOOD, 0), (Rating.AGAIN, 0)], 1),  # lapsed
    ],
)
def test_b084_the_labels_stand_in_order_on_new_due_early_late_and_lapsed_cards(history, waited):
    schedule, today = after(history)
    outcomes = previews(schedule, CARD, today + dt.timedelta(days=waited), PLAIN)
    days = [outcomes[rating].interval_days for rating in (Rating.AGAIN, Rating.HARD, Rating.GOOD, Rating.EASY)]
    assert days == sorted(days)


@given(HISTORIES, st.integers(0, 60), POLICIES, RATINGS)
def test_b094_the_label_is_the_interval_applied_however_often_it_is_read(history, waited, policy, rating):
    schedule, today = after(history, policy)
    today += dt.timedelta(days=waited)
    read = [previews(schedule, CARD, today, policy)[rating] for _ in range(8)]
    assert all(outcome == read[0] for outcome in read)
    assert read[0].schedule.due_on == today + dt.timedelta(days=read[0].interval_days)


def test_b094_the_global_random_state_changes_no_interval():
    schedule, _ = after([(Rating.GOOD, 0)] * 4)
    labels = set()
    for seed in range(8):
        random.seed(seed)
        labels.add(previews(schedule, CARD, schedule.due_on, PLAIN)[Rating.GOOD].interval_days)
    assert len(labels) == 1


def test_b074_previews_use_today_not_what_was_stored():
    schedule, _ = after([(Rating.GOOD, 0)] * 3)
    stored = Schedule(**{**vars(schedule), "memory": json.loads(json.dumps(schedule.memory))})
    on_time = previews(stored, CARD, stored.due_on, PLAIN)[Rating.GOOD]
    ten_days_late = previews(stored, CARD, stored.due_on + dt.timedelta(days=10), PLAIN)[Rating.GOOD]
    assert ten_days_late.interval_days > on_time.interval_days


def test_b081_five_goods_on_one_day_move_the_due_day_no_further_than_one():
    schedule, _ = after([(Rating.GOOD, 0)] * 3)
    today = schedule.seen_on + dt.timedelta(days=5)
    once = previews(schedule, CARD, today, PLAIN)[Rating.GOOD]
    schedule = once.schedule
    assert once.early
    for _ in range(4):
        again = previews(schedule, CARD, today, PLAIN)[Rating.GOOD]
        schedule = again.schedule
        assert again.early
    assert schedule == once.schedule


@given(HISTORIES, st.sampled_from([Rating.HARD, Rating.GOOD, Rating.EASY]), st.data())
def test_b081_an_early_pass_moves_the_due_day_no_further_than_an_honest_one(history, rating, data):
    schedule, _ = after(history)
    ahead = data.draw(st.integers(0, (schedule.due_on - schedule.seen_on).days))
    early = previews(schedule, CARD, schedule.due_on - dt.timedelta(days=ahead), PLAIN)[rating]
    honest = previews(schedule, CARD, schedule.due_on, PLAIN)[rating]
    assert early.schedule.due_on <= honest.schedule.due_on
    assert early.early == (ahead > 0)


def test_a_second_again_on_one_day_is_no_second_lapse():
    schedule, _ = after([(Rating.GOOD, 0)])
    today = schedule.due_on
    once = previews(schedule, CARD, today, PLAIN)[Rating.AGAIN].schedule
    assert once.lapses == 1
    assert previews(once, CARD, today, PLAIN)[Rating.AGAIN].schedule == once


def test_b087_the_fourth_lapse_makes_a_leech():
    schedule = missed(CARD, START, PLAIN)
    leeches = []
    for _ in range(LEECH_AFTER_LAPSES):
        outcome = previews(schedule, CARD, schedule.due_on, PLAIN)[Rating.AGAIN]
        leeches.append(outcome.leech)
        schedule = outcome.schedule
    assert leeches == [False, False, False, True]


def test_after_travel_to_the_west_a_review_on_an_earlier_date_is_one_of_the_same_day():
    schedule, _ = after([(Rating.GOOD, 0)] * 2)
    yesterday = schedule.seen_on - dt.timedelta(days=1)
    outcome = previews(schedule, CARD, yesterday, PLAIN)[Rating.GOOD]
    assert outcome.schedule == schedule


@given(st.integers(0, 10**6), HISTORIES, st.integers(8, 300))
def test_an_interview_date_brings_every_card_into_the_week_before_it(card_id, history, days):
    interview = START + dt.timedelta(days=days)
    policy = Policy(interview_date=interview)
    schedule, _ = after(history, policy, card_id)
    seen = []
    while schedule.due_on < interview:
        schedule = previews(schedule, card_id, schedule.due_on, policy)[Rating.EASY].schedule
        seen.append(schedule.seen_on)
    week = [interview - dt.timedelta(days=before) for before in range(1, DAYS_BEFORE_INTERVIEW + 1)]
    reviewed_in_week = any(seen_on in week for seen_on in [*seen, schedule.seen_on])
    assert reviewed_in_week or schedule.seen_on >= interview


def test_an_interview_date_set_later_calls_in_a_card_that_is_far_off():
    interview = day("2026-04-20")
    for card_id in range(20):
        due = due_by(day("2026-09-01"), seen_on=START, card_id=card_id, today=START, interview_date=interview)
        assert interview - dt.timedelta(days=7) <= due < interview


def test_the_cards_are_spread_over_the_week_before_the_interview():
    interview = day("2026-04-20")
    days = {
        due_by(day("2026-09-01"), seen_on=START, card_id=card_id, today=START, interview_date=interview)
        for card_id in range(7)
    }
    assert len(days) == 7


def test_once_the_interview_is_over_the_plain_due_day_holds_again():
    far = day("2026-09-01")
    interview = day("2026-04-20")
    assert due_by(far, seen_on=START, card_id=1, today=interview, interview_date=interview) == far


@pytest.mark.parametrize("retention", [0.69, 0.98, 1.5, float("nan")])
def test_a_retention_out_of_range_is_refused_by_name_and_range(retention):
    with pytest.raises(ValueError, match=r"desired_retention: must be 0\.7 to 0\.97"):
        Policy(desired_retention=retention)
