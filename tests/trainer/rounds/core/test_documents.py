"""Which saves land."""

import datetime as dt

import pytest

from trainer.rounds.core import documents, machine
from trainer.rounds.core.documents import Acknowledged, Stale, Stored
from trainer.rounds.core.machine import NotAllowed, Snapshot

T0 = dt.datetime(2026, 3, 2, 18, 0, tzinfo=dt.UTC)
STORED = Stored(revision=3, text="as it stands")


def after(seconds: float) -> dt.datetime:
    return T0 + dt.timedelta(seconds=seconds)


def arithmetic(mode: str = machine.EXAM) -> Snapshot:
    return machine.begin_arithmetic(Snapshot(mode=mode), T0)


def writing(mode: str = machine.EXAM) -> Snapshot:
    return machine.begin_writing(arithmetic(mode), T0)


def judge(snapshot: Snapshot, key: str = "s1", text: str = "new", base: int = 3, at: float = 1) -> Acknowledged:
    return documents.judge_save(snapshot, key, STORED, text=text, base_revision=base, now=after(at))


def test_a_save_on_the_last_revision_makes_the_next_one() -> None:
    assert judge(writing()) == Acknowledged(4, write=True)


@pytest.mark.parametrize("base", [0, 2, 4, 99])
def test_a_save_on_any_other_revision_is_stale(base: int) -> None:
    with pytest.raises(Stale):
        judge(writing(), base=base)


def test_a_text_that_stands_already_is_acknowledged_whatever_it_builds_on() -> None:
    assert judge(writing(), text="as it stands", base=1) == Acknowledged(3, write=False)


def test_during_the_arithmetic_the_worksheet_is_open_and_every_section_locked() -> None:
    assert judge(arithmetic(), key="worksheet").write
    for key in documents.SECTION_KEYS:
        with pytest.raises(NotAllowed) as refusal:
            judge(arithmetic(), key=key)
        assert refusal.value.reason == "locked"


def test_during_the_writing_all_eleven_documents_are_open() -> None:
    assert all(judge(writing(), key=key).write for key in documents.KEYS)


def test_at_the_prompt_everything_is_locked() -> None:
    with pytest.raises(NotAllowed) as refusal:
        judge(Snapshot(), key="worksheet")
    assert refusal.value.reason == "locked"


def test_while_paused_the_editors_are_read_only() -> None:
    paused = machine.pause(writing(machine.PRACTICE), after(1))
    with pytest.raises(NotAllowed) as refusal:
        judge(paused, at=2)
    assert refusal.value.reason == "paused"


def test_in_the_grace_a_save_on_the_last_revision_lands_and_a_stale_one_does_not() -> None:
    assert judge(writing(), at=2709.9).write
    with pytest.raises(Stale):
        judge(writing(), base=2, at=2709.9)


@pytest.mark.parametrize(
    "sealed",
    [
        machine.settle(writing(), after(2710)),
        machine.submit(writing(), after(5)),
        machine.abandon(writing(), after(5)),
        machine.score(machine.submit(writing(), after(5)), after(6)),
    ],
)
def test_after_the_seal_nothing_is_written(sealed: Snapshot) -> None:
    for base in (2, 3):
        with pytest.raises(NotAllowed) as refusal:
            judge(sealed, base=base, at=3000)
        assert refusal.value.reason == "sealed"


def test_an_unsettled_round_is_never_judged() -> None:
    with pytest.raises(ValueError, match="settled"):
        judge(writing(), at=2711)


def test_there_are_ten_sections_and_a_worksheet_each_with_a_title() -> None:
    assert documents.KEYS == ("s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "worksheet")
    assert all(documents.title_of(key) for key in documents.FOCUS_KEYS)
    assert documents.limit_characters("s1") == 200_000
    assert documents.section_number("s10") == 10
    assert documents.section_number("worksheet") == 0
