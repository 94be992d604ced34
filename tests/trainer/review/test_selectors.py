"""What is due: counted in the trainee's own study days, wherever they are."""

import datetime as dt

import pytest

from tests.trainer.review.helpers import at, day, due, rate, record
from trainer.review import selectors, services
from trainer.review.core.scheduling import Rating
from trainer.review.models import Card, ReviewEvent

DAY = dt.timedelta(days=1)


def move(user, zone: str) -> None:
    user.time_zone = zone
    user.save()


def test_the_queue_is_in_a_stable_order_oldest_due_first(alice, now):
    late, early = record(alice, now + DAY, 1), record(alice, now, 2)
    also_early = record(alice, now, 3)
    assert due(alice, now + 2 * DAY) == [early.pk, also_early.pk, late.pk]


def test_nobody_sees_anothers_queue(alice, bob, now):
    record(alice, now)
    assert due(bob, now + DAY) == []


def test_b067_moving_from_berlin_to_tokyo_turns_the_day_at_four_in_tokyo_and_loses_no_card(alice):
    move(alice, "Europe/Berlin")
    evening = at("2026-03-02 20:00", "Europe/Berlin")
    cards = [record(alice, evening, number) for number in range(10)]
    move(alice, "Asia/Tokyo")
    assert due(alice, at("2026-03-03 03:59", "Asia/Tokyo")) == []
    assert due(alice, at("2026-03-03 04:00", "Asia/Tokyo")) == [card.pk for card in cards]
    event = ReviewEvent.objects.filter(card=cards[0]).get()
    assert event.at == evening
    assert event.at.utcoffset() == dt.timedelta(0)


def test_b067_moving_back_to_the_west_doubles_no_card(alice):
    move(alice, "Asia/Tokyo")
    card = record(alice, at("2026-03-03 07:00", "Asia/Tokyo"))
    move(alice, "America/Los_Angeles")
    assert due(alice, at("2026-03-03 20:00", "America/Los_Angeles")) == []
    assert due(alice, at("2026-03-04 04:00", "America/Los_Angeles")) == [card.pk]
    assert Card.objects.count() == 1


def test_b068_with_all_reviewed_at_19_the_queue_is_empty_at_2030(alice):
    move(alice, "America/New_York")
    card = record(alice, at("2026-03-02 19:00", "America/New_York"))
    rate(card, Rating.AGAIN, at("2026-03-03 19:00", "America/New_York"))
    assert due(alice, at("2026-03-03 20:30", "America/New_York")) == []
    assert due(alice, at("2026-03-04 04:00", "America/New_York")) == [card.pk]


def test_b072_a_due_day_is_the_local_study_day_west_of_greenwich_too(alice):
    move(alice, "America/Bogota")  # UTC-5
    card = record(alice, at("2027-02-18 21:00", "America/Bogota"))
    assert Card.objects.get().due_on == day("2027-02-19")
    assert due(alice, at("2027-02-18 23:30", "America/Bogota")) == []
    assert due(alice, at("2027-02-19 04:00", "America/Bogota")) == [card.pk]


def test_b086_settings_that_move_due_days_are_no_reviews(alice, now):
    card, other = record(alice, now, 1), record(alice, now, 2)
    rate(card, Rating.GOOD, now + DAY)
    alice.interview_date = day("2026-03-06")
    alice.desired_retention = 0.95
    alice.save()
    services.card_suspend(card=other, now=now + DAY)
    services.card_bury(card=card, now=now + DAY)
    assert selectors.standing(alice, now + DAY).reviewed_today == 1


def test_an_interview_date_set_today_calls_in_every_card_not_seen_in_the_week_before(alice, now):
    card = record(alice, now)
    for _ in range(4):
        card = rate(card, Rating.GOOD, at(f"{Card.objects.get().due_on} 12:00")).card
    seen_on, plainly_due_on = card.last_review_on, card.due_on
    alice.interview_date = seen_on + dt.timedelta(days=20)
    assert alice.interview_date < plainly_due_on
    alice.save()
    week = [alice.interview_date - dt.timedelta(days=before) for before in range(7, 0, -1)]
    asked = [study_day for study_day in week if due(alice, at(f"{study_day} 12:00"))]
    assert asked
    assert asked[-1] == week[-1]
    rate(card, Rating.GOOD, at(f"{asked[0]} 12:00"))
    assert due(alice, at(f"{week[-1]} 13:00")) == []


def test_when_nothing_is_due_the_next_card_is_named_with_its_instant(alice):
    move(alice, "Asia/Kathmandu")
    record(alice, at("2026-03-02 18:00", "Asia/Kathmandu"))
    standing = selectors.standing(alice, at("2026-03-02 18:30", "Asia/Kathmandu"))
    assert (standing.due, standing.next_due_on) == ((), day("2026-03-03"))
    assert standing.next_due_at == at("2026-03-03 04:00", "Asia/Kathmandu")


def test_without_cards_nothing_comes_next(alice, now):
    assert selectors.standing(alice, now).next_due_on is None


def test_a_card_that_is_set_aside_is_not_what_comes_next(alice, now):
    services.card_suspend(card=record(alice, now), now=now)
    assert selectors.standing(alice, now).next_due_on is None


@pytest.mark.parametrize(("only", "expected"), [("", 3), ("suspended", 1), ("leech", 0)])
def test_the_list_of_cards_is_filtered(alice, now, only, expected):
    cards = [record(alice, now, number) for number in range(3)]
    services.card_suspend(card=cards[0], now=now)
    assert len(selectors.card_rows(alice, now, only)) == expected


def test_the_queue_asks_the_database_a_fixed_number_of_questions(alice, now, django_assert_num_queries):
    for number in range(5):
        record(alice, now, number)
    with django_assert_num_queries(2):
        selectors.standing(alice, now + DAY)
