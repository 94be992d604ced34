"""The topics: calculations of their own, each a file of inputs, steps, plots and a script in ``data/topics``."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from calculator.core.inputs import plain_number
from calculator.expressions import Quantity
from calculator.facts import catalogue_facts

DATA = Path(__file__).parent / "data" / "topics"

InputKind = Literal["number", "model", "accelerator"]


@dataclass(frozen=True)
class TopicInput:
    """One input. ``default`` is typed text; a model or an accelerator is put into expressions by its key.

    ``beyond`` says why there is nothing above the range.
    """

    name: str
    label: str
    kind: InputKind
    unit: str
    default: str
    low: float
    high: float
    whole: bool
    help: str
    assumption: bool
    beyond: str

    @property
    def allowed(self) -> str:
        """The values it may have, as a person reads it."""
        if self.kind != "number":
            return f"the name of {'a model' if self.kind == 'model' else 'an accelerator'} in the catalogue"
        number = "a whole number" if self.whole else "a number"
        unit = f" {self.unit}" if self.unit else ""
        return f"{number} from {plain_number(self.low)} to {plain_number(self.high)}{unit}"


@dataclass(frozen=True)
class TopicStep:
    """One result: an expression over inputs and earlier steps, and what is said of it. ``short`` names its curve."""

    id: str
    title: str
    expression: str
    unit: str
    digits: int
    formula: str
    source: str
    decides: str
    headline: bool
    short: str


@dataclass(frozen=True)
class Requirement:
    """``expression`` must come to more than 0 (or to 0, where ``or_zero``), else ``field`` is refused.

    ``problem``, ``allowed`` and ``example`` are texts with placeholders.
    """

    field: str
    expression: str
    or_zero: bool
    problem: str
    allowed: str
    example: str


@dataclass(frozen=True)
class TopicPlot:
    """Steps over one input, from ``low`` to ``high``, which are expressions.

    Where the steps of each pair of ``flips`` cross is looked for.
    """

    id: str
    title: str
    text: str
    x: str
    low: str
    high: str
    log_x: bool
    log_y: bool
    y_title: str
    series: tuple[str, ...]
    flips: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Topic:
    """A topic as its file has it. ``designs`` are (slug, title) of the designs that turn on it."""

    slug: str
    title: str
    summary: str
    order: int
    inputs: tuple[TopicInput, ...]
    requirements: tuple[Requirement, ...]
    steps: tuple[TopicStep, ...]
    plots: tuple[TopicPlot, ...]
    script: tuple[str, ...]
    designs: tuple[tuple[str, str], ...]

    def input(self, name: str) -> TopicInput | None:
        """The input called ``name``."""
        return next((one for one in self.inputs if one.name == name), None)

    def step(self, id: str) -> TopicStep:
        """The step called ``id``."""
        return next(one for one in self.steps if one.id == id)


def topic_slugs() -> tuple[str, ...]:
    """Every topic's slug, by name, without reading the files."""
    return tuple(sorted(path.stem for path in DATA.glob("*.toml")))


@cache
def topics() -> Mapping[str, Topic]:
    """Every topic by slug, in the order in which they are listed."""
    found = [topic(slug) for slug in topic_slugs()]
    return {one.slug: one for one in sorted(found, key=lambda one: one.order)}


@cache
def topic(slug: str) -> Topic:
    """One topic. Raises KeyError when there is none."""
    if slug not in topic_slugs():
        raise KeyError(slug)
    return topic_of(slug, tomllib.loads((DATA / f"{slug}.toml").read_text(encoding="utf-8")))


def topic_of(slug: str, table: Mapping[str, Any]) -> Topic:
    """The topic that a file's table describes. Raises KeyError or TypeError where it lacks something."""
    return Topic(
        slug=slug,
        title=table["title"],
        summary=table["summary"],
        order=table["order"],
        inputs=tuple(map(_input, table["input"])),
        requirements=tuple(map(_requirement, table.get("require", ()))),
        steps=tuple(map(_step, table["step"])),
        plots=tuple(map(_plot, table["plot"])),
        script=tuple(table["script"]),
        designs=tuple((one["slug"], one["title"]) for one in table.get("design", ())),
    )


def _input(row: Mapping[str, Any]) -> TopicInput:
    return TopicInput(
        name=row["name"],
        label=row["label"],
        kind=row.get("kind", "number"),
        unit=row.get("unit", ""),
        default=_default(row["default"], row.get("unit", "")),
        low=float(row.get("low", 0)),
        high=float(row.get("high", 0)),
        whole=row.get("whole", False),
        help=row.get("help", ""),
        assumption=row.get("assumption", False),
        beyond=row.get("beyond", ""),
    )


def _default(text: str, unit: str) -> str:
    """A default as it would be typed; a fact of the catalogue may stand for it."""
    fact = catalogue_facts().fact(text) if text[0].isalpha() and "." in text else None
    return f"{fact.value / Quantity.of(1, unit).value:.10g}" if fact else text


def _step(row: Mapping[str, Any]) -> TopicStep:
    return TopicStep(
        id=row["id"],
        title=row["title"],
        expression=row["expression"],
        unit=row.get("unit", ""),
        digits=row.get("digits", 3),
        formula=row["formula"],
        source=row["source"],
        decides=row["decides"],
        headline=row.get("headline", False),
        short=row.get("short", row["title"]),
    )


def _requirement(row: Mapping[str, Any]) -> Requirement:
    return Requirement(
        field=row["field"],
        expression=row["expression"],
        or_zero=row.get("or_zero", False),
        problem=row["problem"],
        allowed=row["allowed"],
        example=row["example"],
    )


def _plot(row: Mapping[str, Any]) -> TopicPlot:
    return TopicPlot(
        id=row["id"],
        title=row["title"],
        text=row["text"],
        x=row["x"],
        low=str(row["low"]),
        high=str(row["high"]),
        log_x=row.get("log_x", True),
        log_y=row.get("log_y", True),
        y_title=row.get("y_title", ""),
        series=tuple(row["series"]),
        flips=_pairs(row.get("flips", ())),
    )


def _pairs(rows: Sequence[Sequence[str]]) -> tuple[tuple[str, str], ...]:
    return tuple((first, second) for first, second in rows)
