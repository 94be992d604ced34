"""Charts as geometry: the template writes SVG from it, so that there is neither a script nor an inline style."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from django.utils.safestring import SafeString, mark_safe

from calculator.core import memory, roofline
from calculator.core.decode import decode_step
from calculator.core.inputs import Inputs
from calculator.core.plan import Plan
from calculator.core.text import digits, show

WIDTH, HEIGHT = 640, 380
LEFT, RIGHT, TOP, BOTTOM = 84, 32, 20, 52
BAR_WIDTH = 640


@dataclass(frozen=True)
class Point:
    """One operating point. ``x`` and ``y`` are pixels; ``anchor`` says on which side its label stands."""

    name: str
    kind: str
    intensity: float
    attainable_flops_per_s: float
    x: float
    y: float
    label_x: float
    label_y: float
    anchor: str

    @property
    def intensity_text(self) -> str:
        """For the table."""
        return f"{digits(self.intensity)} FLOP/B"

    @property
    def attainable_text(self) -> str:
        """For the table."""
        return show(self.attainable_flops_per_s, "FLOP/s")


@dataclass(frozen=True)
class Tick:
    """A mark on an axis."""

    at: float
    label: str


def axes_svg(chart: "Axes") -> SafeString:
    """Grid lines and tick labels of both axes. Plain strings of our own numbers: a template takes ten times as long."""
    parts = [
        f'<line class="chart-grid" x1="{tick.at}" x2="{tick.at}" y1="{chart.top}" y2="{chart.bottom}"/>'
        f'<text class="chart-tick" x="{tick.at}" y="{chart.bottom + 18}" text-anchor="middle">{tick.label}</text>'
        for tick in chart.x_ticks
    ]
    parts += [
        f'<line class="chart-grid" x1="{chart.left}" x2="{chart.right}" y1="{tick.at}" y2="{tick.at}"/>'
        f'<text class="chart-tick" x="{chart.left - 8}" y="{tick.at}" dy="4" text-anchor="end">{tick.label}</text>'
        for tick in chart.y_ticks
    ]
    return mark_safe("".join(parts))


class Axes(Protocol):
    """What axes need of a chart."""

    left: int
    right: int
    top: int
    bottom: int
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]


@dataclass(frozen=True)
class Roofline:
    """The log-log roofline of a replica with its operating points."""

    width: int
    height: int
    left: int
    right: int
    top: int
    bottom: int
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    roof: str
    ridge: Point
    points: tuple[Point, ...]

    @property
    def axes(self) -> SafeString:
        """Grid and ticks as SVG."""
        return axes_svg(self)  # type: ignore[arg-type]


def _label_place(kind: str, x: float, y: float) -> tuple[float, float, str]:
    """Where a label stands clear of the roof: below the slope, above it for the largest batch, over the flat part."""
    over = y - 14
    if kind == "prefill":
        return (x, over, "end") if x > WIDTH * 0.75 else (x, over, "middle")
    if kind == "most" and x > LEFT + 130:
        return round(x - 10, 1), round(y - 8, 1), "end"
    return round(x + 12, 1), round(y + 20, 1), "start"


class Scale:
    """A logarithmic axis."""

    def __init__(self, low: float, high: float, start: float, end: float) -> None:
        self.low, self.high, self.start, self.end = math.log10(low), math.log10(high), start, end

    def __call__(self, value: float) -> float:
        share = (math.log10(value) - self.low) / (self.high - self.low)
        return round(self.start + share * (self.end - self.start), 1)

    def decades(self) -> Iterable[int]:
        return range(math.ceil(self.low - 1e-9), math.floor(self.high + 1e-9) + 1)


def roofline_chart(plan: Plan) -> Roofline:
    """The roofline of the whole replica: bandwidth times intensity, up to the peak."""
    asked, timing = plan.inputs, plan.timing
    peak = timing.flops_per_s_per_gpu * asked.gpus
    bandwidth = asked.gpu.hbm_bandwidth_bytes_per_s * asked.gpus
    named = operating_points(plan)
    intensities = [timing.ridge, *(intensity for _, _, intensity in named)]
    low = 10 ** math.floor(math.log10(min(*intensities, 1)))
    high = 10 ** math.ceil(math.log10(max(intensities) * 2))
    floor = 10 ** math.floor(math.log10(low * bandwidth))
    x = Scale(low, high, LEFT, WIDTH - RIGHT)
    y = Scale(floor, 10 ** math.ceil(math.log10(peak * 1.2)), HEIGHT - BOTTOM, TOP)

    def point(name: str, kind: str, intensity: float) -> Point:
        reach = roofline.attainable_flops_per_s(intensity, peak, bandwidth)
        at_x, at_y = x(intensity), y(reach)
        label_x, label_y, anchor = _label_place(kind, at_x, at_y)
        return Point(name, kind, intensity, reach, at_x, at_y, label_x, label_y, anchor)

    return Roofline(
        width=WIDTH,
        height=HEIGHT,
        left=LEFT,
        right=WIDTH - RIGHT,
        top=TOP,
        bottom=HEIGHT - BOTTOM,
        x_ticks=tuple(Tick(x(10.0**power), f"{10.0**power:,g}") for power in x.decades()),
        y_ticks=tuple(Tick(y(10.0**power), _flops_label(10.0**power)) for power in y.decades()),
        roof=f"{x(low)},{y(low * bandwidth)} {x(timing.ridge)},{y(peak)} {x(high)},{y(peak)}",
        ridge=point("ridge", "ridge", timing.ridge),
        points=tuple(point(*one) for one in named),
    )


def operating_points(plan: Plan) -> list[tuple[str, str, float]]:
    """Name, kind and intensity of what the replica does: decode alone, as asked, at most, and prefill."""
    asked, most = plan.inputs, plan.budget.max_batch
    batches = sorted({1, asked.batch, *([most] if most else [])})
    points = []
    for batch in batches:
        kind = "asked" if batch == asked.batch else "most" if batch == most else "other"
        points.append((f"decode, batch {batch:,}", kind, decode_intensity(asked, batch)))
    moved = memory.weights_read_bytes(asked.model, asked.dtype, asked.prompt_len)
    points.append((f"prefill, {asked.prompt_len:,} tokens", "prefill", plan.timing.prefill.flops / moved))
    return points


def decode_intensity(asked: Inputs, batch: int) -> float:
    """FLOP per byte of a decode step at another batch."""
    step = decode_step(asked, -(-batch // asked.copies))
    return roofline.intensity_flops_per_byte(step.flops, step.bytes_read)


def _flops_label(flops_per_s: float) -> str:
    return (
        show(flops_per_s, "FLOP/s").replace(".00", "").replace(".0", "")
        if flops_per_s >= 1e12
        else (f"{flops_per_s / 1e9:,g} GFLOP/s")
    )


@dataclass(frozen=True)
class Segment:
    """A part of the memory bar; ``x`` and ``width`` are pixels of ``BAR_WIDTH``."""

    name: str
    kind: str
    size_bytes: float
    share: float
    x: float
    width: float

    @property
    def size_text(self) -> str:
        """For the table."""
        return show(self.size_bytes, "B")

    @property
    def share_text(self) -> str:
        """For the table."""
        return f"{self.share:.1%}"


def memory_bar(plan: Plan) -> tuple[Segment, ...]:
    """The memory of the replica in parts that sum to it; empty when the weights do not fit.

    With the simple budget that is the marketed memory, with an engine's what the framework sees of it.
    """
    budget, asked = plan.budget, plan.inputs
    if budget.kv_pool_bytes is None:
        return ()
    held = min(asked.batch, budget.max_batch) * budget.kv_bytes_per_sequence
    pool = [
        (f"KV cache of {min(asked.batch, budget.max_batch):,} sequences", "held", held),
        ("KV pool, free", "free", budget.kv_pool_bytes - held),
    ]
    parts = [("weights", "weights", budget.weights_bytes), *pool]
    if budget.parts:
        aside = [part for part in budget.parts if part.key not in {"weights", "kv_pool"}]
        kinds = {"not_granted": "kept", "rounding": "kept"}
        parts += [(part.title, kinds.get(part.key, "aside"), part.bytes_per_gpu * asked.gpus) for part in aside]
    else:
        parts.append(("kept back", "kept", asked.gpus * asked.gpu.memory_marketed_bytes - budget.usable_bytes))
    whole = sum(size for _, _, size in parts)
    segments, x = [], 0.0
    for name, kind, size in parts:
        width = size / whole * BAR_WIDTH
        segments.append(Segment(name, kind, size, size / whole, round(x, 2), round(width, 2)))
        x += width
    return tuple(segments)
