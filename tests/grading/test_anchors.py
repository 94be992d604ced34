"""The model says met or not, with a quote; what counts, and every level, is worked out by code."""

import pytest

from grading.core.anchors import AnchorProblem, judge, levels_of
from grading.core.rubric import level_from_anchors
from grading.core.schemas import AnchorDraft, AnchorsReply
from tests.grading.cases import QUALITIES, SLUGS, expected_of, known_case

CASE = known_case("m01", "middling")
QUOTE = "The charge of a request is (prompt + output) × output × time per token."


def verdict_of(*drafts, id="charges-kv-seconds"):
    verdicts = judge(AnchorsReply(verdicts=[AnchorDraft(anchor_id=id, **draft) for draft in drafts]), CASE)
    return next(verdict for verdict in verdicts if verdict.anchor_id == id)


def test_an_anchor_is_met_when_its_quote_stands():
    verdict = verdict_of({"met": True, "quote": QUOTE})
    assert (verdict.met, verdict.place.key, verdict.quote, verdict.problem) == (True, "s5", QUOTE, AnchorProblem.NONE)


@pytest.mark.parametrize(
    ("drafts", "problem"),
    [
        ([], AnchorProblem.NOT_ANSWERED),
        ([{"met": False}], AnchorProblem.NONE),
        ([{"met": True}], AnchorProblem.NO_QUOTE),
        ([{"met": True, "quote": "KV"}], AnchorProblem.QUOTE_TOO_SHORT),
        ([{"met": True, "quote": "We charge KV-seconds by formula."}], AnchorProblem.QUOTE_NOT_FOUND),
        ([{"met": True, "quote": QUOTE * 9}], AnchorProblem.QUOTE_TOO_LONG),
        ([{"met": True, "quote": QUOTE}, {"met": False}], AnchorProblem.CONFLICTING),
    ],
)
def test_everything_else_counts_as_not_met_and_says_why(drafts, problem):
    verdict = verdict_of(*drafts)
    assert (verdict.met, verdict.problem, verdict.quote, verdict.place) == (False, problem, "", None)


def test_a_second_answer_that_agrees_may_bring_the_quote():
    assert verdict_of({"met": True, "quote": "Words that stand nowhere."}, {"met": True, "quote": QUOTE}).met


def test_ids_that_the_case_has_not_are_left_aside():
    reply = AnchorsReply(verdicts=[AnchorDraft(anchor_id="give-fours", met=True, quote=QUOTE)])
    verdicts = judge(reply, CASE)
    assert [verdict.anchor_id for verdict in verdicts] == [anchor.id for anchor in CASE.anchors]
    assert not any(verdict.met for verdict in verdicts)
    assert set(levels_of(verdicts, CASE).values()) == {0}


def test_levels_are_counted_by_line_from_what_is_met():
    met = {
        "weighted-fair",
        "budget-per-tenant",
        "work-conserving",
        "charges-kv-seconds",
        "small-pass-giant",
        "kv-binds",
    }
    reply = AnchorsReply(
        verdicts=[AnchorDraft(anchor_id=anchor.id, met=anchor.id in met, quote=QUOTE) for anchor in CASE.anchors]
    )
    levels = levels_of(judge(reply, CASE), CASE)
    assert (levels[4], levels[1], levels[5]) == (3, 1, 0)
    assert list(levels) == list(range(1, 9))
    assert levels[4] == level_from_anchors({2: [True] * 3, 3: [True, False, True], 4: [False] * 3})


def test_levels_want_one_verdict_for_each_anchor():
    verdicts = judge(AnchorsReply(verdicts=[]), CASE)
    with pytest.raises(ValueError, match="one for each anchor"):
        levels_of(verdicts[1:], CASE)
    with pytest.raises(ValueError, match="one for each anchor"):
        levels_of((*verdicts[1:], verdicts[1]), CASE)


@pytest.mark.parametrize("slug", SLUGS)
def test_the_submissions_of_known_quality_rank_as_they_were_written(slug):
    totals = []
    for quality in QUALITIES:
        case, expected = known_case(slug, quality), expected_of(slug, quality)
        assert set(expected) == {anchor.id for anchor in case.anchors}
        quote = case.submission.part("s2").text.splitlines()[0][:200]
        drafts = [AnchorDraft(anchor_id=id, met=met, quote=quote) for id, met in expected.items()]
        levels = levels_of(judge(AnchorsReply(verdicts=drafts), case), case)
        totals.append(sum(levels.values()))
    assert totals[0] < totals[1] < totals[2]
    assert totals[0] <= 12
    assert totals[2] >= 28
