"""A row's arithmetic: a worksheet worked out, the prose that is filled from it, and its address in the worksheet."""

from dataclasses import dataclass

from django.utils.safestring import SafeString

from calculator.expressions import Quantity, evaluate_worksheet
from calculator.facts import catalogue_facts
from calculator.views_worksheet import address_of
from designs.core.derivation import Derivation
from designs.core.prose import fill
from designs.markdown import to_html

LONGEST = 300
"""Characters of a line with its numbers put in that a page still shows."""


class SheetBroken(ValueError):
    """A line that does not evaluate, or a name that no line has."""


@dataclass(frozen=True)
class SheetLine:
    """One line with its value."""

    name: str
    expression: str
    with_numbers: str
    value: str

    @property
    def working(self) -> str:
        """The line with its numbers put in, where that is news and can still be read."""
        return self.with_numbers if self.with_numbers != self.expression and len(self.with_numbers) < LONGEST else ""


@dataclass(frozen=True)
class Sheet:
    """The text of a worksheet, its lines, and what its names stand for."""

    text: str
    lines: tuple[SheetLine, ...]
    derivation: Derivation

    @property
    def address(self) -> str:
        """Where the worksheet opens with this text."""
        return address_of(self.text)

    def quantity(self, name: str) -> Quantity:
        """Raises: SheetBroken when no line is called so."""
        if name not in self.derivation.names:
            raise SheetBroken(f"no line is called {name!r}")
        return self.derivation.names[name]

    def line(self, name: str) -> SheetLine:
        """Raises: SheetBroken when no line is called so."""
        self.quantity(name)
        return next(line for line in self.lines if line.name == name)

    def filled(self, prose: str) -> str:
        """The text with every placeholder filled. Raises: ExpressionError for one that has no value."""
        return fill(prose, self.derivation, facts=catalogue_facts())

    def html(self, prose: str) -> SafeString:
        """The same as HTML."""
        return to_html(self.filled(prose))


def work_out(text: str) -> Sheet:
    """Evaluate every line. Raises: SheetBroken with what is wrong, and where."""
    text = text.strip() + "\n"
    lines, names, shown = [], {}, {}
    for line in evaluate_worksheet(text, facts=catalogue_facts()):
        if line.error:
            raise SheetBroken(f"line {line.number}, {line.source!r}: {line.error.message}")
        if line.evaluated and line.name:
            quantity = line.evaluated.quantity
            names[line.name], shown[line.name] = quantity, quantity.text()
            expression = (line.expression or "").strip()
            lines.append(SheetLine(line.name, expression, line.evaluated.with_numbers, quantity.text()))
    return Sheet(text, tuple(lines), Derivation(names, shown, givens=(), steps=()))
