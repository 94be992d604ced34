"""After the scores: the worked design read section by section, then its critiques, answered before they are revised."""

from datetime import datetime

from django.db import transaction

from designs.selectors import design_of
from trainer.rounds.core import machine
from trainer.rounds.core.machine import NotAllowed
from trainer.rounds.models import CritiqueAnswer, Round
from trainer.rounds.refusals import RoundRefused
from trainer.rounds.services.clock import locked_round, move, refused, snapshot_of
from trainer.rounds.services.inputs import integer_or_refuse, text_or_refuse
from trainer.rounds.services.misses import critique_miss_record, rubric_line_misses_record

ANSWER_LIMIT_CHARACTERS = 20_000


@transaction.atomic
def reveal_advance(*, round: Round, position: object, now: datetime) -> Round:
    """Read on from `position`; from the last one, to the first critique. Posted twice it counts once.

    Raises: RoundRefused 422 for a bad position, 409 for one not reached yet or before the scores.
    """
    here = integer_or_refuse(position, "position", field="position", least=0, most=machine.LAST_REVEAL_POSITION)
    current = locked_round(round_id=round.pk, now=now)
    try:
        after = machine.advance_reveal(snapshot_of(current), here, now)
    except NotAllowed as error:
        raise refused(error, current) from error
    finished = after.state == machine.CRITIQUE and current.state == machine.REVEAL
    current = move(current, after)
    if finished:
        CritiqueAnswer.objects.create(round=current, number=1, shown_at=now)
        rubric_line_misses_record(round_=current, now=now)
    return current


@transaction.atomic
def critique_first_sentence(*, round: Round, number: int, now: datetime) -> CritiqueAnswer:
    """The first sentence of the answer stands: its moment is kept, once.

    Raises: RoundRefused 404 for a critique that was not shown, 409 when it was answered before.
    """
    answer = _shown(round, number, now)
    if answer.first_sentence_at is None and answer.answered_at is None:
        answer.first_sentence_at = now
        answer.save(update_fields=["first_sentence_at"])
    return answer


@transaction.atomic
def critique_answer(*, round: Round, number: int, text: object, now: datetime) -> CritiqueAnswer:
    """Answer a critique, which shows its revision. The same answer again changes nothing.

    Raises: RoundRefused 422 for an empty or overlong answer, 404 for a critique that was not shown, 409 when another
    answer stands.
    """
    limit = ANSWER_LIMIT_CHARACTERS
    said = text_or_refuse(text, "The answer", field="answer", limit_characters=limit, required=True)
    answer = _shown(round, number, now)
    unanswered = CritiqueAnswer.objects.filter(pk=answer.pk, answered_at=None)
    if unanswered.update(text=said, answered_at=now):
        answer.text, answer.answered_at = said, now
    elif answer.text != said:
        message = "This critique was answered already. The first answer stands: its revision has been shown."
        raise RoundRefused("already_answered", message, 409, extra={"text": answer.text})
    return answer


@transaction.atomic
def critique_mark(*, round: Round, number: int, mark: str, now: datetime) -> CritiqueAnswer:
    """Mark one's answer hit, partial or miss. The next critique is shown then; after the last the round is done.

    Raises: RoundRefused 422 for another word, 404 for a critique that was not shown, 409 before its answer or when it
    was marked otherwise.
    """
    if mark not in CritiqueAnswer.Mark.values:
        raise RoundRefused("invalid", "Mark it hit, partial or miss.", 422, field="mark")
    answer = _shown(round, number, now)
    if answer.answered_at is None:
        raise RoundRefused("unanswered", "Answer the critique first; then mark the answer.", 409)
    unmarked = CritiqueAnswer.objects.filter(pk=answer.pk, mark="", answered_at__isnull=False)
    if not unmarked.update(mark=mark, marked_at=now):
        if answer.mark != mark:
            message = f"This critique was marked {answer.mark} already. The first mark stands."
            raise RoundRefused("already_marked", message, 409, extra={"mark": answer.mark})
        return answer
    answer.mark, answer.marked_at = mark, now
    if mark != CritiqueAnswer.Mark.HIT:
        critique_miss_record(round_=answer.round, answer=answer, now=now)
    _show_next(answer.round, number, now)
    return answer


def _shown(round_: Round, number: int, now: datetime) -> CritiqueAnswer:
    """The row of a critique that has been shown, its round locked."""
    current = locked_round(round_id=round_.pk, now=now)
    if current.state not in (machine.CRITIQUE, machine.DONE):
        message = f"The critiques follow the reveal; this round is {machine.STATE_NAMES[current.state]}."
        raise RoundRefused("out_of_order", message, 409, extra={"state": current.state})
    answer = CritiqueAnswer.objects.filter(round=current, number=number).first()
    if answer is None:
        raise RoundRefused("unknown", f"There is no critique {number}, or it has not been shown yet.", 404)
    answer.round = current
    return answer


def _show_next(round_: Round, number: int, now: datetime) -> None:
    if number < len(design_of(round_.design_version).design.critiques):
        CritiqueAnswer.objects.create(round=round_, number=number + 1, shown_at=now)
    else:
        move(round_, machine.finish(snapshot_of(round_), now))
