"""A design ready to be shown. Each method gives one part, so that who calls decides what is revealed."""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from django.urls import reverse
from django.utils.http import urlencode
from django.utils.safestring import SafeString, mark_safe

from calculator.expressions import Facts
from calculator.facts import catalogue_facts
from designs.core.derivation import Derivation, DerivedStep
from designs.core.document import Anchor, Design, Text
from designs.core.figures import footnotes
from designs.core.opened import opened
from designs.core.prose import fill, withheld
from designs.diagrams import DiagramRefused, draw
from designs.markdown import inline_html, to_html

DIAGRAMS = {"first": "First draft", "revised": "Revised"}


class NoSuchPart(LookupError):
    """The design has no part of that name or number."""


@dataclass(frozen=True, eq=False)
class LoadedDesign:
    """A parsed and derived design. `diagrams` holds the stored SVG of a version; drawn on demand when empty."""

    design: Design
    derivation: Derivation
    facts: Facts
    digest: str
    files: dict[str, str]
    used_facts: dict[str, Any]  # the facts of the catalogue that it was worked out with, as JSON
    diagrams: dict[str, str] = field(default_factory=dict)
    _html: dict[str, SafeString] = field(default_factory=dict, repr=False)

    @property
    def slug(self) -> str:
        return self.design.slug

    # Shown before anything is earned.

    @property
    def title(self) -> str:
        return self.text(self.design.title)

    @property
    def summary(self) -> str:
        return self.text(self.design.summary)

    @property
    def why(self) -> str:
        return self.text(self.design.why)

    @property
    def hard_part_titles(self) -> tuple[str, str]:
        first, second = self.design.hard_part_titles
        return self.text(first), self.text(second)

    def prompt_html(self) -> SafeString:
        return self._part("prompt", self.design.prompt)

    # One question's answer, once it was asked.

    def question_ask(self, id: str) -> str:
        return self.text(_found(self.design.question(id), f"question {id}").ask)

    def question_answer(self, id: str) -> str:
        return self.text(_found(self.design.question(id), f"question {id}").answer)

    def question_answer_html(self, id: str) -> SafeString:
        return inline_html(self.question_answer(id))

    # Anchors: the first form while scoring, the second from reveal on.

    def anchor_withheld(self, anchor: Anchor) -> str:
        return withheld(anchor.text.source)

    def anchor_revealed(self, anchor: Anchor) -> str:
        return self.text(anchor.text)

    # Interjections: what is said when it is thrown; the points from reveal on.

    def interjection_say(self, id: str) -> str:
        return self.text(_found(self.design.interjection(id), f"interjection {id}").say)

    def interjection_points(self, id: str) -> tuple[str, ...]:
        return tuple(self.text(point) for point in _found(self.design.interjection(id), f"interjection {id}").points)

    # The worked design, part by part.

    @property
    def calculator_address(self) -> str:
        """The calculator with the inputs of the design's replica; "" for a design that names none."""
        inputs = self.design.calculator
        return f"{reverse('calculator:page')}?{urlencode(inputs)}" if inputs else ""

    def worksheet_of(self, id: str, hidden: Collection[str] = ()) -> str:
        """A step and what it is worked out from, as the text of a worksheet. Raises: NoSuchPart."""
        step = _found(self.derivation.step(id), f"step {id}")
        title = " ".join(self.step_title(step).split())
        return f"# {title}\n{opened(self.derivation, id, facts=catalogue_facts(), hidden=hidden)}"

    def steps_of(self, part: str = "s2") -> tuple[DerivedStep, ...]:
        return self.derivation.steps_of(part)

    def step_consequence(self, step: DerivedStep) -> str:
        return fill(step.decides, self.derivation, facts=self.facts)

    def step_consequence_html(self, step: DerivedStep) -> SafeString:
        return inline_html(self.step_consequence(step))

    def step_title(self, step: DerivedStep) -> str:
        return fill(step.title, self.derivation, facts=self.facts)

    def section_title(self, number: int) -> str:
        return self.text(_found(self.design.section(number), f"section {number}").title)

    def section_html(self, number: int) -> SafeString:
        return self._part(f"s{number}", _found(self.design.section(number), f"section {number}").body)

    def opened_html(self, number: int) -> SafeString:
        opened = next((opened for opened in self.design.opened if opened.number == number), None)
        return self._part(f"a{number}", _found(opened, f"altitude-2 part {number}").body)

    def critique_title(self, number: int) -> str:
        return self.text(_found(self.design.critique(number), f"critique {number}").title)

    def critique_quote(self, number: int) -> str:
        return self.text(_found(self.design.critique(number), f"critique {number}").quote)

    def critique_html(self, number: int) -> SafeString:
        return self._part(f"r{number}", _found(self.design.critique(number), f"critique {number}").critique)

    def revision_html(self, number: int) -> SafeString:
        return self._part(f"r{number}-revision", _found(self.design.critique(number), f"critique {number}").revision)

    def partial_html(self, number: int) -> SafeString:
        return self._part(f"r{number}-partial", _found(self.design.critique(number), f"critique {number}").partial)

    def diagram_html(self, which: str) -> SafeString:
        """The SVG of the `first` or the `revised` diagram; empty when it cannot be drawn (show its words then)."""
        key = f"diagram-{which}"
        if key not in self._html:
            svg = self.diagrams.get(which) if self.diagrams else self.draw(which)
            self._html[key] = mark_safe(svg or "")
        return self._html[key]

    def diagram_words_html(self, which: str) -> SafeString:
        diagram = self.design.diagram
        return self._part(f"words-{which}", diagram.first_text if which == "first" else diagram.revised_text)

    def draw(self, which: str) -> str:
        """Draw a diagram anew; empty when its text cannot be drawn."""
        diagram = self.design.diagram
        dot, words = {
            "first": (diagram.first_dot, diagram.first_text),
            "revised": (diagram.revised_dot, diagram.revised_text),
        }[which]
        try:
            return draw(
                dot.source,
                title=f"{self.title}: {DIAGRAMS[which].lower()}",
                description=" ".join(self.text(words).split()),
                prefix=f"diagram-{which}",
            )
        except DiagramRefused:
            return ""

    def text(self, text: Text) -> str:
        """A writer's text with its figures put in, as plain text."""
        return fill(text.source, self.derivation, facts=self.facts).strip()

    def inline(self, text: Text) -> SafeString:
        return inline_html(self.text(text))

    def _part(self, key: str, text: Text) -> SafeString:
        if key not in self._html:
            markdown = fill(_with_sources(text, self.design.sources), self.derivation, facts=self.facts)
            self._html[key] = to_html(markdown, prefix=key)
        return self._html[key]


def _with_sources(text: Text, sources: Text) -> str:
    """The text with those shared footnotes that it refers to and does not define."""
    own = footnotes(text)
    wanted = [note for id, note in footnotes(sources).items() if f"[^{id}]" in text.source and id not in own]
    return "\n\n".join([text.source, *(f"[^{note.id}]: {note.text}" for note in wanted)])


def _found[T](part: T | None, what: str) -> T:
    if part is None:
        raise NoSuchPart(what)
    return part
