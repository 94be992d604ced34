"""A worksheet: lines of ``name = expression``, read from the top."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from calculator.expressions.errors import ExpressionError
from calculator.expressions.evaluation import Evaluated, evaluate
from calculator.expressions.known import Facts
from calculator.expressions.limits import WORKSHEET_LINES
from calculator.expressions.naming import check_name
from calculator.expressions.quantity import Quantity

_WORD = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_ASSIGNMENT = re.compile(r"([^=()]*)=(?!=)(.*)", re.DOTALL)


@dataclass(frozen=True)
class WorksheetLine:
    """One line. A blank line or a comment has neither ``evaluated`` nor ``error``; any other has one of the two."""

    number: int
    source: str
    name: str | None = None
    expression: str | None = None
    evaluated: Evaluated | None = None
    error: ExpressionError | None = None


def evaluate_worksheet(text: str, *, names: Mapping[str, Quantity] | None = None, facts: Facts) -> list[WorksheetLine]:
    """Every line of ``text`` with its value or its error. An error stays on its line and on those that build on it."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n", WORKSHEET_LINES)
    sheet = _Sheet(dict(names or {}), facts, lines[:WORKSHEET_LINES])
    evaluated = [sheet.line(number, source) for number, source in enumerate(lines[:WORKSHEET_LINES], start=1)]
    if len(lines) > WORKSHEET_LINES and lines[WORKSHEET_LINES].strip():
        error = ExpressionError(
            f"a worksheet has {WORKSHEET_LINES} lines; nothing from here on is evaluated", kind="limit"
        )
        evaluated.append(WorksheetLine(WORKSHEET_LINES + 1, lines[WORKSHEET_LINES].split("\n", 1)[0], error=error))
    return evaluated


class _Sheet:
    def __init__(self, names: dict[str, Quantity], facts: Facts, lines: list[str]) -> None:
        self.names = names
        self.given = frozenset(names)
        self.facts = facts
        self.defined: dict[str, int] = {}
        self.broken: dict[str, int] = {}
        self.later = _first_definitions(lines)

    def line(self, number: int, source: str) -> WorksheetLine:
        """The line with its value or error."""
        code = source.split("#", 1)[0]
        if not code.strip():
            return WorksheetLine(number, source)
        name, expression, start = split(code)
        try:
            if name is not None:
                self._check_free(name, number)
            evaluated = self._evaluate(expression, number)
        except ExpressionError as error:
            if error.column is not None and not isinstance(error, _InName):
                error.column += start
            if name is not None and name not in self.defined and name not in self.given:
                self.defined[name] = self.broken[name] = number
            return WorksheetLine(number, source, name, expression, error=error)
        if name is not None:
            self.names[name] = evaluated.quantity
            self.defined[name] = number
        return WorksheetLine(number, source, name, expression, evaluated)

    def _check_free(self, name: str, number: int) -> None:
        try:
            check_name(name, self.facts)
        except ExpressionError as error:
            raise _InName(error.message, kind=error.kind, column=1) from None
        if name in self.given:
            raise _InName(f"'{name}' is given: choose another name", kind="name", column=1)
        if name in self.defined:
            raise _InName(
                f"'{name}' is defined in line {self.defined[name]} already: choose another name", kind="name", column=1
            )

    def _evaluate(self, expression: str, number: int) -> Evaluated:
        try:
            return evaluate(expression, names=self.names, facts=self.facts)
        except ExpressionError as error:
            raise self._explained(error, expression, number) from None

    def _explained(self, error: ExpressionError, expression: str, number: int) -> ExpressionError:
        """A name that has failed above or is defined below is said to be so, rather than to be unknown."""
        if error.kind not in ("name", "unit") or error.column is None:
            return error
        word = _WORD.match(expression, error.column - 1)
        if word is None or word.group() in self.names:
            return error
        name = word.group()
        if name in self.broken:
            return ExpressionError(
                f"'{name}' has an error (line {self.broken[name]})", kind="name", column=error.column
            )
        if self.later.get(name, 0) > number:
            message = f"'{name}' is defined below (line {self.later[name]}): lines are read from the top"
            return ExpressionError(message, kind="name", column=error.column)
        return error


class _InName(ExpressionError):
    """An error about the name of a line: its column counts from the start of the line."""


def split(code: str) -> tuple[str | None, str, int]:
    """The name of a line (None for a bare expression), its expression, and the characters before the expression."""
    assignment = _ASSIGNMENT.match(code)
    if assignment is None:
        start = len(code) - len(code.lstrip())
        return None, code.strip(), start
    rest = assignment.group(2)
    return assignment.group(1).strip(), rest.strip(), assignment.start(2) + len(rest) - len(rest.lstrip())


def _first_definitions(lines: list[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for number, line in enumerate(lines, start=1):
        name = split(line.split("#", 1)[0])[0]
        if name is not None:
            found.setdefault(name, number)
    return found
