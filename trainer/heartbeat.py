"""Signs of life of the workers and of the scheduler: a key in the broker that runs out unless it is written again."""

import logging
import time
from typing import Any

from celery import signals
from django.conf import settings
from redis import Redis
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

WORKER = "worker"
CRITIC = "critic"  # the worker that calls models, by the name that it is started with
SCHEDULER = "scheduler"
LASTS_S = 20
WRITTEN_EVERY_S = 5
BROKER_TIMEOUT_S = 2

_written_at: dict[str, float] = {}


def broker_client() -> Redis:
    """A client of the broker with short time-outs, for questions that must not hang."""
    url = settings.CELERY_BROKER_URL.replace("redis+socket://", "unix://").replace("virtual_host=", "db=")
    return Redis.from_url(url, socket_timeout=BROKER_TIMEOUT_S, socket_connect_timeout=BROKER_TIMEOUT_S)


def key_of(part: str) -> str:
    return f"roofline:alive:{part}"


def record(part: str) -> None:
    """Say that `part` lives, at most once in `WRITTEN_EVERY_S`."""
    moment = time.monotonic()
    if moment - _written_at.get(part, -WRITTEN_EVERY_S) < WRITTEN_EVERY_S:
        return
    try:
        with broker_client() as client:
            client.set(key_of(part), "1", ex=LASTS_S)
    except RedisError as error:
        logger.warning("No sign of life could be left for the %s: %s", part, error)
    else:
        _written_at[part] = moment


# Sent by the worker's main process while it is connected, so that long tasks do not make it look dead.
@signals.heartbeat_sent.connect
def worker_lives(sender: Any, **_: Any) -> None:
    name = str(sender.eventer.hostname).partition("@")[0]
    record(CRITIC if name == CRITIC else WORKER)


@signals.beat_init.connect
@signals.after_task_publish.connect(sender="trainer.rounds.tasks.finalise_due_rounds")
def scheduler_lives(**_: Any) -> None:
    record(SCHEDULER)
