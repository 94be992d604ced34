"""How a trainee's rounds have gone: scores by line, and where they are weakest."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from uuid import UUID

from designs.core.parser import DesignRefused
from designs.loaded import LoadedDesign
from designs.selectors import design_of
from grading.core import rubric
from grading.models import LineScore
from trainer.accounts.models import User
from trainer.home.parts import LineRow, ScoredRound, Scores, WeakClass, WeakLine
from trainer.review.days import study_day_of
from trainer.rounds.models import CritiqueAnswer, Mode, Round

ROUNDS_SHOWN = 6
WEAK_SHOWN = 3
HEAVY = ("design_version__files", "design_version__diagrams")  # a design is found by its digest, without its files


def scores_of(user: User, *, most: int = ROUNDS_SHOWN) -> Scores:
    """The latest scored rounds, the oldest first, with the self-score of every line."""
    scored = Round.objects.filter(user=user, scored_at__isnull=False).order_by("-scored_at")[:most]
    rounds = list(reversed(scored))
    levels: dict[UUID, dict[int, int]] = defaultdict(dict)
    for score in LineScore.objects.filter(round__in=rounds, scorer=LineScore.Scorer.SELF):
        levels[score.round_id][score.line] = score.level
    return Scores(
        rounds=tuple(_column(user, round_, levels[round_.pk]) for round_ in rounds),
        lines=tuple(
            LineRow(line.number, line.name, line.weight, tuple(levels[row.pk].get(line.number) for row in rounds))
            for line in rubric.LINES
        ),
    )


def weak_lines_of(scores: Scores) -> tuple[WeakLine, ...]:
    """The lines whose mean level over the rounds shown is below what makes a card, the lowest first."""
    means = [
        WeakLine(row.number, row.name, sum(known) / len(known))
        for row in scores.lines
        if (known := [level for level in row.levels if level is not None])
    ]
    weak = [line for line in means if line.mean_level < rubric.MISS_BELOW_LEVEL]
    return tuple(sorted(weak, key=lambda line: (line.mean_level, line.number))[:WEAK_SHOWN])


def weak_classes_of(user: User) -> tuple[WeakClass, ...]:
    """The defect classes that were most often marked partial or miss. Only marked critiques count: those were read."""
    met, missed = Counter[str](), Counter[str]()
    for answer in _marked(user):
        loaded = design_of_round(answer.round)
        critique = loaded.design.critique(answer.number) if loaded else None
        if critique is not None:
            met[critique.class_title] += 1
            missed[critique.class_title] += answer.mark != CritiqueAnswer.Mark.HIT
    weak = [WeakClass(name, count, met[name]) for name, count in missed.items() if count]
    return tuple(sorted(weak, key=lambda weak: (-weak.missed, weak.name))[:WEAK_SHOWN])


def design_of_round(round_: Round) -> LoadedDesign | None:
    """The design that a round was begun on; None when it can no longer be read, which must not close this page."""
    try:
        return design_of(round_.design_version)
    except DesignRefused:
        return None


def _column(user: User, round_: Round, levels: dict[int, int]) -> ScoredRound:
    assert round_.scored_at is not None
    return ScoredRound(
        id=round_.pk,
        slug=round_.slug,
        on=study_day_of(user, round_.scored_at),
        percentage=rubric.percentage(levels) if len(levels) == len(rubric.LINES) else None,
        evidence=round_.mode == Mode.EXAM and not round_.read_before,
    )


def _marked(user: User) -> Sequence[CritiqueAnswer]:
    marked = CritiqueAnswer.objects.filter(round__user=user).exclude(mark="")
    return list(marked.select_related("round__design_version").defer("text", *(f"round__{name}" for name in HEAVY)))
