"""The trainee answers a critique or a mutation, is replied to, and marks; what is left unanswered is a miss."""

import datetime as dt
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from grading.client.endpoint import NO_ENDPOINT, configured_endpoint
from grading.models import WAITING, Answerable, Asked, Critique, CritiqueItem, Mutation, State
from grading.refusals import CritiqueRefused
from grading.services.leases import work_retry
from grading.services.misses import miss_record
from grading.tasks import reply_run
from trainer.queue import enqueue
from trainer.rounds.core.text import BadText, clean_text
from trainer.rounds.models import State as RoundState

ANSWER_LIMIT_CHARACTERS = 6_000


def item_answer(*, item: CritiqueItem, text: object, now: dt.datetime) -> CritiqueItem:
    """Answer a critique. The first answer stands; a model's critique is replied to through the queue.

    Raises: CritiqueRefused 422 at "answer", 409 when it is answered otherwise, closed, or not to be seen yet.
    """
    _answer("item", item, text, now)
    return CritiqueItem.objects.get(pk=item.pk)


def mutation_answer(*, mutation: Mutation, text: object, now: dt.datetime) -> Mutation:
    """Answer a mutation, as `item_answer` does a critique."""
    _answer("mutation", mutation, text, now)
    return Mutation.objects.get(pk=mutation.pk)


def item_mark(*, item: CritiqueItem, mark: object, now: dt.datetime) -> CritiqueItem:
    """Mark one's own answer, once it was replied to or the reply has failed. A partial or a miss becomes a card.

    Raises: CritiqueRefused 422 at "mark"; 409 before the answer or the reply, when it is marked otherwise, or closed.
    """
    _mark(item, mark, now)
    return CritiqueItem.objects.get(pk=item.pk)


def mutation_mark(*, mutation: Mutation, mark: object, now: dt.datetime) -> Mutation:
    """Mark one's own answer to a mutation, as `item_mark` does."""
    _mark(mutation, mark, now)
    return Mutation.objects.get(pk=mutation.pk)


@transaction.atomic
def reply_retry(*, asked: Asked, now: dt.datetime) -> None:
    """Ask once more for a reply that has failed. Pressed twice counts once. Raises: CritiqueRefused 409."""
    current = _locked(asked)
    _refuse_closed(current)
    if current.state in (State.IDLE, State.SHOWN):
        raise CritiqueRefused("not_failed", "This reply has not failed.", 409)
    if configured_endpoint() is None:
        raise CritiqueRefused("no_endpoint", NO_ENDPOINT, 409)
    if work_retry(work=current, now=now):
        enqueue(reply_run, kind_of(current), current.pk)


@transaction.atomic
def critique_close(*, critique: Critique, now: dt.datetime) -> Critique:
    """The trainee is through with it: what has no answer becomes a card. Closed twice is once.

    Raises: CritiqueRefused 409 when there is nothing to see yet.
    """
    _refuse_unseen(critique)
    if Critique.objects.filter(pk=critique.pk, closed_at__isnull=True).update(closed_at=now):
        unanswered = {"critique": critique, "answered_at__isnull": True}
        missed: list[Asked] = [*CritiqueItem.objects.filter(**unanswered), *Mutation.objects.filter(**unanswered)]
        for asked in missed:
            miss_record(asked=asked, now=now)
    return Critique.objects.get(pk=critique.pk)


def kind_of(asked: Asked) -> str:
    """What the queue calls it."""
    return "item" if isinstance(asked, CritiqueItem) else "mutation"


@transaction.atomic
def _answer(kind: str, asked: Asked, text: object, now: dt.datetime) -> None:
    try:
        answer = clean_text(text, "Your answer", limit_characters=ANSWER_LIMIT_CHARACTERS, required=True).strip()
    except BadText as error:
        raise CritiqueRefused("invalid", error.message, 422, field="answer") from error
    current = _locked(asked)
    if current.answered_at is not None:
        if current.answer == answer:
            return
        raise CritiqueRefused("answered", "This is answered already. The first answer stands.", 409)
    _refuse_closed(current)
    changes: dict[str, object] = {"answer": answer, "answered_at": now}
    if current.critique.kind == Critique.Kind.MODEL and configured_endpoint() is not None:
        changes |= {"state": State.QUEUED, "queued_at": now, "sent_at": now}
        enqueue(reply_run, kind, current.pk)
    type(current)._default_manager.filter(pk=current.pk).update(**changes)


@transaction.atomic
def _mark(asked: Asked, mark: object, now: dt.datetime) -> None:
    if mark not in Answerable.Mark.values:
        message = f"The mark must be one of {', '.join(Answerable.Mark.values)}."
        raise CritiqueRefused("invalid", message, 422, field="mark")
    current = _locked(asked)
    if current.mark:
        if current.mark == mark:
            return
        raise CritiqueRefused("marked", "This is marked already. The first mark stands.", 409)
    _refuse_closed(current)
    if current.answered_at is None:
        raise CritiqueRefused("unanswered", "Answer first, then mark.", 409)
    if current.state in WAITING:
        raise CritiqueRefused("not_replied", "The reply to your answer is not there yet. Mark after it.", 409)
    type(current)._default_manager.filter(pk=current.pk).update(mark=mark, marked_at=now)
    if mark != Answerable.Mark.HIT:
        miss_record(asked=type(current)._default_manager.get(pk=current.pk), now=now)


def _locked(asked: Asked) -> Asked:
    """The row as it is stored, held until the transaction ends: its critique too, so that none closes it meanwhile."""
    rows: QuerySet[Any] = type(asked)._default_manager.select_related("critique__round__user")
    found: Asked = rows.select_for_update(of=("self", "critique")).get(pk=asked.pk)
    return found


def _refuse_closed(asked: Asked) -> None:
    _refuse_unseen(asked.critique)
    if asked.critique.closed_at is not None:
        raise CritiqueRefused("closed", "You have closed this critique.", 409)


def _refuse_unseen(critique: Critique) -> None:
    if critique.superseded_at is not None or critique.state != State.SHOWN or critique.round.state != RoundState.DONE:
        raise CritiqueRefused("out_of_order", "This critique opens when it is made and the round is done.", 409)
