"""Work for the model is claimed before it is done: one worker holds it, for as long as it keeps renewing its lease.

Every change of state is compare-and-swap. Whoever's token no longer stands can store nothing.
"""

import datetime as dt
import logging
import uuid
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Case, F, Q, QuerySet, Value, When

from grading.client.errors import CallFailed
from grading.models import HELD, WAITING, Critique, CritiqueItem, ModelWork, Mutation, State
from grading.refusals import LeaseLost
from grading.services.ledger import calls_lose, storable

logger = logging.getLogger(__name__)

LEASE = dt.timedelta(seconds=45)
RENEWED_EVERY_S = 10.0
SENT_AGAIN_AFTER = dt.timedelta(seconds=20)  # a queued row that no worker took: its message may be lost
BACK_OFF_S = 2.0
LONGEST_BACK_OFF_S = 60.0
LONGEST_RETRY_AFTER_S = 600.0
LONGEST_WAIT = dt.timedelta(seconds=LONGEST_RETRY_AFTER_S + LONGEST_BACK_OFF_S)
MOST_ATTEMPTS = 6  # of one step, whatever ended them
KINDS: dict[str, type[ModelWork]] = {"critique": Critique, "item": CritiqueItem, "mutation": Mutation}
_FREE: dict[str, Any] = {"lease_token": None, "lease_until": None}


@dataclass(frozen=True)
class Lease:
    """The right to store what becomes of one piece of work."""

    kind: str
    pk: int
    token: uuid.UUID

    @property
    def held(self) -> QuerySet[Any]:
        """The row, for as long as this lease stands."""
        return KINDS[self.kind]._default_manager.filter(pk=self.pk, lease_token=self.token, state__in=HELD)


@transaction.atomic
def work_claim(*, kind: str, pk: int, now: dt.datetime) -> Lease | None:
    """Queued to running, with a lease; None when another worker has it, it is not due, or there is nothing to do."""
    lease = Lease(kind, pk, uuid.uuid4())
    due = Q(retry_at__isnull=True) | Q(retry_at__lte=now)
    won = (
        KINDS[kind]
        ._default_manager.filter(due, pk=pk, state=State.QUEUED)
        .update(
            state=State.RUNNING,
            lease_token=lease.token,
            lease_until=now + LEASE,
            attempts=F("attempts") + 1,
            started_at=now,
            retry_at=None,
        )
    )
    if not won:
        return None
    calls_lose(kind=kind, pk=pk, now=now)
    return lease


def work_renew(*, lease: Lease, now: dt.datetime) -> bool:
    """Hold on to it for another while; False when it is lost."""
    return bool(lease.held.update(lease_until=now + LEASE))


def work_step(*, lease: Lease, **changes: Any) -> None:
    """Note how far it has come. Raises: LeaseLost."""
    if not lease.held.update(**changes):
        raise LeaseLost


def work_finish(*, lease: Lease, now: dt.datetime, **changes: Any) -> None:
    """Held to shown, inside the transaction that stores the result. Raises: LeaseLost, and nothing may be stored."""
    done = {"state": State.SHOWN, "ended_at": now, "failure_kind": "", "failure_reason": "", **_FREE, **changes}
    if not lease.held.update(**done):
        raise LeaseLost


def work_release(*, lease: Lease, now: dt.datetime) -> None:
    """Back to the queue with no attempt counted: this process ends. Beat gives it to another one."""
    lease.held.update(state=State.QUEUED, attempts=F("attempts") - 1, sent_at=None, **_FREE)


@transaction.atomic
def work_fail(*, lease: Lease, failure: CallFailed, now: dt.datetime) -> None:
    """Back to the queue until a later moment where trying again helps, else failed with its reason."""
    attempts = lease.held.values_list("attempts", flat=True).first()
    if attempts is None:
        return
    said = {"failure_kind": failure.kind, "failure_reason": storable(failure.message), **_FREE}
    wait_s = back_off_s(failure, attempts)
    if wait_s is None:
        lease.held.update(state=State.FAILED, ended_at=now, **said)
    else:
        lease.held.update(state=State.QUEUED, retry_at=now + dt.timedelta(seconds=wait_s), **said)


def back_off_s(failure: CallFailed, attempts: int) -> float | None:
    """How long to wait before the next attempt; None when there is none.

    What the server asks for is kept to, unless it is longer than anyone would wait for: then there is no next attempt.
    """
    if attempts >= min(failure.tries, MOST_ATTEMPTS):
        return None
    wait_s: float = min(BACK_OFF_S * 2 ** (attempts - 1), LONGEST_BACK_OFF_S)
    if failure.retry_after_s is None:
        return wait_s
    return max(wait_s, failure.retry_after_s) if failure.retry_after_s <= LONGEST_RETRY_AFTER_S else None


def work_recover(*, now: dt.datetime) -> list[tuple[str, int]]:
    """Put back what a dead worker held; then what is to be sent to the broker again: (kind, id), longest waiting first.

    That is whatever is due and has not been sent lately: a retry, a message that was lost, work that was put back.
    """
    due: list[tuple[Any, str, int]] = []
    for kind, model in KINDS.items():
        rows = model._default_manager
        if not rows.filter(state__in=WAITING).exists():
            continue  # as most of the time: one look at an index
        _expired_requeue(rows.filter(beyond("lease_until", now, 2 * LEASE), state__in=HELD), now)
        rows.filter(state=State.QUEUED, retry_at__gt=now + LONGEST_WAIT).update(retry_at=now, sent_at=None)
        waiting = rows.filter(Q(retry_at__isnull=True) | Q(retry_at__lte=now), state=State.QUEUED)
        stale = waiting.filter(
            beyond("sent_at", now - SENT_AGAIN_AFTER, 2 * SENT_AGAIN_AFTER)
            | Q(sent_at__isnull=True)
            | Q(sent_at__lt=F("retry_at"))
        )
        for pk, queued_at in stale.order_by("queued_at", "pk").values_list("pk", "queued_at"):
            if stale.filter(pk=pk).update(sent_at=now):  # of two schedulers one sends
                due.append((queued_at, kind, pk))
    return [(kind, pk) for _, kind, pk in sorted(due)]


def beyond(field: str, now: dt.datetime, most: dt.timedelta) -> Q:
    """Past, or further ahead than it can be: then the clock was put back, and nobody waits for it to catch up."""
    return Q(**{f"{field}__lt": now}) | Q(**{f"{field}__gt": now + most})


def work_give_up(*, now: dt.datetime, reason: str) -> int:
    """Queued to failed, all of it: there is no endpoint any more, nor a worker to find out. Gives how much it was."""
    said = {"failure_kind": "no_endpoint", "failure_reason": reason, "ended_at": now, "retry_at": None}
    queued = (model._default_manager.filter(state=State.QUEUED) for model in KINDS.values())
    return sum(rows.update(state=State.FAILED, **said) for rows in queued if rows.exists())


def _expired_requeue(expired: QuerySet[Any], now: dt.datetime) -> None:
    """Queued again, or failed where worker after worker has died of it."""
    given_up = Q(attempts__gte=MOST_ATTEMPTS)
    count = expired.update(
        state=Case(When(given_up, then=Value(State.FAILED)), default=Value(State.QUEUED)),
        ended_at=Case(When(given_up, then=Value(now)), default=Value(None)),
        failure_kind="worker_lost",
        failure_reason="The worker that had it ended without a word.",
        sent_at=None,
        **_FREE,
    )
    if count:
        logger.warning("%d pieces of work for the model were left by a worker that ended", count)


def work_retry(*, work: ModelWork, now: dt.datetime) -> bool:
    """Failed to queued, by the trainee's button; whether it was this call that did it."""
    return bool(
        type(work)
        ._default_manager.filter(pk=work.pk, state=State.FAILED)
        .update(
            state=State.QUEUED,
            queued_at=now,
            sent_at=now,
            attempts=0,
            retry_at=None,
            ended_at=None,
            failure_kind="",
            failure_reason="",
        )
    )
