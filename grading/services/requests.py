"""A critique is asked for: by a model through the queue, or by the built-in critic at once where there is no model."""

import dataclasses
import datetime as dt

from django.db import transaction

from grading.cases import case_of, facts_for, submission_for
from grading.client.endpoint import configured_endpoint
from grading.core.builtin import BuiltinReport, builtin_report
from grading.models import Critique, State
from grading.refusals import CritiqueRefused
from grading.services.leases import work_retry
from grading.services.storing import items_store, mutations_store
from grading.tasks import critique_run
from trainer.accounts.models import User
from trainer.queue import enqueue
from trainer.rounds.core import machine
from trainer.rounds.models import Round


@transaction.atomic
def critique_request(*, round: Round, user: User, now: dt.datetime) -> Critique:
    """The critique of a submitted round. Asked twice it is one; a model's takes the built-in one's place once there is
    an endpoint.

    Raises: CritiqueRefused 404 for another's round, 409 before the submission and for an abandoned round.
    """
    current = Round.objects.select_for_update().get(pk=round.pk)
    if current.user_id != user.pk:
        raise CritiqueRefused("unknown", "You have no such round.", 404)
    if current.state not in machine.SUBMITTED:
        message = f"A critique is of a submission; this round is {machine.STATE_NAMES[current.state]}."
        raise CritiqueRefused("out_of_order", message, 409)
    kind = Critique.Kind.MODEL if _model_has_work(current) else Critique.Kind.BUILTIN
    live = Critique.objects.filter(round=current, superseded_at__isnull=True).first()
    if live is not None:
        if live.kind == kind or live.kind == Critique.Kind.MODEL:
            return live
        Critique.objects.filter(pk=live.pk).update(superseded_at=now)
    return _model_critique(current, now) if kind == Critique.Kind.MODEL else _builtin_critique(current, now)


@transaction.atomic
def critique_retry(*, critique: Critique, now: dt.datetime) -> Critique:
    """Try a failed critique again; where the endpoint is gone, the built-in critic does it. Pressed twice counts once.

    Raises: CritiqueRefused 409 for one that has not failed.
    """
    if configured_endpoint() is None:
        return critique_fall_back(critique=critique, now=now)
    current = Critique.objects.select_for_update().get(pk=critique.pk)
    if current.superseded_at is not None or current.state == State.SHOWN:
        raise CritiqueRefused("not_failed", "This critique has not failed.", 409)
    if work_retry(work=current, now=now):
        enqueue(critique_run, current.pk)
    return Critique.objects.get(pk=current.pk)


@transaction.atomic
def critique_fall_back(*, critique: Critique, now: dt.datetime) -> Critique:
    """The built-in critic in place of a model's critique that failed, which stays on record. Pressed twice counts once.

    A model may take its place again: `critique_request`.

    Raises: CritiqueRefused 409 for one that has not failed.
    """
    current = Round.objects.select_for_update().get(pk=critique.round_id)
    live = Critique.objects.select_for_update().filter(round=current, superseded_at__isnull=True).first()
    if live is not None and live.kind == Critique.Kind.BUILTIN:
        return live
    failed = Critique.objects.filter(pk=critique.pk, superseded_at__isnull=True, state=State.FAILED)
    if not failed.update(superseded_at=now):
        raise CritiqueRefused("not_failed", "This critique has not failed.", 409)
    return _builtin_critique(current, now)


def _model_has_work(round_: Round) -> bool:
    """There is an endpoint, and a word to criticise."""
    return configured_endpoint() is not None and bool(submission_for(round_).parts)


def _model_critique(round_: Round, now: dt.datetime) -> Critique:
    critique = Critique.objects.create(
        round=round_,
        kind=Critique.Kind.MODEL,
        state=State.QUEUED,
        requested_at=now,
        queued_at=now,
        sent_at=now,
    )
    enqueue(critique_run, critique.pk)
    return critique


def _builtin_critique(round_: Round, now: dt.datetime) -> Critique:
    case, loaded = case_of(round_)
    report = builtin_report(case, loaded.design, loaded.derivation, facts=facts_for(loaded), seed=round_.seed)
    critique = Critique.objects.create(
        round=round_,
        kind=Critique.Kind.BUILTIN,
        state=State.SHOWN,
        requested_at=now,
        started_at=now,
        ended_at=now,
        drafted=len(report.critiques),
        report=findings_of(report),
    )
    items_store(critique, report.critiques)
    mutations_store(critique, report.mutations)
    return critique


def findings_of(report: BuiltinReport) -> dict[str, object]:
    """The built-in critic's findings by kind, as JSON."""
    kinds = ("absent_numbers", "off_lines", "absent_remedies", "absent_figures", "unread")
    found = {kind: [dataclasses.asdict(finding) for finding in getattr(report, kind)] for kind in kinds}
    return {"label": report.label, **found}
