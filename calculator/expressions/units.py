"""Units as the language reads and shows them, over a registry of the product's own.

The registry starts empty: a units library's default knows no token, FLOP or USD, takes bytes as dimensionless and "pp"
for a length. Labels are dimensions to it, so that they are never lost; ``dimension`` leaves them out, since a label
counts as 1.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, cast

from calculator.expressions.words import COMPOUNDS, DIMENSIONS, LABELS, SCALED, SHARES

if TYPE_CHECKING:
    import pint

_REGISTRY_NAMES = {"%": "percent", "µs": "us"}


@cache
def registry() -> "pint.UnitRegistry[Any]":
    """The registry, built at first use."""
    import pint

    made: pint.UnitRegistry[Any] = pint.UnitRegistry(None)
    for symbol in (*DIMENSIONS, *sorted(LABELS)):
        made.define(f"{symbol} = [{symbol}]")
    for symbol, (factor, base) in SCALED.items():
        made.define(f"{_REGISTRY_NAMES.get(symbol, symbol)} = {factor!r} * {base}")
    for symbol, share in SHARES.items():
        made.define(f"{_REGISTRY_NAMES.get(symbol, symbol)} = {share!r}")
    return made


def base_of(symbol: str) -> str:
    """The base symbol that ``symbol`` scales: "B" for "GiB", "tok" for "Mtok", "" for a share."""
    if symbol in SHARES:
        return ""
    return SCALED[symbol][1] if symbol in SCALED else symbol


@dataclass(frozen=True)
class Unit:
    """A product of powers of symbols, in the order in which they are shown."""

    powers: tuple[tuple[str, int], ...] = ()

    @classmethod
    def of(cls, powers: Iterable[tuple[str, int]]) -> "Unit":
        """The product of ``powers``: a symbol that comes twice is gathered, one that cancels is gone."""
        gathered: dict[str, int] = {}
        for symbol, exponent in powers:
            gathered[symbol] = gathered.get(symbol, 0) + exponent
        return cls(tuple((symbol, exponent) for symbol, exponent in gathered.items() if exponent))

    @cached_property
    def _scaled(self) -> "tuple[float, dict[str, int]]":
        from pint.util import UnitsContainer

        container = UnitsContainer({_REGISTRY_NAMES.get(symbol, symbol): power for symbol, power in self.powers})
        factor, base = registry().get_base_units(registry().Unit(container), check_nonmult=False)
        return float(cast(float, factor)), {
            str(symbol): int(cast(int, power)) for symbol, power in (1 * base).unit_items()
        }

    @property
    def factor(self) -> float:
        """Base units in one of this unit."""
        return self._scaled[0]

    @property
    def bases(self) -> Mapping[str, int]:
        """Exponents of base symbols, labels among them."""
        return self._scaled[1]

    @property
    def dimension(self) -> str:
        """The dimension without labels: "byte/second", "FLOP/byte", "" for a plain number or a label."""
        return dimension_of(self.bases)

    def __str__(self) -> str:
        over = [(symbol, power) for symbol, power in self.powers if power > 0]
        under = [(symbol, -power) for symbol, power in self.powers if power < 0]
        return "·".join(_factors(over)) + "".join(f"/{factor}" for factor in _factors(under))


def _factors(powers: list[tuple[str, int]]) -> list[str]:
    shown: list[str] = []
    rest = list(powers)
    while rest:
        symbol, power = rest.pop(0)
        partner = next((other for other in rest if other[1] == power == 1 and _compound(symbol, other[0])), None)
        if partner is not None:
            rest.remove(partner)
            shown.append(str(_compound(symbol, partner[0])))
        else:
            shown.append(symbol if power == 1 else f"{symbol}^{power}")
    return shown


def _compound(first: str, second: str) -> str | None:
    return COMPOUNDS.get((first, second)) or COMPOUNDS.get((second, first))


def dimension_of(bases: Mapping[str, int]) -> str:
    """The name of the dimension with these exponents of base symbols; labels are left out."""
    over: list[str] = []
    under: list[str] = []
    for symbol, name in DIMENSIONS.items():
        power = bases.get(symbol, 0)
        if power:
            (over if power > 0 else under).append(name if abs(power) == 1 else f"{name}^{abs(power)}")
    return ("·".join(over) or ("1" if under else "")) + "".join(f"/{name}" for name in under)


def labels_of(bases: Mapping[str, int]) -> dict[str, int]:
    """The labels that a result keeps: one that multiplies bytes, FLOP or USD is dropped (8 GPU x 80 GiB is 640 GiB)."""
    counted = any(bases.get(symbol, 0) > 0 for symbol in ("B", "FLOP", "USD"))
    return {
        symbol: power for symbol, power in bases.items() if symbol in LABELS and power and not (counted and power > 0)
    }
