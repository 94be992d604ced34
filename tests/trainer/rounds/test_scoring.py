"""The self-score of a submission."""

import pytest

from grading.models import LineScore
from tests.trainer.rounds.sitting import EVIDENCE, Sitting, scores
from trainer.rounds import services
from trainer.rounds.models import AskedQuestion, DraftScore
from trainer.rounds.refusals import RoundRefused
from trainer.rounds.services import ScoreInput

pytestmark = pytest.mark.django_db


def refusal_of(sitting: Sitting, **lines: ScoreInput) -> RoundRefused:
    with pytest.raises(RoundRefused) as refusal:
        services.scores_record(round=sitting.round, scores=scores(**lines), now=sitting.now)
    return refusal.value


def test_eight_scores_with_evidence_open_the_reveal(sitting: Sitting) -> None:
    sitting.to("scoring")
    services.scores_record(round=sitting.round, scores=scores(), now=sitting.now)
    assert (sitting.state, sitting.round.scored_at) == ("reveal", sitting.now)
    kept = LineScore.objects.filter(round=sitting.round).order_by("line")
    assert [(score.line, score.level, score.quote, score.confidence) for score in kept] == [
        (line, 3, EVIDENCE, 70) for line in range(1, 9)
    ]


@pytest.mark.parametrize(
    ("score", "field"),
    [
        (ScoreInput(3, "", 70), "quote_2"),
        (ScoreInput(3, "words that were never written", 70), "quote_2"),
        (ScoreInput(3, "a", 70), "quote_2"),
        (ScoreInput(0, "words that were never written", 70), "quote_2"),
        (ScoreInput(3, "x" * 2001, 70), "quote_2"),
        (ScoreInput(3, "nul \x00 nul nul", 70), "quote_2"),
        (ScoreInput("", EVIDENCE, 70), "level_2"),
        (ScoreInput(5, EVIDENCE, 70), "level_2"),
        (ScoreInput("three", EVIDENCE, 70), "level_2"),
        (ScoreInput(3, EVIDENCE, ""), "confidence_2"),
        (ScoreInput(3, EVIDENCE, 101), "confidence_2"),
    ],
)
def test_a_line_at_fault_is_refused_at_its_field_and_the_other_lines_are_kept(
    sitting: Sitting, score: ScoreInput, field: str
) -> None:
    refusal = refusal_of(sitting.to("scoring"), line_2=score)
    assert (refusal.status, refusal.field, list(refusal.errors)) == (422, field, [field])
    assert sitting.state == "scoring"
    assert sorted(DraftScore.objects.values_list("line", flat=True)) == [1, 3, 4, 5, 6, 7, 8]
    assert not LineScore.objects.exists()


def test_every_field_at_fault_has_its_own_message(sitting: Sitting) -> None:
    refusal = refusal_of(sitting.to("scoring"), line_1=ScoreInput("", "", ""), line_8=ScoreInput(9, "zzz zzz zzz", -1))
    assert set(refusal.errors) == {"level_1", "confidence_1", "level_8", "quote_8", "confidence_8"}
    assert all(refusal.errors.values())


@pytest.mark.parametrize("unset", ["", "  ", None])
def test_a_level_that_was_not_chosen_is_asked_for_and_nonsense_is_told_the_range(
    sitting: Sitting, unset: str | None
) -> None:
    lines = {"line_2": ScoreInput(unset, EVIDENCE, 70), "line_3": ScoreInput("five", EVIDENCE, 70)}
    assert refusal_of(sitting.to("scoring"), **lines).errors == {
        "level_2": "Choose a level.",
        "level_3": "The level of line 3 must be a whole number from 0 to 4.",
    }


def test_a_form_that_names_no_line_is_refused_for_all_eight(sitting: Sitting) -> None:
    with pytest.raises(RoundRefused) as refusal:
        services.scores_record(round=sitting.to("scoring").round, scores={}, now=sitting.now)
    assert {field.rsplit("_", 1)[1] for field in refusal.value.errors} == set("12345678")


def test_a_zero_needs_no_quote(sitting: Sitting) -> None:
    sitting.to("scoring")
    services.scores_record(round=sitting.round, scores=scores(0, quote=""), now=sitting.now)
    assert sitting.state == "reveal"


def test_a_quote_may_stand_in_a_section_the_worksheet_or_a_question_asked(sitting: Sitting) -> None:
    services.question_ask(round=sitting.round, text="Is the dashboard in scope?", now=sitting.now)
    sitting.to("scoring")
    posted = scores(line_2=ScoreInput(2, "the dashboard in scope", 50), line_3=ScoreInput(1, "run = tokens / rate", 50))
    services.scores_record(round=sitting.round, scores=posted, now=sitting.now)
    assert sitting.state == "reveal"
    assert AskedQuestion.objects.count() == 1


def test_a_quote_across_two_sections_or_from_a_late_addendum_does_not_stand(sitting: Sitting) -> None:
    sitting.begin().write()
    sitting.save("s1", f"{EVIDENCE} The end of one")
    sitting.save("s10", "the beginning of another section")
    services.round_submit(round=sitting.round, now=sitting.now)
    services.addendum_offer(round=sitting.round, key="s2", text="a thought too late", save_id="x", now=sitting.now)
    for quote in ("end of one the beginning of another", "a thought too late"):
        assert refusal_of(sitting, line_1=ScoreInput(2, quote, 50)).field == "quote_1"


def test_a_draft_is_replaced_by_the_next_attempt_and_gone_once_scored(sitting: Sitting) -> None:
    refusal_of(sitting.to("scoring"), line_1=ScoreInput("", "", ""))
    refusal_of(sitting, line_1=ScoreInput("", "", ""), line_2=ScoreInput(4, EVIDENCE, 10))
    assert DraftScore.objects.get(line=2).level == 4
    services.scores_record(round=sitting.round, scores=scores(), now=sitting.now)
    assert not DraftScore.objects.exists()


def test_b049_the_first_of_several_tabs_wins_and_the_others_see_its_scores(sitting: Sitting) -> None:
    sitting.to("scoring")
    services.scores_record(round=sitting.round, scores=scores(3), now=sitting.now)
    for level in (1, 2, 4):
        with pytest.raises(RoundRefused) as refusal:
            services.scores_record(round=sitting.round, scores=scores(level), now=sitting.tick())
        assert (refusal.value.status, refusal.value.reason) == (409, "already_scored")
        assert refusal.value.extra["scores"]["1"] == {"level": 3, "quote": EVIDENCE, "confidence": 70}
    assert set(LineScore.objects.values_list("level", flat=True)) == {3}


def test_b051_the_same_scores_posted_twice_are_the_same_result(sitting: Sitting) -> None:
    sitting.to("scoring")
    for _ in range(2):
        services.scores_record(round=sitting.round, scores=scores(), now=sitting.tick())
    assert LineScore.objects.count() == 8


@pytest.mark.parametrize("state", ["prompt", "arithmetic", "writing", "abandoned"])
def test_scores_before_the_submission_are_a_409(sitting: Sitting, state: str) -> None:
    sitting.to(state)
    with pytest.raises(RoundRefused) as refusal:
        services.scores_record(round=sitting.round, scores=scores(), now=sitting.now)
    assert (refusal.value.status, refusal.value.extra["state"]) == (409, state)
    assert not LineScore.objects.exists()
