"""What came of a critique becomes rows, all at once, and only for the worker that still holds it."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction

from grading.core.anchors import AnchorVerdict as Verdict
from grading.core.anchors import levels_of
from grading.core.case import Case
from grading.core.checking import CheckedCritique, CheckedMutation, Dropped
from grading.core.rubric import LOWEST_LEVEL
from grading.models import AnchorVerdict, Critique, CritiqueItem, LineScore, Mutation
from grading.services.leases import Lease, work_finish
from grading.services.ledger import storable


@dataclass(frozen=True)
class Outcome:
    """What the checks left of a model's replies. Those of `shown` from `repaired_from` on were asked for again."""

    drafted: int
    shown: tuple[CheckedCritique, ...]
    dropped: tuple[Dropped, ...]
    merged: int
    surplus: int
    repaired_from: int
    mutations: tuple[CheckedMutation, ...]

    @property
    def repaired(self) -> int:
        return len(self.shown) - self.repaired_from


@transaction.atomic
def critique_store(
    *, lease: Lease, case: Case, outcome: Outcome, verdicts: tuple[Verdict, ...], now: dt.datetime
) -> Critique:
    """Held to shown, with its items, mutations, verdicts and line scores. Raises: LeaseLost, and nothing is stored."""
    work_finish(
        lease=lease,
        now=now,
        step="",
        drafted=outcome.drafted,
        repaired=outcome.repaired,
        merged=outcome.merged,
        surplus=outcome.surplus,
        dropped=[_dropped(item) for item in outcome.dropped],
    )
    critique = Critique.objects.select_related("round").get(pk=lease.pk)
    items_store(critique, outcome.shown, repaired_from=outcome.repaired_from)
    mutations_store(critique, outcome.mutations)
    _verdicts_store(critique, verdicts)
    _line_scores_store(critique, verdicts, levels_of(verdicts, case), now)
    return critique


def _dropped(item: Dropped) -> dict[str, str]:
    texts = {"text": item.text, "quote": item.draft.quote, "attack": item.draft.attack}
    return {"reason": str(item.reason), **{name: storable(text) for name, text in texts.items()}}


def _verdicts_store(critique: Critique, verdicts: Sequence[Verdict]) -> None:
    AnchorVerdict.objects.bulk_create(
        AnchorVerdict(
            critique=critique,
            anchor_id=verdict.anchor_id,
            line=verdict.line,
            level=verdict.level,
            met=verdict.met,
            quote=verdict.quote,
            part_key=verdict.place.key if verdict.place else "",
            start=verdict.place.start if verdict.place else None,
            end=verdict.place.end if verdict.place else None,
            problem=str(verdict.problem),
        )
        for verdict in verdicts
    )


def _line_scores_store(
    critique: Critique, verdicts: Sequence[Verdict], levels: dict[int, int], now: dt.datetime
) -> None:
    """The model's line scores of a round: those of an earlier critique of it are replaced."""
    scorer = LineScore.Scorer.MODEL
    LineScore.objects.filter(round=critique.round, scorer=scorer).delete()
    LineScore.objects.bulk_create(
        LineScore(
            round=critique.round,
            scorer=scorer,
            line=line,
            level=level,
            quote=_evidence(verdicts, line, level),
            scored_at=now,
        )
        for line, level in sorted(levels.items())
    )


def _evidence(verdicts: Sequence[Verdict], line: int, level: int) -> str:
    """The words that show the level: those of the highest anchor met that is not above it, else of any met one."""
    if level == LOWEST_LEVEL:
        return ""
    met = [verdict for verdict in verdicts if verdict.line == line and verdict.met]
    return max(met, key=lambda verdict: (verdict.level <= level, verdict.level)).quote


def items_store(critique: Critique, checked: tuple[CheckedCritique, ...], *, repaired_from: int | None = None) -> None:
    """The critiques that stand, numbered; those from `repaired_from` on stood only after a second asking."""
    CritiqueItem.objects.bulk_create(
        CritiqueItem(
            critique=critique,
            number=number,
            quote=item.quote,
            part_key=item.place.key if item.place else "",
            start=item.place.start if item.place else None,
            end=item.place.end if item.place else None,
            defect_class=item.defect_class,
            class_name=item.class_name,
            attack=item.attack,
            scenario=item.scenario,
            expression=item.expression,
            with_numbers=item.with_numbers,
            claimed_value=item.claimed_value,
            value_text=item.value_text,
            rubric_line=item.rubric_line,
            repaired=repaired_from is not None and number > repaired_from,
        )
        for number, item in enumerate(checked, start=1)
    )


def mutations_store(critique: Critique, mutations: tuple[CheckedMutation, ...]) -> None:
    """The changes of the problem, numbered."""
    Mutation.objects.bulk_create(
        Mutation(critique=critique, number=number, title=found.title, ask=found.ask, generic=found.generic)
        for number, found in enumerate(mutations, start=1)
    )
