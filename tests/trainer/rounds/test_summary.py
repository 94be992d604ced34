"""What a round came to, and the list of rounds."""

import datetime as dt

import pytest

from tests.trainer.rounds.sitting import EVIDENCE, Sitting, scores
from trainer.accounts.models import User
from trainer.rounds import selectors, services
from trainer.rounds.parts import Summary
from trainer.rounds.services import ScoreInput

pytestmark = pytest.mark.django_db


def finish(sitting: Sitting, level: int = 3, **lines: ScoreInput) -> Summary:
    sitting.to("scoring")
    services.scores_record(round=sitting.round, scores=scores(level, **lines), now=sitting.tick())
    sitting.to("done")
    summary = selectors.round_page(sitting.round, sitting.now).summary
    assert summary is not None
    return summary


def test_all_threes_with_the_deciding_number_are_a_staff_hire_by_the_table(sitting: Sitting) -> None:
    summary = finish(sitting)
    assert (summary.bar.percentage, summary.bar.name, summary.bar.caps) == (75.0, "hire at staff", ())


def test_without_a_deciding_number_a_senior_hire_is_the_most_and_the_cap_says_why(sitting: Sitting) -> None:
    sitting.begin().write().save("s1", EVIDENCE)
    services.round_submit(round=sitting.round, now=sitting.now)
    summary = finish(sitting, 4)
    assert (summary.bar.percentage, summary.bar.name) == (100.0, "hire at senior")
    assert "deciding number is absent" in summary.bar.caps[0]


def test_an_exam_of_an_unread_design_is_evidence_and_everything_else_practice(
    alice: User, bob: User, sitting: Sitting, practice: Sitting, now: dt.datetime
) -> None:
    assert finish(sitting).evidence
    assert not finish(practice).evidence
    services.design_reading_record(user=bob, slug="x01", now=now)
    assert not finish(Sitting(bob, now)).evidence


def test_the_time_is_shown_by_section_with_pauses_left_out(practice: Sitting) -> None:
    practice.begin()
    practice.after(100)
    practice.write()
    services.focus_record(round=practice.round, key="s1", now=practice.now)
    services.round_pause(round=practice.round, now=practice.after(200).now)
    services.round_resume(round=practice.round, now=practice.after(5000).now)
    services.focus_record(round=practice.round, key="s2", now=practice.after(100).now)
    practice.after(100).save("s2", EVIDENCE)
    services.round_submit(round=practice.round, now=practice.after(200).now)
    summary = finish(practice)
    used = {time.key: time.used.total_seconds() for time in summary.time_used}
    assert used == {"s1": 300, "s2": 300, "worksheet": 100}
    assert sum(time.share for time in summary.time_used) == pytest.approx(1)
    assert summary.paused == dt.timedelta(seconds=5000)
    assert summary.writing_used == dt.timedelta(seconds=600)


def test_an_earlier_round_of_the_design_is_compared_line_by_line(sitting: Sitting, now: dt.datetime) -> None:
    finish(sitting, 2)
    later = Sitting(sitting.user, now + dt.timedelta(days=7))
    summary = finish(later, 3, line_5=ScoreInput(1, EVIDENCE, 60))
    assert [earlier.id for earlier in summary.earlier] == [sitting.id]
    earlier = summary.earlier[0]
    assert (earlier.percentage, [line.change for line in earlier.lines]) == (50.0, [1, 1, 1, 1, -1, 1, 1, 1])
    assert [line.number for line in earlier.improved] == [1, 2, 3, 4, 6, 7, 8]


def test_an_abandoned_round_is_no_earlier_round_to_compare_with(sitting: Sitting, now: dt.datetime) -> None:
    sitting.to("abandoned")
    assert finish(Sitting(sitting.user, now + dt.timedelta(days=1))).earlier == ()


def test_the_summary_names_the_cards_that_its_misses_became(sitting: Sitting) -> None:
    summary = finish(sitting, 3, line_6=ScoreInput(1, EVIDENCE, 60))
    assert [(card.kind, card.due_on > sitting.now.date()) for card in summary.cards] == [("rubric_line", True)]
    assert summary.cards[0].title.startswith("A nightly summary job")  # its front begins with **, which is markup


def test_a_late_addendum_stands_beside_the_submission_and_not_in_it(sitting: Sitting) -> None:
    sitting.to("scoring")
    services.addendum_offer(round=sitting.round, key="s1", text="too late", save_id="x", now=sitting.now)
    page = selectors.round_page(sitting.round, sitting.now)
    assert [addendum.text for addendum in page.addenda] == ["too late"]
    assert "too late" not in " ".join(own.text for own in page.submission)


def test_an_abandoned_round_shows_ones_own_texts_and_nothing_of_the_design(sitting: Sitting) -> None:
    page = selectors.round_page(sitting.to("critique").to("abandoned").round, sitting.now)
    assert page.submission[0].text == EVIDENCE
    assert (page.reveal, page.critiques, page.summary, page.scoring) == (None, None, None, None)


def test_the_list_shows_rounds_newest_first_and_which_clock_runs(sitting: Sitting, practice: Sitting) -> None:
    finish(sitting)
    practice.begin()
    index = selectors.rounds_index(sitting.user)
    assert {row.id: (row.state, row.percentage, row.unfinished) for row in index.rounds} == {
        sitting.id: ("done", 75.0, False),
        practice.id: ("arithmetic", None, True),
    }
    assert index.running is not None
    assert index.running.id == practice.id
    design = next(design for design in index.designs if design.slug == "x01")
    assert (design.attempts, design.waiting_round_id, design.read_before) == (1, None, False)


def test_a_round_of_a_design_that_is_gone_is_still_shown(sitting: Sitting, settings: object) -> None:
    finish(sitting)
    settings.CONTENT_DIRS = []  # type: ignore[attr-defined]
    assert selectors.rounds_index(sitting.user).rounds[0].title == "A nightly summary job"
