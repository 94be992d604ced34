"""Placeholders in prose: every derived figure that a reader sees is put in here, none is typed."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from calculator.expressions import ExpressionError, Facts, evaluate
from designs.core.derivation import Derivation
from designs.core.document import Problem, Text

PLACEHOLDER = re.compile(r"\{\{([^{}\n]*)\}\}")
WITHHELD = "…"
_OPTIONS = re.compile(r"\s*(?P<unit>[^,]*?)\s*(?:,\s*(?P<digits>\d{1,2})\s*)?(?:,\s*(?P<number>number)\s*)?")
_NUMBER = re.compile(r"-?[\d,]+(\.\d+)?(e-?\d+)?")
_POWER = re.compile(r"(?<=\d)e(-?\d+)\b")
_NAMES = {"6": "million", "9": "billion", "12": "trillion"}
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class Placeholder:
    """`{{ expression -> unit, digits, number }}`; all behind the expression may be absent."""

    expression: str
    unit: str
    digits: int | None
    number_alone: bool


def fill(markdown: str, derivation: Derivation, *, facts: Facts) -> str:
    """Put every placeholder's value in its place. Raises: ExpressionError for one that has none."""
    return PLACEHOLDER.sub(lambda match: value_of(match.group(1), derivation, facts=facts), markdown)


def withheld(text: str) -> str:
    """The text with every figure that a placeholder would give shown as "…"."""
    return PLACEHOLDER.sub(WITHHELD, text)


def value_of(inner: str, derivation: Derivation, *, facts: Facts) -> str:
    """What stands between the braces, evaluated and written as asked. Raises: ExpressionError."""
    placeholder = read_placeholder(inner)
    plain = not (placeholder.unit or placeholder.digits or placeholder.number_alone)
    if plain and placeholder.expression in derivation.shown:
        return _spoken(derivation.shown[placeholder.expression])
    quantity = evaluate(placeholder.expression, names=derivation.names, facts=facts).quantity
    if placeholder.unit:
        quantity = quantity.to(placeholder.unit)
    text = quantity.text(placeholder.digits) if placeholder.digits else quantity.text()
    number = _NUMBER.match(text)
    return _spoken(number.group(0) if placeholder.number_alone and number else text)


def _spoken(text: str) -> str:
    """Powers of ten as a sentence has them: "70.6e9" is "70.6 billion", "1.1e20" is "1.1 × 10²⁰"."""
    return _POWER.sub(lambda match: f" {_NAMES.get(match[1]) or '× 10' + match[1].translate(_RAISED)}", text)


def read_placeholder(inner: str) -> Placeholder:
    """Raises: ExpressionError when what follows the arrow has not the form."""
    expression, _, options = inner.rpartition("->") if "->" in inner else (inner, "", "")
    match = _OPTIONS.fullmatch(options)
    if not expression.strip():
        raise ExpressionError("the placeholder is empty", column=None, kind="syntax")
    digits = int(match["digits"]) if match and match["digits"] else None
    if match is None or (digits is not None and not 1 <= digits <= 12):
        raise ExpressionError(
            f"after -> a placeholder takes a unit, 1 to 12 digits and the word number, not {options.strip()!r:.40}",
            column=None,
            kind="syntax",
        )
    return Placeholder(expression.strip(), match["unit"], digits, bool(match["number"]))


def placeholder_problems(text: Text, derivation: Derivation, *, facts: Facts) -> Iterator[Problem]:
    """What is wrong with the placeholders of one text: unbalanced braces, names and units that do not fit."""
    for offset, line in enumerate(text.source.split("\n")):
        rest = PLACEHOLDER.sub("", line)
        if "{{" in rest or "}}" in rest:
            yield Problem(text.file, text.line + offset, "a placeholder has one pair of braces too few")
        for match in PLACEHOLDER.finditer(line):
            try:
                value_of(match.group(1), derivation, facts=facts)
            except ExpressionError as error:
                yield Problem(text.file, text.line + offset, f"{match.group(0)}: {error.message}")
