"""The bell by a real worker with a real broker, each killed by turns."""

import datetime as dt
from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone

from tests.factories import make_user
from tests.services import Broker, Process, wait_for
from trainer.rounds import services
from trainer.rounds.models import Round, State

StartWorker = Callable[[], Process]
BELL = dt.timedelta(seconds=300 + 2700)
GRACE = dt.timedelta(seconds=10)


def overdue_round(username: str) -> Round:
    """A round whose bell and grace are over, that nobody has looked at since it began."""
    now = timezone.now() - BELL - GRACE - dt.timedelta(seconds=1)
    round_ = services.round_start(user=make_user(username), slug="m01", mode="exam", now=now)
    services.arithmetic_begin(round=round_, now=now)
    services.writing_begin(round=Round.objects.get(pk=round_.pk), now=now)
    return Round.objects.get(pk=round_.pk)


def finalised(round_: Round) -> bool:
    return Round.objects.get(pk=round_.pk).state == State.SCORING


def test_a_worker_that_was_killed_and_started_again_finalises(broker: Broker, start_worker: StartWorker) -> None:
    first = overdue_round("alice")
    worker = start_worker()
    wait_for(lambda: finalised(first), "the first round's bell")
    worker.kill()

    second = overdue_round("bob")
    start_worker()
    wait_for(lambda: finalised(second), "the second round's bell")
    settled = Round.objects.get(pk=second.pk)
    assert settled.submitted_by_bell
    assert settled.writing_started_at is not None
    assert settled.submitted_at == settled.writing_started_at + dt.timedelta(seconds=2700)


def test_a_worker_finds_its_broker_again_when_that_was_killed_and_started_again(
    broker: Broker, start_worker: StartWorker
) -> None:
    first = overdue_round("alice")
    worker = start_worker()
    wait_for(lambda: finalised(first), "the first round's bell")
    broker.kill()
    second = overdue_round("bob")
    broker.start()
    wait_for(lambda: finalised(second), "the second round's bell")
    assert worker.alive


def test_a_worker_that_starts_before_its_broker_waits_for_it(stopped_broker: Broker, start_worker: StartWorker) -> None:
    round_ = overdue_round("alice")
    worker = start_worker()
    wait_for(lambda: "Cannot connect to" in worker.says(), "the worker to miss its broker")
    stopped_broker.start()
    wait_for(lambda: finalised(round_), "the bell")


@pytest.mark.django_db(transaction=True)
def test_with_the_broker_down_a_round_is_sat_all_the_same(client: Client, stopped_broker: Broker) -> None:
    assert client.get("/healthz").json()["parts"]["broker"] == "down"
    page = client.post("/rounds/start/", {"design": "m01", "mode": "exam"}, follow=True)
    path = page.request["PATH_INFO"]
    for state in ("prompt", "arithmetic"):
        assert client.post(f"{path}begin/", {"from": state}).status_code == 303
    body = {"text": "The KV cache decides.", "base_revision": 0, "save_id": "one"}
    saved = client.put(f"{path}documents/s1/", body, content_type="application/json")
    assert (saved.status_code, saved.json()["revision"]) == (200, 1)
    assert client.post(f"{path}submit/").status_code == 303
    assert client.get(f"{path}clock.json").json()["state"] in ("writing", "scoring")
