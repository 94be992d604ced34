"""Clarifying questions at the prompt: asked in one's own words, answered by the interviewer's card or not at all."""

from datetime import datetime

from django.db import transaction

from designs.loaded import LoadedDesign
from designs.selectors import design_of
from trainer.rounds.core import machine, questions
from trainer.rounds.models import AskedQuestion, Round
from trainer.rounds.refusals import RoundRefused
from trainer.rounds.services.clock import locked_round
from trainer.rounds.services.inputs import text_or_refuse


@transaction.atomic
def question_ask(*, round: Round, text: object = "", card: str = "", now: datetime) -> AskedQuestion:
    """Ask: by one's own words, or by a card's id. A card answers once; the same question again is the same row.

    Raises: RoundRefused 422 for an empty or overlong question, 404 for an unknown card, 409 after the prompt.
    """
    current = locked_round(round_id=round.pk, now=now)
    if current.state != machine.PROMPT:
        message = f"Questions are asked at the prompt; this round is {machine.STATE_NAMES[current.state]}."
        raise RoundRefused("out_of_order", message, 409, extra={"state": current.state})
    loaded = design_of(current.design_version)
    asked = _question_text(loaded, text, card)
    earlier = AskedQuestion.objects.filter(round=current, text=asked).first()
    if earlier is not None:
        return earlier
    matched = card or questions.match(asked, _cards(loaded)) or ""
    earlier = AskedQuestion.objects.filter(round=current, card=matched).exclude(card="").first()
    if earlier is not None:
        return earlier
    return AskedQuestion.objects.create(
        round=current, card=matched, text=asked, answer=_answer(loaded, matched), asked_at=now
    )


def _question_text(loaded: LoadedDesign, text: object, card: str) -> str:
    if card:
        question = loaded.design.question(card)
        if question is None:
            raise RoundRefused("unknown", "The interviewer has no such card.", 404, field="card")
        return loaded.question_ask(card)[: questions.QUESTION_LIMIT_CHARACTERS]
    limit = questions.QUESTION_LIMIT_CHARACTERS
    return text_or_refuse(text, "The question", field="text", limit_characters=limit, required=True).strip()


def _cards(loaded: LoadedDesign) -> list[questions.Card]:
    return [
        questions.Card(id=question.id, ask=question.ask.source, keywords=question.keywords)
        for question in loaded.design.questions
    ]


def _answer(loaded: LoadedDesign, card: str) -> str:
    """The card's answer as Markdown with its figures filled in."""
    return loaded.question_answer(card) if card else questions.UNMATCHED_ANSWER
