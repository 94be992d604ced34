"""One critique or mutation as its page shows it: the words in their place, the case, the answer and what came of it."""

from datetime import datetime

from django.utils.safestring import SafeString

from designs.loaded import LoadedDesign
from designs.mathml import formula_html
from grading.core import rubric
from grading.core.case import Case
from grading.core.language import plain_text
from grading.core.submission import Submission
from grading.findings import finding_of, heading_of, worked_step
from grading.models import WAITING, CritiqueItem, Mutation, State
from grading.models import Asked as AskedRow
from grading.panel import work_said
from grading.parts import Asked, Excerpt, Reply
from grading.selectors import progress_of
from grading.services.misses import LINE_OF_MUTATIONS
from trainer.rounds.parts import AnchorText

NEAR_CHARACTERS = 240
_HOLDS = {"yes": "your answer holds", "partly": "your answer holds in part", "no": "your answer does not hold", "": ""}
KINDS: dict[str, type[CritiqueItem] | type[Mutation]] = {"critique": CritiqueItem, "mutation": Mutation}


def kind_of(row: AskedRow) -> str:
    """What the pages call it."""
    return "critique" if isinstance(row, CritiqueItem) else "mutation"


def asked_of(row: AskedRow, of: int, case: Case, loaded: LoadedDesign, now: datetime) -> Asked:
    """A row as it is shown. What helps to mark an answer is there once it was given."""
    answered = row.answered_at is not None
    closed = row.critique.closed_at is not None
    item = row if isinstance(row, CritiqueItem) else None
    line = (item.rubric_line or rubric.DECIDING_LINE) if item else LINE_OF_MUTATIONS
    remedy = finding_of(item)[1].get("number") if item and answered else None
    step = worked_step(item, loaded) if item else None
    return Asked(
        kind=kind_of(row),
        number=row.number,
        of=of,
        name=heading_of(row) if isinstance(row, CritiqueItem) else row.title,
        line_number=line,
        line_name=rubric.line(line).name,
        excerpt=excerpt_of(item, case.submission) if item else None,
        attack=row.attack if isinstance(row, CritiqueItem) else row.ask,
        scenario=item.scenario if item else "",
        formula=formula_html(step.formula) if step and step.formula else SafeString(),
        expression=item.expression if item and step is None else "",
        with_numbers=item.with_numbers if item else "",
        value_text=item.value_text if item else "",
        claimed_value=item.claimed_value if item else "",
        repaired=bool(item and item.repaired),
        answer=row.answer,
        answered_at=row.answered_at,
        reply=reply_of(row, now),
        mark=row.mark,
        may_answer=not answered and not closed,
        may_mark=answered and not closed and not row.mark and row.state not in WAITING,
        anchors=_anchors(case, line) if answered else (),
        remedy_number=remedy,
        argument_html=loaded.critique_html(remedy) if remedy else None,
        remedy_html=loaded.revision_html(remedy) if remedy else None,
    )


def excerpt_of(item: CritiqueItem, submission: Submission) -> Excerpt | None:
    """The attacked words in their place; None for a critique of what is absent."""
    part = submission.part(item.part_key)
    if part is None or item.start is None or item.end is None:
        return None
    before, words, after = part.text[: item.start], part.text[item.start : item.end], part.text[item.end :]
    return Excerpt(
        part_key=part.key,
        title=part.title,
        near_before=before[-NEAR_CHARACTERS:].lstrip("\n"),
        words=words,
        near_after=after[:NEAR_CHARACTERS].rstrip("\n"),
        before=before,
        after=after,
        cut_before=len(before) > NEAR_CHARACTERS,
        cut_after=len(after) > NEAR_CHARACTERS,
    )


def reply_of(row: AskedRow, now: datetime) -> Reply | None:
    """The model's reply; None where no model is asked."""
    if row.state == State.IDLE:
        return None
    progress = progress_of(row, now)
    shown = row.state == State.SHOWN
    return Reply(
        progress=progress,
        said="The model has replied." if shown else work_said(progress),
        text=plain_text(row.reply) if shown else "",
        holds=_HOLDS.get(row.holds, "") if shown else "",
    )


def _anchors(case: Case, line: int) -> tuple[AnchorText, ...]:
    return tuple(AnchorText(anchor.level, anchor.text) for anchor in case.anchors if anchor.line == line)
