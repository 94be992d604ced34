"""The states of a round and its clock, on plain values."""

import datetime as dt
from decimal import Decimal

import pytest

from trainer.rounds.core import machine
from trainer.rounds.core.machine import NotAllowed, Snapshot

T0 = dt.datetime(2026, 3, 2, 18, 0, tzinfo=dt.UTC)


def after(seconds: float) -> dt.datetime:
    return T0 + dt.timedelta(seconds=seconds)


def in_arithmetic(**fields: object) -> Snapshot:
    return machine.begin_arithmetic(Snapshot(**fields), T0)  # type: ignore[arg-type]


def in_writing(**fields: object) -> Snapshot:
    """Writing since T0: the arithmetic was finished at once."""
    return machine.begin_writing(in_arithmetic(**fields), T0)


def in_scoring() -> Snapshot:
    return machine.submit(in_writing(), after(60))


def in_critique() -> Snapshot:
    snapshot = machine.score(in_scoring(), after(70))
    for position in range(machine.LAST_REVEAL_POSITION + 1):
        snapshot = machine.advance_reveal(snapshot, position, after(80 + position))
    return snapshot


def test_the_arithmetic_lasts_five_minutes_and_the_writing_forty_five() -> None:
    assert in_arithmetic().deadline_at == after(5 * 60)
    assert in_writing().deadline_at == after(45 * 60)


@pytest.mark.parametrize(("factor", "arithmetic_s", "writing_s"), [("1.25", 375, 3375), ("1.50", 450, 4050)])
def test_extra_time_stretches_both_phases(factor: str, arithmetic_s: int, writing_s: int) -> None:
    assert in_arithmetic(extra_time_factor=Decimal(factor)).deadline_at == after(arithmetic_s)
    assert in_writing(extra_time_factor=Decimal(factor)).deadline_at == after(writing_s)


def test_the_deadline_is_stored_once_and_no_later_look_moves_it() -> None:
    snapshot = in_arithmetic()
    assert machine.settle(snapshot, after(299.999)) == snapshot


def test_the_arithmetic_bell_opens_the_writing_as_of_the_bell() -> None:
    settled = machine.settle(in_arithmetic(), after(400))
    assert settled.state == machine.WRITING
    assert settled.writing_started_at == after(300)
    assert settled.deadline_at == after(300 + 2700)


def test_finishing_the_arithmetic_early_counts_the_writing_from_then() -> None:
    snapshot = machine.begin_writing(in_arithmetic(), after(100))
    assert snapshot.writing_started_at == after(100)
    assert snapshot.deadline_at == after(100 + 2700)


def test_a_round_nobody_looked_at_for_two_hours_was_submitted_as_of_its_bell() -> None:
    settled = machine.settle(in_arithmetic(), after(2 * 3600))
    assert settled.state == machine.SCORING
    assert settled.submitted_at == after(300 + 2700)
    assert settled.submitted_by_bell
    assert settled.sealed_at == after(300 + 2700 + 10)
    assert settled.deadline_at is None


def test_looking_in_between_changes_nothing_about_the_outcome() -> None:
    looked_at = in_arithmetic()
    for seconds in (299, 301, 1000, 2999, 3001, 3009.9, 3010, 7200):
        looked_at = machine.settle(looked_at, after(seconds))
    assert looked_at == machine.settle(in_arithmetic(), after(7200))


def test_in_the_ten_seconds_after_the_bell_the_writing_is_still_open() -> None:
    snapshot = in_writing()
    assert machine.settle(snapshot, after(2709.999)).state == machine.WRITING
    assert machine.settle(snapshot, after(2710)).state == machine.SCORING


def test_extra_time_does_not_stretch_the_grace() -> None:
    assert in_writing(extra_time_factor=Decimal("1.50")).seal_at == after(4050 + 10)


def test_a_submission_by_hand_seals_at_once() -> None:
    snapshot = machine.submit(in_writing(), after(600))
    assert (snapshot.submitted_at, snapshot.sealed_at) == (after(600), after(600))
    assert not snapshot.submitted_by_bell


def test_a_submission_in_the_grace_counts_as_of_the_bell_and_seals_now() -> None:
    snapshot = machine.submit(in_writing(), after(2703))
    assert snapshot.submitted_at == after(2700)
    assert snapshot.submitted_by_bell
    assert snapshot.sealed_at == after(2703)


def test_a_pause_keeps_the_seconds_left_and_takes_the_deadline_away() -> None:
    paused = machine.pause(in_writing(mode=machine.PRACTICE), after(700))
    assert paused.deadline_at is None
    assert paused.paused_seconds_left == 2000
    assert machine.settle(paused, after(10**6)) == paused
    resumed = machine.resume(paused, after(5000))
    assert resumed.deadline_at == after(7000)
    assert resumed.paused_seconds_left is None


def test_an_exam_round_cannot_be_paused() -> None:
    with pytest.raises(NotAllowed, match="exam") as refusal:
        machine.pause(in_writing(), after(1))
    assert refusal.value.reason == "exam"


def test_a_pause_across_the_bell_is_impossible() -> None:
    with pytest.raises(NotAllowed, match="bell"):
        machine.pause(in_writing(mode=machine.PRACTICE), after(2700))


def test_a_paused_round_neither_submits_nor_goes_on_nor_pauses_again() -> None:
    paused = machine.pause(in_arithmetic(mode=machine.PRACTICE), after(1))
    for step in (machine.begin_writing, machine.pause):
        with pytest.raises(NotAllowed, match=r"paused|running"):
            step(paused, after(2))
    with pytest.raises(NotAllowed):
        machine.submit(machine.pause(in_writing(mode=machine.PRACTICE), after(1)), after(2))


def test_what_is_not_paused_cannot_be_resumed() -> None:
    for snapshot in (Snapshot(), in_writing(), in_scoring()):
        with pytest.raises(NotAllowed) as refusal:
            machine.resume(snapshot, after(100))
        assert refusal.value.reason == "not_paused"


@pytest.mark.parametrize(
    ("snapshot", "open_actions"),
    [
        (Snapshot(), {"ask", "begin", "abandon"}),
        (in_arithmetic(), {"begin", "save", "star", "abandon"}),
        (in_arithmetic(mode=machine.PRACTICE), {"begin", "save", "star", "pause", "abandon"}),
        (in_writing(), {"save", "star", "submit", "abandon"}),
        (in_writing(mode=machine.PRACTICE), {"save", "star", "submit", "pause", "abandon"}),
        (machine.pause(in_writing(mode=machine.PRACTICE), T0), {"resume", "abandon"}),
        (in_scoring(), {"score", "abandon"}),
        (machine.score(in_scoring(), T0), {"reveal", "abandon"}),
        (in_critique(), {"critique", "abandon"}),
        (machine.finish(in_critique(), T0), set()),
        (machine.abandon(Snapshot(), T0), set()),
    ],
)
def test_each_state_allows_its_own_actions(snapshot: Snapshot, open_actions: set[str]) -> None:
    assert machine.allowed(snapshot, T0) == open_actions


def test_after_the_bell_the_grace_allows_saving_and_submitting_alone() -> None:
    assert machine.allowed(in_writing(mode=machine.PRACTICE), after(2701)) == {"save", "submit", "abandon"}


STEPS = {
    "begin_arithmetic": (machine.begin_arithmetic, {machine.PROMPT}),
    "begin_writing": (machine.begin_writing, {machine.ARITHMETIC}),
    "submit": (machine.submit, {machine.WRITING}),
    "pause": (machine.pause, {machine.ARITHMETIC, machine.WRITING}),
    "score": (machine.score, {machine.SCORING}),
    "finish": (machine.finish, {machine.CRITIQUE}),
    "abandon": (machine.abandon, set(machine.ORDER) - {machine.DONE}),
}


@pytest.mark.parametrize("name", STEPS)
@pytest.mark.parametrize("state", [*machine.ORDER, machine.ABANDONED])
def test_a_step_out_of_order_is_refused_and_names_the_present_state(name: str, state: str) -> None:
    step, states = STEPS[name]
    deadline = after(1000) if state in machine.CLOCKED else None
    snapshot = Snapshot(state=state, mode=machine.PRACTICE, deadline_at=deadline)
    if state in states:
        step(snapshot, T0)
        return
    with pytest.raises(NotAllowed) as refusal:
        step(snapshot, T0)
    assert refusal.value.reason == "out_of_order"
    assert machine.STATE_NAMES[state] in refusal.value.message


def test_the_reveal_is_read_in_order_to_the_end() -> None:
    snapshot = machine.score(in_scoring(), T0)
    for position in range(10):
        snapshot = machine.advance_reveal(snapshot, position, T0)
        assert (snapshot.state, snapshot.reveal_position) == (machine.REVEAL, position + 1)
    snapshot = machine.advance_reveal(snapshot, 10, after(9))
    assert (snapshot.state, snapshot.reveal_finished_at) == (machine.CRITIQUE, after(9))


def test_reading_on_from_a_position_already_left_changes_nothing() -> None:
    snapshot = machine.advance_reveal(machine.score(in_scoring(), T0), 0, T0)
    assert machine.advance_reveal(snapshot, 0, T0) == snapshot
    assert machine.advance_reveal(in_critique(), 10, T0) == in_critique()


@pytest.mark.parametrize("position", [1, 10, 11, -1])
def test_a_position_not_reached_yet_cannot_be_left(position: int) -> None:
    with pytest.raises(NotAllowed):
        machine.advance_reveal(machine.score(in_scoring(), T0), position, T0)


def test_abandoning_seals_what_was_written_and_stops_the_clock() -> None:
    abandoned = machine.abandon(in_writing(), after(100))
    assert (abandoned.state, abandoned.sealed_at, abandoned.deadline_at) == (machine.ABANDONED, after(100), None)
    assert machine.settle(abandoned, after(10**6)) == abandoned


def test_abandoning_after_the_seal_keeps_the_moment_of_the_seal() -> None:
    assert machine.abandon(in_scoring(), after(900)).sealed_at == after(60)


def test_a_clock_that_jumps_back_neither_reopens_nor_shortens_a_phase() -> None:
    submitted = machine.settle(in_writing(), after(2710))
    assert machine.settle(submitted, after(10)) == submitted
    assert machine.settle(in_writing(), after(-3600)).deadline_at == after(2700)


def test_b063_settling_late_or_twice_finalises_once() -> None:
    first = machine.settle(in_writing(), after(2710))
    assert machine.settle(first, after(99999)) == first
