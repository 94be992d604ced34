"""The worked design beside one's own: the deciding number, the sections read so far, the critiques shown so far."""

from datetime import timedelta

from django.urls import reverse

from designs.core.derivation import DerivedStep
from designs.loaded import LoadedDesign
from designs.markdown import to_html
from designs.reading import step_group_views
from designs.selectors import design_of
from trainer.rounds import deciding
from trainer.rounds.core import machine
from trainer.rounds.core.deadlines import CRITIQUE_ANSWER_S, CRITIQUES_S, FIRST_SENTENCE_S, deadline
from trainer.rounds.models import CritiqueAnswer, Document, Round
from trainer.rounds.parts import Critiques, CritiqueView, DecidingNumber, Drawing, Reveal, RevealedSection
from trainer.rounds.worksheet import DIGITS

_ARITHMETIC_SECTION = 2
_DRAWING_SECTION = 4
_LATER = "the design comes to this value later"


def reveal_of(round_: Round, loaded: LoadedDesign) -> Reveal:
    """The worked design up to the position that was reached."""
    reached = round_.reveal_position if round_.state == machine.REVEAL else machine.LAST_REVEAL_POSITION
    own = dict(Document.objects.filter(round=round_).values_list("key", "text"))
    done = round_.state == machine.DONE
    return Reveal(
        position=reached,
        last_position=machine.LAST_REVEAL_POSITION,
        deciding=_deciding(round_, loaded),
        sections=tuple(_section(round_, loaded, number, own[f"s{number}"]) for number in range(1, reached + 1)),
        revised_drawing=_drawing(loaded, "revised") if done else None,
    )


def critiques_of(round_: Round, loaded: LoadedDesign) -> Critiques:
    """The critiques up to the one being answered; a revision only beside an answer."""
    rows = list(round_.critique_answers.order_by("number"))
    assert round_.reveal_finished_at is not None
    return Critiques(
        total=len(loaded.design.critiques),
        soft_deadline_at=deadline(round_.reveal_finished_at, CRITIQUES_S, round_.extra_time_factor),
        earlier=tuple(_critique(row, loaded) for row in rows if row.mark),
        current=next((_critique(row, loaded) for row in rows if not row.mark), None),
    )


def revealed_step(round_: Round, id: str) -> tuple[LoadedDesign, frozenset[str]] | None:
    """The round's design and the steps of which no more than the value may be told; None before `id` is revealed.

    A section's steps are revealed with it, the deciding one when the reveal begins, a critique's with its answer.
    """
    if round_.state not in (machine.REVEAL, machine.CRITIQUE, machine.DONE):
        return None
    loaded = design_of(round_.design_version)
    step = loaded.derivation.step(id)
    reached = round_.reveal_position if round_.state == machine.REVEAL else machine.LAST_REVEAL_POSITION
    answered = round_.critique_answers.filter(answered_at__isnull=False).values_list("number", flat=True)
    shown = {*(f"s{number}" for number in range(1, reached + 1)), *(f"r{number}" for number in answered)}
    if step is None or (step.part not in shown and not step.deciding):
        return None
    shown.add(loaded.derivation.deciding.part)
    return loaded, frozenset(other.id for other in loaded.derivation.steps if other.part not in shown)


def _deciding(round_: Round, loaded: LoadedDesign) -> DecidingNumber:
    step = loaded.derivation.deciding
    own = deciding.own_quantity(round_)
    agreed, verdict = deciding.agreed_step(round_, loaded)
    return DecidingNumber(
        step_id=step.id,
        title=loaded.step_title(step),
        formula=step.formula,
        expression=step.expression,
        with_numbers=step.with_numbers,
        value_text=step.text,
        decides_html=to_html(loaded.step_consequence(step)),
        own_name=round_.deciding_line,
        own_expression=round_.deciding_expression,
        own_value_text=own.text(DIGITS) if own else "",
        own_starred_at=round_.deciding_starred_at,
        verdict=verdict.verdict,
        ratio=verdict.ratio,
        form=verdict.form,
        agrees_with="" if agreed is step else _as_good(agreed, loaded),
    )


def _as_good(step: DerivedStep, loaded: LoadedDesign) -> str:
    """Which step one's own number agrees with; a critique's own step is not named before its time."""
    return _LATER if step.part.startswith("r") else f"{loaded.step_title(step)}: {step.text}"


def _section(round_: Round, loaded: LoadedDesign, number: int, own_text: str) -> RevealedSection:
    section = loaded.design.section(number)
    assert section is not None
    return RevealedSection(
        number=number,
        title=loaded.section_title(number),
        html=loaded.section_html(number),
        own_text=own_text,
        drawing=_drawing(loaded, "first") if number == _DRAWING_SECTION else None,
        groups=step_group_views(
            loaded, f"s{number}", section.body, lambda id: reverse("rounds:step", args=[round_.pk, id])
        ),
        calculator=loaded.calculator_address if number == _ARITHMETIC_SECTION else "",
    )


def _drawing(loaded: LoadedDesign, which: str) -> Drawing:
    return Drawing(svg=loaded.diagram_html(which), text_html=loaded.diagram_words_html(which))


def _critique(row: CritiqueAnswer, loaded: LoadedDesign) -> CritiqueView:
    critique = loaded.design.critique(row.number)
    if critique is None:
        raise LookupError(f"the design {loaded.slug} has no critique {row.number}")
    answered = row.answered_at is not None
    return CritiqueView(
        number=row.number,
        title=loaded.critique_title(row.number),
        class_name=critique.class_title,
        attacks=critique.attacks,
        quote=loaded.critique_quote(row.number),
        html=loaded.critique_html(row.number),
        shown_at=row.shown_at,
        first_sentence_by=row.shown_at + timedelta(seconds=FIRST_SENTENCE_S),
        answer_by=row.shown_at + timedelta(seconds=CRITIQUE_ANSWER_S),
        first_sentence_at=row.first_sentence_at,
        answer=row.text,
        answered_at=row.answered_at,
        revision_html=loaded.revision_html(row.number) if answered else None,
        partial_html=loaded.partial_html(row.number) if answered else None,
        mark=row.mark,
    )
