"""What a design is, once its files have been read: plain frozen values, every text with its file and line."""

from collections.abc import Mapping
from dataclasses import dataclass, field

SECTION_NUMBERS = tuple(range(1, 11))
CRITIQUE_NUMBERS = tuple(range(1, 7))
ANCHORED_LINES = (1, 4, 5, 6, 7)
ANCHORED_LEVELS = (2, 3, 4)

DEFECT_CLASSES: dict[str, str] = {
    "arithmetic-never-done": "arithmetic never done",
    "control-loop-wrong-sign": "control loop with the wrong sign",
    "mechanism-needs-what-it-provides": "mechanism that needs the thing it provides",
    "guarantee-not-the-one-sold": "guarantee that is not the one sold",
    "identity-reused": "identity that can be reused",
    "policy-caller-must-declare": "policy the caller must declare",
    "threshold-on-unsized-resource": "threshold on an unsized resource",
    "statistic-without-interval": "statistical claim without an interval",
    "rule-with-no-path-to-yes": "rule with no path to yes",
    "alerting-that-will-be-muted": "alerting that will be muted",
    "other": "other",
}


@dataclass(frozen=True, order=True)
class Problem:
    """One thing that is wrong with a design, and where it stands. `line` is 0 when no line can be named."""

    file: str
    line: int
    message: str
    warning: bool = field(default=False, compare=False)

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.message}" if self.line else f"{self.file}: {self.message}"


@dataclass(frozen=True)
class Text:
    """A writer's text (Markdown, placeholders unfilled) and where its first line stands."""

    source: str
    file: str
    line: int = 1

    def __bool__(self) -> bool:
        return bool(self.source.strip())


@dataclass(frozen=True)
class Given:
    """A figure that the prompt states, or a sourced fact: `value` is an expression, its `id` a name for later ones."""

    id: str
    title: Text
    value: Text
    unit: str = ""
    digits: int | None = None
    source: str = ""
    date: str = ""


@dataclass(frozen=True)
class Step:
    """One step of the derivation. `part` says where it is shown: `s1` to `s10`, or `r1` to `r6` for a critique's.

    `also`, on the deciding step, names steps whose values a trainee may star as well (another MFU, say).
    """

    id: str
    title: Text
    expression: Text
    unit: str
    digits: int
    decides: Text
    formula: str = ""
    deciding: bool = False
    also: tuple[str, ...] = ()
    part: str = "s2"


@dataclass(frozen=True)
class Question:
    """A clarifying question, the words by which a typed one is known, and the interviewer's answer."""

    id: str
    ask: Text
    keywords: tuple[str, ...]
    answer: Text
    bait: bool


@dataclass(frozen=True)
class Section:
    number: int
    title: Text
    body: Text


@dataclass(frozen=True)
class Critique:
    """A hostile reading of one section's exact words, its revision, and what earns partial credit."""

    number: int
    title: Text
    defect_class: str
    class_name: str
    attacks: int
    quote: Text
    remedies: tuple[str, ...]
    critique: Text
    revision: Text
    partial: Text

    @property
    def class_title(self) -> str:
        """The defect class as a reader meets it; an `other` goes by the name of its own."""
        return self.class_name or DEFECT_CLASSES[self.defect_class]


@dataclass(frozen=True)
class Interjection:
    """What the interviewer throws in, and the points that a good 90-second answer holds."""

    id: str
    after_section: int
    say: Text
    points: tuple[Text, ...]
    changes_requirement: bool


@dataclass(frozen=True)
class Anchor:
    """A checkable statement of what a level of one rubric line says in this design."""

    line: int
    level: int
    id: str
    text: Text
    needs_figure: bool


@dataclass(frozen=True)
class Diagram:
    """Both drawings as Graphviz DOT, and the words that stand for them."""

    first_dot: Text
    revised_dot: Text
    first_text: Text
    revised_text: Text


@dataclass(frozen=True)
class Opened:
    """A part of the same design at altitude 2: what one section becomes when the interviewer says "open it up"."""

    number: int
    title: Text
    opens: int
    body: Text


@dataclass(frozen=True)
class Design:
    slug: str
    title: Text
    summary: Text
    why: Text
    order: int
    hard_parts: tuple[int, int]
    hard_part_titles: tuple[Text, Text]
    altitude: Text
    prompt: Text
    givens: tuple[Given, ...]
    steps: tuple[Step, ...]
    questions: tuple[Question, ...]
    sections: tuple[Section, ...]
    critiques: tuple[Critique, ...]
    interjections: tuple[Interjection, ...]
    anchors: tuple[Anchor, ...]
    diagram: Diagram
    opened: tuple[Opened, ...]
    sources: Text
    calculator: Mapping[str, str] = field(default_factory=dict)  # the calculator's inputs for the design's replica

    def section(self, number: int) -> Section | None:
        return next((section for section in self.sections if section.number == number), None)

    def critique(self, number: int) -> Critique | None:
        return next((critique for critique in self.critiques if critique.number == number), None)

    def question(self, id: str) -> Question | None:
        return next((question for question in self.questions if question.id == id), None)

    def interjection(self, id: str) -> Interjection | None:
        return next((interjection for interjection in self.interjections if interjection.id == id), None)
