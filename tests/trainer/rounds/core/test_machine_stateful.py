"""Whatever is done in whatever order and at whatever times: the clock holds and nothing acknowledged is lost."""

import datetime as dt
from collections.abc import Callable
from decimal import Decimal

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from trainer.rounds.core import documents, machine
from trainer.rounds.core.deadlines import ARITHMETIC_S, GRACE_S, WRITING_S
from trainer.rounds.core.documents import Stale, Stored
from trainer.rounds.core.machine import NotAllowed, Snapshot

START = dt.datetime(2026, 3, 2, 18, 0, tzinfo=dt.UTC)
RANK = {state: rank for rank, state in enumerate([*machine.ORDER, machine.ABANDONED])}


class ARoundUnderAnyHands(RuleBasedStateMachine):
    """The round as stored, the moment, and what a browser was told: every acknowledged text by its revision."""

    @initialize(mode=st.sampled_from(["exam", "practice"]), factor=st.sampled_from(["1", "1.25", "1.5"]))
    def begin(self, mode: str, factor: str) -> None:
        self.now = START
        self.stored = Snapshot(mode=mode, extra_time_factor=Decimal(factor))
        self.texts = {key: Stored(0, "") for key in documents.KEYS}
        self.acknowledged: dict[str, dict[int, str]] = {key: {} for key in documents.KEYS}
        self.sealed: dict[str, Stored] | None = None
        self.paused_total = dt.timedelta()
        self.paused_since: dt.datetime | None = None

    def put(self, after: Snapshot) -> None:
        """Store a later snapshot; a state never goes back, and a seal never moves."""
        assert RANK[after.state] >= RANK[self.stored.state]
        assert after.reveal_position >= self.stored.reveal_position
        assert self.stored.sealed_at in (None, after.sealed_at)
        assert self.stored.submitted_at in (None, after.submitted_at)
        self.stored = after
        if after.sealed_at is not None and self.sealed is None:
            self.sealed = dict(self.texts)

    def do(self, step: Callable[[Snapshot, dt.datetime], Snapshot]) -> bool:
        """Settle, then take the step, as every service does."""
        self.put(machine.settle(self.stored, self.now))
        try:
            after = step(self.stored, self.now)
        except NotAllowed:
            return False
        self.put(after)
        return True

    @rule(seconds=st.one_of(st.floats(0, 20), st.floats(0, 4000), st.floats(0, 400_000)))
    def time_passes(self, seconds: float) -> None:
        self.now += dt.timedelta(seconds=seconds)

    @rule()
    def look(self) -> None:
        self.put(machine.settle(self.stored, self.now))

    @rule()
    def begin_arithmetic(self) -> None:
        self.do(machine.begin_arithmetic)

    @rule()
    def begin_writing(self) -> None:
        self.do(machine.begin_writing)

    @rule()
    def submit(self) -> None:
        if self.do(machine.submit):
            assert self.stored.submitted_at is not None
            assert self.stored.submitted_at <= self.now
            assert self.stored.sealed_at == self.now

    @rule()
    def pause(self) -> None:
        if self.do(machine.pause):
            assert self.stored.mode == machine.PRACTICE
            self.paused_since = self.now

    @rule()
    def resume(self) -> None:
        if self.do(machine.resume):
            assert self.paused_since is not None
            self.paused_total += self.now - self.paused_since
            self.paused_since = None

    @rule(really=st.integers(0, 9))
    def abandon(self, really: int) -> None:
        if really == 0:
            self.do(machine.abandon)

    @rule()
    def score(self) -> None:
        self.do(machine.score)

    @rule(position=st.integers(0, 10))
    def read_on(self, position: int) -> None:
        before = self.stored
        if self.do(lambda snapshot, now: machine.advance_reveal(snapshot, position, now)):
            assert self.stored.reveal_position - before.reveal_position in (0, 1)

    @rule()
    def finish(self) -> None:
        self.do(machine.finish)

    @rule(
        key=st.sampled_from(["s1", "s10", "worksheet"]),
        text=st.sampled_from(["", "a", "b", "longer"]),
        lag=st.sampled_from([0, 0, 0, 1, -1]),
    )
    def save(self, key: str, text: str, lag: int) -> None:
        """A save from a tab that is up to date, or one revision behind, or made up."""
        self.put(machine.settle(self.stored, self.now))
        stands = self.texts[key]
        try:
            saved = documents.judge_save(
                self.stored, key, stands, text=text, base_revision=stands.revision - lag, now=self.now
            )
        except (NotAllowed, Stale):
            return
        assert self.sealed is None
        assert self.stored.state in machine.CLOCKED
        if saved.write:
            assert lag == 0
            self.texts[key] = Stored(saved.revision, text)
            self.acknowledged[key][saved.revision] = text

    @invariant()
    def a_look_never_leaves_a_clocked_state_past_its_seal(self) -> None:
        settled = machine.settle(self.stored, self.now)
        assert machine.settle(settled, self.now) == settled
        if settled.state == machine.ARITHMETIC and not settled.paused:
            assert settled.deadline_at is not None
            assert self.now < settled.deadline_at
        if settled.state == machine.WRITING and not settled.paused:
            assert settled.seal_at is not None
            assert self.now < settled.seal_at

    @invariant()
    def the_clock_runs_or_stands_in_clocked_states_only(self) -> None:
        running = self.stored.deadline_at is not None
        assert not (running and self.stored.paused)
        assert (running or self.stored.paused) == (self.stored.state in machine.CLOCKED)

    @invariant()
    def nobody_writes_longer_than_both_phases_and_the_pauses(self) -> None:
        if self.stored.submitted_at is None:
            return
        assert self.stored.arithmetic_started_at is not None
        allowed_s = float((ARITHMETIC_S + WRITING_S) * self.stored.extra_time_factor)
        used = self.stored.submitted_at - self.stored.arithmetic_started_at - self.paused_total
        assert used <= dt.timedelta(seconds=allowed_s, milliseconds=1)
        assert self.stored.sealed_at is not None
        assert self.stored.sealed_at - self.stored.submitted_at <= dt.timedelta(seconds=GRACE_S)

    @invariant()
    def every_acknowledged_text_is_kept_and_the_last_one_stands(self) -> None:
        for key, revisions in self.acknowledged.items():
            assert sorted(revisions) == list(range(1, len(revisions) + 1))
            if revisions:
                assert self.texts[key] == Stored(max(revisions), revisions[max(revisions)])

    @invariant()
    def the_sealed_texts_never_change(self) -> None:
        assert self.sealed is None or self.sealed == self.texts


TestARoundUnderAnyHands = ARoundUnderAnyHands.TestCase
TestARoundUnderAnyHands.settings = settings(max_examples=150, stateful_step_count=40, deadline=None)
