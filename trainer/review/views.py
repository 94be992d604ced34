"""The review page: one card at a time, its back only once asked for; and the list of all cards."""

import datetime as dt
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from designs.markdown import to_html
from trainer.accounts.requests import TraineeRequest
from trainer.drills.cards import GradedDrill, asked_by, graded_answer
from trainer.review import selectors, services
from trainer.review.core.scheduling import LEECH_AFTER_LAPSES, Rating
from trainer.review.models import Card, ReviewEvent
from trainer.review.refusals import ReviewRefused
from trainer.review.shown import read_shown, sign_shown

FROM_CARDS = "cards"


@require_safe
@never_cache
def index(request: TraineeRequest) -> HttpResponse:
    """The first card due, its question alone; or when the next one comes."""
    now = timezone.now()
    standing = selectors.standing(request.user, now)
    card = selectors.get_card_for_user(request.user, standing.due[0]) if standing.due else None
    return render(request, "review/index.html", _question(request, card, now))


@require_safe
@never_cache
def card(request: TraineeRequest, card_id: int) -> HttpResponse:
    """Any card, due or not, with what was done to it."""
    found = selectors.get_card_for_user(request.user, card_id)
    context = _question(request, found, timezone.now()) | {"origin": FROM_CARDS, "history": selectors.history(found)}
    return render(request, "review/card.html", context)


@require_safe
@never_cache
def cards(request: TraineeRequest) -> HttpResponse:
    """Every card of the trainee."""
    only = request.GET.get("only", "")
    if only not in selectors.FILTERS:
        raise Http404(f"only: must be one of {', '.join(filter(None, selectors.FILTERS))}")
    rows = selectors.card_rows(request.user, timezone.now(), only)
    context = {"rows": rows, "only": only, "filters": selectors.FILTERS, "leech_after": LEECH_AFTER_LAPSES}
    return render(request, "review/cards.html", context)


@require_POST
@never_cache
def show(request: TraineeRequest, card_id: int) -> HttpResponse:
    """The answer, with what each rating would do. A drill's card is answered first, and graded."""
    found = selectors.get_card_for_user(request.user, card_id)
    now = timezone.now()
    typed, given_up = request.POST.get("answer", ""), "give_up" in request.POST
    try:
        graded = graded_answer(found, typed, given_up=given_up, now=now)
    except ReviewRefused as refused:
        return _refused(request, found, refused, now)
    return render(request, "review/index.html", _answer(request, found, now, graded))


@require_POST
def rate(request: TraineeRequest, card_id: int) -> HttpResponse:
    """One of the four ratings of an answer that was shown."""
    found = selectors.get_card_for_user(request.user, card_id)
    now = timezone.now()
    try:
        shown = read_shown(found, request.POST.get("shown", ""))
        event = services.card_rate(
            card=found,
            rating=_rating(request),
            client_id=shown.client_id,
            shown_revision=shown.revision,
            shown_on=shown.day,
            now=now,
        )
    except ReviewRefused as refused:
        return _refused(request, found, refused, now)
    _say_what_a_rating_did(request, event)
    return _onwards(request)


@require_POST
def undo(request: TraineeRequest) -> HttpResponse:
    """The card as it was before the last thing done to it."""
    event = request.POST.get("event", "")
    try:
        if not event.isdecimal() or len(event) > 18:
            raise ReviewRefused("nothing_to_undo", "There is nothing to undo.", 409)
        services.card_undo(user=request.user, event_id=int(event), now=timezone.now())
    except ReviewRefused as refused:
        return _refused(request, None, refused, timezone.now())
    messages.success(request, "Undone: the card is as it was before.")
    return redirect("review:index")


@require_POST
def suspend(request: TraineeRequest, card_id: int) -> HttpResponse:
    """Set the card aside."""
    services.card_suspend(card=selectors.get_card_for_user(request.user, card_id), now=timezone.now())
    messages.success(request, "Set aside. You find it under All cards, and can bring it back there.")
    return _onwards(request)


@require_POST
def unsuspend(request: TraineeRequest, card_id: int) -> HttpResponse:
    """Bring the card back."""
    services.card_unsuspend(card=selectors.get_card_for_user(request.user, card_id), now=timezone.now())
    messages.success(request, "Brought back: it is asked on its day again.")
    return _onwards(request)


@require_POST
def bury(request: TraineeRequest, card_id: int) -> HttpResponse:
    """Leave the card out until tomorrow."""
    services.card_bury(card=selectors.get_card_for_user(request.user, card_id), now=timezone.now())
    messages.success(request, "Left out until tomorrow.")
    return _onwards(request)


@require_POST
def edit(request: TraineeRequest, card_id: int) -> HttpResponse:
    """The trainee's own wording of a card whose answer was shown. What was typed survives a refusal."""
    found = selectors.get_card_for_user(request.user, card_id)
    now = timezone.now()
    typed = {"front": request.POST.get("front", ""), "back": request.POST.get("back", "")}
    try:
        shown = read_shown(found, request.POST.get("shown", ""))
    except ReviewRefused as refused:
        return _refused(request, found, refused, now)
    try:
        services.card_edit(card=found, **typed, shown_revision=shown.revision, now=now)
    except ReviewRefused as refused:
        context = _answer(request, found, now, None) | {"typed": typed, "refused": refused}
        return render(request, "review/index.html", context, status=refused.status)
    messages.success(request, "Your wording is kept.")
    return _onwards(request)


def _rating(request: TraineeRequest) -> int:
    given = request.POST.get("rating", "")
    return int(given) if given in {str(int(rating)) for rating in Rating} else 0


def _question(request: TraineeRequest, card: Card | None, now: dt.datetime) -> dict[str, Any]:
    """What a page may hold before the answer is asked for. The back is not among it."""
    return {
        "card": card,
        "asked": asked_by(card) if card else None,
        "typed": {"answer": request.POST.get("answer", "")},
        "front_html": to_html(card.shown_front) if card else "",
        "standing": selectors.standing(request.user, now),
        "undoable": selectors.undoable(request.user, now),
        "origin": request.POST.get("from", ""),
    }


def _answer(request: TraineeRequest, card: Card, now: dt.datetime, graded: GradedDrill | None) -> dict[str, Any]:
    question = _question(request, card, now)
    return question | {
        "graded": graded,
        "back_html": to_html(card.shown_back),
        "outcomes": [] if card.suspended else selectors.outcomes(card, now),
        "shown": sign_shown(card, question["standing"].today),
        "typed": {"front": card.shown_front, "back": card.shown_back},
    }


def _refused(request: TraineeRequest, card: Card | None, refused: ReviewRefused, now: dt.datetime) -> HttpResponse:
    """The page as it stands now, with what was refused and why."""
    if card is not None:
        card = selectors.get_card_for_user(request.user, card.pk)
    context = _question(request, card, now) | {"refused": refused}
    return render(request, "review/index.html", context, status=refused.status)


def _onwards(request: TraineeRequest) -> HttpResponse:
    return redirect("review:cards" if request.POST.get("from") == FROM_CARDS else "review:index")


def _say_what_a_rating_did(request: TraineeRequest, event: ReviewEvent) -> None:
    if event.card.leech:
        messages.warning(
            request,
            f"Set aside as a leech: you have missed this card {event.card.lapses} times. Meeting it again will not "
            "help. Rewrite it in your own words, or sit the design again; then bring it back from All cards.",
        )
        return
    days = event.interval_days
    messages.success(request, f"{event.what}: next in {days} day{'' if days == 1 else 's'}.")
