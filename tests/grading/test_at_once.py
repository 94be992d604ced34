"""Two tabs, a button pressed twice, a task delivered many times: everything happens once."""

import contextlib
import threading
from collections.abc import Callable

import pytest
from django.db import connections
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from grading import services
from grading.models import Critique, CritiqueItem, ModelCall, State
from grading.refusals import CritiqueRefused
from grading.running.critique import run_critique
from grading.running.reply import run_reply
from tests import endpoint as server
from tests.endpoint import Endpoint
from tests.trainer.rounds.sitting import Sitting
from trainer.review.models import Card

pytestmark = pytest.mark.django_db(transaction=True)
TIMES = 6


def at_once(act: Callable[[int], object], times: int = TIMES) -> list[BaseException]:
    """Do it so many times at one moment; what was raised, refusals left out."""
    begin = threading.Barrier(times)
    raised: list[BaseException] = []

    def one(number: int) -> None:
        try:
            begin.wait()
            with contextlib.suppress(CritiqueRefused):
                act(number)
        except Exception as error:
            raised.append(error)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=one, args=(number,)) for number in range(times)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return raised


def requested(sitting: Sitting) -> Critique:
    return services.critique_request(round=sitting.round, user=sitting.user, now=timezone.now())


def shown(sitting: Sitting) -> Critique:
    critique = requested(sitting)
    run_critique(critique.pk)
    sitting.to("done")
    Card.objects.all().delete()  # those of the round itself
    return Critique.objects.get(pk=critique.pk, state=State.SHOWN)


@pytest.mark.parametrize("kind", ["model", "builtin"])
def test_a_critique_asked_for_many_times_is_one(request: pytest.FixtureRequest, sitting: Sitting, kind: str) -> None:
    if kind == "model":
        request.getfixturevalue("endpoint")
    round_ = sitting.round
    assert at_once(lambda _: services.critique_request(round=round_, user=sitting.user, now=timezone.now())) == []
    critique = Critique.objects.get(round=round_)
    assert critique.kind == kind
    assert critique.items.count() == critique.drafted
    assert bool(critique.drafted) == (kind == "builtin")


def test_a_task_delivered_many_times_asks_once(endpoint: Endpoint, sitting: Sitting) -> None:
    critique = requested(sitting)
    assert at_once(lambda _: run_critique(critique.pk)) == []
    assert (ModelCall.objects.count(), len(endpoint.asked)) == (2, 2)
    assert Critique.objects.get().state == State.SHOWN


def test_a_failed_critique_tried_again_many_times_is_queued_once(endpoint: Endpoint, sitting: Sitting) -> None:
    endpoint.script = [server.status(401)]
    critique = requested(sitting)
    run_critique(critique.pk)
    assert at_once(lambda _: services.critique_retry(critique=critique, now=timezone.now())) == []
    assert at_once(lambda _: run_critique(critique.pk)) == []
    assert len(endpoint.asked) == 3
    assert Critique.objects.get().state == State.SHOWN


def test_a_failed_critique_goes_to_the_built_in_critic_once_when_the_endpoint_is_gone(
    endpoint: Endpoint, sitting: Sitting, settings: Settings
) -> None:
    endpoint.script = [server.status(401)]
    critique = requested(sitting)
    run_critique(critique.pk)
    settings.CRITIC_BASE_URL = ""
    assert at_once(lambda _: services.critique_retry(critique=critique, now=timezone.now())) == []
    live = Critique.objects.get(superseded_at=None)
    assert (live.kind, Critique.objects.count()) == ("builtin", 2)
    assert CritiqueItem.objects.count() == live.drafted > 0


def test_of_two_answers_at_once_one_stands_and_is_replied_to_once(endpoint: Endpoint, sitting: Sitting) -> None:
    item = shown(sitting).items.get(number=1)
    assert at_once(lambda n: services.item_answer(item=item, text=f"Answer {n}.", now=timezone.now())) == []
    assert at_once(lambda _: run_reply("item", item.pk)) == []
    assert ModelCall.objects.filter(item=item).count() == 1
    assert CritiqueItem.objects.get(pk=item.pk).answer.startswith("Answer ")


def test_the_answer_of_the_second_tab_is_given_back(endpoint: Endpoint, sitting: Sitting, alice_client: Client) -> None:
    shown(sitting)
    address = reverse("critic:critique_answer", args=[sitting.id, 1])
    assert alice_client.post(address, {"answer": "The first one."}).status_code == 303
    response = alice_client.post(address, {"answer": "The second one, typed for an hour."})
    assert response.status_code == 409
    assert "The second one, typed for an hour." in response.content.decode()


def test_one_mark_at_once_makes_one_card_and_closing_at_once_one_for_each(endpoint: Endpoint, sitting: Sitting) -> None:
    critique = shown(sitting)
    item = critique.items.get(number=1)
    services.item_answer(item=item, text="The queue is bounded.", now=timezone.now())
    run_reply("item", item.pk)
    marks = ("miss", "partial", "miss", "partial", "miss", "partial")
    assert at_once(lambda n: services.item_mark(item=item, mark=marks[n], now=timezone.now())) == []
    assert Card.objects.count() == 1
    assert at_once(lambda _: services.critique_close(critique=critique, now=timezone.now())) == []
    assert Card.objects.count() == 9
