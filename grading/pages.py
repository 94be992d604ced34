"""The page of a critique: how it came about, six attacks and three mutations one at a time, the rubric, the close."""

from collections import Counter
from datetime import datetime

from designs.loaded import LoadedDesign
from designs.selectors import design_of
from grading.asked import asked_of, kind_of
from grading.cases import case_of
from grading.core.case import Case
from grading.findings import about, heading_of
from grading.models import WAITING, Critique, CritiqueItem, Mutation
from grading.models import Asked as AskedRow
from grading.panel import panel_of
from grading.parts import Asked, Closing, CriticPage, Finding, Head, Stop
from grading.rubric_table import rubric_table_of
from grading.selectors import cost_of, live_critique, results_open
from grading.services.ledger import usd
from trainer.accounts.models import User
from trainer.review.models import Card
from trainer.review.selectors import title_of
from trainer.rounds.core import machine
from trainer.rounds.models import Round
from trainer.rounds.parts import MissedCard

type At = tuple[str, int] | None
_CARD_KINDS = (Card.Kind.MODEL_CRITIQUE, Card.Kind.MUTATION)


def critic_page(round_: Round, user: User, now: datetime, at: At = None) -> CriticPage:
    """The page of a settled round's critique; its results only when they may be seen."""
    critique = live_critique(round_)
    page = CriticPage(
        round_id=round_.pk,
        slug=round_.slug,
        title=design_of(round_.design_version).title,
        state=round_.state,
        state_name=machine.STATE_NAMES[round_.state],
        panel=panel_of(round_, user, now),
    )
    if critique is None or not results_open(critique):
        return page
    case, loaded = case_of(round_)
    rows = rows_of(critique)
    current = _current(rows, at)
    return CriticPage(
        **{name: getattr(page, name) for name in ("round_id", "slug", "title", "state", "state_name", "panel")},
        head=_head(critique),
        findings=findings_of(critique),
        stops=tuple(_stop(row, row is current) for row in rows),
        current=_asked(current, rows, case, loaded, now) if current else None,
        rubric=rubric_table_of(critique, case),
        closing=_closing(critique, rows),
    )


def rows_of(critique: Critique) -> list[AskedRow]:
    """The critiques, then the mutations."""
    related = ("critique__round",)
    items = CritiqueItem.objects.filter(critique=critique).select_related(*related).order_by("number")
    return [*items, *Mutation.objects.filter(critique=critique).select_related(*related).order_by("number")]


def next_open(critique: Critique) -> At:
    """The first that is not marked yet; None when all are."""
    return next(((kind_of(row), row.number) for row in rows_of(critique) if not row.mark), None)


def _current(rows: list[AskedRow], at: At) -> AskedRow | None:
    if at is not None:
        return next((row for row in rows if (kind_of(row), row.number) == at), None)
    return next((row for row in rows if not row.mark), rows[0] if rows else None)


def _asked(row: AskedRow, rows: list[AskedRow], case: Case, loaded: LoadedDesign, now: datetime) -> Asked:
    return asked_of(row, sum(type(other) is type(row) for other in rows), case, loaded, now)


def _stop(row: AskedRow, current: bool) -> Stop:
    if row.mark:
        state = row.mark
    elif row.answered_at is None:
        state = "open"
    else:
        state = "waits for the reply" if row.state in WAITING else "to be marked"
    name, more = (heading_of(row), about(row)) if isinstance(row, CritiqueItem) else (row.title, "")
    return Stop(kind_of(row), row.number, name, more, state, current)


def _head(critique: Critique) -> Head:
    by_model = critique.kind == Critique.Kind.MODEL
    cost = cost_of(critique) if by_model else None
    return Head(
        kind=critique.kind,
        model_name=critique.model_name,
        prompt_version=critique.prompt_version,
        made_at=critique.ended_at,
        cost=cost,
        cost_text=usd(cost.cost_usd) if cost else "",
        drafted=critique.drafted,
        shown=critique.items.count(),
        repaired=critique.repaired,
        merged=critique.merged,
        surplus=critique.surplus,
        dropped=tuple(dropped["text"] for dropped in critique.dropped),
        reasons=tuple(Counter(dropped["reason"] for dropped in critique.dropped).most_common()),
    )


def findings_of(critique: Critique) -> tuple[tuple[str, tuple[Finding, ...]], ...]:
    """All that the built-in critic found, by kind; the kinds of which it found nothing are left out."""
    report = critique.report
    kinds = {
        "Numbers that stand nowhere": [
            Finding(f"{found['title']}: {found['value_text']}", "the deciding number" if found["deciding"] else "")
            for found in report.get("absent_numbers", ())
        ],
        "Worksheet lines off by more than 10%": [
            Finding(
                f"Line {found['line_number']}, {found['line_name']}: {found['own_text']}",
                f"{found['title']} is {found['value_text']}",
            )
            for found in report.get("off_lines", ())
        ],
        "Worked critiques whose remedy is not found": [
            Finding(
                f"The worked design was attacked for “{found['title']}”",
                f"looked for in your text: {', '.join(found['looked_for'])}",
            )
            for found in report.get("absent_remedies", ())
        ],
        "Statements of the rubric that ask for a figure": [
            Finding(found["text"], f"line {found['line']}, level {found['level']}")
            for found in report.get("absent_figures", ())
        ],
        "Text beyond what it reads": [
            Finding(found["title"], f"the last {found['characters']:,} characters of it")
            for found in report.get("unread", ())
        ],
    }
    return tuple((kind, tuple(found)) for kind, found in kinds.items() if found)


def _closing(critique: Critique, rows: list[AskedRow]) -> Closing:
    cards = Card.objects.filter(round=critique.round, user=critique.round.user_id, kind__in=_CARD_KINDS)
    return Closing(
        closed_at=critique.closed_at,
        unanswered=sum(row.answered_at is None for row in rows),
        unmarked=sum(row.answered_at is not None and not row.mark for row in rows),
        cards=tuple(
            MissedCard(id=card.pk, kind=card.kind, title=title_of(card), link=card.link, due_on=card.due_on)
            for card in cards.order_by("kind", "key")
        ),
    )
