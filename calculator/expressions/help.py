"""What the language knows, as a worksheet's help panel lists it."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from calculator.expressions.formulas import formulas
from calculator.expressions.mathematics import MATHEMATICS
from calculator.expressions.words import BINARY, BITS, DECIMAL, LABELS, OPERATIONS, WORDS


@dataclass(frozen=True)
class FunctionHelp:
    """A function: its name, signature, one sentence, and the parts of its documentation (Formula, Symbols, ...)."""

    name: str
    signature: str
    summary: str
    doc: Mapping[str, str]


@dataclass(frozen=True)
class UnitHelp:
    """A unit as it is shown, the group it is listed in, and its other spellings."""

    symbol: str
    group: str
    spellings: tuple[str, ...]


def function_help() -> list[FunctionHelp]:
    """Every function: mathematics first, then the core's formulas by name."""
    plain = [FunctionHelp(one.name, one.signature, one.summary, MappingProxyType({})) for one in MATHEMATICS.values()]
    return plain + [
        FunctionHelp(one.name, one.signature, one.summary, one.doc) for _, one in sorted(formulas().items())
    ]


def unit_names() -> list[UnitHelp]:
    """Every unit, group by group."""
    groups = {
        "bytes": ("B", *DECIMAL, *BINARY),
        "bits (8 to a byte)": ("bit", *BITS),
        "operations": ("FLOP", *OPERATIONS),
        "time": ("ns", "µs", "ms", "s", "min", "h", "day", "week", "year"),
        "money": ("USD",),
        "shares": ("%", "pp"),
        "labels (count as 1)": (*sorted(LABELS), "ktok", "Mtok", "Btok", "Ttok"),
    }
    return [UnitHelp(symbol, group, _spellings(symbol)) for group, symbols in groups.items() for symbol in symbols]


def _spellings(symbol: str) -> tuple[str, ...]:
    return tuple(word for word, symbols in WORDS.items() if symbols == (symbol,) and word != symbol)
