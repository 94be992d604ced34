"""Where the time of a round went."""

import datetime as dt

from hypothesis import given
from hypothesis import strategies as st

from trainer.rounds.core.time_use import Interval, Turn, paused_time, time_use, turns_of

T0 = dt.datetime(2026, 3, 2, 18, 0, tzinfo=dt.UTC)
MINUTE = dt.timedelta(minutes=1)


def at(minutes: float) -> dt.datetime:
    return T0 + minutes * MINUTE


def test_a_turn_holds_until_the_next_one_and_the_last_until_the_end() -> None:
    used = time_use([Turn("s1", at(0)), Turn("s2", at(10)), Turn("s1", at(15))], start=at(0), end=at(45))
    assert used == {"s1": 40 * MINUTE, "s2": 5 * MINUTE}
    assert list(used) == ["s1", "s2"]


def test_pauses_are_left_out_wherever_they_fall() -> None:
    turns = [Turn("s1", at(0)), Turn("s2", at(10))]
    pauses = [Interval(at(5), at(12)), Interval(at(40), None)]
    assert time_use(turns, start=at(0), end=at(45), pauses=pauses) == {"s1": 5 * MINUTE, "s2": 28 * MINUTE}
    assert paused_time(pauses, start=at(0), end=at(45)) == 12 * MINUTE


def test_away_counts_for_no_section() -> None:
    assert time_use([Turn("s1", at(0)), Turn("away", at(1))], start=at(0), end=at(9)) == {"s1": MINUTE}


def test_turns_outside_the_phase_are_clipped_to_it() -> None:
    turns = [Turn("s1", at(-5)), Turn("s2", at(3)), Turn("s3", at(20))]
    assert time_use(turns, start=at(0), end=at(10)) == {"s2": 7 * MINUTE, "s1": 3 * MINUTE}


def test_without_turns_no_time_is_claimed() -> None:
    assert time_use([], start=at(0), end=at(10)) == {}


def test_a_save_right_after_turning_elsewhere_is_the_text_left_behind() -> None:
    focuses = [Turn("s1", at(0)), Turn("s2", at(5))]
    late = Turn("s1", at(5) + dt.timedelta(seconds=2))
    assert turns_of(focuses, [late]) == focuses


def test_a_save_at_another_time_says_where_the_trainee_is() -> None:
    assert turns_of([Turn("s1", at(0))], [Turn("s4", at(5))]) == [Turn("s1", at(0)), Turn("s4", at(5))]
    assert turns_of([], [Turn("s4", at(5)), Turn("s1", at(2))]) == [Turn("s1", at(2)), Turn("s4", at(5))]


minutes = st.floats(0, 60)


@given(
    turns=st.lists(st.tuples(st.sampled_from(["s1", "s2", "away"]), minutes), max_size=8),
    pause=st.tuples(minutes, minutes).map(sorted),
)
def test_the_parts_never_exceed_the_phase_less_its_pauses(turns: list[tuple[str, float]], pause: list[float]) -> None:
    pauses = [Interval(at(pause[0]), at(pause[1]))]
    used = time_use([Turn(key, at(moment)) for key, moment in turns], start=at(0), end=at(45), pauses=pauses)
    net = 45 * MINUTE - paused_time(pauses, start=at(0), end=at(45))
    assert all(spent > dt.timedelta() for spent in used.values())
    assert sum(used.values(), dt.timedelta()) <= net + dt.timedelta(milliseconds=1)
