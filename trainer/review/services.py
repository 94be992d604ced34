"""Changes to cards. Every change appends an event that holds the card as it was, so that undo is exact."""

import datetime as dt
from dataclasses import asdict
from typing import Any

from django.db import transaction

from trainer.accounts.models import User
from trainer.review.core import scheduling
from trainer.review.core.misses import Miss
from trainer.review.core.scheduling import Rating
from trainer.review.core.study_day import as_utc
from trainer.review.days import policy_of, study_day_of
from trainer.review.models import Card, ReviewEvent
from trainer.review.refusals import ReviewRefused, changed
from trainer.rounds.models import Round

MAX_CLIENT_ID_CHARACTERS = 64
MAX_EDIT_CHARACTERS = 20_000
UNDOABLE = (
    ReviewEvent.Kind.RATING,
    ReviewEvent.Kind.SUSPEND,
    ReviewEvent.Kind.UNSUSPEND,
    ReviewEvent.Kind.BURY,
    ReviewEvent.Kind.EDIT,
)
_DATES = ("due_on", "last_review_on", "buried_until")
_RESTORED = ("fsrs", "lapses", "suspended", "leech", "edited_front", "edited_back")


@transaction.atomic
def card_record_miss(*, user: User, miss: Miss, own_words: str, round: Round | None, now: dt.datetime) -> Card:
    """The card of a miss: made, or reset when the same thing was missed before. Due the next study day.

    A miss of one round counts once, however often it is recorded. A reset card loses its lapses, and comes back even
    if it was set aside; the trainee's own wording of it stays.
    """
    at = as_utc(now)
    fields = {**asdict(miss), "own_words": own_words, "round": round}
    new = {**fields, **_schedule_fields(scheduling.missed(0, study_day_of(user, at), policy_of(user)), at)}
    card, made = Card.objects.get_or_create(user=user, key=miss.key, defaults={**new, "created_at": at})
    card = Card.objects.select_for_update().select_related("user").get(pk=card.pk)
    if not made and round is not None and card.round_id == round.pk:
        return card
    schedule = scheduling.missed(card.pk, study_day_of(user, at), policy_of(user))
    free = {"lapses": 0, "suspended": False, "leech": False, "buried_until": None}
    _change(card, ReviewEvent.Kind.MISS, at, {**fields, **free, **_schedule_fields(schedule, at)})
    return card


@transaction.atomic
def card_rate(
    *, card: Card, rating: int, client_id: str, shown_revision: int, shown_on: dt.date, now: dt.datetime
) -> ReviewEvent:
    """One rating of a card whose answer was shown at `shown_revision` on the study day `shown_on`.

    The same `client_id` counts once: sent again, it gives the event it made. The interval applied is the one that the
    answer's page showed, or the rating is refused.

    Raises: ReviewRefused when the rating is none, the card is set aside, has changed since its answer was shown, was
    reviewed later than now, or the day has turned over since.
    """
    at = as_utc(now)
    if rating not in tuple(Rating):
        raise ReviewRefused("rating", f"Rating: {min(Rating)} to {max(Rating)}.", 422, field="rating")
    if not 0 < len(client_id) <= MAX_CLIENT_ID_CHARACTERS:
        message = f"Client id: 1 to {MAX_CLIENT_ID_CHARACTERS} characters."
        raise ReviewRefused("client_id", message, 422, field="client_id")
    card = Card.objects.select_related("user").get(pk=card.pk)
    counted = card.events.filter(client_id=client_id).first()
    if counted is not None:
        return counted
    _refuse_rating(card, shown_revision, shown_on, at)
    outcome = scheduling.previews(schedule_of(card), card.pk, study_day_of(card.user, at), policy_of(card.user))[
        Rating(rating)
    ]
    fields = _schedule_fields(outcome.schedule, at)
    if outcome.leech:
        fields |= {"leech": True, "suspended": True}
    event = {"rating": rating, "client_id": client_id, "early": outcome.early, "interval_days": outcome.interval_days}
    try:
        return _change(card, ReviewEvent.Kind.RATING, at, {**fields, "buried_until": None}, **event)
    except ReviewRefused:
        counted = card.events.filter(client_id=client_id).first()
        if counted is None:
            raise
        return counted


@transaction.atomic
def card_undo(*, user: User, event_id: int, now: dt.datetime) -> Card:
    """The card as it was before one event, which must be the last thing done to it. Undone twice counts once.

    Raises: ReviewRefused when the event is not the trainee's, cannot be undone, or something was done after it.
    """
    at = as_utc(now)
    event = ReviewEvent.objects.select_related("card__user").filter(pk=event_id, card__user=user).first()
    if event is None or event.kind not in UNDOABLE:
        raise ReviewRefused("nothing_to_undo", "There is nothing to undo.", 409)
    card = event.card
    if ReviewEvent.objects.filter(undoes=event).exists():
        return card
    if event != last_standing_event(card):
        raise ReviewRefused("not_last", "Something was done to this card since. Undo that first.", 409)
    _change(card, ReviewEvent.Kind.UNDO, at, _restored(event.before), undoes=event)
    return card


@transaction.atomic
def card_suspend(*, card: Card, now: dt.datetime) -> Card:
    """Set a card aside until it is brought back. A card that is set aside already stays as it is."""
    card = Card.objects.select_related("user").get(pk=card.pk)
    if not card.suspended:
        _change(card, ReviewEvent.Kind.SUSPEND, as_utc(now), {"suspended": True})
    return card


@transaction.atomic
def card_unsuspend(*, card: Card, now: dt.datetime) -> Card:
    """Bring a card back. A leech begins to count its lapses anew."""
    card = Card.objects.select_related("user").get(pk=card.pk)
    if card.suspended:
        fields = {"suspended": False, "leech": False, **({"lapses": 0} if card.leech else {})}
        _change(card, ReviewEvent.Kind.UNSUSPEND, as_utc(now), fields)
    return card


@transaction.atomic
def card_bury(*, card: Card, now: dt.datetime) -> Card:
    """Leave a card out until the next study day. Its schedule stays."""
    card = Card.objects.select_related("user").get(pk=card.pk)
    at = as_utc(now)
    tomorrow = study_day_of(card.user, at) + dt.timedelta(days=1)
    if card.buried_until != tomorrow:
        _change(card, ReviewEvent.Kind.BURY, at, {"buried_until": tomorrow})
    return card


@transaction.atomic
def card_edit(*, card: Card, front: str, back: str, shown_revision: int, now: dt.datetime) -> Card:
    """The trainee's own wording of a card. Left empty, or as the design has it, a side is the design's again.

    Raises: ReviewRefused when a side is too long or holds a null character, or the card has changed since it was shown.
    """
    for field, text in (("front", front), ("back", back)):
        if len(text) > MAX_EDIT_CHARACTERS:
            message = f"{field.capitalize()}: at most {MAX_EDIT_CHARACTERS:,} characters, not {len(text):,}."
            raise ReviewRefused("too_long", message, 422, field=field)
        if "\0" in text:
            raise ReviewRefused("invalid", f"{field.capitalize()}: holds a null character.", 422, field=field)
    card = Card.objects.select_related("user").get(pk=card.pk)
    if card.revision != shown_revision:
        raise changed()
    fields = {"edited_front": _own_wording(front, card.front), "edited_back": _own_wording(back, card.back)}
    if fields != {"edited_front": card.edited_front, "edited_back": card.edited_back}:
        _change(card, ReviewEvent.Kind.EDIT, as_utc(now), fields)
    return card


def last_standing_event(card: Card) -> ReviewEvent | None:
    """The last event of a card that no undo took back."""
    standing = card.events.exclude(kind=ReviewEvent.Kind.UNDO).filter(undone_by__isnull=True)
    return standing.order_by("-id").first()


def schedule_of(card: Card) -> scheduling.Schedule:
    """The schedule that a row holds."""
    return scheduling.Schedule(memory=card.fsrs, due_on=card.due_on, seen_on=card.last_review_on, lapses=card.lapses)


def _refuse_rating(card: Card, shown_revision: int, shown_on: dt.date, at: dt.datetime) -> None:
    if card.suspended:
        raise ReviewRefused("suspended", "This card is set aside. Bring it back to review it.", 409)
    if card.revision != shown_revision:
        raise changed()
    if at < card.last_review_at:
        raise ReviewRefused("back_dated", "This review is dated before the last one of this card.", 409)
    if study_day_of(card.user, at) != shown_on:
        message = "The study day has changed since the answer was shown. Show it again: the intervals are new."
        raise ReviewRefused("day_turned", message, 409)


def _change(card: Card, kind: ReviewEvent.Kind, at: dt.datetime, fields: dict[str, Any], **event: Any) -> ReviewEvent:
    """Compare and swap the row, and append the event. The card in hand is brought up to date."""
    before = _snapshot(card)
    changes = {**fields, "revision": card.revision + 1}
    if not Card.objects.filter(pk=card.pk, revision=card.revision).update(**changes):
        raise changed()
    for name, value in changes.items():
        setattr(card, name, value)
    day = study_day_of(card.user, at)
    return ReviewEvent.objects.create(card=card, kind=kind, at=at, study_day=day, before=before, **event)


def _schedule_fields(schedule: scheduling.Schedule, at: dt.datetime) -> dict[str, Any]:
    return {
        "fsrs": schedule.memory,
        "due_on": schedule.due_on,
        "last_review_on": schedule.seen_on,
        "last_review_at": at,
        "lapses": schedule.lapses,
    }


def _snapshot(card: Card) -> dict[str, Any]:
    dates = {name: value and value.isoformat() for name in _DATES for value in (getattr(card, name),)}
    rest = {name: getattr(card, name) for name in _RESTORED}
    return {**rest, **dates, "last_review_at": card.last_review_at.isoformat()}


def _restored(before: dict[str, Any]) -> dict[str, Any]:
    dates = {name: before[name] and dt.date.fromisoformat(before[name]) for name in _DATES}
    rest = {name: before[name] for name in _RESTORED}
    return {**rest, **dates, "last_review_at": dt.datetime.fromisoformat(before["last_review_at"])}


def _own_wording(text: str, designs: str) -> str:
    plain = text.replace("\r\n", "\n").strip()
    return "" if plain == designs.replace("\r\n", "\n").strip() else plain
