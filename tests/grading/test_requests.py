"""A critique is asked for: when that is allowed, once, and by whom it is made."""

import datetime as dt
from unittest import mock

import pytest
from django.db import IntegrityError, transaction
from pytest_django import Settings
from pytest_django.fixtures import DjangoCaptureOnCommitCallbacks

from grading import services
from grading.models import Critique, State
from grading.refusals import CritiqueRefused
from grading.running.critique import run_critique
from grading.selectors import live_critique, progress_of
from tests.endpoint import Endpoint
from tests.trainer.rounds.sitting import Sitting
from trainer.accounts.models import User

MINUTE = dt.timedelta(minutes=1)


def ask_for(sitting: Sitting) -> Critique:
    return services.critique_request(round=sitting.round, user=sitting.user, now=sitting.now)


def test_asked_twice_is_one_critique_and_one_task_sent_after_the_commit(
    endpoint: Endpoint, sitting: Sitting, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    sent = mock.Mock()
    with mock.patch("grading.tasks.critique_run.apply_async", sent), django_capture_on_commit_callbacks(execute=True):
        first, second = ask_for(sitting), ask_for(sitting)
        sent.assert_not_called()
    assert first == second
    sent.assert_called_once_with((first.pk,), retry=False)
    assert (first.state, first.kind, first.queued_at) == (State.QUEUED, Critique.Kind.MODEL, sitting.now)


@pytest.mark.parametrize("state", ["prompt", "arithmetic", "writing", "abandoned"])
def test_before_the_submission_there_is_nothing_to_criticise(
    endpoint: Endpoint, alice: User, now: dt.datetime, pack: None, state: str
) -> None:
    sitting = Sitting(alice, now).to(state)
    with pytest.raises(CritiqueRefused) as refused:
        ask_for(sitting)
    assert (refused.value.status, refused.value.reason) == (409, "out_of_order")


@pytest.mark.parametrize("state", ["scoring", "reveal", "critique", "done"])
def test_from_the_submission_on_a_critique_may_be_asked_for(endpoint: Endpoint, sitting: Sitting, state: str) -> None:
    assert ask_for(sitting.to(state)).state == State.QUEUED


def test_another_persons_round_is_not_found(endpoint: Endpoint, sitting: Sitting, bob: User) -> None:
    with pytest.raises(CritiqueRefused) as refused:
        services.critique_request(round=sitting.round, user=bob, now=sitting.now)
    assert refused.value.status == 404
    assert not Critique.objects.exists()


def test_two_live_critiques_of_a_round_cannot_be(endpoint: Endpoint, sitting: Sitting) -> None:
    first = ask_for(sitting)
    with (
        pytest.raises(IntegrityError, match=r"critique_one_live_per_round|grading_critique.round_id"),
        transaction.atomic(),
    ):
        Critique.objects.create(
            round=first.round, kind="model", state="queued", requested_at=sitting.now, queued_at=sitting.now
        )


def test_without_an_endpoint_the_built_in_critic_makes_it_at_once(sitting: Sitting) -> None:
    critique = ask_for(sitting)
    assert (critique.kind, critique.state) == (Critique.Kind.BUILTIN, State.SHOWN)
    assert critique.items.exists()
    assert critique.mutations.count() == 3
    assert critique.report["label"] == "built-in"
    assert {"absent_numbers", "off_lines", "absent_remedies", "absent_figures"} <= set(critique.report)
    assert ask_for(sitting) == critique


def test_a_model_takes_the_built_in_critics_place_once_there_is_one(
    sitting: Sitting, settings: Settings, request: pytest.FixtureRequest
) -> None:
    builtin = services.critique_request(round=sitting.round, user=sitting.user, now=sitting.now)
    request.getfixturevalue("endpoint")
    model = services.critique_request(round=sitting.round, user=sitting.user, now=sitting.now)
    assert (builtin.kind, model.kind, model.state) == (Critique.Kind.BUILTIN, Critique.Kind.MODEL, State.QUEUED)
    assert live_critique(sitting.round) == model


def test_a_submission_without_a_word_goes_to_no_model(
    endpoint: Endpoint, alice: User, now: dt.datetime, pack: None
) -> None:
    sitting = Sitting(alice, now).begin().write()
    from trainer.rounds import services as rounds

    rounds.round_submit(round=sitting.round, now=sitting.tick())
    assert ask_for(sitting).kind == Critique.Kind.BUILTIN


def test_what_has_not_failed_is_not_tried_again_and_a_button_pressed_twice_counts_once(
    endpoint: Endpoint, sitting: Sitting
) -> None:
    critique = ask_for(sitting)
    Critique.objects.filter(pk=critique.pk).update(state=State.FAILED, failure_reason="no", attempts=5)
    for _ in range(2):
        again = services.critique_retry(critique=critique, now=sitting.now)
        assert (again.pk, again.state, again.attempts) == (critique.pk, State.QUEUED, 0)
    run_critique(critique.pk)
    with pytest.raises(CritiqueRefused) as refused:
        services.critique_retry(critique=critique, now=sitting.now)
    assert refused.value.reason == "not_failed"


def test_the_built_in_critic_takes_the_place_of_one_that_failed_which_stays_and_a_model_may_come_after_it(
    endpoint: Endpoint, sitting: Sitting
) -> None:
    failed = ask_for(sitting)
    with pytest.raises(CritiqueRefused) as refused:
        services.critique_fall_back(critique=failed, now=sitting.now)
    assert refused.value.reason == "not_failed"
    Critique.objects.filter(pk=failed.pk).update(state=State.FAILED, failure_reason="no", attempts=5)
    made = [services.critique_fall_back(critique=failed, now=sitting.now) for _ in range(2)]
    assert made[0] == made[1] == live_critique(sitting.round)
    assert (made[0].kind, made[0].state) == (Critique.Kind.BUILTIN, State.SHOWN)
    kept = Critique.objects.get(pk=failed.pk)
    assert (kept.state, kept.failure_reason, kept.superseded_at) == (State.FAILED, "no", sitting.now)
    after = ask_for(sitting)
    assert (after.kind, after.state) == (Critique.Kind.MODEL, State.QUEUED)
    assert Critique.objects.filter(round=sitting.round).count() == 3


def test_progress_says_how_many_are_ahead_how_long_it_takes_and_why_it_waits(
    endpoint: Endpoint, sitting: Sitting, bob: User, now: dt.datetime
) -> None:
    first = ask_for(sitting)
    other = Sitting(bob, now + MINUTE).to("scoring")
    second = ask_for(other)
    at = second.queued_at + MINUTE if second.queued_at else now
    progress = progress_of(second, at)
    assert (progress.state, progress.ahead, progress.elapsed_s, progress.reason) == ("queued", 1, 60, "")
    assert progress.under_way
    assert not progress.may_retry
    run_critique(first.pk)
    assert progress_of(Critique.objects.get(pk=second.pk), at).ahead == 0
    waiting = {"retry_at": at + MINUTE, "failure_reason": "The endpoint is in trouble (500)."}
    Critique.objects.filter(pk=second.pk).update(**waiting)
    progress = progress_of(Critique.objects.get(pk=second.pk), at)
    assert progress.ahead is None
    assert progress.retry_in_s == 61
    assert "500" in progress.reason
