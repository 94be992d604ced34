"""Work of the queue: rounds whose bell has rung are submitted although nobody looks."""

import logging

from celery import shared_task
from django.utils import timezone

from trainer.rounds.selectors import rounds_due
from trainer.rounds.services import round_settle

logger = logging.getLogger(__name__)


@shared_task(ignore_result=True)
def finalise_due_rounds() -> int:
    """Settle every overdue round, each in its own transaction. One that fails is logged and tried again next time.

    Gives the number of rounds settled.
    """
    now = timezone.now()
    settled = 0
    for round_id in rounds_due(now):
        try:
            round_settle(round_id=round_id, now=now)
        except Exception:
            logger.exception("The bell of round %s could not be settled", round_id)
        else:
            settled += 1
    return settled
