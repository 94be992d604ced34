"""The model's reply to an answer: to one of its critiques, or to a mutation."""

import secrets
from collections.abc import Sequence

from django.utils import timezone

from grading.cases import case_of
from grading.client.errors import CallFailed
from grading.core import prompts
from grading.core.case import Case
from grading.core.checking import CheckedCritique, answer_problem
from grading.core.language import plain_text
from grading.core.prompts import Message
from grading.core.schemas import AnswerReply
from grading.core.submission import Place
from grading.models import Asked, CritiqueItem, ModelCall, Mutation
from grading.running.asking import endpoint_or_fail, reply_of
from grading.running.holding import Clock, held
from grading.services.leases import work_finish
from grading.services.ledger import Subject

_KINDS: dict[str, type[CritiqueItem] | type[Mutation]] = {"item": CritiqueItem, "mutation": Mutation}


class Unfit(CallFailed):
    """The reply praises, scores, or says nothing: it is not shown."""

    kind = "unfit"
    tries = 3


def run_reply(kind: str, pk: int, clock: Clock = timezone.now) -> None:
    """Claim the answer and have it replied to; does nothing when it does not wait."""
    with held(kind, pk, clock) as lease:
        if lease is None:
            return
        asked = _KINDS[kind]._default_manager.select_related("critique__round__design_version").get(pk=pk)
        case, _ = case_of(asked.critique.round)
        subject, purpose, messages = _question(asked, case)
        endpoint = endpoint_or_fail()
        reply = reply_of(
            subject, purpose, messages, AnswerReply, endpoint=endpoint, lease=lease, clock=clock, fault=_fault
        )
        work_finish(lease=lease, now=clock(), reply=plain_text(reply.reply), holds=reply.holds)


def _fault(reply: AnswerReply) -> CallFailed | None:
    problem = answer_problem(reply.reply)
    return Unfit(f"The model's reply was not shown ({problem}).") if problem else None


def _question(asked: Asked, case: Case) -> tuple[Subject, ModelCall.Purpose, Sequence[Message]]:
    nonce = secrets.token_hex(8)
    if isinstance(asked, CritiqueItem):
        messages = prompts.answer_messages(case, checked_of(asked), asked.answer, nonce=nonce)
        return Subject(asked.critique, item=asked), ModelCall.Purpose.ANSWER, messages
    messages = prompts.mutation_messages(case, asked.title, asked.ask, asked.answer, nonce=nonce)
    return Subject(asked.critique, mutation=asked), ModelCall.Purpose.MUTATION, messages


def checked_of(item: CritiqueItem) -> CheckedCritique:
    """The row in the form that the core knows."""
    place = None
    if item.start is not None and item.end is not None:
        place = Place(item.part_key, item.start, item.end)
    return CheckedCritique(
        quote=item.quote,
        place=place,
        defect_class=item.defect_class,
        class_name=item.class_name,
        attack=item.attack,
        scenario=item.scenario,
        rubric_line=item.rubric_line or 0,
        expression=item.expression,
        with_numbers=item.with_numbers,
        claimed_value=item.claimed_value,
        value_text=item.value_text,
    )
