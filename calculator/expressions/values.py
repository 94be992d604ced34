"""The arithmetic of quantities: a units library keeps the dimensions, this keeps labels, limits and how it is shown."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

from calculator.expressions import showing
from calculator.expressions.errors import ExpressionError
from calculator.expressions.limits import UNIT_EXPONENT, power, within_limits
from calculator.expressions.quantity import Quantity, named, spoken, unit_of
from calculator.expressions.units import Unit, base_of, dimension_of, labels_of, registry
from calculator.expressions.words import BINARY, BITS, DECIMAL, LABELS, SHARES

if TYPE_CHECKING:
    import pint


@dataclass(frozen=True)
class Value:
    """A quantity on the way: ``amount`` is in base units and labels.

    ``symbols`` remembers for each base the symbol that it was last written in, ``typed`` the whole unit as long as
    nothing has been computed with it.
    """

    amount: "pint.Quantity[Any]"
    symbols: Mapping[str, str]
    typed: Unit | None = None
    mixed: bool = False

    @classmethod
    def of(cls, number: float, unit: Unit, *, mixed: bool = False) -> "Value":
        """``number`` counted in ``unit``."""
        return cls.in_base_units(within_limits(number * unit.factor), unit, mixed=mixed)

    @classmethod
    def in_base_units(cls, number: float, unit: Unit, *, mixed: bool = False) -> "Value":
        """``number`` counted in base units, to be shown in ``unit``."""
        symbols = {base_of(symbol): symbol for symbol, _ in unit.powers}
        return cls(_amount(number, unit.bases), symbols, unit, mixed)

    @classmethod
    def from_quantity(cls, quantity: Quantity) -> "Value":
        """The value that a name or fact stands for."""
        return cls.in_base_units(quantity.value, unit_of(quantity.unit), mixed=quantity.mixed)

    @property
    def number(self) -> float:
        """The number in base units."""
        return float(self.amount.magnitude)

    @property
    def bases(self) -> dict[str, int]:
        """Exponents of base symbols, labels among them."""
        return _exponents(self.amount)

    @property
    def dimension(self) -> str:
        """The dimension without labels."""
        return dimension_of(self.bases)

    @property
    def unit(self) -> Unit:
        """The unit that this is shown in."""
        if self.typed is not None:
            return self.typed
        return showing.chosen(self.number, self.bases, self.symbols)

    def quantity(self) -> Quantity:
        """The quantity as a result."""
        return Quantity(self.number, str(self.unit), self.mixed)

    def named(self) -> str:
        """How a message names it: its unit and dimension."""
        dimension = self.dimension
        return f"{named(self.unit)} ({dimension})" if dimension else named(self.unit)

    def computed(self, symbols: Mapping[str, str]) -> "Value":
        """The same value as the result of a computation: its unit is chosen, starting from ``symbols``."""
        return replace(self, typed=None, symbols={**self.symbols, **symbols})

    def negated(self) -> "Value":
        return replace(self, amount=-self.amount)

    def plain(self, what: str) -> float:
        """The number, if it has no dimension. Labels count as 1."""
        if self.dimension:
            raise ExpressionError(f"{what} must be a plain number, not {self.named()}", kind="unit")
        return self.number


def added(left: Value, right: Value, sign: int = 1) -> Value:
    """The sum, or the difference with ``sign`` -1."""
    labels = common_labels(left, right, "add" if sign > 0 else "subtract")
    number = within_limits(left.number + sign * right.number)  # of one dimension, both in base units
    return Value(_amount(number, {**_without_labels(left.bases), **labels}), *_memory(left, right, keep_share=True))


def multiplied(left: Value, right: Value) -> Value:
    """The product."""
    product: Any = left.amount * right.amount
    return _combined(product, left, right, zero=left.number == 0 or right.number == 0)


def divided(left: Value, right: Value) -> Value:
    """The quotient."""
    if right.number == 0:
        raise ExpressionError("this is a division by zero", kind="value")
    if math.isinf(left.number / right.number):
        within_limits(math.inf)
    return _combined(left.amount / right.amount, left, right, zero=left.number == 0)


def raised(base: Value, exponent: Value) -> Value:
    """``base`` to the power ``exponent``, which is a plain number; a whole one where the base has a unit."""
    to = exponent.plain("an exponent")
    number = power(base.number, to)
    bases = base.bases
    powers = {symbol: power_ * to for symbol, power_ in bases.items()}
    if any(abs(power_) > UNIT_EXPONENT for power_ in powers.values()):
        raise ExpressionError(f"a unit's exponent is {UNIT_EXPONENT} at most", kind="limit")
    if any(power_ != int(power_) for power_ in _without_labels(powers).values()):
        raise ExpressionError(f"{base.named()} to the power {to:g} has no unit", kind="unit")
    if any(power_ != int(power_) for power_ in powers.values()):
        powers = _without_labels(powers)
    whole = {symbol: int(power_) for symbol, power_ in powers.items() if power_}
    return Value(_amount(number, whole), _kept(base.symbols, whole), None, base.mixed)


def common_labels(left: Value, right: Value, doing: str) -> dict[str, int]:
    """The labels of a sum or of what is compared. Refuses different dimensions, and labels that differ."""
    if left.dimension != right.dimension:
        raise ExpressionError(
            f"cannot {doing} {left.named()} and {right.named()}: "
            f"{spoken(left.dimension)} against {spoken(right.dimension)}",
            kind="unit",
        )
    ours, theirs = labels_of(left.bases), labels_of(right.bases)
    if ours and theirs and ours != theirs:
        raise ExpressionError(
            f"cannot {doing} {named(_only(ours))} and {named(_only(theirs))}: they count different things", kind="unit"
        )
    return ours or theirs


def mixed_of(*values: Value) -> bool:
    """Whether decimal and binary bytes meet in ``values``."""
    families = {_family(value.symbols.get("B")) for value in values} - {None}
    return len(families) > 1 or any(value.mixed for value in values)


def _combined(amount: "pint.Quantity[Any]", left: Value, right: Value, *, zero: bool) -> Value:
    number = within_limits(float(amount.magnitude))
    if number == 0 and not zero:
        within_limits(5e-324)
    bases = _exponents(amount)
    if any(abs(exponent) > UNIT_EXPONENT for exponent in bases.values()):
        raise ExpressionError(f"a unit's exponent is {UNIT_EXPONENT} at most", kind="limit")
    symbols, typed, mixed = _memory(left, right, keep_share=False)
    return Value(amount, _kept(symbols, bases), typed, mixed)


def _memory(left: Value, right: Value, *, keep_share: bool) -> tuple[dict[str, str], None, bool]:
    symbols = {**right.symbols, **left.symbols}
    if _family(symbols.get("B")) is None and "B" in right.symbols:
        symbols["B"] = right.symbols["B"]
    if not keep_share:
        symbols.pop("", None)
    return symbols, None, mixed_of(left, right)


def _kept(symbols: Mapping[str, str], bases: Mapping[str, int]) -> dict[str, str]:
    return {base: symbol for base, symbol in symbols.items() if bases.get(base)}


def _family(symbol: str | None) -> str | None:
    if symbol in BINARY:
        return "binary"
    return "decimal" if symbol in DECIMAL or symbol in BITS else None


def _exponents(amount: "pint.Quantity[Any]") -> dict[str, int]:
    return {str(symbol): int(cast(int, exponent)) for symbol, exponent in amount.unit_items()}


def _amount(number: float, bases: Mapping[str, int]) -> "pint.Quantity[Any]":
    return registry().Quantity(number, _pint_unit(tuple(bases.items())))


@lru_cache(maxsize=1024)
def _pint_unit(bases: tuple[tuple[str, int], ...]) -> "pint.Unit":
    from pint.util import UnitsContainer

    return registry().Unit(UnitsContainer(dict(bases)))


def _without_labels[Exponent: (int, float)](bases: Mapping[str, Exponent]) -> dict[str, Exponent]:
    return {symbol: exponent for symbol, exponent in bases.items() if symbol not in LABELS and symbol not in SHARES}


def _only(labels: Mapping[str, int]) -> Unit:
    return Unit.of(labels.items())
