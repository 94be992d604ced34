"""Progress over rounds. A model's scores count from rounds that are done: before that they are shown to nobody."""

import datetime as dt
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from uuid import UUID
from zoneinfo import ZoneInfo

from django.db.models import Q

from calculator.line_charts import LineChart
from grading.calibration_chart import calibration_chart
from grading.core import rubric
from grading.core.agreement import CURVE_PAIRS, Bias, Kappa, Pair, TooFew, bias, calibration_curve, weighted_kappa
from grading.models import CritiqueItem, LineScore, ModelCall, Mutation
from grading.panel import EndpointSays, endpoint_says
from grading.services.ledger import NOTHING, Budget, budget_of, usd
from trainer.accounts.models import User
from trainer.home.parts import Scores, WeakClass, WeakLine
from trainer.home.progress import scores_of, weak_classes_of, weak_lines_of
from trainer.rounds.core import machine

ROUNDS_SHOWN = 12
DAYS_SHOWN = 14
MONTHS_SHOWN = 12


@dataclass(frozen=True)
class Agreement:
    """Oneself against the model on one line of the rubric, or on all."""

    key: str
    name: str
    n: int
    bias: Bias | TooFew
    kappa: Kappa | TooFew
    chart: LineChart | None
    needed: int  # pairs that a calibration curve needs
    sure: int  # pairs with a confidence


@dataclass(frozen=True)
class Spent:
    """What the model took in one day or one month."""

    begins: dt.date
    calls: int
    input_tokens: int
    output_tokens: int
    cost_text: str


@dataclass(frozen=True)
class AnsweredMarks:
    """How one's answers to the critiques of one's own designs were marked."""

    hit: int
    partial: int
    miss: int

    @property
    def total(self) -> int:
        return self.hit + self.partial + self.miss


@dataclass(frozen=True)
class ProgressPage:
    """Everything of the page."""

    scores: Scores
    weak_lines: tuple[WeakLine, ...]
    weak_classes: tuple[WeakClass, ...]
    own_marks: AnsweredMarks
    rounds_compared: int
    overall: Agreement
    lines: tuple[Agreement, ...]
    endpoint: EndpointSays | None
    budget: Budget
    spent_today: str
    days: tuple[Spent, ...]
    months: tuple[Spent, ...]


def progress_page(user: User, now: dt.datetime) -> ProgressPage:
    """The page as of `now`. Rounds are read as they stand: whoever calls has settled them."""
    scores = scores_of(user, most=ROUNDS_SHOWN)
    pairs, rounds_compared = pairs_of(user)
    calls = _calls(user)
    budget = budget_of(user, now)
    return ProgressPage(
        scores=scores,
        weak_lines=weak_lines_of(scores),
        weak_classes=weak_classes_of(user),
        own_marks=_marks(user),
        rounds_compared=rounds_compared,
        overall=_agreement("all", "All lines", [pair for line in pairs.values() for pair in line]),
        lines=tuple(_agreement(f"line-{line.number}", line.name, pairs[line.number]) for line in rubric.LINES),
        endpoint=endpoint_says(user, now),
        budget=budget,
        spent_today=usd(budget.spent_usd),
        days=_spent(calls, lambda day: day)[:DAYS_SHOWN],
        months=_spent(calls, lambda day: day.replace(day=1))[:MONTHS_SHOWN],
    )


def pairs_of(user: User) -> tuple[dict[int, list[Pair]], int]:
    """Per line, one's own level with the model's, of every round that is done and has both; and how many rounds."""
    both: dict[tuple[UUID, int], dict[str, LineScore]] = defaultdict(dict)
    scores = LineScore.objects.filter(round__user=user, round__state=machine.DONE)
    for score in scores.order_by("round__scored_at", "line"):
        both[score.round_id, score.line][score.scorer] = score
    pairs: dict[int, list[Pair]] = {line.number: [] for line in rubric.LINES}
    rounds = set()
    for (round_id, line), found in both.items():
        own, model = found.get(LineScore.Scorer.SELF), found.get(LineScore.Scorer.MODEL)
        if own and model:
            pairs[line].append(Pair(own.level, model.level, own.confidence))
            rounds.add(round_id)
    return pairs, len(rounds)


def _agreement(key: str, name: str, pairs: Sequence[Pair]) -> Agreement:
    curve = calibration_curve(pairs)
    return Agreement(
        key=key,
        name=name,
        n=len(pairs),
        bias=bias(pairs),
        kappa=weighted_kappa(pairs),
        chart=None if isinstance(curve, TooFew) else calibration_chart(f"calibration-{key}", name, curve),
        needed=CURVE_PAIRS,
        sure=sum(pair.confidence is not None for pair in pairs),
    )


def _marks(user: User) -> AnsweredMarks:
    mine = Q(critique__round__user=user)
    found = [mark for model in (CritiqueItem, Mutation) for mark in model.objects.filter(mine).values_list("mark")]
    return AnsweredMarks(*(found.count((mark,)) for mark in ("hit", "partial", "miss")))


type _Call = tuple[dt.date, int, int, Decimal]


def _calls(user: User) -> list[_Call]:
    """Every call that has ended, by the trainee's day, the latest first."""
    zone = ZoneInfo(user.time_zone)
    ended = ModelCall.objects.filter(user=user, ended_at__isnull=False).order_by("-started_at")
    return [
        (started.astimezone(zone).date(), inputs or 0, outputs or 0, cost or NOTHING)
        for started, inputs, outputs, cost in ended.values_list(
            "started_at", "input_tokens", "output_tokens", "cost_usd"
        )
    ]


def _spent(calls: Sequence[_Call], period: Callable[[dt.date], dt.date]) -> tuple[Spent, ...]:
    by_period: dict[dt.date, list[_Call]] = defaultdict(list)
    for call in calls:
        by_period[period(call[0])].append(call)
    return tuple(
        Spent(
            begins=begins,
            calls=len(found),
            input_tokens=sum(call[1] for call in found),
            output_tokens=sum(call[2] for call in found),
            cost_text=usd(sum((call[3] for call in found), NOTHING)),
        )
        for begins, found in by_period.items()
    )
