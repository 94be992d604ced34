"""The one error of the expression language."""

from typing import Literal

Kind = Literal["syntax", "name", "unit", "limit", "value"]


class ExpressionError(ValueError):
    """An expression that cannot be evaluated: what is wrong, in plain words, and at which column (counted from 1).

    ``kind`` is "syntax" (cannot be read), "name" (unknown or taken), "unit" (units do not fit), "limit" (too long, too
    deep, too large) or "value" (no such number: a division by zero, an argument outside of its range).
    """

    def __init__(self, message: str, *, kind: Kind, column: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.kind: Kind = kind
        self.column = column

    def at(self, column: int | None) -> "ExpressionError":
        """The same error, placed at ``column`` unless it has a place already."""
        if self.column is None:
            self.column = column
        return self
