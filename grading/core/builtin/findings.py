"""What the built-in critic finds."""

from dataclasses import dataclass

SAYS = {
    "absent_numbers": "stands neither in the worksheet nor in the text: {title}.",
    "off_lines": "Line {line_number} of the worksheet, {line_name}, comes to {own_text}.",
    "absent_remedies": "The worked design was attacked here for “{title}”: does yours stand?",
    "absent_figures": "This asks for a figure, and no number of yours is near it: {text}.",
}
"""What an attack says of one finding of each kind: by it an attack that was kept is known as that finding's."""


@dataclass(frozen=True)
class AbsentNumber:
    """A number of the derivation that stands neither in the worksheet nor in the text."""

    step_id: str
    title: str
    value_text: str
    expression: str
    with_numbers: str
    consequence: str
    deciding: bool


@dataclass(frozen=True)
class OffLine:
    """A worksheet line that works out a step of the derivation and is off by more than a tenth."""

    line_number: int
    line_name: str
    line_source: str
    own_text: str
    step_id: str
    title: str
    value_text: str
    ratio: float
    slip: str  # the likely slip of units: "GB against GiB"; "" when none is likely


@dataclass(frozen=True)
class AbsentRemedy:
    """A worked critique none of whose remedies stands in the submission, with the words looked for."""

    number: int
    title: str
    defect_class: str
    class_name: str
    attacks: int
    looked_for: tuple[str, ...]


@dataclass(frozen=True)
class AbsentFigure:
    """An anchor that asks for figures none of which stands in the submission."""

    anchor_id: str
    line: int
    level: int
    text: str


@dataclass(frozen=True)
class Unread:
    """The end of a part that is longer than what the built-in critic reads."""

    title: str
    characters: int
