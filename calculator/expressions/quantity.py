"""A number with its unit, as names hold it and pages show it."""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Self

from calculator.expressions import showing
from calculator.expressions.errors import ExpressionError
from calculator.expressions.grammar import parse_unit
from calculator.expressions.limits import UNIT_CHARACTERS, within_limits
from calculator.expressions.source import source_of
from calculator.expressions.tokens import tokens_of
from calculator.expressions.units import Unit, base_of, labels_of
from calculator.expressions.words import LABELS

WHOLE_UP_TO = 1e6
"""Below this the whole part of a number is shown in full; above it powers of ten are."""


@lru_cache(maxsize=1024)
def unit_of(text: str) -> Unit:
    """The unit that ``text`` spells ("GiB", "TB/s", "USD/GPU-hour", "/s", "%", ""). Raises ExpressionError."""
    spelled = text.strip()
    if spelled.startswith("1/"):
        spelled = spelled[1:]
    if not spelled:
        return Unit()
    if len(spelled) > UNIT_CHARACTERS:
        raise ExpressionError(f"a unit has {UNIT_CHARACTERS} characters at most", kind="limit")
    source = source_of(f"1{spelled}" if spelled.startswith("/") else f"1 {spelled}")
    return parse_unit(tokens_of(source)[1:], source)


@dataclass(frozen=True)
class Quantity:
    """``value`` in base units (byte, FLOP, second, USD; a label counts as 1), shown in ``unit``.

    ``mixed`` tells that decimal (GB) and binary (GiB) bytes went into it.
    """

    value: float
    unit: str = ""
    mixed: bool = False

    def __post_init__(self) -> None:
        within_limits(self.value)
        object.__setattr__(self, "value", float(self.value))
        unit = str(unit_of(self.unit))
        if len(unit) > UNIT_CHARACTERS:
            raise ExpressionError(f"a unit has {UNIT_CHARACTERS} characters at most", kind="limit")
        object.__setattr__(self, "unit", unit)

    @classmethod
    def of(cls, magnitude: float, unit: str = "", *, mixed: bool = False) -> Self:
        """``magnitude`` counted in ``unit``."""
        return cls(magnitude * unit_of(unit).factor, unit, mixed)

    @property
    def magnitude(self) -> float:
        """The value counted in ``unit``."""
        return self.value / unit_of(self.unit).factor

    @property
    def dimension(self) -> str:
        """The dimension: "byte", "byte/second", "" for a plain number. Labels are left out: they count as 1."""
        return unit_of(self.unit).dimension

    def to(self, unit: str) -> "Quantity":
        """The same quantity shown in ``unit``. Raises ExpressionError("unit") if it is of another kind."""
        wanted = unit_of(unit)
        check_conversion(unit_of(self.unit), wanted)
        return Quantity(self.value, str(wanted), self.mixed)

    def readable(self) -> "Quantity":
        """The same quantity in the unit that reads best, near the present one: 0.000017 s is 17 µs."""
        unit = unit_of(self.unit)
        symbols = {base_of(symbol): symbol for symbol, _ in unit.powers}
        return Quantity(self.value, str(showing.chosen(self.value, unit.bases, symbols)), self.mixed)

    def text(self, digits: int = 3) -> str:
        """The number to ``digits`` significant digits and the unit: "40.0 GiB", "131,072 tokens", "23.0%"."""
        if not 1 <= digits <= 15:
            raise ValueError(f"digits must be from 1 to 15, not {digits}")
        unit = unit_of(self.unit)
        counts = not unit.dimension and self.unit not in ("%", "pp")
        number = number_text(self.magnitude, digits, counts=counts)
        if self.unit in LABELS and number not in ("1", "-1"):
            return f"{number} {_plural(self.unit)}"
        return joined(number, self.unit)


def check_conversion(have: Unit, wanted: Unit) -> None:
    """Refuse to show a quantity of unit ``have`` in ``wanted`` if dimensions or labels do not fit."""
    if have.dimension != wanted.dimension:
        raise ExpressionError(
            f"this is in {named(have)}, which cannot be shown in {named(wanted)}: "
            f"{spoken(have.dimension)} against {spoken(wanted.dimension)}",
            kind="unit",
        )
    ours, theirs = labels_of(have.bases), labels_of(wanted.bases)
    if not (ours.items() <= theirs.items() or theirs.items() <= ours.items()):
        raise ExpressionError(
            f"this is in {named(have)}, which cannot be shown in {named(wanted)}: the labels differ", kind="unit"
        )


def agrees(quantity: Quantity, claimed: Quantity, tolerance_share: float) -> bool:
    """Whether ``claimed`` is within ``tolerance_share`` of ``quantity`` (0.01 is 1%) and of the same dimension."""
    if not (math.isfinite(tolerance_share) and tolerance_share >= 0):
        raise ValueError(f"tolerance_share must be a finite number from 0, not {tolerance_share}")
    if quantity.dimension != claimed.dimension:
        return False
    return abs(claimed.value - quantity.value) <= tolerance_share * abs(quantity.value)


def named(unit: Unit) -> str:
    """The unit's symbol, or what a plain number is called."""
    return str(unit) or "plain numbers"


def spoken(dimension: str) -> str:
    """A dimension as said in a message."""
    return dimension or "no dimension"


def joined(number: str, unit: str) -> str:
    """A number and its unit side by side."""
    return number + unit if unit == "%" else f"{number} {unit}".rstrip()


def number_text(number: float, digits: int, *, counts: bool = False, separator: str = ",") -> str:
    """``number`` to ``digits`` significant digits; whole digits are never rounded away below a million.

    A count that is a whole number has no decimals. From a million on, powers of a thousand are split off ("70.6e9").
    """
    if counts and abs(number) < WHOLE_UP_TO and math.isclose(number, round(number), rel_tol=1e-9, abs_tol=1e-12):
        return f"{round(number):{separator}d}" if separator else str(round(number))
    if number == 0:
        return f"{0:.{digits - 1}f}"
    rounded = float(f"{number:.{digits - 1}e}")
    exponent = math.floor(math.log10(abs(rounded)))
    if -5 < exponent < 0 or (exponent >= 0 and abs(number) < WHOLE_UP_TO and abs(rounded) < WHOLE_UP_TO):
        return f"{number:{separator}.{max(digits - 1 - exponent, 0)}f}"
    if exponent < 0 or exponent >= 15:
        mantissa, _, ten_to = f"{number:.{digits - 1}e}".partition("e")
        return f"{mantissa}e{int(ten_to)}"
    power = exponent // 3 * 3
    return f"{rounded / 10**power:.{max(digits - 1 - (exponent - power), 0)}f}e{power}"


def _plural(label: str) -> str:
    spelled = {"tok": "tokens", "req": "requests", "seq": "sequences", "GPU": "GPUs", "query": "queries"}
    return spelled.get(label, f"{label}s")
