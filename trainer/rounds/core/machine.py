"""The states of a round: what each allows, and what a look at the clock makes of it. Pure; `now` is an argument.

Every transition takes a `Snapshot` and gives the next one, or raises `NotAllowed`. Callers settle first: a
transition may then rely on no bell being overdue.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from decimal import Decimal

from trainer.rounds.core.deadlines import ARITHMETIC_S, GRACE, WRITING_S, deadline

PROMPT, ARITHMETIC, WRITING = "prompt", "arithmetic", "writing"
SCORING, REVEAL, CRITIQUE, DONE, ABANDONED = "scoring", "reveal", "critique", "done", "abandoned"
EXAM, PRACTICE = "exam", "practice"

ORDER = (PROMPT, ARITHMETIC, WRITING, SCORING, REVEAL, CRITIQUE, DONE)
CLOCKED = frozenset({ARITHMETIC, WRITING})
SUBMITTED = frozenset({SCORING, REVEAL, CRITIQUE, DONE})
FINISHED = frozenset({DONE, ABANDONED})
LAST_REVEAL_POSITION = 10  # 0 is the deciding number, 1 to 10 the sections

STATE_NAMES = {
    PROMPT: "at the prompt",
    ARITHMETIC: "in the arithmetic",
    WRITING: "in writing",
    SCORING: "at scoring",
    REVEAL: "at the reveal",
    CRITIQUE: "at the critiques",
    DONE: "done",
    ABANDONED: "abandoned",
}


class NotAllowed(Exception):
    """The action is not open now. `reason` is a word for programs, `message` a sentence for the person."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message


@dataclass(frozen=True)
class Snapshot:
    """The part of a round that its clock and its state live in."""

    state: str = PROMPT
    mode: str = EXAM
    extra_time_factor: Decimal = Decimal(1)
    arithmetic_started_at: datetime | None = None
    writing_started_at: datetime | None = None
    deadline_at: datetime | None = None
    paused_seconds_left: float | None = None
    submitted_at: datetime | None = None
    submitted_by_bell: bool = False
    sealed_at: datetime | None = None
    scored_at: datetime | None = None
    reveal_position: int = 0
    reveal_finished_at: datetime | None = None
    done_at: datetime | None = None
    abandoned_at: datetime | None = None

    @property
    def paused(self) -> bool:
        """The clock stands still."""
        return self.paused_seconds_left is not None

    @property
    def seal_at(self) -> datetime | None:
        """When the writing is sealed by itself; none in any other phase, or while paused."""
        if self.state != WRITING or self.deadline_at is None:
            return None
        return self.deadline_at + GRACE

    def rung(self, now: datetime) -> bool:
        """The bell of the running phase has rung."""
        return self.deadline_at is not None and now >= self.deadline_at


def settle(snapshot: Snapshot, now: datetime) -> Snapshot:
    """What a look at `now` finds. Bells chain: a round nobody looked at for hours is found submitted as of its bell."""
    if snapshot.state == ARITHMETIC and snapshot.deadline_at is not None and now >= snapshot.deadline_at:
        snapshot = _enter_writing(snapshot, snapshot.deadline_at)
    if snapshot.state == WRITING and snapshot.seal_at is not None and now >= snapshot.seal_at:
        snapshot = _enter_scoring(snapshot, at=snapshot.deadline_at, by_bell=True, sealed_at=snapshot.seal_at)
    return snapshot


def begin_arithmetic(snapshot: Snapshot, now: datetime) -> Snapshot:
    """Start the clock: the deadline is stored here, once."""
    _require(snapshot, PROMPT, "The clock can be started at the prompt only")
    return replace(
        snapshot,
        state=ARITHMETIC,
        arithmetic_started_at=now,
        deadline_at=deadline(now, ARITHMETIC_S, snapshot.extra_time_factor),
    )


def begin_writing(snapshot: Snapshot, now: datetime) -> Snapshot:
    """Finish the arithmetic early."""
    _require(snapshot, ARITHMETIC, "Writing follows the arithmetic")
    _require_running(snapshot)
    return _enter_writing(snapshot, now)


def submit(snapshot: Snapshot, now: datetime) -> Snapshot:
    """Hand in: seals at once. In the grace after the bell the submission is the bell's."""
    _require(snapshot, WRITING, "There is nothing to submit")
    _require_running(snapshot)
    rung = snapshot.rung(now)
    return _enter_scoring(snapshot, at=snapshot.deadline_at if rung else now, by_bell=rung, sealed_at=now)


def pause(snapshot: Snapshot, now: datetime) -> Snapshot:
    """Stop the clock of a practice round: the seconds left are stored, the deadline goes."""
    if snapshot.state not in CLOCKED:
        raise _out_of_order(snapshot, "Only a running clock can be paused")
    if snapshot.mode != PRACTICE:
        raise NotAllowed("exam", "An exam round cannot be paused.")
    _require_running(snapshot)
    assert snapshot.deadline_at is not None
    if snapshot.rung(now):
        raise NotAllowed("rung", "The bell has rung: there is no time left to keep.")
    return replace(snapshot, deadline_at=None, paused_seconds_left=(snapshot.deadline_at - now).total_seconds())


def resume(snapshot: Snapshot, now: datetime) -> Snapshot:
    """Let the clock run on with the seconds that were left."""
    if snapshot.state not in CLOCKED or snapshot.paused_seconds_left is None:
        raise NotAllowed("not_paused", f"This round is not paused: it is {STATE_NAMES[snapshot.state]}.")
    left = timedelta(seconds=snapshot.paused_seconds_left)
    return replace(snapshot, deadline_at=now + left, paused_seconds_left=None)


def abandon(snapshot: Snapshot, now: datetime) -> Snapshot:
    """Give a round up; it stays in the history as such."""
    if snapshot.state in FINISHED:
        raise _out_of_order(snapshot, "There is nothing left to abandon")
    return replace(
        snapshot,
        state=ABANDONED,
        abandoned_at=now,
        sealed_at=snapshot.sealed_at or now,
        deadline_at=None,
        paused_seconds_left=None,
    )


def score(snapshot: Snapshot, now: datetime) -> Snapshot:
    """All lines are scored: the worked design opens at the deciding number."""
    _require(snapshot, SCORING, "Scores are given after the submission, once")
    return replace(snapshot, state=REVEAL, scored_at=now, reveal_position=0)


def advance_reveal(snapshot: Snapshot, position: int, now: datetime) -> Snapshot:
    """Read on from `position`. Asked again for a position already left, nothing changes."""
    if snapshot.state in (CRITIQUE, DONE) and 0 <= position <= LAST_REVEAL_POSITION:
        return snapshot
    _require(snapshot, REVEAL, "The worked design opens after scoring")
    if not 0 <= position <= snapshot.reveal_position:
        raise NotAllowed("out_of_order", f"You have read up to part {snapshot.reveal_position}; read on from there.")
    if position < snapshot.reveal_position:
        return snapshot
    if position < LAST_REVEAL_POSITION:
        return replace(snapshot, reveal_position=position + 1)
    return replace(snapshot, state=CRITIQUE, reveal_finished_at=now)


def finish(snapshot: Snapshot, now: datetime) -> Snapshot:
    """The last critique is marked."""
    _require(snapshot, CRITIQUE, "A round is done once its critiques are marked")
    return replace(snapshot, state=DONE, done_at=now)


def allowed(snapshot: Snapshot, now: datetime) -> frozenset[str]:
    """The names of the actions that are open at `now`."""
    return frozenset(name for name, open_ in _ACTIONS.items() if open_(snapshot, now))


def _running(snapshot: Snapshot, now: datetime) -> bool:
    return snapshot.state in CLOCKED and not snapshot.paused


_ACTIONS: dict[str, Callable[[Snapshot, datetime], bool]] = {
    "ask": lambda s, now: s.state == PROMPT,
    "begin": lambda s, now: s.state == PROMPT or (s.state == ARITHMETIC and not s.paused),
    "save": _running,
    "star": lambda s, now: _running(s, now) and not s.rung(now),
    "submit": lambda s, now: s.state == WRITING and not s.paused,
    "pause": lambda s, now: s.mode == PRACTICE and _running(s, now) and not s.rung(now),
    "resume": lambda s, now: s.state in CLOCKED and s.paused,
    "abandon": lambda s, now: s.state not in FINISHED,
    "score": lambda s, now: s.state == SCORING,
    "reveal": lambda s, now: s.state == REVEAL,
    "critique": lambda s, now: s.state == CRITIQUE,
}


def _enter_writing(snapshot: Snapshot, at: datetime) -> Snapshot:
    return replace(
        snapshot,
        state=WRITING,
        writing_started_at=at,
        deadline_at=deadline(at, WRITING_S, snapshot.extra_time_factor),
    )


def _enter_scoring(snapshot: Snapshot, *, at: datetime | None, by_bell: bool, sealed_at: datetime) -> Snapshot:
    return replace(
        snapshot,
        state=SCORING,
        submitted_at=at,
        submitted_by_bell=by_bell,
        sealed_at=sealed_at,
        deadline_at=None,
    )


def _require(snapshot: Snapshot, state: str, sentence: str) -> None:
    if snapshot.state != state:
        raise _out_of_order(snapshot, sentence)


def _require_running(snapshot: Snapshot) -> None:
    if snapshot.paused:
        raise NotAllowed("paused", "The clock is paused. Resume first.")


def _out_of_order(snapshot: Snapshot, sentence: str) -> NotAllowed:
    return NotAllowed("out_of_order", f"{sentence}; this round is {STATE_NAMES[snapshot.state]}.")
