"""The rubric by every scorer, side by side. The model awards nothing: its levels are counted by code from anchors."""

from collections import defaultdict

from grading.core import rubric
from grading.core.case import Case
from grading.models import AnchorVerdict, Critique, LineScore
from grading.parts import AnchorRow, RubricRow, RubricTable

_SELF, _MODEL = LineScore.Scorer.SELF, LineScore.Scorer.MODEL


def rubric_table_of(critique: Critique, case: Case) -> RubricTable | None:
    """Every scorer of the round, oneself first, then the model, then whoever else scored it; None without a second."""
    scores: dict[str, dict[int, LineScore]] = defaultdict(dict)
    for score in LineScore.objects.filter(round=critique.round):
        scores[score.scorer][score.line] = score
    others = [scorer for scorer in LineScore.Scorer.values if scorer != _SELF and scorer in scores]
    if not others:
        return None
    verdicts = {verdict.anchor_id: verdict for verdict in AnchorVerdict.objects.filter(critique=critique)}
    names: dict[str, str] = {_SELF: "You", _MODEL: critique.model_name or "The model"}
    scorers = [str(_SELF), *others]
    return RubricTable(
        scorers=tuple(names.get(scorer, scorer.capitalize()) for scorer in scorers),
        rows=tuple(_row(line, scorers, scores, verdicts, case) for line in rubric.LINES),
        percentages=tuple(_percentage(scores[scorer]) for scorer in scorers),
    )


def _row(
    line: rubric.RubricLine,
    scorers: list[str],
    scores: dict[str, dict[int, LineScore]],
    verdicts: dict[str, AnchorVerdict],
    case: Case,
) -> RubricRow:
    found = [scores[scorer].get(line.number) for scorer in scorers]
    own, model = scores[_SELF].get(line.number), scores[_MODEL].get(line.number)
    return RubricRow(
        number=line.number,
        name=line.name,
        weight=line.weight,
        levels=tuple(score.level if score else None for score in found),
        difference=own.level - model.level if own and model else None,
        own_quote=own.quote if own else "",
        anchors=tuple(
            _anchor(anchor.level, anchor.text, verdicts[anchor.id], case)
            for anchor in case.anchors
            if anchor.line == line.number and anchor.id in verdicts
        ),
    )


def _anchor(level: int, text: str, verdict: AnchorVerdict, case: Case) -> AnchorRow:
    part = case.submission.part(verdict.part_key)
    return AnchorRow(level, text, verdict.met, verdict.quote, part.title if part else "", verdict.problem)


def _percentage(scores: dict[int, LineScore]) -> float | None:
    levels = {line: score.level for line, score in scores.items()}
    return rubric.percentage(levels) if len(levels) == len(rubric.LINES) else None
