"""A card of a drill, asked in Review: drawn anew each time, typed or chosen there, graded by the machine."""

import datetime as dt
from dataclasses import dataclass

from django.utils.safestring import SafeString

from calculator.line_charts import LineChart
from calculator.views_worksheet import address_of
from designs.markdown import inline_html, to_html
from trainer.drills import bank, selectors, services
from trainer.drills.core.drawing import Drawn, Line
from trainer.drills.core.forms import Drill, DrillRefused
from trainer.drills.core.grading import LONGEST_TYPED, Unreadable, Verdict
from trainer.drills.core.working import Worked
from trainer.drills.pages import ChoiceRow, choice_rows, solved_rows
from trainer.drills.plots import chart_of
from trainer.review.core.scheduling import Rating
from trainer.review.models import Card
from trainer.review.refusals import ReviewRefused


@dataclass(frozen=True)
class AskedDrill:
    """The question of a drill's card, and the field of its answer. Nothing of the answer."""

    drill: Drill
    seed: str
    ask: SafeString
    unit: str
    choices: tuple[ChoiceRow, ...]
    chart: LineChart | None
    longest: int = LONGEST_TYPED


@dataclass(frozen=True)
class GradedDrill:
    """The verdict on what was typed to a card, with the working and the rating that fits it."""

    drill: Drill
    verdict: Verdict
    typed: str
    given_up: bool
    text: str
    given: tuple[Line, ...]
    lines: tuple[Line, ...]
    worksheet: str
    consequence: SafeString
    why: SafeString
    choices: tuple[ChoiceRow, ...]
    suggested: Rating

    @property
    def read(self) -> str:
        """How a typed number was understood, where that differs from what was typed."""
        return self.verdict.read if self.drill.kind.typed and self.verdict.read != self.typed else ""


def asked_by(card: Card) -> AskedDrill | None:
    """The drill that a card asks, drawn for its present revision; None where the stored front and back are asked.

    Those are the cards of other misses, of drills that are said aloud, and of drills that are no more.
    """
    found = _drawn(card)
    if found is None:
        return None
    drawn, _ = found
    unit = drawn.drill.numeric.unit if drawn.drill.numeric else ""
    ask = to_html(drawn.ask, prefix="ask")
    return AskedDrill(drawn.drill, drawn.seed, ask, unit, choice_rows(drawn), chart_of(drawn))


def graded_answer(card: Card, typed: str, *, given_up: bool, now: dt.datetime) -> GradedDrill | None:
    """What was typed to a card, graded and kept among the attempts; None for a card that no drill asks.

    Raises: ReviewRefused for an answer that cannot be read: nothing is graded.
    """
    found = _drawn(card)
    if found is None:
        return None
    drawn, worked = found
    try:
        verdict = Verdict(False) if given_up else services.verdict_at(drawn, worked, typed)
    except Unreadable as error:
        raise ReviewRefused("unreadable", error.message, 422, field="answer") from None
    services.attempt_record_in_review(
        user=card.user, drill=drawn.drill, seed=drawn.seed, typed=typed, verdict=verdict, given_up=given_up, now=now
    )
    return _graded(drawn, worked, verdict, "" if given_up else typed.strip(), given_up)


def _graded(drawn: Drawn, worked: Worked, verdict: Verdict, typed: str, given_up: bool) -> GradedDrill:
    return GradedDrill(
        drill=drawn.drill,
        verdict=verdict,
        typed=typed,
        given_up=given_up,
        text=worked.text,
        given=worked.given,
        lines=worked.lines,
        worksheet=address_of(worked.worksheet) if worked.lines else "",
        consequence=inline_html(worked.consequence),
        why=inline_html(worked.why),
        choices=solved_rows(drawn, typed),
        suggested=Rating.GOOD if verdict.right else Rating.AGAIN,
    )


def _drawn(card: Card) -> tuple[Drawn, Worked] | None:
    if card.kind != Card.Kind.DRILL:
        return None
    drill = bank.bank().drills.get(card.key.removeprefix(selectors.KEY))
    if drill is None or not (drill.kind.typed or drill.kind.chosen):
        return None
    try:
        return selectors.drawn(drill, f"{selectors.CARD_SEED}{card.pk}-{card.revision}")
    except DrillRefused:
        return None
