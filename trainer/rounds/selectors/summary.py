"""What a round came to: the score and its caps, the time, the cards, and what earlier rounds of the design scored."""

from collections import defaultdict
from datetime import timedelta

from designs.loaded import LoadedDesign
from grading.core import rubric
from grading.models import LineScore
from trainer.review.models import Card
from trainer.review.selectors import title_of
from trainer.rounds.core import documents
from trainer.rounds.core.time_use import Interval, Turn, paused_time, time_use, turns_of
from trainer.rounds.models import DocumentRevision, Mode, Round
from trainer.rounds.parts import Bar, EarlierLine, EarlierRound, MissedCard, Summary, TimeUsed
from trainer.rounds.selectors.scoring import scored_of


def summary_of(round_: Round, loaded: LoadedDesign) -> Summary:
    """The summary of a round that is done."""
    assert round_.submitted_at is not None
    assert round_.writing_started_at is not None
    pauses = pauses_of(round_)
    lines = scored_of(round_, loaded)
    writing = {"start": round_.writing_started_at, "end": round_.submitted_at}
    return Summary(
        lines=lines,
        bar=bar_of({line.number: line.level for line in lines}, round_),
        evidence=round_.mode == Mode.EXAM and not round_.read_before,
        time_used=time_used_of(round_),
        paused=paused_time(pauses, start=round_.created_at, end=round_.submitted_at),
        submitted_at=round_.submitted_at,
        submitted_by_bell=round_.submitted_by_bell,
        writing_used=round_.submitted_at - round_.writing_started_at - paused_time(pauses, **writing),
        cards=_cards_of(round_),
        earlier=_earlier_rounds(round_, {line.number: line.level for line in lines}),
    )


def bar_of(levels: dict[int, int], round_: Round) -> Bar:
    """The hire bar of a round's levels; the deciding number is present when the starred line has a value."""
    bar = rubric.hire_bar(levels, deciding_present=round_.deciding_value is not None)
    return Bar(name=bar.name, percentage=bar.percentage, caps=tuple(cap.reason for cap in bar.caps))


def pauses_of(round_: Round) -> list[Interval]:
    """The pauses of a round, in order."""
    return [Interval(pause.started_at, pause.ended_at) for pause in round_.pauses.order_by("started_at")]


def time_used_of(round_: Round) -> tuple[TimeUsed, ...]:
    """Time by section from the start of the arithmetic (at the worksheet) to the submission, the longest first."""
    start, end = round_.arithmetic_started_at, round_.submitted_at
    if start is None or end is None:
        return ()
    focuses = [Turn(documents.WORKSHEET, start), *(Turn(row.key, row.at) for row in round_.focuses.all())]
    revisions = DocumentRevision.objects.filter(document__round=round_).values_list("document__key", "saved_at")
    turns = turns_of(focuses, [Turn(key, at) for key, at in revisions])
    used = time_use(turns, start=start, end=end, pauses=pauses_of(round_))
    total = sum(used.values(), timedelta())
    return tuple(TimeUsed(key, documents.title_of(key), spent, spent / total) for key, spent in used.items())


def _cards_of(round_: Round) -> tuple[MissedCard, ...]:
    return tuple(
        MissedCard(id=card.pk, kind=card.kind, title=title_of(card), link=card.link, due_on=card.due_on)
        for card in Card.objects.filter(round=round_, user=round_.user_id).order_by("kind", "key")
    )


def _earlier_rounds(round_: Round, now: dict[int, int]) -> tuple[EarlierRound, ...]:
    earlier = Round.objects.filter(
        user=round_.user_id, slug=round_.slug, submitted_at__lt=round_.submitted_at, scored_at__isnull=False
    ).exclude(pk=round_.pk)
    levels: dict[object, dict[int, int]] = defaultdict(dict)
    for score in LineScore.objects.filter(round__in=earlier, scorer=LineScore.Scorer.SELF):
        levels[score.round_id][score.line] = score.level
    return tuple(_compared(row, levels[row.pk], now) for row in earlier.order_by("-submitted_at"))


def _compared(earlier: Round, then: dict[int, int], now: dict[int, int]) -> EarlierRound:
    assert earlier.submitted_at is not None
    return EarlierRound(
        id=earlier.pk,
        submitted_at=earlier.submitted_at,
        mode=earlier.mode,
        read_before=earlier.read_before,
        percentage=rubric.percentage(then),
        lines=tuple(EarlierLine(line.number, line.name, then[line.number], now[line.number]) for line in rubric.LINES),
    )
