"""What the pages of a design show. Built only for someone who may see it: `history.is_earned` is asked first."""

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.safestring import SafeString

from calculator.topics import topics
from designs.core.derivation import DerivedStep
from designs.core.document import Text
from designs.core.step_groups import StepGroup, step_groups
from designs.loaded import DIAGRAMS, LoadedDesign
from designs.mathml import formula_html
from grading.core.rubric import LINES

Link = Callable[[str], str]
"""From a step's id to the address of its worksheet."""


@dataclass(frozen=True)
class StepView:
    id: str
    link: str  # opens the step in the worksheet
    title: str
    formula: SafeString
    expression: str
    with_numbers: str
    value_text: str
    decides: SafeString
    deciding: bool


@dataclass(frozen=True)
class StepGroupView:
    """Steps under one heading: those that the text tells, and those that only lead up to them."""

    title: SafeString  # empty when the steps of this part need no groups
    told: tuple[StepView, ...]
    rest: tuple[StepView, ...]
    deciding: bool

    @property
    def count(self) -> int:
        return len(self.told) + len(self.rest)


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
    groups: tuple[StepGroupView, ...]
    givens: tuple[GivenView, ...]
    drawings: tuple[DrawingView, ...]
    hard_part: str  # the title of the hard part that this section is; "" for the others
    calculator: str  # the address of the calculator with the inputs of the design's replica; "" for none
    topics: tuple[tuple[str, str], ...]  # (slug, title) of the calculator's topics that the design turns on


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
    groups: tuple[StepGroupView, ...]


@dataclass(frozen=True)
class Reading:
    """A whole design, for the reading view."""

    sections: tuple[SectionView, ...]
    opened: tuple[tuple[int, str, SafeString], ...]
    critiques: tuple[CritiqueView, ...]
    questions: tuple[tuple[SafeString, SafeString, bool], ...]  # asked, answered, bait
    interjections: tuple[tuple[SafeString, tuple[SafeString, ...], bool, int], ...]  # said, points, for good, after
    anchors: tuple[tuple[str, tuple[tuple[int, SafeString], ...]], ...]  # line, (level, statement)


def reading_of(loaded: LoadedDesign, link: Link) -> Reading:
    """Everything of a design. The caller has made sure that it is earned."""
    design = loaded.design
    return Reading(
        sections=tuple(_section(loaded, section.number, link) for section in design.sections),
        opened=tuple((part.number, loaded.text(part.title), loaded.opened_html(part.number)) for part in design.opened),
        critiques=tuple(_critique(loaded, critique.number, link) for critique in design.critiques),
        questions=tuple((loaded.inline(q.ask), loaded.inline(q.answer), q.bait) for q in design.questions),
        interjections=tuple(
            (loaded.inline(i.say), tuple(map(loaded.inline, i.points)), i.changes_requirement, i.after_section)
            for i in design.interjections
        ),
        anchors=_anchors(loaded),
    )


def step_group_views(loaded: LoadedDesign, part: str, text: Text, link: Link) -> tuple[StepGroupView, ...]:
    """The steps shown with one part, `s1` to `r6`, in the groups that its Markdown `text` makes of them."""
    groups = step_groups(loaded.steps_of(part), text.source)
    return tuple(
        StepGroupView(
            title=_group_title(loaded, group) if len(groups) > 1 else SafeString(),
            told=tuple(_step(loaded, step, link) for step in group.told),
            rest=tuple(_step(loaded, step, link) for step in group.rest),
            deciding=group.deciding,
        )
        for group in groups
    )


def _group_title(loaded: LoadedDesign, group: StepGroup) -> SafeString:
    if group.heading:
        return loaded.inline(Text(group.heading, ""))
    return SafeString("Used elsewhere" if group.elsewhere else "The opening")


def _step(loaded: LoadedDesign, step: DerivedStep, link: Link) -> StepView:
    return StepView(
        id=step.id,
        link=link(step.id),
        title=loaded.step_title(step),
        formula=formula_html(step.formula) if step.formula else SafeString(),
        expression=step.expression,
        with_numbers=step.with_numbers,
        value_text=step.text,
        decides=loaded.step_consequence_html(step),
        deciding=step.deciding,
    )


def drawings_of(loaded: LoadedDesign) -> tuple[DrawingView, ...]:
    return tuple(
        DrawingView(which, title, loaded.diagram_html(which), loaded.diagram_words_html(which))
        for which, title in DIAGRAMS.items()
    )


def topics_of(slug: str) -> tuple[tuple[str, str], ...]:
    """(slug, title) of the calculator's topics that a design turns on."""
    return tuple((topic.slug, topic.title) for topic in topics().values() if slug in dict(topic.designs))


def _section(loaded: LoadedDesign, number: int, link: Link) -> SectionView:
    section = loaded.design.section(number)
    assert section is not None
    hard = dict(zip(loaded.design.hard_parts, loaded.hard_part_titles, strict=True))
    givens = loaded.derivation.givens if number == 2 else ()
    return SectionView(
        number=number,
        title=loaded.section_title(number),
        html=loaded.section_html(number),
        groups=step_group_views(loaded, f"s{number}", section.body, link),
        givens=tuple(GivenView(g.id, g.title, g.text, g.source, g.date) for g in givens),
        drawings=drawings_of(loaded)[:1] if number == 4 else (),
        hard_part=hard.get(number, ""),
        calculator=loaded.calculator_address if number == 2 else "",
        topics=topics_of(loaded.slug) if number == 2 else (),
    )


def _critique(loaded: LoadedDesign, number: int, link: Link) -> CritiqueView:
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
        groups=step_group_views(loaded, f"r{number}", critique.revision, link),
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
