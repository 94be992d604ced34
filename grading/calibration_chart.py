"""How sure one said to be against how often one was right, drawn beside the line on which both are the same."""

from collections.abc import Sequence

from calculator.charts import BOTTOM, HEIGHT, LEFT, RIGHT, WIDTH, Tick
from calculator.line_charts import Line, LineChart
from grading.core.agreement import CalibrationBin

_TOP = 40  # room for the name of the axis above its highest mark
_MARKS = (0, 20, 40, 60, 80, 100)
_COLUMNS = ("Said", "Scores", "Said, on average", "Within one level", "95% interval of that share")


def calibration_chart(key: str, name: str, bins: Sequence[CalibrationBin]) -> LineChart:
    """The curve over the ranges of confidence that hold scores; each with its count and its interval."""
    places = [(_x(found.mean_confidence), _y(100 * found.share)) for found in bins]
    dots = tuple((x, y, f"n = {found.n}") for (x, y), found in zip(places, bins, strict=True))
    same = Line("as sure as right", "level", f"{_x(0)},{_y(0)} {_x(100)},{_y(100)}", _x(30), _y(30) - 12, "end")
    intervals = [
        Line("", "interval", f"{x},{_y(100 * found.share_low)} {x},{_y(100 * found.share_high)}", x, 0, "start")
        for (x, _), found in zip(places, bins, strict=True)
    ]
    curve = Line("", "expected", " ".join(f"{x},{y}" for x, y in places), 0, 0, "start", dots)
    return LineChart(
        key=key,
        title=f"Calibration, {name[0].lower()}{name[1:]}",
        text=(
            "The chance that you gave of being within one level of the model, and how often you were. Below the dashed "
            "line you were surer than right. Upright lines: 95% intervals."
        ),
        x_title="said, %",
        y_title="right, %",
        x_ticks=tuple(Tick(_x(mark), str(mark)) for mark in _MARKS),
        y_ticks=tuple(Tick(_y(mark), str(mark)) for mark in _MARKS),
        lines=(same, *intervals, curve),
        columns=_COLUMNS,
        rows=tuple(
            (
                f"{found.low} to {found.high}%",
                str(found.n),
                f"{found.mean_confidence:.0f}%",
                f"{found.within_one} of {found.n}: {found.share:.0%}",
                f"{found.share_low:.0%} to {found.share_high:.0%}",
            )
            for found in bins
        ),
    )


def _x(percent: float) -> float:
    return round(LEFT + percent / 100 * (WIDTH - RIGHT - LEFT), 1)


def _y(percent: float) -> float:
    return round(HEIGHT - BOTTOM - percent / 100 * (HEIGHT - BOTTOM - _TOP), 1)
