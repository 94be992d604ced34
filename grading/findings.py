"""A critique of the built-in critic by the finding that it was made from: what it is called, and the step it shows."""

from collections.abc import Mapping
from typing import Any

from designs.core.derivation import DerivedStep
from designs.core.document import DEFECT_CLASSES
from designs.loaded import LoadedDesign
from grading.core import rubric
from grading.core.builtin.findings import SAYS
from grading.models import Critique, CritiqueItem

_MOST_QUOTED_CHARACTERS = 60


def finding_of(item: CritiqueItem) -> tuple[str, Mapping[str, Any]]:
    """The kind of the finding and the finding; ("", {}) of a model's critique."""
    if item.critique.kind != Critique.Kind.BUILTIN:
        return "", {}
    found = ((kind, one) for kind in SAYS for one in item.critique.report.get(kind, ()))
    return next(((kind, one) for kind, one in found if SAYS[kind].format(**one) in item.attack), ("", {}))


def class_name(item: CritiqueItem) -> str:
    """The defect class in words."""
    return item.class_name or DEFECT_CLASSES.get(item.defect_class, item.defect_class)


def heading_of(item: CritiqueItem) -> str:
    """What it is about. The built-in critic compares words, so it says what it looked for and accuses of no defect."""
    kind, found = finding_of(item)
    match kind:
        case "absent_numbers":
            return f"Not found: {found['title']}"
        case "off_lines":
            return f"Worksheet line {found['line_number']}, {found['line_name']}: another value"
        case "absent_remedies":
            return f"Asked of the worked design: {found['title']}"
        case "absent_figures":
            return f"No figure found: {found['text']}"
    return class_name(item)


def about(item: CritiqueItem) -> str:
    """What tells it from its neighbours of the same class: its rubric line, and the words that a model attacks."""
    line = f"line {item.rubric_line}, {rubric.line(item.rubric_line).name.lower()}" if item.rubric_line else ""
    kind, _ = finding_of(item)
    return line if kind else ": ".join(filter(None, [line, _short(item.quote)]))


def worked_step(item: CritiqueItem, loaded: LoadedDesign) -> DerivedStep | None:
    """The step of the worked design whose number the built-in critic shows."""
    if item.critique.kind != Critique.Kind.BUILTIN or not item.expression:
        return None
    return next((step for step in loaded.derivation.steps if step.expression == item.expression), None)


def _short(quote: str) -> str:
    """The quote's first words in quote marks; "" without one."""
    words = " ".join(quote.split())
    if len(words) > _MOST_QUOTED_CHARACTERS:
        words = f"{words[:_MOST_QUOTED_CHARACTERS].rsplit(' ', 1)[0]} …"
    return f"“{words}”" if words else ""
