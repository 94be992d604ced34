"""A topic's curves as geometry: lines over linear or logarithmic axes, and the table with the same figures."""

import math
from collections.abc import Sequence

from calculator.charts import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, Scale, Tick
from calculator.core.text import digits
from calculator.expressions import Quantity
from calculator.expressions.quantity import WHOLE_UP_TO, number_text
from calculator.line_charts import Line, LineChart
from calculator.topic_plots import Curve, Curves

KINDS = ("expected", "peak", "second", "third")
_SMALLEST_SHARE = 1e-6
"""On a logarithmic axis, values below this part of the largest are left out: they would flatten all others."""


class LinearScale(Scale):
    """A linear axis."""

    def __init__(self, low: float, high: float, start: float, end: float) -> None:
        self.low, self.high, self.start, self.end = low, high, start, end

    def __call__(self, value: float) -> float:
        return round(self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start), 1)


def topic_chart(found: Curves) -> LineChart:
    """The plot as a chart with its table."""
    plot = found.plot
    shown = [value for curve in found.curves for value in curve.values if value is not None]
    largest = max((abs(value) for value in shown), default=1.0)
    log_y = plot.log_y and largest > 0
    floor = largest * _SMALLEST_SHARE if log_y else -math.inf
    x = _scale(list(found.x), plot.log_x, LEFT, WIDTH - RIGHT, margin=False)
    y = _scale([value for value in shown if value >= floor and (value > 0 or not log_y)], log_y, HEIGHT - BOTTOM, TOP)
    labels = _label_heights([_last(curve, y, floor) for curve in found.curves])
    lines = [
        _line(curve, found, x, y, floor, KINDS[index % len(KINDS)], label)
        for index, (curve, label) in enumerate(zip(found.curves, labels, strict=True))
    ]
    dots = tuple((x(flip.x), y(flip.y), x_text(flip.x)) for flip in found.flips if flip.y >= floor)
    if dots:
        lines.append(Line("", "level", "", 0, 0, "start", dots))
    unit = f", {found.x_unit}" if found.x_unit else ""
    return LineChart(
        plot.id,
        plot.title,
        plot.text,
        f"{found.x_title}{unit}",
        plot.y_title,
        _ticks(x, plot.log_x),
        _ticks(y, log_y),
        tuple(lines),
        (f"{found.x_title}{unit}", *(curve.title for curve in found.curves)),
        tuple(
            (x_text(place), *(_text(curve, curve.values[index]) for curve in found.curves))
            for index, place in enumerate(found.x)
        ),
    )


def flip_texts(found: Curves) -> list[str]:
    """Each crossing in words."""
    titles = {curve.id: curve.title for curve in found.curves}
    unit = f" {found.x_unit}" if found.x_unit else ""
    said = [f"{titles[one.first]} meets {titles[one.second]} at {x_text(one.x)}{unit}." for one in found.flips]
    return [text[0].upper() + text[1:] for text in said]


def x_text(value: float) -> str:
    """A place on the axis of x: whole numbers in full, others to three digits."""
    if value == round(value) and abs(value) < WHOLE_UP_TO:
        return f"{value:,.0f}"
    return number_text(value, 3) if abs(value) >= WHOLE_UP_TO else f"{float(f'{value:.3g}'):,.10g}"


def _text(curve: Curve, value: float | None) -> str:
    return "–" if value is None else Quantity.of(value, curve.unit).text(curve.digits)


def _scale(values: Sequence[float], log: bool, start: float, end: float, *, margin: bool = True) -> Scale:
    if log:
        low, high = (min(values) / 1.15, max(values) * 1.15) if margin else (min(values), max(values))
        if high / low < (4 if margin else 1.01):
            middle = math.sqrt(low * high)
            low, high = middle / 2, middle * 2
        return Scale(low, high, start, end)
    low, high = min([*values, *([0.0] if margin else [])], default=0.0), max(values, default=1.0)
    high += (high - low) * 0.05 if margin else 0
    return LinearScale(low, high if high > low else low + 1, start, end)


def _ticks(scale: Scale, log: bool) -> tuple[Tick, ...]:
    if log:
        low, high, span = 10**scale.low, 10**scale.high, scale.high - scale.low
        every = max(1, math.ceil(span / 8))
        steps = (1, 2, 5) if span < 2.2 else (1,)
        powers = range(math.floor(scale.low), math.ceil(scale.high) + 1)
        marks = [step * 10.0**power for power in powers if power % every == 0 for step in steps]
        return tuple(Tick(scale(mark), _tick(mark)) for mark in marks if low <= mark <= high)
    size = 10.0 ** math.floor(math.log10((scale.high - scale.low) / 4))
    step = next(size * part for part in (1, 2, 5, 10) if (scale.high - scale.low) / (size * part) <= 6)
    first, last = math.ceil(scale.low / step - 1e-9), math.floor(scale.high / step + 1e-9)
    return tuple(Tick(scale(count * step), _tick(round(count * step, 12))) for count in range(first, last + 1))


def _tick(mark: float) -> str:
    if mark and not 1e-3 <= abs(mark) < 1e7:
        return f"{mark:.0e}".replace("e+0", "e").replace("e-0", "e-").replace("e+", "e")
    return f"{mark:,.7g}" if abs(mark) >= 1 else digits(mark, 2).rstrip("0").rstrip(".") if mark else "0"


def _placed(curve: Curve, x: Sequence[float], floor: float) -> list[tuple[float, float]]:
    return [
        (place, value)
        for place, value in zip(x, curve.values, strict=True)
        if value is not None and value >= floor and (floor < 0 or value > 0)
    ]


def _last(curve: Curve, y: Scale, floor: float) -> float | None:
    values = [value for value in curve.values if value is not None and value >= floor and (floor < 0 or value > 0)]
    return y(values[-1]) if values else None


def _label_heights(wanted: Sequence[float | None]) -> list[float]:
    """Heights of the lines' names, at least a line of text apart, from the top down."""
    heights = [0.0] * len(wanted)
    lowest = float(TOP) - 15
    order = sorted((at, index) for index, at in enumerate(wanted) if at is not None)
    for at, index in order:
        heights[index] = max(at - 7, lowest + 15)
        lowest = heights[index]
    over = lowest - (HEIGHT - BOTTOM - 6)
    return [height - over if over > 0 else height for height in heights]


def _line(curve: Curve, found: Curves, x: Scale, y: Scale, floor: float, kind: str, label_y: float) -> Line:
    placed = [(x(place), y(value)) for place, value in _placed(curve, found.x, floor)]
    points = " ".join(f"{at_x},{at_y}" for at_x, at_y in placed)
    level = len({value for value in curve.values if value is not None}) <= 1
    name = curve.title if placed else ""
    return Line(name, "level" if level else kind, points, WIDTH - RIGHT, label_y, "end")
