"""A row's plot: expressions of one name over a range, as geometry for the template and as a table."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from calculator.charts import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, Tick
from calculator.expressions import Quantity, evaluate
from calculator.facts import catalogue_facts
from calculator.line_charts import Line, LineChart
from designs.quoted.sheets import Sheet

POINTS = 25
"""Points of a curve, and rows of its table."""
_TICKS = 6

type Axis = Callable[[float], float]


def plot_of(key: str, spec: Mapping[str, Any], sheet: Sheet) -> LineChart:
    """The chart that a row asks for. Raises: ExpressionError for a line that has no value somewhere in the range."""
    linear = spec.get("scale") == "linear"
    xs = _points(spec["from"], spec["to"], linear=linear)
    curves = [[_value(spec, line["expression"], x, sheet) for x in xs] for line in spec["lines"]]
    everything = [value for curve in curves for value in curve]
    x_axis, x_ticks = _axis(xs, LEFT, WIDTH - RIGHT, linear=linear, percent=spec.get("x_percent", False))
    low = [0.0] if linear else []
    y_axis, y_ticks = _axis([*low, *everything], HEIGHT - BOTTOM, TOP, linear=linear, above=1.08)
    return LineChart(
        key=key,
        title=spec["title"],
        text=spec["text"],
        x_title=spec["x_title"],
        y_title=spec["y_title"],
        x_ticks=x_ticks,
        y_ticks=y_ticks,
        lines=tuple(
            _line(line, [(x_axis(x), y_axis(y)) for x, y in zip(xs, curve, strict=True)])
            for line, curve in zip(spec["lines"], curves, strict=True)
        ),
        columns=(spec["x_title"].capitalize(), *(line["name"].capitalize() for line in spec["lines"])),
        rows=tuple(
            (_shown_x(x, spec), *(Quantity.of(curve[at], spec["y_unit"]).text() for curve in curves))
            for at, x in enumerate(xs)
        ),
    )


def _points(start: float, end: float, *, linear: bool) -> list[float]:
    """Even steps, or even factors of whole numbers."""
    shares = [step / (POINTS - 1) for step in range(POINTS)]
    if linear:
        return [start + share * (end - start) for share in shares]
    return sorted({float(round(start * (end / start) ** share)) for share in shares})


def _value(spec: Mapping[str, Any], expression: str, x: float, sheet: Sheet) -> float:
    names = {**sheet.derivation.names, spec["x"]: Quantity.of(x, "")}
    for step in spec.get("steps", ()):
        names[step["name"]] = evaluate(step["expression"], names=names, facts=catalogue_facts()).quantity
    return evaluate(expression, names=names, facts=catalogue_facts()).quantity.to(spec["y_unit"]).magnitude


def _shown_x(x: float, spec: Mapping[str, Any]) -> str:
    return f"{x:.1%}" if spec.get("x_percent") else f"{x:,.0f}"


def _axis(
    values: Sequence[float], start: float, end: float, *, linear: bool, percent: bool = False, above: float = 1.0
) -> tuple[Axis, tuple[Tick, ...]]:
    """Where a value lies in pixels, and the marks."""
    low, high = min(values), max(values) * above
    if not linear:
        low, high = low / above, high
    into: Axis = float if linear else math.log10

    def place(value: float) -> float:
        share = (into(value) - into(low)) / (into(high) - into(low))
        return round(start + share * (end - start), 1)

    marks = _even(low, high) if linear else _decades(low, high)
    return place, tuple(Tick(place(mark), f"{mark:.0%}" if percent else f"{mark:,g}") for mark in marks)


def _even(low: float, high: float) -> list[float]:
    """Steps of 1, 2 or 5 times a power of ten."""
    rough = (high - low) / _TICKS
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough)
    first = math.ceil(low / step - 1e-9)
    return [round(at * step, 10) for at in range(first, math.floor(high / step + 1e-9) + 1)]


def _decades(low: float, high: float) -> list[float]:
    """Powers of ten, and where there are few of them twos and fives as well."""
    steps = (1, 2, 5) if math.log10(high / low) < 2.2 else (1,)
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    return [step * 10.0**power for power in powers for step in steps if low <= step * 10.0**power <= high]


def _line(spec: Mapping[str, Any], points: Sequence[tuple[float, float]]) -> Line:
    """The line with its name over the end where the line falls away from it, unless the row says otherwise."""
    rises = points[-1][1] <= points[0][1]
    at_end = spec.get("label", "end" if rises else "start") == "end"
    x, y = points[-1 if at_end else 0]
    drawn = " ".join(f"{at_x},{at_y}" for at_x, at_y in points)
    anchor = "end" if at_end else "start"
    return Line(spec["name"], spec["kind"], drawn, x if at_end else x + 6, y + spec.get("label_dy", -8), anchor)
