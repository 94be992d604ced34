"""Reads of cards: who may see one, what is due, and what was done."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from html import unescape

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils.html import strip_tags
from django.utils.text import Truncator

from designs.markdown import to_html
from trainer.accounts.models import User
from trainer.review.core.scheduling import Outcome, due_by, previews
from trainer.review.core.study_day import as_utc
from trainer.review.days import policy_of, study_day_begins_at, study_day_of
from trainer.review.models import Card, ReviewEvent
from trainer.review.services import UNDOABLE, last_standing_event, schedule_of

TITLE_CHARACTERS = 120


@dataclass(frozen=True)
class Filter:
    """A way to narrow the list of all cards."""

    name: str
    where: Mapping[str, bool]


FILTERS: Mapping[str, Filter] = {
    "": Filter("All", {}),
    "suspended": Filter("Set aside", {"suspended": True}),
    "leech": Filter("Leeches", {"leech": True}),
}


@dataclass(frozen=True)
class Standing:
    """What the trainee faces on a study day. `due` are card ids, in the order they are asked."""

    today: dt.date
    due: tuple[int, ...]
    reviewed_today: int
    next_due_on: dt.date | None  # the next study day with a card to review, when none is due now
    next_due_at: dt.datetime | None  # the instant at which that day begins


@dataclass(frozen=True)
class CardRow:
    """A card in the list of all cards."""

    card: Card
    title: str  # the beginning of its front, without markup
    due_on: dt.date
    days_left: int


def get_card_for_user(user: User, card_id: int) -> Card:
    """The trainee's own card; 404 for everybody else."""
    return get_object_or_404(Card.objects.select_related("user"), pk=card_id, user=user)


def standing(user: User, now: dt.datetime) -> Standing:
    """The cards due this study day, in a stable order, and when the next one comes."""
    today = study_day_of(user, as_utc(now))
    cards = Card.objects.filter(user=user, suspended=False)
    cards = cards.only("user_id", "due_on", "last_review_on", "buried_until")
    asked = [(_asked_on(card, today, user.interview_date), card) for card in cards]
    due = sorted((due_on(card, today, user.interview_date), card.pk) for day, card in asked if day <= today)
    later = [day for day, _ in asked if day > today]
    next_due_on = None if due else min(later, default=None)
    return Standing(
        today=today,
        due=tuple(pk for _, pk in due),
        reviewed_today=reviewed_on(user, today),
        next_due_on=next_due_on,
        next_due_at=study_day_begins_at(user, next_due_on) if next_due_on else None,
    )


def due_on(card: Card, today: dt.date, interview_date: dt.date | None) -> dt.date:
    """The study day a card is due on, an interview date taken into account."""
    return due_by(card.due_on, seen_on=card.last_review_on, card_id=card.pk, today=today, interview_date=interview_date)


def reviewed_on(user: User, day: dt.date) -> int:
    """How many ratings of that study day stand."""
    return ratings(user).filter(study_day=day).count()


def ratings(user: User) -> QuerySet[ReviewEvent]:
    """The ratings that no undo took back: the review log."""
    return ReviewEvent.objects.filter(card__user=user, kind=ReviewEvent.Kind.RATING, undone_by__isnull=True)


def outcomes(card: Card, now: dt.datetime) -> list[Outcome]:
    """What each button would do to the card now, worst rating first."""
    today = study_day_of(card.user, as_utc(now))
    return list(previews(schedule_of(card), card.pk, today, policy_of(card.user)).values())


def undoable(user: User, now: dt.datetime) -> ReviewEvent | None:
    """The trainee's last action of this study day that an undo would take back."""
    events = ReviewEvent.objects.filter(
        card__user=user,
        kind__in=UNDOABLE,
        undone_by__isnull=True,
        study_day=study_day_of(user, as_utc(now)),
    )
    for event in events.select_related("card").order_by("-id"):
        if event == last_standing_event(event.card):
            return event
    return None


def card_rows(user: User, now: dt.datetime, only: str = "") -> list[CardRow]:
    """All cards of the trainee, soonest due first. `only` is one of FILTERS."""
    today = study_day_of(user, as_utc(now))
    cards = Card.objects.filter(user=user, **FILTERS[only].where)
    days = [(_asked_on(card, today, user.interview_date), card) for card in cards]
    rows = [CardRow(card, title_of(card), day, (day - today).days) for day, card in days]
    return sorted(rows, key=lambda row: (row.due_on, row.card.pk))


def history(card: Card) -> QuerySet[ReviewEvent]:
    """Everything that was done to a card, undone or not, latest first."""
    return card.events.select_related("undone_by").order_by("-id")


def title_of(card: Card) -> str:
    """The beginning of a card's front, without markup."""
    words = " ".join(unescape(strip_tags(to_html(card.shown_front))).split())
    return Truncator(words).chars(TITLE_CHARACTERS)


def _asked_on(card: Card, today: dt.date, interview_date: dt.date | None) -> dt.date:
    """The study day on which the card is next in the queue, burial taken into account."""
    day = due_on(card, today, interview_date)
    return max(day, card.buried_until) if card.buried_until else day
