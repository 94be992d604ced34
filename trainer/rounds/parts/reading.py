"""What is shown once the scores are given: the worked design beside one's own, and its critiques."""

from dataclasses import dataclass
from datetime import datetime

from django.utils.safestring import SafeString

from designs.reading import StepGroupView


@dataclass(frozen=True)
class DecidingNumber:
    """The design's deciding calculation beside the starred line of one's own worksheet."""

    step_id: str
    title: str
    formula: str
    expression: str
    with_numbers: str
    value_text: str
    decides_html: SafeString
    own_name: str  # "" when none was starred
    own_expression: str
    own_value_text: str  # "" when absent
    own_starred_at: datetime | None
    verdict: str  # "agrees" (within 10%), "off", "unit" (another dimension), "absent"
    ratio: float | None  # own over the design's, when they can be compared
    form: str  # "", "percent" (23 for 23%), "inverse" (4.3 of them to the whole)
    agrees_with: str  # the step that one's own number agrees with, when it is as good an answer as the deciding one


@dataclass(frozen=True)
class Drawing:
    """A diagram of the design, drawn when its version was stored. Show the words when the SVG is empty."""

    svg: SafeString
    text_html: SafeString  # the text alternative


@dataclass(frozen=True)
class RevealedSection:
    """A section of the worked design beside one's own."""

    number: int
    title: str
    html: SafeString
    own_text: str
    drawing: Drawing | None  # the first draft's, with section 4
    groups: tuple[StepGroupView, ...]  # the steps that belong to it
    calculator: str  # the address of the calculator with the replica's inputs, with section 2; "" for none


@dataclass(frozen=True)
class Reveal:
    """The worked design, read up to `position`: 0 is the deciding number, then sections 1 to 10."""

    position: int
    last_position: int
    deciding: DecidingNumber
    sections: tuple[RevealedSection, ...]  # 1 to `position`; the last one is the one being read
    revised_drawing: Drawing | None  # done only: the design after its six revisions

    @property
    def current(self) -> RevealedSection | None:
        """The section being read; none at position 0."""
        return self.sections[-1] if self.sections else None


@dataclass(frozen=True)
class CritiqueView:
    """A worked critique. The revision and what earns partial credit are there only once it was answered."""

    number: int
    title: str
    class_name: str
    attacks: int  # the section
    quote: str  # the attacked words, as the section says them
    html: SafeString
    shown_at: datetime
    first_sentence_by: datetime  # 90 s after it was shown
    answer_by: datetime  # 5 min after it was shown (soft)
    first_sentence_at: datetime | None
    answer: str
    answered_at: datetime | None
    revision_html: SafeString | None
    partial_html: SafeString | None
    mark: str  # "", "hit", "partial", "miss"

    @property
    def first_sentence_s(self) -> float | None:
        """Seconds from being shown to the first sentence."""
        if self.first_sentence_at is None:
            return None
        return (self.first_sentence_at - self.shown_at).total_seconds()


@dataclass(frozen=True)
class Critiques:
    """The critiques up to the present one."""

    total: int
    soft_deadline_at: datetime  # 30 min for all of them, with the extra time
    earlier: tuple[CritiqueView, ...]
    current: CritiqueView | None  # none once all are marked
