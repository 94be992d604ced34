"""Putting work into the queue never costs a request its answer."""

import logging

import pytest
from celery import shared_task
from django.db import transaction
from kombu.exceptions import OperationalError
from pytest_django import DjangoCaptureOnCommitCallbacks

from trainer.celery import app
from trainer.queue import enqueue


@shared_task(name="tests.noted")
def noted(number: int) -> None:
    """A task like any other."""


class Refusing:
    name = "tests.refusing"

    def apply_async(self, args: tuple[object, ...], **options: object) -> object:
        raise OperationalError("the broker is down")


@transaction.atomic
def enqueue_and_fail() -> None:
    enqueue(Refusing(), 1)
    raise ZeroDivisionError


@pytest.mark.django_db
def test_a_broker_that_is_down_is_logged_and_raises_nothing(
    caplog: pytest.LogCaptureFixture, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    with caplog.at_level(logging.WARNING), django_capture_on_commit_callbacks(execute=True):
        enqueue(noted, 7)  # no broker runs in a test that starts none
    (record,) = caplog.records
    assert "did not take tests.noted(7,)" in record.getMessage()


@pytest.mark.django_db
def test_a_task_of_a_transaction_that_is_rolled_back_is_never_sent(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    with django_capture_on_commit_callbacks() as waiting:
        with pytest.raises(ZeroDivisionError):
            enqueue_and_fail()
        enqueue(Refusing(), 2)
    (send,) = waiting
    send()


def test_a_killed_workers_task_comes_back_and_none_is_kept_in_reserve() -> None:
    conf = app.conf
    assert conf.task_acks_late
    assert conf.task_reject_on_worker_lost
    assert conf.worker_prefetch_multiplier == 1
    assert conf.result_backend is None
    assert conf.accept_content == ["json"]
    # A task that outlives this would be run a second time while the first still runs.
    assert conf.broker_transport_options["visibility_timeout"] > conf.task_time_limit


def test_beat_finalises_due_rounds_every_five_seconds_and_the_task_is_there() -> None:
    entry = app.conf.beat_schedule["finalise-due-rounds"]
    assert entry["schedule"] == 5.0
    app.loader.import_module("trainer.rounds.tasks")
    assert entry["task"] in app.tasks


def test_beat_recovers_the_models_work_every_five_seconds_and_calls_of_a_model_have_a_queue_of_their_own() -> None:
    app.loader.import_module("grading.tasks")
    entry = app.conf.beat_schedule["recover-work-for-the-model"]
    assert (entry["schedule"], entry["task"] in app.tasks) == (5.0, True)
    queues = {name: app.amqp.router.route({}, name)["queue"].name for name in app.tasks if name.startswith("grading.")}
    assert queues == {
        "grading.tasks.critique_run": "critic",
        "grading.tasks.reply_run": "critic",
        "grading.tasks.recover_work": app.conf.task_default_queue,
    }


def test_the_longest_critique_is_through_before_the_broker_gives_its_task_out_again() -> None:
    calls = 3  # the critiques, once more those that can be mended, the anchors
    longest_s = 140  # the most that CRITIC_TIMEOUT_S may be
    assert app.conf.broker_transport_options["visibility_timeout"] > calls * longest_s
