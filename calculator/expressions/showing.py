"""Which unit a computed result is shown in.

It keeps the symbols that went into it, as long as the number stays between 0.1 (for seconds 1) and 1,000; otherwise it
moves along the same family: KiB, MiB, GiB; or KB, MB, GB; or ns to years. Bytes typed as plain B stay so below a
million, and token-seconds stay in seconds (GPU-seconds may become GPU-hours).
"""

from collections.abc import Mapping

from calculator.expressions.units import Unit, labels_of
from calculator.expressions.words import BINARY, BITS, COMPOUNDS, DECIMAL, DIMENSIONS, OPERATIONS, SCALED

_SHORT_TIMES = ("ns", "µs", "ms", "s")
_LONG_TIMES = (("s", 1e3), ("min", 7.2e3), ("h", 1.728e5), ("day", 6.31152e7))
_LADDERS = {
    **dict.fromkeys(BINARY, ("B", *BINARY)),
    **dict.fromkeys(("B", *DECIMAL), ("B", *DECIMAL)),
    **dict.fromkeys(("bit", *BITS), ("bit", *BITS)),
    **dict.fromkeys(("FLOP", *OPERATIONS), ("FLOP", *OPERATIONS)),
}


def chosen(number: float, bases: Mapping[str, int], symbols: Mapping[str, str]) -> Unit:
    """The unit to show ``number`` base units of ``bases`` in."""
    labels = labels_of(bases)
    dimensions = {symbol: bases[symbol] for symbol in DIMENSIONS if bases.get(symbol)}
    if not dimensions and not labels:
        return Unit.of([(symbols[""], 1)]) if "" in symbols and abs(number) <= 10 else Unit()
    names = {base: symbols.get(base, base) for base in (*dimensions, *labels)}
    if dimensions.get("FLOP", 0) > 0 and dimensions.get("B", 0) < 0:
        names.update(FLOP="FLOP", B="B")
    scaled = next(
        (base for base in ("B", "FLOP", "s") if dimensions.get(base) == 1 and base not in _fixed(dimensions)), None
    )
    if scaled == "s" and any(power > 0 and (label, "h") not in COMPOUNDS for label, power in labels.items()):
        scaled = None
        names["s"] = "s" if names["s"] in _SHORT_TIMES else names["s"]
    if scaled is not None:
        others = Unit.of((names[base], bases[base]) for base in names if base != scaled)
        names[scaled] = _rung(abs(number) / others.factor, scaled, names[scaled])
    ordered = sorted(names, key=lambda base: 1 if base == "s" else 2 if labels.get(base, 0) < 0 else 0)
    return Unit.of((names[base], bases[base]) for base in ordered)


def _fixed(dimensions: Mapping[str, int]) -> tuple[str, ...]:
    """Bases whose symbol stays as it is: an intensity is in FLOP/B, money is per the time that was typed."""
    if dimensions.get("FLOP", 0) > 0 and dimensions.get("B", 0) < 0:
        return ("FLOP", "B")
    return ("s",) if dimensions.get("USD", 0) > 0 else ()


def _rung(size: float, base: str, symbol: str) -> str:
    """The symbol of ``base`` in which ``size`` base units are well read, near ``symbol``."""
    top = 1024.0 if symbol in BINARY else 1e6 if symbol == "B" else 1000.0
    bottom = 1.0 if symbol == "s" else 0.1
    if size == 0 or bottom <= size / _factor(symbol) < top:
        return symbol
    if base == "s":
        return _time(size)
    fitting = [rung for rung in _LADDERS[symbol] if size / _factor(rung) >= 1]
    return fitting[-1] if fitting else _LADDERS[symbol][0]


def _time(size: float) -> str:
    if size < 1:
        fitting = [rung for rung in _SHORT_TIMES if size / _factor(rung) >= 1]
        return fitting[-1] if fitting else "ns"
    return next((symbol for symbol, below in _LONG_TIMES if size < below), "year")


def _factor(symbol: str) -> float:
    return SCALED[symbol][0] if symbol in SCALED else 1.0
