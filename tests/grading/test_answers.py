"""The trainee's answers, the model's replies, marks, and the cards that misses become."""

import contextlib
import json
import threading
from collections.abc import Callable
from functools import partial

import pytest
from django.db import connections
from django.utils import timezone
from pytest_django import Settings

from grading import services
from grading.models import Asked, Critique, CritiqueItem, ModelCall, Mutation, State
from grading.refusals import CritiqueRefused
from grading.running.critique import run_critique
from grading.running.reply import run_reply
from tests import endpoint as server
from tests.endpoint import Endpoint
from tests.trainer.rounds.sitting import Sitting
from trainer.review.models import Card

ANSWER = "The queue is bounded by the KV cache of eight replicas."


@pytest.fixture
def critique(endpoint: Endpoint, sitting: Sitting) -> Critique:
    """A model's critique of a round that is done."""
    critique = services.critique_request(round=sitting.round, user=sitting.user, now=sitting.now)
    run_critique(critique.pk)
    sitting.to("done")
    Card.objects.all().delete()  # those of the round itself
    return Critique.objects.get(pk=critique.pk)


def refusal(act: object, **given: object) -> CritiqueRefused:
    with pytest.raises(CritiqueRefused) as refused:
        act(now=timezone.now(), **given)  # type: ignore[operator]
    return refused.value


def answered(critique: Critique) -> tuple[CritiqueItem, Mutation]:
    item, mutation = critique.items.first(), critique.mutations.first()
    assert item
    assert mutation
    return (
        services.item_answer(item=item, text=ANSWER, now=timezone.now()),
        services.mutation_answer(mutation=mutation, text=ANSWER, now=timezone.now()),
    )


def test_an_answer_is_replied_to_by_the_model_and_then_marked(endpoint: Endpoint, critique: Critique) -> None:
    for kind, asked in zip(("item", "mutation"), answered(critique), strict=True):
        assert (asked.state, asked.answer) == (State.QUEUED, ANSWER)
        run_reply(kind, asked.pk)
        asked.refresh_from_db()
        assert (asked.state, asked.holds) == (State.SHOWN, "partly")
        assert asked.reply == "Which number bounds the queue then? You have not said it."
        assert ANSWER in endpoint.asked[-1].prompt
    item, mutation = critique.items.first(), critique.mutations.first()
    assert services.item_mark(item=item, mark="hit", now=timezone.now()).mark == "hit"
    assert services.mutation_mark(mutation=mutation, mark="partial", now=timezone.now()).mark == "partial"
    (card,) = Card.objects.all()
    assert (card.kind, card.own_words) == (Card.Kind.MUTATION, ANSWER)
    assert "Which number bounds the queue then" in card.back
    purposes = ModelCall.objects.filter(critique=critique).values_list("purpose", flat=True)
    assert sorted(purposes) == ["anchors", "answer", "critique", "mutation"]


def test_a_reply_delivered_twice_is_asked_for_once(endpoint: Endpoint, critique: Critique) -> None:
    item, _ = answered(critique)
    before = len(endpoint.asked)
    for _ in range(3):
        run_reply("item", item.pk)
    assert len(endpoint.asked) == before + 1


def test_a_reply_that_praises_is_not_shown_and_fails_after_three_calls(endpoint: Endpoint, critique: Critique) -> None:
    endpoint.otherwise = server.lies
    item, _ = answered(critique)
    before = len(endpoint.asked)
    for _ in range(5):
        CritiqueItem.objects.filter(pk=item.pk).update(retry_at=None)
        run_reply("item", item.pk)
    item.refresh_from_db()
    assert (item.state, item.failure_kind, item.reply) == (State.FAILED, "unfit", "")
    assert "praises" in item.failure_reason
    assert len(endpoint.asked) == before + 3


def test_a_failed_reply_may_be_asked_for_again_or_marked_without(endpoint: Endpoint, critique: Critique) -> None:
    endpoint.script = [server.status(401)]
    item, _ = answered(critique)
    run_reply("item", item.pk)
    item.refresh_from_db()
    assert item.state == State.FAILED
    services.reply_retry(asked=item, now=timezone.now())
    assert refusal(services.item_mark, item=item, mark="miss").reason == "not_replied"
    run_reply("item", item.pk)
    item.refresh_from_db()
    assert item.state == State.SHOWN
    assert refusal(services.reply_retry, asked=item).reason == "not_failed"


def test_the_first_answer_and_the_first_mark_stand(endpoint: Endpoint, critique: Critique) -> None:
    item, _ = answered(critique)
    run_reply("item", item.pk)
    assert services.item_answer(item=item, text=f" {ANSWER}\n", now=timezone.now()).answer == ANSWER
    assert refusal(services.item_answer, item=item, text="Another one.").reason == "answered"
    services.item_mark(item=item, mark="miss", now=timezone.now())
    services.item_mark(item=item, mark="miss", now=timezone.now())
    assert refusal(services.item_mark, item=item, mark="hit").reason == "marked"
    assert Card.objects.count() == 1


@pytest.mark.parametrize(
    ("text", "words"), [("", "empty"), ("  \n", "empty"), ("a\0b", "NUL"), ("x" * 6_001, "6,000"), (7, "must be text")]
)
def test_an_answer_that_cannot_be_kept_is_refused_at_its_field(critique: Critique, text: object, words: str) -> None:
    refused = refusal(services.item_answer, item=critique.items.first(), text=text)
    assert (refused.status, refused.field) == (422, "answer")
    assert words in refused.message


def test_a_mark_that_is_none_or_comes_before_the_answer_is_refused(critique: Critique) -> None:
    item = critique.items.first()
    refused = refusal(services.item_mark, item=item, mark="great")
    assert (refused.status, refused.field) == (422, "mark")
    assert refusal(services.item_mark, item=item, mark="hit").reason == "unanswered"


def test_closing_makes_a_card_of_everything_unanswered_once(endpoint: Endpoint, critique: Critique) -> None:
    answered(critique)
    for _ in range(2):
        assert services.critique_close(critique=critique, now=timezone.now()).closed_at is not None
    kinds = list(Card.objects.values_list("kind", flat=True))
    assert kinds.count(Card.Kind.MODEL_CRITIQUE) == critique.items.count() - 1
    assert kinds.count(Card.Kind.MUTATION) == 2
    item = critique.items.last()
    assert refusal(services.item_answer, item=item, text=ANSWER).reason == "closed"


def test_a_card_of_a_critique_holds_the_attack_the_quote_and_what_the_levels_say(critique: Critique) -> None:
    services.critique_close(critique=critique, now=timezone.now())
    item = critique.items.exclude(expression="").get()
    card = Card.objects.get(key__endswith=f"model-critique/{item.pk}")
    assert "These words size nothing" in card.front
    assert item.value_text in card.back
    assert "What the levels of" in card.back
    assert str(critique.round_id) in card.link


def test_what_a_model_wrote_is_no_markup_on_a_card(critique: Critique) -> None:
    from designs.markdown import to_html

    item = critique.items.first()
    attack = "# Heading\n<script>alert(1)</script> [link](https://elsewhere.example) `code` *stars* ![x](y)"
    CritiqueItem.objects.filter(pk=item.pk).update(attack=attack)
    services.critique_close(critique=critique, now=timezone.now())
    html = to_html(Card.objects.get(key__endswith=f"model-critique/{item.pk}").front)
    for markup in ("<h1", "<script", "<a ", "<code", "<em", "<img"):
        assert markup not in html
    assert "alert(1)" in html


@pytest.mark.parametrize("act", ["answer", "close"])
def test_before_the_round_is_done_nothing_of_it_opens(endpoint: Endpoint, sitting: Sitting, act: str) -> None:
    critique = services.critique_request(round=sitting.round, user=sitting.user, now=sitting.now)
    run_critique(critique.pk)
    critique.refresh_from_db()
    if act == "answer":
        refused = refusal(services.item_answer, item=critique.items.first(), text=ANSWER)
    else:
        refused = refusal(services.critique_close, critique=critique)
    assert (refused.status, refused.reason) == (409, "out_of_order")


def test_the_built_in_critics_are_answered_without_a_reply_and_marked_at_once(sitting: Sitting) -> None:
    critique = services.critique_request(round=sitting.round, user=sitting.user, now=sitting.now)
    sitting.to("done")
    critique.refresh_from_db()
    asked: list[Asked] = list(answered(critique))
    assert {one.state for one in asked} == {State.IDLE}
    item = critique.items.first()
    services.item_mark(item=item, mark="miss", now=timezone.now())
    card = Card.objects.get(kind=Card.Kind.MODEL_CRITIQUE)
    assert card.key.startswith("x01/built-in/")


def test_an_answer_after_the_endpoint_is_gone_is_kept_and_waits_for_nothing(
    critique: Critique, settings: Settings
) -> None:
    settings.CRITIC_BASE_URL = ""
    item, _ = answered(critique)
    assert (item.state, item.answer) == (State.IDLE, ANSWER)


def test_a_reply_is_kept_without_what_hides_or_turns_words_on_the_page_and_on_the_card(
    endpoint: Endpoint, critique: Critique
) -> None:
    item, _ = answered(critique)
    said = "Your bound is \u202egnp.exe\u202c and \U000e0041\u200bno more.\0"
    endpoint.script = [server.says(json.dumps({"reply": said, "holds": "no"}))]
    run_reply("item", item.pk)
    item.refresh_from_db()
    assert item.reply == "Your bound is gnp.exe and no more."
    services.item_mark(item=item, mark="miss", now=timezone.now())
    assert not set("\u202e\u202c\u200b\U000e0041") & set(Card.objects.get().back)


@pytest.mark.django_db(transaction=True)
def test_an_answer_and_the_close_at_one_moment_leave_it_answered_or_a_card_and_never_both(critique: Critique) -> None:
    for item in critique.items.all():
        Critique.objects.update(closed_at=None)
        Card.objects.all().delete()
        begin = threading.Barrier(2)
        answer = partial(services.item_answer, item=item, text=ANSWER, now=timezone.now())
        close = partial(services.critique_close, critique=critique, now=timezone.now())
        threads = [threading.Thread(target=at_once, args=(begin, act)) for act in (answer, close)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        item.refresh_from_db()
        cards = Card.objects.filter(key__endswith=f"/model-critique/{item.pk}").count()
        assert cards == (0 if item.answered_at else 1)


def at_once(begin: threading.Barrier, act: Callable[[], object]) -> None:
    try:
        begin.wait()
        with contextlib.suppress(CritiqueRefused):
            act()
    finally:
        connections.close_all()
