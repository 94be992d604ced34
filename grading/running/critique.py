"""A critique in its steps: ask, check, ask again for what may be mended, ask for the anchors, store."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.utils import timezone

from calculator.expressions import Facts
from grading.cases import case_of, facts_for
from grading.client.endpoint import Endpoint
from grading.client.errors import CallFailed, Interrupted
from grading.core import prompts
from grading.core.anchors import AnchorVerdict, judge
from grading.core.case import Case
from grading.core.checking import (
    MOST_SHOWN,
    CheckedCritique,
    Dropped,
    check_critiques,
    check_mutations,
)
from grading.core.prompts import Message
from grading.core.schemas import AnchorsReply, CritiqueReply
from grading.models import Critique, ModelCall, State
from grading.running.asking import endpoint_or_fail, reply_of
from grading.running.holding import Clock, held
from grading.services.leases import Lease, work_step
from grading.services.ledger import Subject
from grading.services.storing import Outcome, critique_store

Purpose = ModelCall.Purpose


@dataclass(frozen=True)
class Run:
    """What the steps share."""

    critique: Critique
    case: Case
    facts: Facts
    endpoint: Endpoint
    lease: Lease
    clock: Clock

    def asked[Form: (CritiqueReply, AnchorsReply)](
        self, purpose: ModelCall.Purpose, messages: Sequence[Message], form: type[Form]
    ) -> Form:
        return reply_of(
            Subject(self.critique),
            purpose,
            messages,
            form,
            endpoint=self.endpoint,
            lease=self.lease,
            clock=self.clock,
        )


def run_critique(critique_id: int, clock: Clock = timezone.now) -> None:
    """Claim the critique and make it; does nothing when it does not wait. However it ends, its row says how."""
    with held("critique", critique_id, clock) as lease:
        if lease is None:
            return
        critique = Critique.objects.select_related("round__design_version", "round__user").get(pk=critique_id)
        case, loaded = case_of(critique.round)
        run = Run(critique, case, facts_for(loaded), endpoint_or_fail(), lease, clock)
        outcome = _critiques(run)
        verdicts = _verdicts(run)
        critique_store(lease=lease, case=case, outcome=outcome, verdicts=verdicts, now=clock())


def _critiques(run: Run) -> Outcome:
    messages = _messages(run)
    reply = run.asked(Purpose.CRITIQUE, messages, CritiqueReply)
    work_step(lease=run.lease, state=State.CHECKING, step=Purpose.REPAIR)
    checked = check_critiques(reply, run.case, run.facts)
    outcome = Outcome(
        drafted=len(reply.critiques),
        shown=checked.shown,
        dropped=checked.dropped,
        merged=checked.merged,
        surplus=checked.surplus,
        repaired_from=len(checked.shown),
        mutations=check_mutations(reply.mutations, run.case, seed=run.critique.round.seed),
    )
    return _repaired(run, outcome)


def _messages(run: Run) -> tuple[Message, ...]:
    """What is asked first: kept with the critique, and the same in every attempt."""
    kept = run.critique
    if kept.prompt and kept.prompt_version == prompts.PROMPT_VERSION:
        messages = tuple(Message(**message) for message in kept.prompt)
    else:
        messages = prompts.critique_messages(run.case, nonce=secrets.token_hex(8))
    work_step(
        lease=run.lease,
        step=Purpose.CRITIQUE,
        model_name=run.endpoint.model,
        prompt_version=prompts.PROMPT_VERSION,
        prompt=[{"role": message.role, "content": message.content} for message in messages],
    )
    return messages


def _repaired(run: Run, outcome: Outcome) -> Outcome:
    """Ask once more for what may be mended, where there is room for it. A failure of this leaves things as they are."""
    asked_again = [item for item in outcome.dropped if item.repairable]
    if not asked_again or len(outcome.shown) >= MOST_SHOWN or _tried(run, Purpose.REPAIR):
        return outcome
    messages = prompts.repair_messages(run.case, asked_again, nonce=secrets.token_hex(8))
    try:
        reply = run.asked(Purpose.REPAIR, messages, CritiqueReply)
    except Interrupted:
        raise
    except CallFailed:
        return outcome
    again = check_critiques(reply, run.case, run.facts, already=outcome.shown)
    mended = again.shown[len(outcome.shown) :]
    return replace(outcome, shown=again.shown, dropped=_still_dropped(outcome.dropped, mended))


def _still_dropped(dropped: tuple[Dropped, ...], mended: tuple[CheckedCritique, ...]) -> tuple[Dropped, ...]:
    """What is left of the dropped ones when some were mended: each takes out the one that it seems to have been."""
    left = list(dropped)
    for item in mended:
        repairable = [drop for drop in left if drop.repairable]
        if not repairable:
            break
        alike = (item.defect_class, item.rubric_line)
        same = (drop for drop in repairable if (drop.draft.defect_class, drop.draft.rubric_line) == alike)
        left.remove(next(same, repairable[0]))
    return tuple(left)


def _tried(run: Run, purpose: ModelCall.Purpose) -> bool:
    """Whether a call for this has ended without a reply that could be used."""
    ended = (ModelCall.State.FAILED, ModelCall.State.UNUSABLE)
    return ModelCall.objects.filter(Subject(run.critique).own_calls, purpose=purpose, state__in=ended).exists()


def _verdicts(run: Run) -> tuple[AnchorVerdict, ...]:
    work_step(lease=run.lease, step=Purpose.ANCHORS)
    messages = prompts.anchors_messages(run.case, nonce=secrets.token_hex(8))
    return judge(run.asked(Purpose.ANCHORS, messages, AnchorsReply), run.case)
