"""A topic's curves: its steps over one input, and where two of them cross."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from calculator.core.inputs import InputErrors
from calculator.expressions import Quantity, evaluate
from calculator.facts import catalogue_facts
from calculator.topic_answers import Setting, TopicAnswer, step_value
from calculator.topics import Topic, TopicPlot, TopicStep

POINTS = 25
_HALVINGS = 24


@dataclass(frozen=True)
class Curve:
    """A step, or an input that stays level, over x. ``None`` where there is no answer."""

    id: str
    title: str
    unit: str
    digits: int
    values: tuple[float | None, ...]


@dataclass(frozen=True)
class Flip:
    """Where two curves cross, in the unit of x: where x is whole, the first place past it. ``y`` is there too."""

    first: str
    second: str
    x: float
    y: float


@dataclass(frozen=True)
class Curves:
    """A plot worked out. ``x`` and the curves' values count the units that are shown."""

    plot: TopicPlot
    x_title: str
    x_unit: str
    x: tuple[float, ...]
    curves: tuple[Curve, ...]
    flips: tuple[Flip, ...]

    def as_dict(self) -> dict[str, object]:
        """For the JSON."""
        return {
            "id": self.plot.id,
            "title": self.plot.title,
            "x": {"input": self.plot.x, "unit": self.x_unit, "values": list(self.x)},
            "curves": [{"id": one.id, "unit": one.unit, "values": list(one.values)} for one in self.curves],
            "flips": [{"between": [one.first, one.second], "x": one.x} for one in self.flips],
        }


def curves(answer: TopicAnswer) -> tuple[Curves, ...]:
    """Every plot of the topic at the answer's inputs."""
    return tuple(_curves(answer, plot) for plot in answer.topic.plots)


def _curves(answer: TopicAnswer, plot: TopicPlot) -> Curves:
    asked = next(one for one in answer.topic.inputs if one.name == plot.x)
    run = _Run(answer, plot)
    at = _places(plot, answer, asked.whole)
    rows = {x: run.at(x) for x in at}
    flips = tuple(flip for pair in plot.flips for flip in run.flips(pair, at, list(rows.values())))
    rows |= {flip.x: run.at(flip.x) for flip in flips}  # so that a line goes through the point where it crosses
    at = sorted(rows)
    drawn = tuple(_curve(answer, id, [_of(rows[x], id) for x in at]) for id in plot.series)
    return Curves(plot, asked.label, asked.unit, tuple(at), drawn, flips)


def _of(row: dict[str, float] | None, id: str) -> float | None:
    return None if row is None else row[id]


def _curve(answer: TopicAnswer, id: str, values: Sequence[float | None]) -> Curve:
    level = answer.topic.input(id)
    if level is not None:
        return Curve(id, level.label, level.unit, 3, tuple(values))
    found = next(one for one in answer.steps if one.step.id == id)
    return Curve(id, found.step.short, found.quantity.unit, found.step.digits, tuple(values))


def _places(plot: TopicPlot, answer: TopicAnswer, whole: bool) -> list[float]:
    """Evenly spaced places, on a logarithmic axis by ratio, and the one that was asked for."""
    asked = answer.setting.names[plot.x]
    low, high = (_end(text, answer, asked) for text in (plot.low, plot.high))
    shares = [index / (POINTS - 1) for index in range(POINTS)]
    if plot.log_x:
        places = [low * (high / low) ** share for share in shares]
    else:
        places = [low + (high - low) * share for share in shares]
    rounded = {round(x) if whole else float(f"{x:.4g}") for x in places}
    if low <= asked.magnitude <= high:
        rounded.add(asked.magnitude)
    return sorted(map(float, rounded))


def _end(text: str, answer: TopicAnswer, asked: Quantity) -> float:
    """An end of the axis, in the unit of x."""
    found = evaluate(answer.setting.expression(text), names=answer.setting.names, facts=catalogue_facts()).quantity
    return found.value / Quantity.of(1, asked.unit).value


class _Run:
    """The steps that a plot needs, at any x."""

    def __init__(self, answer: TopicAnswer, plot: TopicPlot) -> None:
        self.answer, self.plot = answer, plot
        self.whole = any(one.name == plot.x and one.whole for one in answer.topic.inputs)
        self.units = {one.step.id: one.quantity.unit for one in answer.steps}
        wanted = set(plot.series) | {id for pair in plot.flips for id in pair}
        self.steps = [
            replace(step, unit=self.units[step.id]) for step in needed(answer.topic, answer.setting, wanted, plot.x)
        ]
        self.wanted = wanted

    def at(self, x: float) -> dict[str, float] | None:
        """The curves' values at one x, or nothing where they cannot be worked out."""
        topic, setting = self.answer.topic, self.answer.setting
        names = {one.step.id: one.quantity for one in self.answer.steps} | dict(setting.names)
        unit = setting.names[self.plot.x].unit
        names[self.plot.x] = Quantity.of(x, unit)
        try:
            for step in self.steps:
                names[step.id] = step_value(topic, step, setting, names).quantity
        except InputErrors:
            return None
        return {id: names[id].magnitude for id in self.wanted}

    def flips(self, pair: tuple[str, str], at: Sequence[float], rows: Sequence[dict[str, float] | None]) -> list[Flip]:
        """Crossings of two curves between neighbouring places, by halving."""

        def above(row: dict[str, float] | None) -> bool | None:
            return None if row is None else row[pair[0]] > row[pair[1]]

        found = []
        for index in range(len(at) - 1):
            before, after = above(rows[index]), above(rows[index + 1])
            if before is None or after is None or before == after:
                continue
            low, high = at[index], at[index + 1]
            for _ in range(_HALVINGS):
                middle = self._between(low, high)
                if middle in (low, high):
                    break
                if above(self.at(middle)) == before:
                    low = middle
                else:
                    high = middle
            values = self.at(high)
            if values is not None:
                found.append(Flip(*pair, high, values[pair[0]]))
        return found

    def _between(self, low: float, high: float) -> float:
        if self.whole:
            return float((low + high) // 2)
        return math.sqrt(low * high) if self.plot.log_x else (low + high) / 2


def needed(topic: Topic, setting: Setting, wanted: set[str], x: str) -> list[TopicStep]:
    """The steps that change with x and that the wanted ones are built on, in order."""
    moves = {x}
    for step in topic.steps:
        if moves & _words(setting.expression(step.expression)):
            moves.add(step.id)
    use = set(wanted)
    for step in reversed(topic.steps):
        if step.id in use:
            use |= _words(setting.expression(step.expression))
    return [step for step in topic.steps if step.id in use and step.id in moves]


def _words(expression: str) -> set[str]:
    return set(re.findall(r"[A-Za-z_]\w*", expression))
