"""One worker process keeps sixteen calls of five seconds in flight: how fast the queue drains, and what a page feels.

The limit is what sixteen callers could do that lose no moment between two calls. Both of a critique's calls take their
full five seconds, on a real endpoint on loopback, with a real broker, worker, and the database of this run.
"""

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from celery import Celery
from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import connection
from django.test import Client
from django.utils import timezone

from grading import services
from grading.models import Critique, State
from tests.endpoint import MODEL, Endpoint, answers_after, running_endpoint
from tests.factories import make_user
from tests.services import Broker, Process, forget_connections, wait_for
from trainer.accounts.middleware import LOCAL_USERNAME
from trainer.celery import app
from trainer.ops.run import commands
from trainer.rounds import services as rounds
from trainer.rounds.models import Round

CALL_S = 5.0
CALLS_OF_ONE = 2  # the critiques, then the anchors: this endpoint gives no cause to ask again
AT_ONCE = 16
CRITIQUES = 4 * AT_ONCE
PATIENCE_S = 240
PAGE_SAMPLES = 60
TEXT = "Eight replicas take work from one queue, and the queue has no bound.\nA batch is put back when its GPU dies."


@dataclass(frozen=True)
class Report:
    """Two ratios, of one run."""

    drained_s: float
    at_once: int
    idle_page_s: float
    busy_page_s: float

    @property
    def limit_s(self) -> float:
        return CRITIQUES * CALLS_OF_ONE * CALL_S / AT_ONCE

    def line(self) -> str:
        drained = (
            f"{self.limit_s / self.drained_s:8.0%}    of the limit: {CRITIQUES} critiques of {CALLS_OF_ONE} calls of "
            f"{CALL_S:g} s, {self.at_once} at once, in {self.drained_s:.1f} s against {self.limit_s:.1f} s"
        )
        page = (
            f"{self.busy_page_s / self.idle_page_s:8.2f} x  the page of a round meanwhile "
            f"({self.busy_page_s * 1e3:.2f} ms) against the same page before ({self.idle_page_s * 1e3:.2f} ms)"
        )
        return f"{drained}\n{page}"


def measure() -> Report:
    with ExitStack() as stack:
        endpoint = stack.enter_context(running_endpoint(answers_after(CALL_S)))
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="roofline-bench-")))
        broker = Broker(folder)
        stack.callback(broker.kill)
        use(broker, stack)
        settings.CRITIC_BASE_URL, settings.CRITIC_MODEL = endpoint.address, MODEL
        worker = started_worker(endpoint, broker, folder)
        stack.callback(worker.kill)
        submitted = [submitted_round(number) for number in range(CRITIQUES + 1)]
        made([submitted.pop()], worker, lambda: None)  # the worker has loaded everything
        page = own_page()
        idle = statistics.median(page() for _ in range(PAGE_SAMPLES))
        busy: list[float] = []
        endpoint.most_at_once = 0
        began = time.perf_counter()
        made(submitted, worker, lambda: busy.append(page()))
        drained_s = time.perf_counter() - began
        return Report(drained_s, endpoint.most_at_once, idle, statistics.median(busy))


def use(broker: Broker, stack: ExitStack) -> None:
    """Let this process's queue go to the broker for as long as the measurement lasts."""
    broker.start()
    queue: Celery = app
    before = queue.conf.broker_url

    def back() -> None:
        queue.conf.broker_url = before
        forget_connections()

    queue.conf.broker_url = broker.url
    forget_connections()
    stack.callback(back)


def started_worker(endpoint: Endpoint, broker: Broker, folder: Path) -> Process:
    variables = {
        "PATH": os.environ["PATH"],
        "DATABASE_URL": f"sqlite:///{connection.settings_dict['NAME']}",
        "BROKER_URL": broker.url,
        "SECRET_KEY": settings.SECRET_KEY,
        "ROOFLINE_VAR": str(folder),
        "DJANGO_SETTINGS_MODULE": "trainer.settings",
        "CRITIC_CONCURRENCY": str(AT_ONCE),
        **endpoint.environment(),
    }
    command = commands(folder, 0)["critic"]
    return Process([sys.executable, *command], variables, folder / "worker.log")


def submitted_round(number: int) -> Round:
    """A submitted round of a trainee of its own."""
    now = timezone.now()
    round_ = rounds.round_start(user=make_user(f"bench-{number}"), slug="m01", mode="exam", now=now)
    rounds.arithmetic_begin(round=round_, now=now)
    rounds.writing_begin(round=Round.objects.get(pk=round_.pk), now=now)
    sealed = Round.objects.get(pk=round_.pk)
    rounds.document_save(round=sealed, key="s4", text=TEXT, base_revision=0, save_id="s4", now=now)
    return rounds.round_submit(round=Round.objects.get(pk=round_.pk), now=now)


def made(submitted: list[Round], worker: Process, meanwhile: Callable[[], None]) -> None:
    """Ask for a critique of each, and wait until all are shown."""
    for round_ in submitted:
        services.critique_request(round=round_, user=round_.user, now=timezone.now())
    wanted = Critique.objects.filter(round__in=submitted)

    def all_shown() -> bool:
        assert worker.alive, worker.says()
        meanwhile()
        return wanted.filter(state=State.SHOWN).count() == len(submitted)

    wait_for(all_shown, "the critiques", patience_s=PATIENCE_S)


def own_page() -> Callable[[], float]:
    """The page of a round in writing, timed."""
    now = timezone.now()
    user, _ = get_user_model().objects.get_or_create(username=LOCAL_USERNAME)
    round_ = Round.objects.filter(user=user, deadline_at__isnull=False).first()
    if round_ is None:
        round_ = rounds.round_start(user=user, slug="m01", mode="exam", now=now)
        rounds.arithmetic_begin(round=round_, now=now)
        rounds.writing_begin(round=Round.objects.get(pk=round_.pk), now=now)
    client, path = Client(), f"/rounds/{round_.pk}/"
    assert client.get(path).status_code == 200

    def timed() -> float:
        started = time.perf_counter()
        client.get(path)
        return time.perf_counter() - started

    return timed
