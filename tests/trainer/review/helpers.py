"""Cards and instants that the review tests share."""

import datetime as dt
from typing import Any
from zoneinfo import ZoneInfo

from trainer.accounts.models import User
from trainer.review import selectors, services
from trainer.review.core.misses import Miss, MissKind, critique_key
from trainer.review.models import Card, ReviewEvent

_client_ids = iter(range(10**9))


def at(text: str, zone: str = "UTC", fold: int = 0) -> dt.datetime:
    """An instant written as somebody's local time: `at("2026-10-25 02:30", "Europe/Berlin")`."""
    local = dt.datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone), fold=fold)
    return local.astimezone(dt.UTC)


def day(text: str) -> dt.date:
    return dt.date.fromisoformat(text)


def make_miss(number: int = 1, **changed: Any) -> Miss:
    fields = {
        "kind": MissKind.CRITIQUE,
        "key": critique_key("m01", number),
        "slug": "m01",
        "front": f"Critique {number}: what bounds the batch?",
        "back": f"The KV cache does: back {number}.",
        "link": "/designs/m01/",
    }
    return Miss(**{**fields, **changed})


def record(user: User, now: dt.datetime, number: int = 1, **changed: Any) -> Card:
    return services.card_record_miss(
        user=user, miss=make_miss(number, **changed), own_words="I said requests.", round=None, now=now
    )


def rate(card: Card, rating: int, now: dt.datetime, client_id: str = "") -> ReviewEvent:
    """Show the answer, then rate it."""
    card = Card.objects.select_related("user").get(pk=card.pk)
    return services.card_rate(
        card=card,
        rating=rating,
        client_id=client_id or f"client-{next(_client_ids)}",
        shown_revision=card.revision,
        shown_on=selectors.standing(card.user, now).today,
        now=now,
    )


def undo(card: Card, now: dt.datetime) -> Card:
    event = services.last_standing_event(card)
    assert event is not None
    return services.card_undo(user=card.user, event_id=event.pk, now=now)


def due(user: User, now: dt.datetime) -> list[int]:
    """The ids of the queue."""
    user.refresh_from_db()
    return list(selectors.standing(user, now).due)


def state_of(card: Card) -> dict[str, Any]:
    """Everything of a card that an undo must bring back."""
    fields = Card.objects.filter(pk=card.pk).values().get()
    return {name: value for name, value in fields.items() if name != "revision"}
