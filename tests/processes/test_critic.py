"""Critiques by a real worker with a real broker and an endpoint on loopback, each killed, restarted or stopped."""

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.conf import settings as django_settings
from django.utils import timezone
from pytest_django import Settings

from grading import services
from grading.models import Critique, ModelCall, State
from grading.services.leases import LEASE, SENT_AGAIN_AFTER
from tests import endpoint as server
from tests.endpoint import Endpoint, running_endpoint
from tests.factories import make_user
from tests.processes.home import Home, group_lives
from tests.services import Broker, Process, StartProcess, wait_for
from tests.trainer.rounds.sitting import Sitting
from tests.visitor import Visitor
from trainer import heartbeat
from trainer.celery import app
from trainer.ops.leftovers import as_child
from trainer.ops.run import commands

PACK = Path(__file__).resolve().parents[1] / "designs" / "pack"
RECOVERED_WITHIN_S = 60
TEXT = "Eight replicas take work from one queue, and the queue has no bound.\nA batch is put back when its GPU dies."

Start = Callable[..., Process]


@pytest.fixture
def endpoint(settings: Settings) -> Iterator[Endpoint]:
    with running_endpoint() as endpoint:
        settings.CRITIC_BASE_URL = endpoint.address
        settings.CRITIC_MODEL = server.MODEL
        yield endpoint


@pytest.fixture
def start(
    start_process: StartProcess, database_url: str, stopped_broker: Broker, endpoint: Endpoint, tmp_path: Path
) -> Start:
    """Starts one of the site's processes on the tests' database, broker and endpoint."""
    var_dir = tmp_path / "var"

    def launch(name: str, **more: str) -> Process:
        variables = {
            "DATABASE_URL": database_url,
            "BROKER_URL": stopped_broker.url,
            "SECRET_KEY": django_settings.SECRET_KEY,
            "ROOFLINE_VAR": str(var_dir),
            "CONTENT_DIRS": str(PACK),
            **endpoint.environment(),
            **more,
        }
        return start_process(*as_child(var_dir, name, commands(var_dir, 0)[name]), **variables)

    return launch


def requested(settings: Settings, username: str = "alice") -> Critique:
    """The critique of a submitted round, asked for and queued."""
    if PACK not in settings.CONTENT_DIRS:
        settings.CONTENT_DIRS = [*settings.CONTENT_DIRS, PACK]
    sitting = Sitting(make_user(username), timezone.now()).to("writing")
    sitting.save("s4", TEXT)
    sitting.to("scoring")
    return services.critique_request(round=sitting.round, user=sitting.user, now=timezone.now())


def state_of(critique: Critique) -> str:
    return Critique.objects.values_list("state", flat=True).get(pk=critique.pk)


def shown(critique: Critique) -> bool:
    return state_of(critique) == State.SHOWN


def assert_made_once(critique: Critique) -> None:
    assert Critique.objects.filter(round=critique.round).count() == 1
    assert 0 < critique.items.count() == critique.items.values("number").distinct().count()
    kept = ModelCall.objects.filter(critique=critique, state=ModelCall.State.ANSWERED)
    assert sorted(kept.values_list("purpose", flat=True)) == ["anchors", "critique"]


def test_a_critique_is_made_by_its_own_worker(
    broker: Broker, start: Start, endpoint: Endpoint, settings: Settings
) -> None:
    start("critic")
    critique = requested(settings)
    wait_for(lambda: shown(critique), "the critique")
    assert_made_once(critique)
    assert len(endpoint.asked) == 2


def test_b062_a_task_that_the_broker_gives_out_again_during_its_call_makes_one_critique_and_one_charge(
    broker: Broker, start: Start, endpoint: Endpoint, settings: Settings
) -> None:
    called_twice = "does not wait: this delivery does nothing"

    def answers_once_it_came_twice(handler: server.Handler, asked: server.Asked) -> None:
        wait_for(lambda: any(called_twice in worker.says() for worker in workers), "the second delivery")
        server.good(handler, asked)

    endpoint.script = [answers_once_it_came_twice]
    short = {"DJANGO_SETTINGS_MODULE": "tests.processes.short_visibility"}
    workers = [start("critic", **short), start("worker", **short)]
    critique = requested(settings)
    wait_for(lambda: shown(critique), "the critique")
    assert_made_once(critique)
    assert len(endpoint.asked_for("CritiqueReply")) == 1


def test_b063_a_retry_waits_in_the_database_and_not_in_the_broker(
    broker: Broker, start: Start, endpoint: Endpoint, settings: Settings
) -> None:
    endpoint.script = [server.status(429, Retry_After="3")]
    for name in ("critic", "worker", "beat"):
        start(name)
    critique = requested(settings)
    wait_for(lambda: Critique.objects.filter(pk=critique.pk, retry_at__isnull=False).exists(), "the refusal")
    with heartbeat.broker_client() as client:
        wait_for(lambda: not client.hlen("unacked"), "the task to be through")
    wait_for(lambda: shown(critique), "the critique")
    assert_made_once(critique)
    assert len(endpoint.asked_for("CritiqueReply")) == 2


def test_b064_a_worker_killed_during_a_call_loses_no_critique_makes_none_twice_and_asks_for_no_reply_it_has(
    broker: Broker, start: Start, endpoint: Endpoint, settings: Settings
) -> None:
    endpoint.script = [server.good, server.hangs]
    for name in ("worker", "beat"):
        start(name)
    first = start("critic")
    critique = requested(settings)
    wait_for(lambda: endpoint.asked_for("AnchorsReply"), "the second call")
    first.kill()
    killed_at = timezone.now()
    start("critic")
    wait_for(lambda: shown(critique), "the critique", patience_s=RECOVERED_WITHIN_S)
    assert timezone.now() - killed_at > LEASE / 2  # by the lease's end, not by luck
    assert_made_once(critique)
    assert len(endpoint.asked_for("CritiqueReply")) == 1
    assert ModelCall.objects.filter(critique=critique, state=ModelCall.State.LOST).count() == 1


def test_a_broker_restarted_during_a_call_costs_nothing(
    broker: Broker, start: Start, endpoint: Endpoint, settings: Settings
) -> None:
    restarted: list[bool] = []

    def answers_after_the_restart(handler: server.Handler, asked: server.Asked) -> None:
        wait_for(lambda: restarted, "the broker")
        server.good(handler, asked)

    endpoint.script = [answers_after_the_restart]
    for name in ("worker", "beat", "critic"):
        start(name)
    critique = requested(settings)
    wait_for(lambda: endpoint.asked, "the call")
    broker.kill()
    broker.start()
    restarted.append(True)
    wait_for(lambda: shown(critique), "the critique", patience_s=RECOVERED_WITHIN_S)
    assert_made_once(critique)
    second = requested(settings, "bob")
    wait_for(lambda: shown(second), "a critique after the restart", patience_s=RECOVERED_WITHIN_S)


def test_a_critique_asked_for_while_the_broker_is_down_is_found_by_beat(
    stopped_broker: Broker, start: Start, endpoint: Endpoint, settings: Settings
) -> None:
    critique = requested(settings)
    assert state_of(critique) == State.QUEUED
    Critique.objects.update(sent_at=timezone.now() - SENT_AGAIN_AFTER)
    stopped_broker.start()
    for name in ("worker", "beat", "critic"):
        start(name)
    wait_for(lambda: shown(critique), "the critique")
    assert_made_once(critique)


def test_a_task_put_into_the_queue_three_times_makes_one_critique(
    broker: Broker, start: Start, endpoint: Endpoint, settings: Settings
) -> None:
    critique = requested(settings)
    for _ in range(2):
        app.send_task("grading.tasks.critique_run", (critique.pk,), queue="critic")
    worker = start("critic")
    wait_for(lambda: shown(critique), "the critique")
    wait_for(lambda: worker.says().count("this delivery does nothing") == 2, "the other two deliveries")
    assert_made_once(critique)
    assert len(endpoint.asked) == 2


def test_a_worker_stopped_during_its_call_ends_at_once_and_gives_the_critique_back(
    broker: Broker, start: Start, endpoint: Endpoint, settings: Settings
) -> None:
    endpoint.script = [server.hangs]
    worker = start("critic")
    critique = requested(settings)
    wait_for(lambda: endpoint.asked, "the call")
    os.killpg(worker.popen.pid, signal.SIGTERM)  # as the runner does
    wait_for(lambda: not worker.alive, "the worker's end", patience_s=5)
    assert state_of(critique) == State.QUEUED
    assert Critique.objects.get(pk=critique.pk).attempts == 0
    for name in ("worker", "beat", "critic"):
        start(name)
    wait_for(lambda: shown(critique), "the critique")


def test_ctrl_c_ends_the_home_form_at_once_while_calls_are_under_way(
    start_process: StartProcess, database_url: str, endpoint: Endpoint, settings: Settings, tmp_path: Path
) -> None:
    endpoint.otherwise = server.hangs
    home = Home.at(start_process, tmp_path / "var")
    process = home.launch(DATABASE_URL=database_url, CONTENT_DIRS=str(PACK), **endpoint.environment())
    wait_for(lambda: f"Roofline is at {home.address}" in process.says() or not process.alive, "the address")
    visitor = Visitor(home.address)
    wait_for(lambda: visitor.get("/healthz").status == 200, "every part to be well")
    assert visitor.get("/healthz").json()["parts"]["critic"] == "ok"
    critiques = [requested(settings, f"trainee-{number}") for number in range(3)]
    Critique.objects.update(sent_at=timezone.now() - 2 * SENT_AGAIN_AFTER)  # this process's broker is another one
    wait_for(lambda: len(endpoint.asked) == 3, "the calls")
    groups = home.groups()
    assert "critic" in groups
    assert process.interrupt() == 0
    wait_for(lambda: not any(map(group_lives, groups.values())), "the processes to be gone", patience_s=5)
    assert "SIGKILL" not in process.says()
    assert {state_of(critique) for critique in critiques} == {State.QUEUED}


def test_a_sixteenth_call_does_not_wait_for_the_first(
    broker: Broker, start: Start, endpoint: Endpoint, settings: Settings
) -> None:
    def answers_when_sixteen_are_there(handler: server.Handler, asked: server.Asked) -> None:
        wait_for(lambda: endpoint.most_at_once >= 16, "sixteen calls at once")
        server.good(handler, asked)

    endpoint.otherwise = answers_when_sixteen_are_there
    start("critic")
    critiques = [requested(settings, f"trainee-{number}") for number in range(16)]
    wait_for(lambda: all(map(shown, critiques)), "the critiques")
    for critique in critiques:
        assert_made_once(critique)


def test_the_critics_sign_of_life_is_its_own(broker: Broker, start: Start, database_url: str) -> None:
    start("critic")
    with heartbeat.broker_client() as broker_client:
        wait_for(lambda: broker_client.exists(heartbeat.key_of(heartbeat.CRITIC)), "the critic's sign of life")
        assert not broker_client.exists(heartbeat.key_of(heartbeat.WORKER))
