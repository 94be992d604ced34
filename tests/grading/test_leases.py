"""Claims, leases, recovery: one worker holds a piece of work, and none is lost for long."""

import datetime as dt

import pytest
from pytest_django import DjangoAssertNumQueries, Settings

from grading import services
from grading.client import errors
from grading.models import Critique, State
from grading.refusals import LeaseLost
from grading.services import leases
from grading.services.leases import LEASE, LONGEST_BACK_OFF_S, LONGEST_RETRY_AFTER_S, MOST_ATTEMPTS, SENT_AGAIN_AFTER
from grading.tasks import recover_work
from tests.endpoint import Endpoint
from tests.trainer.rounds.sitting import Sitting

SECOND = dt.timedelta(seconds=1)


@pytest.fixture
def critique(endpoint: Endpoint, sitting: Sitting, now: dt.datetime) -> Critique:
    return services.critique_request(round=sitting.round, user=sitting.user, now=now)


def claim(critique: Critique, now: dt.datetime) -> leases.Lease:
    lease = leases.work_claim(kind="critique", pk=critique.pk, now=now)
    assert lease is not None
    return lease


def test_of_two_claims_one_wins(critique: Critique, now: dt.datetime) -> None:
    claim(critique, now)
    assert leases.work_claim(kind="critique", pk=critique.pk, now=now) is None


def test_a_renewed_lease_is_not_recovered_and_an_expired_one_is(critique: Critique, now: dt.datetime) -> None:
    lease = claim(critique, now)
    assert leases.work_renew(lease=lease, now=now + LEASE)
    assert leases.work_recover(now=now + LEASE + SECOND) == []
    assert leases.work_recover(now=now + 2 * LEASE + SECOND) == [("critique", critique.pk)]
    critique.refresh_from_db()
    assert (critique.state, critique.lease_token) == (State.QUEUED, None)
    assert not leases.work_renew(lease=lease, now=now)
    with pytest.raises(LeaseLost):
        leases.work_finish(lease=lease, now=now)
    with pytest.raises(LeaseLost):
        leases.work_step(lease=lease, step="anchors")
    leases.work_fail(lease=lease, failure=errors.Empty("nothing"), now=now)
    leases.work_release(lease=lease, now=now)
    critique.refresh_from_db()
    assert (critique.state, critique.failure_kind, critique.attempts) == (State.QUEUED, "worker_lost", 1)


def test_every_state_is_recovered_within_a_minute(critique: Critique, now: dt.datetime) -> None:
    """The lease and two turns of the scheduler, with room for the claim."""
    from django.conf import settings

    turn_s = settings.CELERY_BEAT_SCHEDULE["recover-work-for-the-model"]["schedule"]
    for waits in (LEASE, SENT_AGAIN_AFTER):
        assert waits.total_seconds() + 2 * turn_s < 60


def test_work_that_kills_every_worker_is_given_up(critique: Critique, now: dt.datetime) -> None:
    for _ in range(MOST_ATTEMPTS):
        claim(critique, now)
        now += LEASE + SECOND
        leases.work_recover(now=now)
    critique.refresh_from_db()
    assert (critique.state, critique.failure_kind) == (State.FAILED, "worker_lost")
    assert critique.failure_reason
    assert leases.work_claim(kind="critique", pk=critique.pk, now=now) is None


def test_what_waits_is_sent_again_only_after_a_while_and_once(critique: Critique, now: dt.datetime) -> None:
    assert leases.work_recover(now=now + SENT_AGAIN_AFTER) == []
    later = now + SENT_AGAIN_AFTER + SECOND
    assert leases.work_recover(now=later) == [("critique", critique.pk)]
    assert leases.work_recover(now=later) == []


def test_a_retry_is_sent_when_it_is_due_and_not_before(critique: Critique, now: dt.datetime) -> None:
    lease = claim(critique, now)
    leases.work_fail(lease=lease, failure=errors.Limited("later", retry_after_s=300), now=now)
    assert leases.work_recover(now=now + dt.timedelta(seconds=299)) == []
    assert leases.work_claim(kind="critique", pk=critique.pk, now=now + dt.timedelta(seconds=299)) is None
    assert leases.work_recover(now=now + dt.timedelta(seconds=300)) == [("critique", critique.pk)]


def test_work_given_back_by_a_worker_that_ends_is_sent_at_once_and_counts_no_attempt(
    critique: Critique, now: dt.datetime
) -> None:
    leases.work_release(lease=claim(critique, now), now=now)
    critique.refresh_from_db()
    assert (critique.state, critique.attempts) == (State.QUEUED, 0)
    assert leases.work_recover(now=now) == [("critique", critique.pk)]


def test_what_waits_when_the_endpoint_is_gone_fails_with_that_reason(critique: Critique, settings: Settings) -> None:
    settings.CRITIC_BASE_URL = ""
    assert recover_work() == 0
    critique.refresh_from_db()
    assert (critique.state, critique.failure_kind) == (State.FAILED, "no_endpoint")
    assert "CRITIC_BASE_URL" in critique.failure_reason


def test_looking_for_work_when_there_is_none_is_three_queries(
    db: None, now: dt.datetime, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(3):
        assert leases.work_recover(now=now) == []


@pytest.mark.parametrize(
    ("failure", "attempts", "wait_s"),
    [
        (errors.Limited("", retry_after_s=None), 1, 2),
        (errors.Limited("", retry_after_s=None), 5, 32),
        (errors.Limited("", retry_after_s=None), 6, None),
        (errors.Limited("", retry_after_s=1), 3, 8),
        (errors.Limited("", retry_after_s=LONGEST_RETRY_AFTER_S), 1, LONGEST_RETRY_AFTER_S),
        (errors.Limited("", retry_after_s=LONGEST_RETRY_AFTER_S + 1), 1, None),
        (errors.Refused(""), 1, 2),
        (errors.Refused(""), 2, None),
        (errors.Unauthorized(""), 1, None),
    ],
)
def test_the_wait_doubles_keeps_to_what_the_server_asks_and_has_an_end(
    failure: errors.CallFailed, attempts: int, wait_s: float | None
) -> None:
    found = leases.back_off_s(failure, attempts)
    assert found == wait_s
    assert found is None or found <= max(LONGEST_BACK_OFF_S, failure.retry_after_s or 0)


def test_a_clock_that_was_put_back_keeps_no_work_waiting(critique: Critique, now: dt.datetime) -> None:
    """What was written while it was an hour ahead: a lease of a dead worker, a retry, a message that was lost."""
    ahead = now + dt.timedelta(hours=1)
    Critique.objects.filter(pk=critique.pk).update(sent_at=ahead)
    assert leases.work_recover(now=now) == [("critique", critique.pk)]
    lease = claim(critique, ahead)
    assert leases.work_recover(now=now) == [("critique", critique.pk)]
    lease = claim(critique, now)
    leases.work_fail(lease=lease, failure=errors.ServerTrouble("trouble"), now=ahead)
    assert leases.work_recover(now=now) == [("critique", critique.pk)]
    claim(critique, now)
