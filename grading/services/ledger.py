"""The ledger of calls, and the budget that it is held to.

A call is written down with the most it can cost before it is made, under a lock on its trainee's row, so that sixteen
calls under way cannot spend together what each of them alone would have left.
"""

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_UP, Decimal
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Case, F, Q, Sum, When

from grading.client.ask import Answer
from grading.client.endpoint import Endpoint
from grading.client.errors import CallFailed, Usage
from grading.core import money
from grading.core.prompts import Message
from grading.models import Critique, CritiqueItem, ModelCall, Mutation
from trainer.accounts.models import User

MILLIONTH = Decimal("0.000001")
NOTHING = Decimal(0)


class OverBudget(CallFailed):
    """The day's budget, or the cap of one request, has no room for the call."""

    kind = "budget"


@dataclass(frozen=True)
class Budget:
    """A trainee's day: what its calls have cost, calls under way at the most they can cost, and the limit."""

    day: dt.date
    zone: str
    spent_usd: Decimal
    under_way_usd: Decimal
    limit_usd: Decimal | None
    ends_at: dt.datetime

    @property
    def left_usd(self) -> Decimal | None:
        """What may still be spent today; None without a limit."""
        if self.limit_usd is None:
            return None
        return max(NOTHING, self.limit_usd - self.spent_usd - self.under_way_usd)


@dataclass(frozen=True)
class Subject:
    """What a call is made for: a critique, or the reply to an answer to one of its items or mutations."""

    critique: Critique
    item: CritiqueItem | None = None
    mutation: Mutation | None = None

    @property
    def own_calls(self) -> Q:
        if self.item:
            return Q(item=self.item)
        if self.mutation:
            return Q(mutation=self.mutation)
        return Q(critique=self.critique, item__isnull=True, mutation__isnull=True)


def budget_of(user: User, now: dt.datetime) -> Budget:
    """The budget of the trainee's present day, in their own time zone."""
    zone = ZoneInfo(user.time_zone)
    day = now.astimezone(zone).date()
    begins_at, ends_at = (dt.datetime.combine(d, dt.time(), zone) for d in (day, day + dt.timedelta(days=1)))
    today = Q(user=user, started_at__gte=begins_at, started_at__lt=ends_at)
    spent, under_way = spent_and_under_way_usd(today)
    return Budget(day, user.time_zone, spent, under_way, settings.CRITIC_DAILY_BUDGET_USD, ends_at)


def spent_and_under_way_usd(which: Q) -> tuple[Decimal, Decimal]:
    """What the chosen calls have cost, and the most that those under way can."""
    under_way = When(state=ModelCall.State.RESERVED, then=F("reserved_usd"))
    sums = ModelCall.objects.filter(which).aggregate(spent=Sum("cost_usd"), under_way=Sum(Case(under_way)))
    return sums["spent"] or NOTHING, sums["under_way"] or NOTHING


@transaction.atomic
def call_reserve(
    *,
    subject: Subject,
    purpose: ModelCall.Purpose,
    messages: Sequence[Message],
    endpoint: Endpoint,
    token: uuid.UUID,
    now: dt.datetime,
) -> ModelCall:
    """Write the call down with the most it can cost. Raises: OverBudget, and nothing is written."""
    user = User.objects.select_for_update().get(pk=subject.critique.round.user_id)
    price = endpoint.price
    most = money.most_cost_usd(price, messages, max_output_tokens=endpoint.max_output_tokens) if price else NOTHING
    most = most.quantize(MILLIONTH, ROUND_UP)
    _refuse_over_budget(user, subject, most, now)
    return ModelCall.objects.create(
        user=user,
        critique=subject.critique,
        item=subject.item,
        mutation=subject.mutation,
        purpose=purpose,
        lease_token=token,
        model_name=endpoint.model,
        reserved_usd=most,
        usd_per_million_input=price.usd_per_million_input if price else None,
        usd_per_million_output=price.usd_per_million_output if price else None,
        price_as_of=price.as_of if price else None,
        started_at=now,
    )


def _refuse_over_budget(user: User, subject: Subject, most: Decimal, now: dt.datetime) -> None:
    budget = budget_of(user, now)
    if most and budget.left_usd is not None and most > budget.left_usd:
        under_way = f", {usd(budget.under_way_usd)} more is under way" if budget.under_way_usd else ""
        raise OverBudget(
            f"Today's budget has no room for this: {usd(budget.spent_usd)} of {usd(budget.limit_usd)} is spent"
            f"{under_way}, and the call may cost up to {usd(most)}. A new day begins at midnight ({budget.zone})."
        )
    cap: Decimal | None = settings.CRITIC_REQUEST_CAP_USD
    own = sum(spent_and_under_way_usd(subject.own_calls), NOTHING)
    if most and cap is not None and own + most > cap:
        raise OverBudget(
            f"The cap of one request has no room for this: {usd(own)} of {usd(cap)} is spent on it, and the next call "
            f"may cost up to {usd(most)}. CRITIC_REQUEST_CAP_USD is the cap."
        )


def call_answer(*, call: ModelCall, answer: Answer, now: dt.datetime) -> None:
    """Keep a reply as it came, with what it cost. A second reply to the same question counts, and is not used."""
    fields = {"reply": storable(answer.text), "schema_use": answer.schema_use}
    try:
        with transaction.atomic():
            _end(call, ModelCall.State.ANSWERED, now, usage=answer.usage, fields=fields)
    except IntegrityError:
        again = {"error_kind": "second_reply", "error": "Another worker's reply was there first."}
        _end(call, ModelCall.State.UNUSABLE, now, usage=answer.usage, fields={**fields, **again})


def call_fail(*, call: ModelCall, failure: CallFailed, now: dt.datetime) -> None:
    """No reply that can be used. One that came all the same is kept, and what it took is owed."""
    said = {"error_kind": failure.kind, "error": storable(failure.in_full), "reply": storable(failure.reply)}
    if failure.kind == "interrupted":
        _end(call, ModelCall.State.LOST, now, cost=call.reserved_usd, fields=said)
    elif failure.usage:
        _end(call, ModelCall.State.UNUSABLE, now, usage=failure.usage, fields=said)
    else:
        _end(call, ModelCall.State.FAILED, now, fields=said)


def call_spoil(*, call: ModelCall, failure: CallFailed) -> None:
    """A kept reply turned out not to have the form: the question may be asked again."""
    ModelCall.objects.filter(pk=call.pk, state=ModelCall.State.ANSWERED).update(
        state=ModelCall.State.UNUSABLE, error_kind=failure.kind, error=storable(failure.in_full)
    )


def calls_lose(*, kind: str, pk: int, now: dt.datetime) -> None:
    """Calls that a dead worker had under way: whether they are owed nobody knows, so they count at their most."""
    own = Q(critique=pk, item__isnull=True, mutation__isnull=True) if kind == "critique" else Q(**{kind: pk})
    ModelCall.objects.filter(own, state=ModelCall.State.RESERVED).update(
        state=ModelCall.State.LOST,
        cost_usd=F("reserved_usd"),
        ended_at=now,
        error_kind="worker_lost",
        error="The worker ended during the call.",
    )


def _end(
    call: ModelCall,
    state: ModelCall.State,
    now: dt.datetime,
    *,
    usage: Usage | None = None,
    cost: Decimal = NOTHING,
    fields: Mapping[str, str],
) -> None:
    """A call that was taken for lost meanwhile is put right by its late reply."""
    tokens: dict[str, int | bool] = {}
    if usage:
        cost = _cost(call, usage)
        tokens = {
            "input_tokens": usage.input_tokens,
            "output_tokens": usage.output_tokens,
            "tokens_estimated": usage.estimated,
        }
    open_states = (ModelCall.State.RESERVED, ModelCall.State.LOST)
    ModelCall.objects.filter(pk=call.pk, state__in=open_states).update(
        state=state, ended_at=now, cost_usd=cost, **tokens, **fields
    )


def _cost(call: ModelCall, usage: Usage) -> Decimal:
    if call.usd_per_million_input is None or call.usd_per_million_output is None or call.price_as_of is None:
        return NOTHING
    price = money.Price(call.usd_per_million_input, call.usd_per_million_output, call.price_as_of)
    cost = money.cost_usd(price, input_tokens=usage.input_tokens, output_tokens=usage.output_tokens)
    return cost.quantize(MILLIONTH, ROUND_UP)


def storable(text: str) -> str:
    """A server's text without what no database stores: null characters and halves of surrogate pairs."""
    return text.replace("\0", "�").encode("utf-8", "replace").decode()


def usd(amount: Decimal | None) -> str:
    """A sum as it is said: to the cent, or to two digits where it is less than a cent."""
    if amount is None:
        return "no limit"
    if amount == 0 or amount >= Decimal("0.01"):
        return f"${amount:.2f}"
    return f"${amount:.2g}" if amount > MILLIONTH else f"${MILLIONTH:f}"
