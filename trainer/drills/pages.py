"""What a page of a drill holds: before an answer the question alone, after it the working too."""

from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.http import urlencode
from django.utils.safestring import SafeString

from calculator.line_charts import LineChart
from calculator.views_worksheet import address_of
from designs.markdown import inline_html, to_html
from trainer.accounts.models import User
from trainer.drills import openers, selectors
from trainer.drills.core.drawing import Drawn, Line
from trainer.drills.core.forms import Drill, Kind
from trainer.drills.core.grading import Unreadable, Verdict
from trainer.drills.core.picking import Record
from trainer.drills.core.working import Worked
from trainer.drills.models import Attempt
from trainer.drills.plots import chart_of
from trainer.drills.services import verdict_at


@dataclass(frozen=True)
class ChoiceRow:
    """A sentence to choose, at its place; after the answer also whether it is the one, and why."""

    place: int
    html: SafeString
    taken: bool = False
    key: bool = False
    why: SafeString | None = None


@dataclass(frozen=True)
class BeatRow:
    """A beat, and whether it was ticked."""

    index: int
    at_s: int
    html: SafeString
    essential: bool
    ticked: bool


@dataclass(frozen=True)
class Answered:
    """What is shown once an answer was given. `right` is None while marks are awaited."""

    right: bool | None
    typed: str
    words: str
    given_up: bool
    read: str
    off: str
    slip: str
    text: str
    given: tuple[Line, ...]
    lines: tuple[Line, ...]
    worksheet: str
    consequence: SafeString
    why: SafeString
    choices: tuple[ChoiceRow, ...]
    beats: tuple[BeatRow, ...]
    opener: openers.Opened | None
    opener_title: str
    opener_says: SafeString
    seconds: int | None
    over: bool


@dataclass(frozen=True)
class DrillPage:
    """Everything of the page."""

    drill: Drill
    seed: str
    timed: bool
    ask: SafeString
    unit: str
    choices: tuple[ChoiceRow, ...]
    chart: LineChart | None
    record: Record
    answered: Answered | None
    another: str
    next: str


def drill_page(user: User, drill: Drill, seed: str, *, timed: bool) -> DrillPage:
    """The page of a drawing, as far as this trainee has come with it. Raises: DrillRefused."""
    attempt = selectors.attempt_at(user, drill, seed)
    drawn, worked = selectors.drawn(drill, seed)
    query = {"timed": "1"} if timed else {}
    return DrillPage(
        drill=drill,
        seed=seed,
        timed=timed,
        ask=to_html(drawn.ask, prefix="ask"),
        unit=drill.numeric.unit if drill.numeric else "",
        choices=choice_rows(drawn),
        chart=chart_of(drawn),
        record=selectors.record_of(user, drill),
        answered=_answered(drill, drawn, worked, attempt) if attempt else None,
        another=f"{drill_address(drill)}{f'?{urlencode(query)}' if query else ''}",
        next=f"{reverse('drills:next')}?{urlencode({**query, 'after': drill.id})}",
    )


def drill_address(drill: Drill, **query: Any) -> str:
    """The address of a drill, at a seed where one is given."""
    given = {name: value for name, value in query.items() if value}
    return reverse("drills:drill", args=[drill.id]) + (f"?{urlencode(given)}" if given else "")


def choice_rows(drawn: Drawn) -> tuple[ChoiceRow, ...]:
    """The sentences to choose from, without which is the one."""
    texts = [drawn.scene.fill(drawn.drill.choices[index].text) for index in drawn.order]
    return tuple(ChoiceRow(place, inline_html(text)) for place, text in enumerate(texts, 1))


def solved_rows(drawn: Drawn, typed: str) -> tuple[ChoiceRow, ...]:
    """The same with which is the one, and why."""
    rows = []
    for place, index in enumerate(drawn.order, 1):
        choice = drawn.drill.choices[index]
        text, why = drawn.scene.fill(choice.text), drawn.scene.fill(choice.why)
        rows.append(ChoiceRow(place, inline_html(text), typed == str(place), choice.key, inline_html(why)))
    return tuple(rows)


def graded(drawn: Drawn, worked: Worked, typed: str, *, given_up: bool) -> Verdict:
    """The verdict on a stored answer; what can no longer be read has none but wrong."""
    if given_up or not (drawn.drill.kind.typed or drawn.drill.kind.chosen):
        return Verdict(False)
    try:
        return verdict_at(drawn, worked, typed)
    except Unreadable:
        return Verdict(False)


def _answered(drill: Drill, drawn: Drawn, worked: Worked, attempt: Attempt) -> Answered:
    verdict = graded(drawn, worked, attempt.typed, given_up=attempt.given_up)
    opened, title, says = _opened(drill, attempt)
    return Answered(
        right=attempt.right,
        typed=attempt.typed,
        words=attempt.words,
        given_up=attempt.given_up,
        read=verdict.read if drill.kind.typed and verdict.read != attempt.typed else "",
        off=verdict.off_text,
        slip=attempt.slip,
        text=worked.text,
        given=worked.given,
        lines=worked.lines,
        worksheet=address_of(worked.worksheet) if worked.lines else "",
        consequence=inline_html(worked.consequence),
        why=inline_html(worked.why),
        choices=solved_rows(drawn, attempt.typed),
        beats=tuple(
            BeatRow(index, beat.at_s, inline_html(worked.scene.fill(beat.text)), beat.essential, index in attempt.ticks)
            for index, beat in enumerate(drill.beats)
        ),
        opener=opened,
        opener_title=title,
        opener_says=says,
        seconds=attempt.seconds if attempt.timed else None,
        over=bool(attempt.timed and (attempt.seconds or 0) > drill.seconds),
    )


def _opened(drill: Drill, attempt: Attempt) -> tuple[openers.Opened | None, str, SafeString]:
    design = selectors.design_of(drill) if drill.kind is Kind.OPENER else None
    if design is None:
        return None, "", SafeString("")
    try:
        found = openers.given_up(design) if attempt.given_up else openers.opened(attempt.typed, design)
    except Unreadable:
        found = openers.given_up(design)
    return found, design.step_title(found.step), design.step_consequence_html(found.step)
