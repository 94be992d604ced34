"""The mathematical functions: min, max, sqrt, ln, log2, exp, ceil, floor, round, abs."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from calculator.expressions.errors import ExpressionError
from calculator.expressions.limits import LARGEST, SMALLEST, within_limits
from calculator.expressions.units import Unit, labels_of
from calculator.expressions.values import Value, common_labels, mixed_of, raised


@dataclass(frozen=True)
class MathFunction:
    """A function of numbers; ``signature`` and ``summary`` are for the help beside a worksheet."""

    name: str
    signature: str
    summary: str
    apply: Callable[[Sequence[Value]], Value]


def _extreme(choose: Callable[[float, float], float]) -> Callable[[Sequence[Value]], Value]:
    def apply(values: Sequence[Value]) -> Value:
        if not values:
            raise ExpressionError("this function takes at least one argument", kind="value")
        best = values[0]
        for value in values[1:]:
            common_labels(best, value, "compare")
            if choose(best.number, value.number) != best.number:
                best = value
        return replace(best, mixed=mixed_of(*values))

    return apply


def _one(compute: Callable[[Value], Value]) -> Callable[[Sequence[Value]], Value]:
    def apply(values: Sequence[Value]) -> Value:
        if len(values) != 1:
            raise ExpressionError(f"this function takes one argument, not {len(values)}", kind="value")
        return compute(values[0])

    return apply


def _of_plain(compute: Callable[[float], float]) -> Callable[[Sequence[Value]], Value]:
    def apply(value: Value) -> Value:
        return Value.of(within_limits(compute(value.plain("the argument"))), Unit(), mixed=value.mixed)

    return _one(apply)


def _of_count(compute: Callable[[float], float]) -> Callable[[Sequence[Value]], Value]:
    """Whole numbers are of counts: 2.5 GiB rounds differently in GiB and in bytes, so it is refused."""

    def apply(value: Value) -> Value:
        if value.dimension:
            raise ExpressionError(
                f"rounding needs a plain number or a count, not {value.named()}: "
                "divide by a unit first, as in x / 1 GiB",
                kind="unit",
            )
        labels = Unit.of(labels_of(value.bases).items())
        return Value.in_base_units(compute(value.number), labels, mixed=value.mixed)

    return _one(apply)


def _logarithm(compute: Callable[[float], float]) -> Callable[[float], float]:
    def apply(number: float) -> float:
        if number <= 0:
            raise ExpressionError("a logarithm needs a number above 0", kind="value")
        return compute(number)

    return apply


def _exponential(number: float) -> float:
    if not math.log(SMALLEST) <= number <= math.log(LARGEST):
        raise ExpressionError(f"e to the power {number:g} is outside of the limits here", kind="limit")
    return math.exp(number)


def _square_root(value: Value) -> Value:
    if value.number < 0:
        raise ExpressionError("a negative number has no square root", kind="value")
    return raised(value, Value.of(0.5, Unit()))


def _magnitude(value: Value) -> Value:
    return value.negated() if value.number < 0 else value


def _round(number: float) -> float:
    """To the nearest whole number, halves away from 0 (as at a whiteboard, not to even)."""
    return math.copysign(math.floor(abs(number) + 0.5), number)


def _table() -> dict[str, MathFunction]:
    functions = (
        MathFunction("min", "min(a, b, ...)", "the smallest", _extreme(min)),
        MathFunction("max", "max(a, b, ...)", "the largest", _extreme(max)),
        MathFunction("sqrt", "sqrt(x)", "the square root, of the unit too", _one(_square_root)),
        MathFunction("ln", "ln(x)", "the natural logarithm of a plain number", _of_plain(_logarithm(math.log))),
        MathFunction("log2", "log2(x)", "the logarithm to base 2 of a plain number", _of_plain(_logarithm(math.log2))),
        MathFunction("exp", "exp(x)", "e to the power x, a plain number", _of_plain(_exponential)),
        MathFunction("ceil", "ceil(x)", "the next whole number up", _of_count(lambda number: float(math.ceil(number)))),
        MathFunction(
            "floor", "floor(x)", "the next whole number down", _of_count(lambda number: float(math.floor(number)))
        ),
        MathFunction("round", "round(x)", "the nearest whole number, halves away from 0", _of_count(_round)),
        MathFunction("abs", "abs(x)", "the size without the sign", _one(_magnitude)),
    )
    return {function.name: function for function in functions}


MATHEMATICS: Mapping[str, MathFunction] = MappingProxyType(_table())
