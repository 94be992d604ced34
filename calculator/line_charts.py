"""Lines over logarithmic axes: throughput against latency, and the break-even bandwidth over prefix length."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from django.utils.safestring import SafeString, mark_safe

from calculator import catalogue
from calculator.charts import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, Scale, Tick, axes_svg
from calculator.core import prefix
from calculator.core.dtypes import dtype
from calculator.core.plan import Plan
from calculator.core.sweep import batches_up_to, load_curve
from calculator.core.text import digits, show
from calculator.core.units import GB, MS

TIERS = ("nvme_gen4", "pcie5", "infiniband_ndr")
"""Links that the break-even is compared with."""


@dataclass(frozen=True)
class Line:
    """One line: its points in pixels, and its name beside its last one. ``dots`` are points drawn one by one."""

    name: str
    kind: str
    points: str
    label_x: float
    label_y: float
    anchor: str
    dots: tuple[tuple[float, float, str], ...] = ()


@dataclass(frozen=True)
class LineChart:
    """A chart and the table with the same figures."""

    key: str
    title: str
    text: str
    x_title: str
    y_title: str
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    lines: tuple[Line, ...]
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def axes(self) -> SafeString:
        """Grid and ticks as SVG."""
        return axes_svg(self)  # type: ignore[arg-type]

    @property
    def rows_html(self) -> SafeString:
        """The body of the table."""
        return mark_safe("".join(map(_row, self.rows)))

    @property
    def lines_svg(self) -> SafeString:
        """Lines, their dots and names as SVG."""
        return mark_safe("".join(map(_drawn, self.lines)))

    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    top: int = TOP
    bottom: int = HEIGHT - BOTTOM


def _row(cells: Sequence[str]) -> str:
    first, *others = map(escape, cells)
    rest = "".join(f'<td class="num">{cell}</td>' for cell in others)
    return f'<tr><th scope="row">{first}</th>{rest}</tr>'


def _drawn(line: Line) -> str:
    parts = [f'<polyline class="chart-line chart-line-{line.kind}" points="{line.points}"/>']
    for x, y, name in line.dots:
        parts.append(f'<circle class="chart-point" cx="{x}" cy="{y}" r="5"/>')
        parts.append(f'<text class="chart-label" x="{x}" y="{y}" dy="20" text-anchor="middle">{escape(name)}</text>')
    if line.name:
        place = f'x="{line.label_x}" y="{line.label_y}" text-anchor="{line.anchor}"'
        parts.append(f'<text class="chart-label chart-label-{line.kind}" {place}>{escape(line.name)}</text>')
    return "".join(parts)


def _scale(values: Sequence[float], start: float, end: float) -> Scale:
    low, high = min(values) / 1.15, max(values) * 1.15
    if high / low < 4:
        middle = math.sqrt(low * high)
        low, high = middle / 2, middle * 2
    return Scale(low, high, start, end)


def _ticks(scale: Scale) -> tuple[Tick, ...]:
    """Decades, and where there are few of them twos and fives as well."""
    low, high = 10**scale.low, 10**scale.high
    steps = (1, 2, 5) if scale.high - scale.low < 2.2 else (1,)
    marks = [step * 10.0**power for power in range(math.floor(scale.low), math.ceil(scale.high) + 1) for step in steps]
    return tuple(Tick(scale(mark), f"{mark:,g}") for mark in marks if low <= mark <= high)


def load_chart(plan: Plan) -> LineChart | None:
    """Tokens per second of all users over the time that each waits for one; nothing when no sequence fits."""
    asked, largest = plan.inputs, plan.budget.max_batch
    if not largest:
        return None
    batches = sorted({*batches_up_to(largest), *([asked.batch] if asked.batch <= largest else [])})
    points = load_curve(asked, batches)
    x = _scale([point.tpot_s / MS for point in points], LEFT, WIDTH - RIGHT)
    y = _scale([point.tokens_per_s for point in points], HEIGHT - BOTTOM, TOP)
    placed = [(x(point.tpot_s / MS), y(point.tokens_per_s), point) for point in points]
    dots = tuple(
        (at_x, at_y, f"batch {point.batch:,}")
        for at_x, at_y, point in placed
        if point.batch in {1, asked.batch, largest}
    )
    last_x, last_y, _ = placed[-1]
    line = Line(
        "", "expected", " ".join(f"{at_x},{at_y}" for at_x, at_y, _ in placed), last_x, last_y - 10, "end", dots
    )
    return LineChart(
        "load",
        "Throughput against latency",
        "Output tokens per second of the replica over the time per output token, as the batch grows.",
        "ms per output token",
        "tok/s",
        _ticks(x),
        _ticks(y),
        (line,),
        ("Batch", "Time per output token", "For each sequence", "Output tokens per second"),
        tuple(
            (
                f"{point.batch:,}",
                show(point.tpot_s, "s"),
                f"{digits(1 / point.tpot_s)} tok/s",
                f"{digits(point.tokens_per_s)} tok/s",
            )
            for point in points
        ),
    )


def prefix_lengths(longest: int, count: int = 12) -> list[int]:
    """Lengths that double up to the model's own, from about 128 tokens."""
    lengths = [longest]
    while lengths[-1] >= 256 and len(lengths) < count:
        lengths.append(lengths[-1] // 2)
    return lengths[::-1]


def break_even_chart(plan: Plan) -> LineChart:
    """The bandwidth from which fetching a prefix beats computing it, over its length, beside what links give."""
    asked = plan.inputs
    lengths = prefix_lengths(asked.model.max_context_tokens)
    shares = sorted({asked.mfu, 1.0})
    peak = asked.gpu.dense_flops_per_s(dtype(asked.dtype))
    curves = [
        [
            prefix.prefix_break_even_bytes_per_s(asked.model, n, asked.gpus_of_a_copy, peak, share, asked.kv_dtype) / GB
            for n in lengths
        ]
        for share in shares
    ]
    tiers = [(link.name, link.bandwidth_bytes_per_s / GB) for link in map(catalogue.link, TIERS)]
    x = _scale(lengths, LEFT, WIDTH - RIGHT)
    everything = [value for curve in curves for value in curve] + [value for _, value in tiers]
    y = _scale(everything, HEIGHT - BOTTOM, TOP)
    lines = [_curve(f"MFU {share:.0%}", curve, lengths, x, y) for share, curve in zip(shares, curves, strict=True)]
    lines += [_level(name, value, y) for name, value in tiers]
    return LineChart(
        "break-even",
        "Break-even bandwidth over prefix length",
        "Above a curve fetching a cached prefix beats computing it again; the level lines are what one link gives.",
        "tokens of prefix",
        "GB/s",
        _ticks(x),
        _ticks(y),
        tuple(lines),
        ("Prefix", *(f"Break-even at MFU {share:.0%}" for share in shares), *(name for name, _ in tiers)),
        tuple(
            (
                f"{length:,} tokens",
                *(f"{digits(curve[index])} GB/s" for curve in curves),
                *(_which(value, curves[0][index], curves[-1][index]) for _, value in tiers),
            )
            for index, length in enumerate(lengths)
        ),
    )


def _curve(name: str, values: Sequence[float], lengths: Sequence[int], x: Scale, y: Scale) -> Line:
    points = " ".join(f"{x(length)},{y(value)}" for length, value in zip(lengths, values, strict=True))
    return Line(
        name, "expected" if name != "MFU 100%" else "peak", points, x(lengths[0]) + 6, y(values[0]) - 8, "start"
    )


def _level(name: str, value: float, y: Scale) -> Line:
    at = y(value)
    return Line(f"{name}, {digits(value)}", "level", f"{LEFT},{at} {WIDTH - RIGHT},{at}", WIDTH - RIGHT, at - 5, "end")


def _which(value: float, least: float, most: float) -> str:
    """What a link of this bandwidth makes best: between the two curves it depends on the utilisation reached."""
    if value >= most:
        return "fetch"
    return "fetch unless at the peak" if value >= least else "compute"
