"""The bounds of the language. There are no loops in it, so these bound the time of an evaluation too."""

import math

from calculator.expressions.errors import ExpressionError

EXPRESSION_CHARACTERS = 2_000
TOKENS = 400
DEPTH = 32
ARGUMENTS = 24
NAME_CHARACTERS = 64
UNIT_CHARACTERS = 64
UNIT_EXPONENT = 12
WORKSHEET_LINES = 200
LARGEST = 1e100
SMALLEST = 1e-300


def within_limits(number: float, column: int | None = None) -> float:
    """``number``, if it is finite and of a size that the language holds. Raises ExpressionError("limit")."""
    if math.isnan(number):
        raise ExpressionError("this has no value: it is not a number", kind="value", column=column)
    if abs(number) > LARGEST:
        raise ExpressionError(f"this is larger than {LARGEST:.0e}, the limit here", kind="limit", column=column)
    if number and abs(number) < SMALLEST:
        raise ExpressionError(f"this is closer to 0 than {SMALLEST:.0e}, the limit here", kind="limit", column=column)
    return number


def power(base: float, exponent: float, column: int | None = None) -> float:
    """``base ** exponent``, judged by its logarithm before anything is computed."""
    if base == 0 and exponent < 0:
        raise ExpressionError("0 to a negative power is a division by zero", kind="value", column=column)
    if base < 0 and exponent != int(exponent):
        raise ExpressionError(
            f"a negative number to the power {exponent:g} has no real value", kind="value", column=column
        )
    if base and exponent:
        size = exponent * math.log10(abs(base))
        if not math.log10(SMALLEST) <= size <= math.log10(LARGEST):
            raise ExpressionError(
                f"this power is outside of {SMALLEST:.0e} to {LARGEST:.0e}, the limit here", kind="limit", column=column
            )
    return within_limits(math.pow(base, exponent), column)
