"""The one way a request puts work into the queue: after its transaction, and never at the cost of its answer."""

import logging
from functools import partial
from typing import Any, Protocol

from django.db import transaction

logger = logging.getLogger(__name__)


class SendableTask(Protocol):
    """What of a Celery task is used here."""

    name: str

    def apply_async(self, args: tuple[Any, ...], **options: Any) -> object: ...


def enqueue(task: SendableTask, *ids: Any) -> None:
    """Send `task` once the present transaction is committed; with the broker down, say so in the log and go on.

    A row that waits for its task is found again by beat: nothing depends on this message alone.
    """
    transaction.on_commit(partial(_send, task, ids))


def _send(task: SendableTask, ids: tuple[Any, ...]) -> None:
    try:
        task.apply_async(ids, retry=False)
    except Exception as error:  # whatever the broker's client raises, the request has done its work
        logger.warning("The broker did not take %s%r; beat will find it: %s", task.name, ids, error)
