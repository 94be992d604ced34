"""Reads of critiques: who may see what, how far one is, and what it cost."""

import datetime as dt
from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Q, Sum
from django.http import Http404

from grading.models import WAITING, Asked, Critique, CritiqueItem, ModelCall, ModelWork, Mutation, State
from grading.services.ledger import NOTHING, Subject
from trainer.accounts.models import User
from trainer.rounds.models import Round
from trainer.rounds.models import State as RoundState


@dataclass(frozen=True)
class Progress:
    """How far a piece of work is, as a page shows it before there are results."""

    state: str
    step: str  # of a critique that is under way: "critique", "repair" or "anchors"
    ahead: int | None  # how many wait before it; None when it does not wait for a worker
    elapsed_s: int | None  # since it began to wait, until now or until its end
    attempts: int
    retry_in_s: int | None  # it waits for this long after a failure
    reason: str  # of the latest failure; "" when there is none
    may_retry: bool

    @property
    def under_way(self) -> bool:
        """The page is to look again."""
        return self.state in WAITING


@dataclass(frozen=True)
class Cost:
    """What a critique took, its replies to answers with it."""

    calls: int
    input_tokens: int
    output_tokens: int
    estimated: bool  # a server did not count its tokens
    cost_usd: Decimal
    lost_usd: Decimal  # within the cost: calls whose end nobody knows, at the most they can have cost
    price_as_of: dt.date | None  # None: no price is set, and the cost counts as nothing


def live_critique(round_: Round) -> Critique | None:
    """The round's critique, whatever its state."""
    return Critique.objects.select_related("round").filter(round=round_, superseded_at__isnull=True).first()


def results_open(critique: Critique) -> bool:
    """Whether its results may be in a response: they are there, and the round is done."""
    return critique.state == State.SHOWN and critique.round.state == RoundState.DONE


def get_item_for_user(user: User, round_: Round, number: int) -> CritiqueItem:
    """A critique of one's own round. Raises: Http404 for anyone else's, and before it may be seen."""
    return _get(CritiqueItem, user, round_, number)


def get_mutation_for_user(user: User, round_: Round, number: int) -> Mutation:
    """A mutation asked of one's own round. Raises: Http404 for anyone else's, and before it may be seen."""
    return _get(Mutation, user, round_, number)


def _get[Kind: (CritiqueItem, Mutation)](model: type[Kind], user: User, round_: Round, number: int) -> Kind:
    rows = model.objects.select_related("critique__round__user", "critique__round__design_version")
    live = {"critique__round": round_, "critique__round__user": user, "critique__superseded_at__isnull": True}
    found = rows.filter(number=number, **live).first()
    if found is None or not results_open(found.critique):
        raise Http404("There is no such critique.")
    return found


def progress_of(work: Critique | Asked, now: dt.datetime) -> Progress:
    """How far a critique, or the reply to an answer, is."""
    waits = work.state == State.QUEUED
    retry_in = (work.retry_at - now).total_seconds() if work.retry_at else 0
    end = work.ended_at or now
    return Progress(
        state=work.state,
        step=work.step if isinstance(work, Critique) and work.state in WAITING else "",
        ahead=_ahead(work) if waits and retry_in <= 0 else None,
        elapsed_s=max(0, int((end - work.queued_at).total_seconds())) if work.queued_at else None,
        attempts=work.attempts,
        retry_in_s=int(retry_in) + 1 if retry_in > 0 else None,
        reason=work.failure_reason,
        may_retry=work.state == State.FAILED,
    )


def _ahead(work: ModelWork) -> int:
    """How many of any kind have waited for longer, those under way included."""
    before = Q(queued_at__lt=work.queued_at, state__in=WAITING)
    return sum(model._default_manager.filter(before).count() for model in (Critique, CritiqueItem, Mutation))


def cost_of(critique: Critique) -> Cost:
    """What was spent on one critique and on the replies to its answers."""
    calls = ModelCall.objects.filter(critique=critique)
    sums = calls.aggregate(
        cost=Sum("cost_usd"),
        lost=Sum("cost_usd", filter=Q(state=ModelCall.State.LOST)),
        input=Sum("input_tokens"),
        output=Sum("output_tokens"),
    )
    return Cost(
        calls=calls.count(),
        input_tokens=sums["input"] or 0,
        output_tokens=sums["output"] or 0,
        estimated=calls.filter(tokens_estimated=True).exists(),
        cost_usd=sums["cost"] or NOTHING,
        lost_usd=sums["lost"] or NOTHING,
        price_as_of=calls.exclude(price_as_of=None)
        .order_by("-started_at")
        .values_list("price_as_of", flat=True)
        .first(),
    )


def calls_for(critique: Critique) -> list[ModelCall]:
    """The critique's own calls, in order."""
    return list(ModelCall.objects.filter(Subject(critique).own_calls).order_by("started_at", "pk"))
