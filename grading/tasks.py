"""Work of the queue: ids only. A task claims its row first, so one that is delivered twice does its work once."""

import logging

from celery import shared_task, signals
from django.db import connections
from django.utils import timezone

from grading.client.stopping import stopping

logger = logging.getLogger(__name__)

EXPIRES_S = 60  # a message nobody took is dropped: beat finds the row again, so none pile up while no worker runs


@shared_task(ignore_result=True, expires=EXPIRES_S)
def critique_run(critique_id: int) -> None:
    """Make one critique, if it waits."""
    from grading.running.critique import run_critique

    try:
        run_critique(critique_id)
    finally:
        connections.close_all()


@shared_task(ignore_result=True, expires=EXPIRES_S)
def reply_run(kind: str, pk: int) -> None:
    """Reply to one answer of a trainee: to an `item` or to a `mutation`."""
    from grading.running.reply import run_reply

    try:
        run_reply(kind, pk)
    finally:
        connections.close_all()


@shared_task(ignore_result=True)
def recover_work() -> int:
    """Put back what dead workers held, and send again what waits. Gives the number of rows sent."""
    from grading.client.endpoint import NO_ENDPOINT, configured_endpoint
    from grading.services.leases import work_give_up, work_recover

    now = timezone.now()
    due = work_recover(now=now)
    if configured_endpoint() is None:
        work_give_up(now=now, reason=NO_ENDPOINT)
        return 0
    for kind, pk in due:
        send(kind, pk)
    return len(due)


def send(kind: str, pk: int) -> None:
    """Give one row's task to the broker."""
    try:
        if kind == "critique":
            critique_run.apply_async((pk,), retry=False)
        else:
            reply_run.apply_async((kind, pk), retry=False)
    except Exception as error:  # whatever the broker's client raises: the next beat tries again
        logger.warning("The broker did not take the %s %s: %s", kind, pk, error)


@signals.worker_shutting_down.connect
def give_up_calls(**_: object) -> None:
    """The worker is asked to end: calls under way are given up, and their rows go back to the queue."""
    stopping.set()
