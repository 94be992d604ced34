"""Clarifying questions at the prompt."""

import pytest

from designs.loaded import LoadedDesign
from tests.trainer.rounds.sitting import Sitting
from trainer.rounds import services
from trainer.rounds.models import AskedQuestion
from trainer.rounds.refusals import RoundRefused

pytestmark = pytest.mark.django_db


def ask(sitting: Sitting, text: object = "", card: str = "") -> AskedQuestion:
    return services.question_ask(round=sitting.round, text=text, card=card, now=sitting.tick())


def test_a_question_in_ones_own_words_is_answered_by_its_card_with_figures(
    sitting: Sitting, design: LoadedDesign
) -> None:
    asked = ask(sitting, "  What happens when the job misses the deadline?  ")
    assert (asked.card, asked.text) == ("late", "What happens when the job misses the deadline?")
    assert asked.answer == f"Then the office reads yesterday's. It has {design.derivation.shown['window']}."


def test_a_question_that_no_card_answers_is_kept_and_answered_assume_and_say_so(sitting: Sitting) -> None:
    asked = ask(sitting, "What is the colour of the dashboard?")
    assert (asked.card, asked.answer) == ("", "Assume, and say so.")
    assert AskedQuestion.objects.get().text == "What is the colour of the dashboard?"


def test_the_same_question_or_card_again_is_the_same_answer(sitting: Sitting) -> None:
    first = ask(sitting, "May a summary exist twice?")
    assert ask(sitting, "May a summary exist twice?").pk == first.pk
    assert ask(sitting, "Is it idempotent?").pk == first.pk
    assert ask(sitting, card="twice").pk == first.pk
    assert ask(sitting, "Why?").pk == ask(sitting, "Why?").pk
    assert AskedQuestion.objects.count() == 2


@pytest.mark.parametrize("text", ["", "  ", "x" * 501, "a\x00", "\udd99", 3])
def test_a_question_that_cannot_be_kept_is_a_422_at_its_field(sitting: Sitting, text: object) -> None:
    with pytest.raises(RoundRefused) as refusal:
        ask(sitting, text)
    assert (refusal.value.status, refusal.value.field) == (422, "text")


def test_an_unknown_card_is_a_404(sitting: Sitting) -> None:
    with pytest.raises(RoundRefused) as refusal:
        ask(sitting, card="nothing")
    assert refusal.value.status == 404


def test_after_the_prompt_nothing_is_asked(sitting: Sitting) -> None:
    sitting.begin()
    with pytest.raises(RoundRefused) as refusal:
        ask(sitting, "What happens when it is late?")
    assert (refusal.value.status, refusal.value.extra["state"]) == (409, "arithmetic")
