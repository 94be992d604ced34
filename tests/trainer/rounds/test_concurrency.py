"""Requests that arrive at the same moment: exactly one wins, nothing acknowledged is lost."""

import datetime as dt
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from grading.models import LineScore
from tests.factories import make_user
from tests.trainer.rounds.sitting import SLUG, Sitting, scores
from trainer.rounds import services
from trainer.rounds.models import CritiqueAnswer, DocumentRevision, LateAddendum, Round
from trainer.rounds.refusals import RoundRefused

pytestmark = pytest.mark.django_db(transaction=True)
ROUNDS_OF_THE_RACE = 5


@pytest.fixture
def sitting(transactional_db: None, now: dt.datetime) -> Sitting:
    return Sitting(make_user("alice"), now)


def at_once(*acts: Callable[[], object]) -> list[object]:
    """What each act gave, or the refusal it met; all begin together, each on a connection of its own."""
    gate = threading.Barrier(len(acts))

    def run(act: Callable[[], object]) -> object:
        try:
            gate.wait(timeout=20)
            return act()
        except RoundRefused as refusal:
            return refusal
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(run, acts))


def refusals(results: list[object]) -> list[RoundRefused]:
    return [result for result in results if isinstance(result, RoundRefused)]


def test_of_two_saves_on_the_same_revision_exactly_one_wins(sitting: Sitting) -> None:
    sitting.to("writing")
    for base in range(ROUNDS_OF_THE_RACE):
        texts = [f"first {base}", f"second {base}"]
        results = at_once(*(lambda text=text, base=base: sitting.save("s1", text, base=base) for text in texts))
        lost = refusals(results)
        assert len(lost) == 1
        assert (lost[0].reason, lost[0].extra["revision"]) == ("stale", base + 1)
        assert lost[0].extra["text"] == sitting.text("s1") == texts[1 - results.index(lost[0])]
    kept = DocumentRevision.objects.filter(document__key="s1").values_list("revision", flat=True)
    assert sorted(kept) == list(range(1, ROUNDS_OF_THE_RACE + 1))


def test_the_same_save_sent_twice_at_once_is_one_revision(sitting: Sitting) -> None:
    sitting.to("writing")
    results = at_once(*[lambda: sitting.save("s1", "a", base=0, save_id="x")] * 3)
    assert results == [results[0]] * 3
    assert DocumentRevision.objects.filter(document__key="s1").count() == 1


def test_of_two_submissions_exactly_one_wins(sitting: Sitting) -> None:
    sitting.to("writing")
    moments = [sitting.now + dt.timedelta(seconds=seconds) for seconds in (1, 2)]
    results = at_once(
        *(lambda at=at: services.round_submit(round=sitting.round, now=at).submitted_at for at in moments)
    )
    assert len(refusals(results)) == 1
    assert sitting.round.submitted_at in results


def test_a_save_racing_the_bell_is_in_the_submission_or_refused_and_offered(sitting: Sitting) -> None:
    for attempt in range(ROUNDS_OF_THE_RACE):
        race = Sitting(make_user(f"racer-{attempt}"), sitting.now).begin().write()
        race.save("s1", "before")
        in_time, sealed = (race.now + dt.timedelta(seconds=seconds) for seconds in (2709.9, 2710.1))

        def save(race: Sitting = race, at: dt.datetime = in_time) -> object:
            return services.document_save(
                round=race.round, key="s1", text="at the bell", base_revision=1, save_id="bell", now=at
            )

        def ring(race: Sitting = race, at: dt.datetime = sealed) -> object:
            return services.round_settle(round_id=race.id, now=at)

        saved, _ = at_once(save, ring)
        assert race.state == "scoring"
        if isinstance(saved, RoundRefused):
            assert (saved.reason, race.text("s1")) == ("sealed", "before")
            assert LateAddendum.objects.get(round=race.round).text == "at the bell"
        else:
            assert race.text("s1") == "at the bell"
            assert not LateAddendum.objects.filter(round=race.round).exists()


def test_a_submission_racing_the_bell_is_one_submission(sitting: Sitting) -> None:
    sitting.begin().write()
    bell = sitting.round.deadline_at
    results = at_once(
        lambda: services.round_submit(round=sitting.round, now=bell + dt.timedelta(seconds=5)),
        lambda: services.round_settle(round_id=sitting.id, now=bell + dt.timedelta(seconds=11)),
    )
    assert len(refusals(results)) <= 1
    round_ = sitting.round
    assert (round_.state, round_.submitted_at, round_.submitted_by_bell) == ("scoring", bell, True)


def test_many_looks_at_an_overdue_round_settle_it_once(sitting: Sitting) -> None:
    sitting.begin()
    late = sitting.now + dt.timedelta(hours=2)
    results = at_once(*[lambda: services.round_settle(round_id=sitting.id, now=late)] * 4)
    assert {(found.state, found.submitted_at) for found in results} == {  # type: ignore[attr-defined]
        ("scoring", sitting.now + dt.timedelta(seconds=3000))
    }


def test_two_clocks_started_at_once_are_one(sitting: Sitting) -> None:
    other = Sitting(sitting.user, sitting.now, mode="practice")
    results = at_once(*(lambda s=s: services.arithmetic_begin(round=s.round, now=s.now) for s in (sitting, other)))
    assert [refusal.reason for refusal in refusals(results)] == ["clock_running"]
    assert Round.objects.filter(state="arithmetic").count() == 1


def test_two_starts_at_once_are_one_round(sitting: Sitting) -> None:
    user = make_user("bob")
    start = [lambda: services.round_start(user=user, slug=SLUG, mode="exam", now=sitting.now).pk] * 2
    assert len(set(at_once(*start))) == 1
    assert Round.objects.filter(user=user).count() == 1


def test_b049_of_four_tabs_that_score_at_once_the_first_wins_whole(sitting: Sitting) -> None:
    sitting.to("scoring")
    results = at_once(
        *(
            lambda level=level: services.scores_record(round=sitting.round, scores=scores(level), now=sitting.now)
            for level in (1, 2, 3, 4)
        )
    )
    assert [refusal.reason for refusal in refusals(results)] == ["already_scored"] * 3
    assert LineScore.objects.count() == 8
    assert len(set(LineScore.objects.values_list("level", flat=True))) == 1


def test_reading_on_and_marking_at_once_count_once(sitting: Sitting) -> None:
    sitting.to("reveal")
    at_once(*[lambda: services.reveal_advance(round=sitting.round, position=0, now=sitting.now)] * 3)
    assert sitting.round.reveal_position == 1
    sitting.to("critique")
    services.critique_answer(round=sitting.round, number=1, text="Mine.", now=sitting.now)
    results = at_once(
        *(
            lambda mark=mark: services.critique_mark(round=sitting.round, number=1, mark=mark, now=sitting.now)
            for mark in ("hit", "miss")
        )
    )
    assert [refusal.reason for refusal in refusals(results)] == ["already_marked"]
    assert CritiqueAnswer.objects.count() == 2
