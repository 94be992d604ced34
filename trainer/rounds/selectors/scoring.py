"""The rubric beside the submission, and the scores once they are given."""

from designs.core.prose import fill, withheld
from designs.loaded import LoadedDesign
from grading.core import rubric
from grading.models import LineScore
from trainer.rounds.models import DraftScore, Round
from trainer.rounds.parts import AnchorText, ScoredLine, Scoring, ScoringLine
from trainer.rounds.services.misses import anchors_of


def scoring_of(round_: Round, loaded: LoadedDesign) -> Scoring:
    """The form: anchors with their figures withheld, and what earlier attempts at the form left."""
    drafts = {draft.line: draft for draft in DraftScore.objects.filter(round=round_)}
    return Scoring(
        lines=tuple(_scoring_line(line, drafts.get(line.number), loaded) for line in rubric.LINES),
        levels=tuple(rubric.LEVELS.items()),
    )


def scored_of(round_: Round, loaded: LoadedDesign) -> tuple[ScoredLine, ...]:
    """The eight lines as scored, anchors in full."""
    return tuple(_scored_line(score, loaded) for score in self_scores(round_))


def self_scores(round_: Round) -> list[LineScore]:
    """One's own scores of a round, by line."""
    return list(LineScore.objects.filter(round=round_, scorer=LineScore.Scorer.SELF).order_by("line"))


def _scoring_line(line: rubric.RubricLine, draft: DraftScore | None, loaded: LoadedDesign) -> ScoringLine:
    return ScoringLine(
        number=line.number,
        name=line.name,
        weight=line.weight,
        asks=line.asks,
        anchors=tuple(AnchorText(level, withheld(text)) for level, text in anchors_of(loaded, line)),
        level=str(draft.level) if draft else "",
        quote=draft.quote if draft else "",
        confidence=str(draft.confidence) if draft else "",
    )


def _scored_line(score: LineScore, loaded: LoadedDesign) -> ScoredLine:
    line = rubric.line(score.line)
    return ScoredLine(
        number=line.number,
        name=line.name,
        weight=line.weight,
        level=score.level,
        level_name=rubric.LEVELS[score.level],
        quote=score.quote,
        confidence=score.stated_confidence,
        anchors=tuple(
            AnchorText(level, fill(text, loaded.derivation, facts=loaded.facts))
            for level, text in anchors_of(loaded, line)
        ),
    )
