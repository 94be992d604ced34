"""The beat submits rounds whose bell has rung although nobody looks."""

import datetime as dt
import logging
from uuid import UUID

import pytest

from tests.factories import make_user
from tests.trainer.rounds.sitting import Sitting, frozen
from trainer.rounds import selectors, services, tasks
from trainer.rounds.models import Round
from trainer.rounds.tasks import finalise_due_rounds

pytestmark = pytest.mark.django_db


def test_the_beat_finalises_what_is_due_and_nothing_else(now: dt.datetime) -> None:
    due, writing, paused = (Sitting(make_user(name), now, mode="practice") for name in ("a", "b", "c"))
    due.begin()
    writing.begin().write()
    paused.to("arithmetic")
    services.round_pause(round=paused.round, now=now + dt.timedelta(seconds=2))
    with frozen(now + dt.timedelta(seconds=301)):
        assert finalise_due_rounds() == 1
    assert (due.state, writing.state, paused.state) == ("writing", "writing", "arithmetic")
    with frozen(now + dt.timedelta(seconds=2710)):
        assert finalise_due_rounds() == 1
    assert (due.state, writing.state, paused.state) == ("writing", "scoring", "arithmetic")
    with frozen(now + dt.timedelta(days=1)):
        assert finalise_due_rounds() == 1
        assert finalise_due_rounds() == 0
    assert (due.state, paused.state) == ("scoring", "arithmetic")


def test_in_the_grace_the_beat_leaves_the_writing_open(sitting: Sitting) -> None:
    sitting.begin().write()
    with frozen(sitting.after(2705).now):
        assert finalise_due_rounds() == 0
    assert sitting.state == "writing"


def test_one_failing_round_is_logged_and_does_not_stop_the_others(
    now: dt.datetime, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    sittings = [Sitting(make_user(name), now).begin() for name in ("a", "b", "c")]
    settle = tasks.round_settle

    def failing(*, round_id: UUID, now: dt.datetime) -> Round:
        if round_id == sittings[0].id:
            raise RuntimeError("this one is broken")
        return settle(round_id=round_id, now=now)

    monkeypatch.setattr(tasks, "round_settle", failing)
    with frozen(now + dt.timedelta(hours=2)), caplog.at_level(logging.ERROR):
        assert finalise_due_rounds() == 2
    assert [sitting.state for sitting in sittings] == ["arithmetic", "scoring", "scoring"]
    assert str(sittings[0].id) in caplog.text
    assert "this one is broken" in caplog.text


def test_what_is_due_is_what_a_look_would_move(now: dt.datetime, sitting: Sitting) -> None:
    sitting.begin()
    for seconds, due in ((299, False), (300, True)):
        assert (sitting.id in selectors.rounds_due(now + dt.timedelta(seconds=seconds))) == due
    sitting.write()
    for seconds, due in ((2709, False), (2710, True)):
        assert (sitting.id in selectors.rounds_due(now + dt.timedelta(seconds=seconds))) == due


def test_the_beat_calls_the_task_by_its_name() -> None:
    assert finalise_due_rounds.name == "trainer.rounds.tasks.finalise_due_rounds"
