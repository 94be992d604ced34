"""A round's states and its clock: the one place that locks a round, settles it and moves it on."""

import secrets
from collections.abc import Callable
from dataclasses import asdict
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.urls import reverse

from designs.loader import load_designs
from designs.models import DesignVersion
from designs.services import design_version_store
from grading.core import rubric
from trainer.accounts.models import User
from trainer.rounds import worksheet
from trainer.rounds.core import documents, machine
from trainer.rounds.core.machine import NotAllowed, Snapshot
from trainer.rounds.models import DesignReading, Document, Mode, Pause, Round, State
from trainer.rounds.refusals import RoundRefused

_SNAPSHOT_FIELDS = tuple(Snapshot.__dataclass_fields__)


def snapshot_of(round_: Round) -> Snapshot:
    """The part of the row that the state machine knows."""
    return Snapshot(**{name: getattr(round_, name) for name in _SNAPSHOT_FIELDS})


def refused(error: NotAllowed, round_: Round) -> RoundRefused:
    """The state machine's refusal as a response: 409 with the present state."""
    return RoundRefused(error.reason, error.message, 409, extra={"state": round_.state})


def round_settle(*, round_id: UUID, now: datetime) -> Round:
    """The round as it stands at `now`: a bell that has rung has done its work, whoever looks first.

    Called by every look at a round and by the beat. A round that is not due costs one read.

    Raises: Round.DoesNotExist.
    """
    round_ = Round.objects.select_related("user", "design_version").get(pk=round_id)
    if machine.settle(snapshot_of(round_), now) == snapshot_of(round_):
        return round_
    with transaction.atomic():
        return locked_round(round_id=round_id, now=now)


def user_rounds_settle(*, user: User, now: datetime) -> None:
    """Settle every round of a person whose bell has rung."""
    for round_id in Round.objects.filter(user=user, deadline_at__lte=now).values_list("pk", flat=True):
        round_settle(round_id=round_id, now=now)


def locked_round(*, round_id: UUID, now: datetime) -> Round:
    """Inside a transaction: the round, locked until its end, settled at `now`."""
    round_ = Round.objects.select_for_update(of=("self",)).select_related("user", "design_version").get(pk=round_id)
    return move(round_, machine.settle(snapshot_of(round_), now))


def move(round_: Round, after: Snapshot, **also: Any) -> Round:
    """Compare and swap: the row becomes `after`, provided that it still stands where it was read.

    Raises: RoundRefused when another request moved it first, or when another clock of the person runs.
    """
    before = snapshot_of(round_)
    changes = {name: value for name, value in asdict(after).items() if value != getattr(before, name)} | also
    if not changes:
        return round_
    if after.state in machine.SUBMITTED and before.state not in machine.SUBMITTED:
        changes |= _as_submitted(round_)
    where = {"state": before.state, "deadline_at": before.deadline_at, "reveal_position": before.reveal_position}
    try:
        with transaction.atomic():
            won = Round.objects.filter(pk=round_.pk, **where).update(**changes)
    except IntegrityError as error:
        raise _other_clock_runs(round_) from error
    if not won:
        raise RoundRefused("out_of_order", "Another request moved this round on. Look again.", 409)
    for name, value in changes.items():
        setattr(round_, name, value)
    return round_


def round_start(*, user: User, slug: str, mode: str, now: datetime) -> Round:
    """A new round at the prompt; the one that already waits there in the same mode, if there is one.

    The design's version, the extra time and whether the design was read before are fixed here.

    Raises: RoundRefused 404 for an unknown design, 422 for an unknown mode.
    """
    if mode not in Mode.values:
        raise RoundRefused("invalid", "Choose exam or practice.", 422, field="mode")
    if slug not in load_designs().designs:
        raise RoundRefused("unknown", f"There is no design {slug[:40]!r} here.", 404, field="design")
    version = design_version_store(slug=slug, now=now)
    fixed = {
        "extra_time_factor": user.extra_time_factor,
        "read_before": DesignReading.objects.filter(user=user, slug=slug).exists(),
    }
    try:
        with transaction.atomic():
            return _waiting_round(user, slug, mode, fixed) or _round_create(user, version, mode, fixed, now)
    except IntegrityError:  # posted twice at once: the other request made it
        return Round.objects.get(user=user, slug=slug, mode=mode, state=State.PROMPT)


def arithmetic_begin(*, round: Round, now: datetime) -> Round:
    """Start the clock. One clock runs at a time: 409 with a link to the round whose clock runs."""
    user_rounds_settle(user=round.user, now=now)
    return _transition(round, now, machine.begin_arithmetic)


def writing_begin(*, round: Round, now: datetime) -> Round:
    """Finish the arithmetic early; the writing's deadline counts from now."""
    return _transition(round, now, machine.begin_writing)


def round_submit(*, round: Round, now: datetime) -> Round:
    """Hand in, which seals at once. A second time: 409 with what stands."""
    return _transition(round, now, machine.submit)


@transaction.atomic
def round_pause(*, round: Round, now: datetime) -> Round:
    """Stop the clock (practice only); the pause is recorded."""
    paused = _transition(round, now, machine.pause)
    Pause.objects.create(round=paused, started_at=now)
    return paused


@transaction.atomic
def round_resume(*, round: Round, now: datetime) -> Round:
    """Let the clock run on. 409 while another clock of the person runs."""
    user_rounds_settle(user=round.user, now=now)
    resumed = _transition(round, now, machine.resume)
    Pause.objects.filter(round=resumed, ended_at=None).update(ended_at=now)
    return resumed


@transaction.atomic
def round_abandon(*, round: Round, now: datetime, seen_state: str = "") -> Round:
    """Give the round up. With `seen_state`, only if it still is in that state: a bell may have moved it on."""
    current = locked_round(round_id=round.pk, now=now)
    if seen_state and current.state != State.ABANDONED and current.state != seen_state:
        message = f"This round has moved on: it is {machine.STATE_NAMES[current.state]}. It was not abandoned."
        raise RoundRefused("out_of_order", message, 409, extra={"state": current.state})
    abandoned = _transition(round, now, machine.abandon)
    Pause.objects.filter(round=abandoned, ended_at=None).update(ended_at=now)
    return abandoned


@transaction.atomic
def design_reading_record(*, user: User, slug: str, now: datetime) -> None:
    """ "Read without attempting": recorded once. Rounds of the design not yet at their reveal become practice.

    Raises: RoundRefused 409 while a clock runs on this design, or stands paused.
    """
    user_rounds_settle(user=user, now=now)
    running = Round.objects.filter(user=user, slug=slug, state__in=machine.CLOCKED).first()
    if running is not None:
        message = "You are in the middle of a round of this design. Finish it or abandon it first."
        raise RoundRefused("clock_running", message, 409, extra={"url": reverse("rounds:round", args=[running.pk])})
    DesignReading.objects.get_or_create(user=user, slug=slug, defaults={"at": now})
    Round.objects.filter(user=user, slug=slug, state__in=[State.PROMPT, State.SCORING]).update(read_before=True)


def _transition(round_: Round, now: datetime, step: Callable[[Snapshot, datetime], Snapshot]) -> Round:
    with transaction.atomic():
        current = locked_round(round_id=round_.pk, now=now)
        try:
            after = step(snapshot_of(current), now)
        except NotAllowed as error:
            raise refused(error, current) from error
        return move(current, after)


def _waiting_round(user: User, slug: str, mode: str, fixed: dict[str, Any]) -> Round | None:
    waiting = Round.objects.filter(user=user, slug=slug, mode=mode, state=State.PROMPT)
    waiting.update(**fixed)
    return waiting.first()


def _round_create(user: User, version: DesignVersion, mode: str, fixed: dict[str, Any], now: datetime) -> Round:
    round_ = Round.objects.create(
        user=user,
        design_version=version,
        slug=version.slug,
        mode=mode,
        rubric_version=rubric.VERSION,
        seed=secrets.randbelow(2**62),
        created_at=now,
        **fixed,
    )
    Document.objects.bulk_create(Document(round=round_, key=key) for key in documents.KEYS)
    return round_


def _as_submitted(round_: Round) -> dict[str, Any]:
    """What the seal writes down: the starred line as it stands in the worksheet that is sealed with it."""
    if not round_.deciding_line:
        return {}
    text = Document.objects.values_list("text", flat=True).get(round=round_, key=documents.WORKSHEET)
    held = worksheet.held_line(text, round_.deciding_line)
    if held is None:  # the line has gone, or was being typed at the bell: what was starred is what is held
        return {}
    return {"deciding_expression": held.expression, "deciding_value": held.value, "deciding_unit": held.unit}


def _other_clock_runs(round_: Round) -> RoundRefused:
    other = Round.objects.filter(user=round_.user_id, deadline_at__isnull=False).exclude(pk=round_.pk).first()
    url = reverse("rounds:round", args=[other.pk]) if other else reverse("rounds:index")
    message = "Another round's clock is running, and one clock runs at a time. Finish that round or abandon it first."
    return RoundRefused("clock_running", message, 409, extra={"url": url, "state": round_.state})
