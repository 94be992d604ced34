"""Two requests at once: one card, one rating. Real threads with connections of their own, on either database."""

import datetime as dt
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.db import connections

from tests.trainer.review.helpers import day, make_miss, record
from trainer.review import services
from trainer.review.core.scheduling import Rating
from trainer.review.models import Card, ReviewEvent
from trainer.review.refusals import ReviewRefused

pytestmark = pytest.mark.django_db(transaction=True)
DAY = dt.timedelta(days=1)
AT_ONCE = 4


def at_once(do: Callable[[int], Any]) -> list[Any]:
    """What each of several threads got, or the refusal it met; all begin together."""
    barrier = Barrier(AT_ONCE)

    def run(number: int) -> Any:
        try:
            barrier.wait(timeout=30)
            return do(number)
        except ReviewRefused as refused:
            return refused
        finally:
            connections.close_all()

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(run, range(AT_ONCE)))


def test_the_same_miss_recorded_at_once_makes_one_card(alice, now):
    cards = at_once(
        lambda number: services.card_record_miss(user=alice, miss=make_miss(), own_words="", round=None, now=now)
    )
    assert len({card.pk for card in cards}) == 1
    card = Card.objects.get()
    assert card.due_on == day("2026-03-03")
    assert card.events.count() == card.revision == AT_ONCE


def test_one_rating_posted_at_once_counts_once(alice, now):
    card = record(alice, now)
    shown = {"card": card, "shown_revision": card.revision, "shown_on": day("2026-03-03"), "now": now + DAY}
    events = at_once(lambda number: services.card_rate(rating=Rating.GOOD, client_id="one", **shown))
    assert len({event.pk for event in events}) == 1
    assert ReviewEvent.objects.filter(kind="rating").count() == 1


def test_different_ratings_of_one_answer_at_once_leave_the_first(alice, now):
    card = record(alice, now)
    shown = {"card": card, "shown_revision": card.revision, "shown_on": day("2026-03-03"), "now": now + DAY}
    results = at_once(lambda number: services.card_rate(rating=number + 1, client_id=f"tab {number}", **shown))
    stored = [result for result in results if isinstance(result, ReviewEvent)]
    assert len(stored) == 1
    assert all(result.reason == "stale" for result in results if isinstance(result, ReviewRefused))
    assert Card.objects.get().due_on == day("2026-03-03") + dt.timedelta(days=stored[0].interval_days)


def test_an_undo_posted_at_once_counts_once(alice, now):
    card = record(alice, now)
    services.card_suspend(card=card, now=now)
    event = card.events.get(kind="suspend")
    results = at_once(lambda number: services.card_undo(user=alice, event_id=event.pk, now=now))
    assert ReviewEvent.objects.filter(kind="undo").count() == 1
    assert any(isinstance(result, Card) for result in results)
    assert not Card.objects.get().suspended
