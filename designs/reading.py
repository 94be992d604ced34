"""What the pages of a design show. Built only for someone who may see it: `history.is_earned` is asked first."""

from dataclasses import dataclass

from django.utils.safestring import SafeString

from designs.loaded import DIAGRAMS, LoadedDesign
from designs.mathml import formula_html
from grading.core.rubric import LINES


@dataclass(frozen=True)
class StepView:
    id: str
    title: str
    formula: SafeString
    expression: str
    with_numbers: str
    value_text: str
    decides: SafeString
    deciding: bool


@dataclass(frozen=True)
class GivenView:
    id: str
    title: str
    value_text: str
    source: str
    date: str


@dataclass(frozen=True)
class DrawingView:
    which: str
    title: str
    svg: SafeString
    words: SafeString


@dataclass(frozen=True)
class SectionView:
    number: int
    title: str
    html: SafeString
    steps: tuple[StepView, ...]
    givens: tuple[GivenView, ...]
    drawings: tuple[DrawingView, ...]
    hard_part: str  # the title of the hard part that this section is; "" for the others


@dataclass(frozen=True)
class CritiqueView:
    number: int
    title: str
    class_title: str
    attacks: int
    quote: str
    critique: SafeString
    revision: SafeString
    partial: SafeString
    steps: tuple[StepView, ...]


@dataclass(frozen=True)
class Reading:
    """A whole design, for the reading view."""

    sections: tuple[SectionView, ...]
    opened: tuple[tuple[int, str, SafeString], ...]
    critiques: tuple[CritiqueView, ...]
    questions: tuple[tuple[SafeString, SafeString, bool], ...]  # asked, answered, bait
    interjections: tuple[tuple[SafeString, tuple[SafeString, ...], bool, int], ...]  # said, points, for good, after
    anchors: tuple[tuple[str, tuple[tuple[int, SafeString], ...]], ...]  # line, (level, statement)


def reading_of(loaded: LoadedDesign) -> Reading:
    """Everything of a design. The caller has made sure that it is earned."""
    design = loaded.design
    return Reading(
        sections=tuple(_section(loaded, section.number) for section in design.sections),
        opened=tuple((part.number, loaded.text(part.title), loaded.opened_html(part.number)) for part in design.opened),
        critiques=tuple(_critique(loaded, critique.number) for critique in design.critiques),
        questions=tuple((loaded.inline(q.ask), loaded.inline(q.answer), q.bait) for q in design.questions),
        interjections=tuple(
            (loaded.inline(i.say), tuple(map(loaded.inline, i.points)), i.changes_requirement, i.after_section)
            for i in design.interjections
        ),
        anchors=_anchors(loaded),
    )


def step_views(loaded: LoadedDesign, part: str) -> tuple[StepView, ...]:
    """The steps shown with one part, in order."""
    return tuple(
        StepView(
            id=step.id,
            title=loaded.step_title(step),
            formula=formula_html(step.formula) if step.formula else SafeString(),
            expression=step.expression,
            with_numbers=step.with_numbers,
            value_text=step.text,
            decides=loaded.step_consequence_html(step),
            deciding=step.deciding,
        )
        for step in loaded.steps_of(part)
    )


def drawings_of(loaded: LoadedDesign) -> tuple[DrawingView, ...]:
    return tuple(
        DrawingView(which, title, loaded.diagram_html(which), loaded.diagram_words_html(which))
        for which, title in DIAGRAMS.items()
    )


def _section(loaded: LoadedDesign, number: int) -> SectionView:
    hard = dict(zip(loaded.design.hard_parts, loaded.hard_part_titles, strict=True))
    givens = loaded.derivation.givens if number == 2 else ()
    return SectionView(
        number=number,
        title=loaded.section_title(number),
        html=loaded.section_html(number),
        steps=step_views(loaded, f"s{number}"),
        givens=tuple(GivenView(g.id, g.title, g.text, g.source, g.date) for g in givens),
        drawings=drawings_of(loaded)[:1] if number == 4 else (),
        hard_part=hard.get(number, ""),
    )


def _critique(loaded: LoadedDesign, number: int) -> CritiqueView:
    critique = loaded.design.critique(number)
    assert critique is not None
    return CritiqueView(
        number=number,
        title=loaded.critique_title(number),
        class_title=critique.class_title,
        attacks=critique.attacks,
        quote=loaded.critique_quote(number),
        critique=loaded.critique_html(number),
        revision=loaded.revision_html(number),
        partial=loaded.partial_html(number),
        steps=step_views(loaded, f"r{number}"),
    )


def _anchors(loaded: LoadedDesign) -> tuple[tuple[str, tuple[tuple[int, SafeString], ...]], ...]:
    names = {line.number: line.name for line in LINES}
    lines = sorted({anchor.line for anchor in loaded.design.anchors})
    return tuple(
        (
            names[line],
            tuple(
                (anchor.level, loaded.inline(anchor.text))
                for anchor in sorted(loaded.design.anchors, key=lambda anchor: anchor.level)
                if anchor.line == line
            ),
        )
        for line in lines
    )
