"""Numbers as people read them."""

from calculator.core.units import GB, GFLOP, GIB, KIB, MIB, MILLION, MS, PFLOP, TB, TFLOP, TIB, US

_SCALES: dict[str, tuple[tuple[float, str], ...]] = {
    "B": ((TIB, "TiB"), (GIB, "GiB"), (MIB, "MiB"), (KIB, "KiB")),
    "B/s": ((TB, "TB/s"), (GB, "GB/s")),
    "FLOP": ((PFLOP, "PFLOP"), (TFLOP, "TFLOP"), (GFLOP, "GFLOP")),
    "FLOP/s": ((PFLOP, "PFLOP/s"), (TFLOP, "TFLOP/s")),
    "s": ((1, "s"), (MS, "ms"), (US, "µs")),
    "params": ((1e9, "B"), (MILLION, "M")),
}
_COUNTS = {"tokens", "sequences", "GPUs"}


def digits(value: float, significant: int = 3) -> str:
    """A number with a few significant digits, thousands separated, without an exponent."""
    if value == 0:
        return "0"
    magnitude = len(str(int(abs(value)))) if abs(value) >= 1 else 0
    if magnitude >= significant:
        return f"{value:,.0f}"
    if magnitude:
        return f"{value:,.{significant - magnitude}f}"
    places = significant + f"{abs(value):.20f}"[2:].find(next(c for c in f"{abs(value):.20f}"[2:] + "1" if c != "0"))
    return f"{value:.{places}f}"


def show(value: float | None, unit: str, significant: int = 3) -> str:
    """A value in base units with the prefix that reads best: ``show(327680, "B")`` is ``320 KiB``."""
    if value is None:
        return "no answer"
    if unit in _COUNTS:
        noun = unit.removesuffix("s") if value == 1 else unit
        return f"{value:,.0f} {noun}"
    if unit == "USD":
        return f"{value:,.2f} USD"
    if unit == "%":
        return f"{digits(value * 100, significant)}%"
    for scale, name in _SCALES.get(unit, ()):
        if abs(value) >= scale:
            return f"{digits(value / scale, significant)} {name}"
    return f"{digits(value, significant)} {unit}".strip()
