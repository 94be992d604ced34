"""The worksheet evaluated: each line with its value or its error beside it."""

from dataclasses import dataclass

from calculator.expressions import WorksheetLine, evaluate_worksheet
from calculator.facts import catalogue_facts
from trainer.rounds.parts import WorksheetRow

EXPRESSION_LIMIT_CHARACTERS = 500
NAME_LIMIT_CHARACTERS = 64
UNIT_LIMIT_CHARACTERS = 64
DIGITS = 3


@dataclass(frozen=True)
class HeldLine:
    """A named line that has a value, as the star keeps it."""

    name: str
    expression: str
    value: float  # in base units
    unit: str


def lines_of(text: str) -> list[WorksheetLine]:
    """The lines of a worksheet, evaluated with the catalogue's facts by name."""
    return evaluate_worksheet(text, names={}, facts=catalogue_facts())


def rows_of(text: str, *, starred: str = "") -> tuple[WorksheetRow, ...]:
    """The lines as the page shows them."""
    lines = lines_of(text)
    held = _last_named(lines, starred)
    return tuple(_row(line, starred=line is held) for line in lines)


def held_line(text: str, name: str) -> HeldLine | None:
    """The last line of that name that has a value; none when there is none."""
    line = _last_named(lines_of(text), name)
    if line is None or line.evaluated is None:
        return None
    quantity = line.evaluated.quantity
    return HeldLine(
        name=name,
        expression=(line.expression or "")[:EXPRESSION_LIMIT_CHARACTERS],
        value=float(quantity.value),
        unit=quantity.unit[:UNIT_LIMIT_CHARACTERS],
    )


def _last_named(lines: list[WorksheetLine], name: str) -> WorksheetLine | None:
    named = [line for line in lines if name and line.name == name and line.evaluated is not None]
    return named[-1] if named else None


def _row(line: WorksheetLine, *, starred: bool) -> WorksheetRow:
    quantity = line.evaluated.quantity if line.evaluated else None
    return WorksheetRow(
        number=line.number,
        source=line.source,
        name=line.name or "",
        expression=line.expression or "",
        value_text=quantity.text(DIGITS) if quantity else "",
        with_numbers=line.evaluated.with_numbers if line.evaluated else "",
        mixed=bool(quantity and quantity.mixed),
        error=line.error.message if line.error else "",
        error_column=line.error.column if line.error else None,
        starred=starred,
    )
