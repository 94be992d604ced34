"""The health page with real processes, each missing by turns."""

import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

from django.test import Client

from tests.services import Broker, Process, StartSite, wait_for
from trainer import heartbeat


def health(client: Client) -> tuple[int, dict[str, Any]]:
    response = client.get("/healthz")
    return response.status_code, response.json()["parts"]


def test_every_part_is_told_apart_as_it_comes_and_goes(
    client: Client, stopped_broker: Broker, start_worker: Callable[[], Process]
) -> None:
    none = {"database": "ok", "broker": "down", "worker": "down", "scheduler": "down"}
    assert health(client) == (503, none)

    stopped_broker.start()
    assert health(client) == (503, {**none, "broker": "ok"})

    worker = start_worker()
    every = dict.fromkeys(none, "ok")
    wait_for(lambda: health(client) == (200, every), "every part to be well")

    worker.kill()
    with heartbeat.broker_client() as broker_client:  # as if the signs of life had run out
        broker_client.delete(heartbeat.key_of(heartbeat.WORKER))
    assert health(client) == (503, {**every, "worker": "down"})


def test_a_sign_of_life_runs_out(broker: Broker) -> None:
    heartbeat._written_at.clear()
    heartbeat.record(heartbeat.WORKER)
    with heartbeat.broker_client() as client:
        assert 0 < client.ttl(heartbeat.key_of(heartbeat.WORKER)) <= heartbeat.LASTS_S


def test_a_broker_that_hangs_is_down_and_does_not_hang_the_page(client: Client, broker: Broker, db: None) -> None:
    broker.send_signal(signal.SIGSTOP)
    try:
        status, parts = health(client)
    finally:
        broker.send_signal(signal.SIGCONT)
    assert (status, parts["broker"], parts["database"]) == (503, "down", "ok")


def test_a_database_that_is_gone_is_down_and_the_rest_is_told_all_the_same(
    start_site: StartSite, broker: Broker, tmp_path: Path
) -> None:
    site = start_site(DATABASE_URL=f"postgresql://nobody@{quote(str(tmp_path), safe='')}/none", BROKER_URL=broker.url)
    answer = site.get("/healthz")
    parts = answer.json()["parts"]
    assert (answer.status, parts["database"], parts["broker"]) == (503, "down", "ok")
