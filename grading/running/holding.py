"""One piece of work, held: its lease is renewed while it is worked on, and however it ends, its row says how."""

import datetime as dt
import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.db import Error, connections
from django.utils import timezone

from grading.client.errors import CallFailed, Interrupted
from grading.refusals import LeaseLost
from grading.services import leases
from grading.services.leases import Lease

logger = logging.getLogger(__name__)

Clock = Callable[[], dt.datetime]


class OwnFault(CallFailed):
    """Something broke on this side. It is in the log, with where; the row says so."""

    kind = "own_fault"
    tries = 2


@contextmanager
def held(kind: str, pk: int, clock: Clock = timezone.now) -> Iterator[Lease | None]:
    """The lease of one piece of work, None when there is none to be had. Failures end in its row, not here."""
    lease = leases.work_claim(kind=kind, pk=pk, now=clock())
    if lease is None:
        logger.info("The %s %s does not wait: this delivery does nothing", kind, pk)
        yield None
        return
    try:
        with _renewed(lease, clock):
            yield lease
    except Interrupted:
        leases.work_release(lease=lease, now=clock())
    except CallFailed as failure:
        logger.warning("The %s %s: %s (%s)", kind, pk, failure.in_full, failure.kind)
        leases.work_fail(lease=lease, failure=failure, now=clock())
    except LeaseLost:
        logger.warning("The %s %s was taken over by another worker; this one's result is thrown away", kind, pk)
    except Exception:
        logger.exception("The %s %s broke", kind, pk)
        leases.work_fail(lease=lease, failure=OwnFault("Roofline failed at this; its log says where."), now=clock())


@contextmanager
def _renewed(lease: Lease, clock: Clock) -> Iterator[None]:
    """Renew the lease from a thread of its own for as long as this lasts."""
    finished = threading.Event()

    def renew() -> None:
        while not finished.wait(leases.RENEWED_EVERY_S):
            try:
                if not leases.work_renew(lease=lease, now=clock()):
                    return
            except Error:
                logger.exception("The lease of the %s %s could not be renewed", lease.kind, lease.pk)
            finally:
                connections.close_all()

    thread = threading.Thread(target=renew, daemon=True)
    thread.start()
    try:
        yield
    finally:
        finished.set()
        thread.join()
