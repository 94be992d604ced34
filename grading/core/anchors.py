"""The rubric by anchors: a model says met or not, with a quote; code decides what counts and computes the levels."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from grading.core.case import Case, CaseAnchor
from grading.core.checking import Reason, quote_refused
from grading.core.rubric import level_from_anchors
from grading.core.schemas import AnchorDraft, AnchorsReply
from grading.core.submission import Place


class AnchorProblem(StrEnum):
    """Why an anchor does not count as met although the model did not plainly say "not met"."""

    NONE = ""
    NOT_ANSWERED = "not answered"
    NO_QUOTE = "no quote"
    QUOTE_TOO_SHORT = "quote too short"
    QUOTE_TOO_LONG = "quote too long"
    QUOTE_NOT_FOUND = "quote not found"
    QUOTE_IS_HEADING = "quote is only a heading"
    CONFLICTING = "answered both ways"


@dataclass(frozen=True)
class AnchorVerdict:
    """What counts for one anchor. `quote` and `place` are given only when `met`."""

    anchor_id: str
    line: int
    level: int
    met: bool
    quote: str
    place: Place | None
    problem: AnchorProblem


_PROBLEMS = {
    Reason.QUOTE_TOO_SHORT: AnchorProblem.QUOTE_TOO_SHORT,
    Reason.QUOTE_TOO_LONG: AnchorProblem.QUOTE_TOO_LONG,
    Reason.QUOTE_NOT_FOUND: AnchorProblem.QUOTE_NOT_FOUND,
    Reason.QUOTE_IS_HEADING: AnchorProblem.QUOTE_IS_HEADING,
}


def judge(reply: AnchorsReply, case: Case) -> tuple[AnchorVerdict, ...]:
    """A verdict on every anchor of the case, in its order.

    An anchor counts as met when the model says so, never says otherwise, and one of its quotes stands in the
    submission. Verdicts on anchors that the case has not are left aside.
    """
    by_id: dict[str, list[AnchorDraft]] = {anchor.id: [] for anchor in case.anchors}
    for draft in reply.verdicts:
        by_id.get(draft.anchor_id.strip(), []).append(draft)
    return tuple(_verdict(anchor, by_id[anchor.id], case) for anchor in case.anchors)


def levels_of(verdicts: Sequence[AnchorVerdict], case: Case) -> dict[int, int]:
    """The level of every rubric line that has anchors: code counts, the model awards nothing.

    Raises: ValueError when a verdict is missing, or given twice.
    """
    met = {verdict.anchor_id: verdict.met for verdict in verdicts}
    if len(verdicts) != len(case.anchors) or set(met) != {anchor.id for anchor in case.anchors}:
        raise ValueError("verdicts: must be one for each anchor of the case")
    answers: dict[int, dict[int, list[bool]]] = {}
    for anchor in case.anchors:
        answers.setdefault(anchor.line, {}).setdefault(anchor.level, []).append(met[anchor.id])
    return {line: level_from_anchors(levels) for line, levels in sorted(answers.items())}


def _verdict(anchor: CaseAnchor, drafts: Sequence[AnchorDraft], case: Case) -> AnchorVerdict:
    def not_met(problem: AnchorProblem) -> AnchorVerdict:
        return AnchorVerdict(anchor.id, anchor.line, anchor.level, False, "", None, problem)

    if not drafts:
        return not_met(AnchorProblem.NOT_ANSWERED)
    if len({draft.met for draft in drafts}) > 1:
        return not_met(AnchorProblem.CONFLICTING)
    if not drafts[0].met:
        return not_met(AnchorProblem.NONE)
    problems = []
    for draft in drafts:
        if not draft.quote.strip():
            problems.append(AnchorProblem.NO_QUOTE)
            continue
        refused = quote_refused(draft.quote, case.submission)
        if refused:
            problems.append(_PROBLEMS[refused])
            continue
        places = case.submission.places(draft.quote)
        place = next(place for place in places if not case.submission.only_heading(place))
        quote = case.submission.words_at(place)
        return AnchorVerdict(anchor.id, anchor.line, anchor.level, True, quote, place, AnchorProblem.NONE)
    return not_met(problems[0])
