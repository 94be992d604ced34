"""Reads the text of a file of drills. What is wrong with one leaves that one out and says so."""

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from designs.core import document
from designs.core.toml_reader import Table, entries, read_toml
from trainer.drills.core.forms import Beat, Choice, Draw, Drill, Kind, Numeric, Plot, Problem, Series, Slip

ID = r"[a-z0-9]+(-[a-z0-9]+)*"
LONGEST_ID = 60
CONCEPT = r"D[1-6]\.\d{1,2}"
SLUG = r"[a-z0-9]+(-[a-z0-9]+)*"
WRITTEN = (Kind.NUMERIC, Kind.CLAIM, Kind.GRAPH, Kind.CHOICE, Kind.ALOUD)
_NAME = r"[A-Za-z_]\w*"


@dataclass(frozen=True)
class Read:
    """The drills of a file, and what is wrong with the others."""

    drills: tuple[Drill, ...]
    problems: tuple[Problem, ...]


def parse_drills(source: str, file: str) -> Read:
    """Every `[[drill]]` of a file's text."""
    found: list[document.Problem] = []
    values = read_toml(source, file, found)
    if values is None:
        return Read((), tuple(Problem(file, "", _said(one)) for one in found))
    problems = [
        Problem(file, "", f"`{key}` is not a key of the form: a file holds [[drill]] entries")
        for key in values
        if key != "drill"
    ]
    drills: list[Drill] = []
    for table in entries(values, "drill", source, file, found):
        faults: list[document.Problem] = []
        table.problems = faults
        drill = _drill(table, file)
        name = str(table.values.get("id") or f"line {table.line}")
        if faults:
            problems += [Problem(file, name, _said(one)) for one in faults]
        elif any(drill.id == other.id for other in drills):
            problems.append(Problem(file, name, "there is another drill with this id"))
        else:
            drills.append(drill)
    return Read(tuple(drills), (*(Problem(file, "", _said(one)) for one in found), *problems))


def _said(problem: document.Problem) -> str:
    return f"line {problem.line}: {problem.message}" if problem.line else problem.message


def _drill(table: Table, file: str) -> Drill:
    id = table.string("id", pattern=ID)
    if len(id) > LONGEST_ID:
        table.fault(f"`id` must have at most {LONGEST_ID} characters", "id")
    kind = _kind(table)
    drill = Drill(
        id=id,
        file=file,
        kind=kind,
        title=table.string("title"),
        concept=table.string("concept", pattern=CONCEPT),
        chapter=table.string("chapter", "", pattern=SLUG),
        seconds=table.integer("seconds", 5, 600, 90 if kind is Kind.ALOUD else 60),
        ask=table.string("ask").strip(),
        draws=tuple(_draws(table)),
        lines=table.string("lines", ""),
        require=table.strings("require"),
        consequence=table.string("consequence", "").strip(),
        source=table.string("source", ""),
        date=table.string("date", "", pattern=r"\d{4}(-\d\d(-\d\d)?)?"),
        **_OF_KIND[kind](table),
    )
    if bool(drill.source) != bool(drill.date):
        table.fault("`source` and `date` come together", "source")
    table.close()
    return drill


def _kind(table: Table) -> Kind:
    kind = table.string("kind")
    if kind not in WRITTEN:
        table.fault(f"`kind` must be one of {', '.join(WRITTEN)}", "kind")
        return Kind.NUMERIC
    return Kind(kind)


def _numeric(table: Table) -> dict[str, Any]:
    sign = table.string("sign", "positive")
    if sign not in ("positive", "any"):
        table.fault('`sign` must be "positive" or "any"', "sign")
    return {
        "numeric": Numeric(
            answer=table.string("answer"),
            unit=table.string("unit", "").strip(),
            digits=table.integer("digits", 1, 12, 3),
            tolerance=table.string("tolerance", "2%").strip(),
            working=table.string("working"),
            slips=tuple(Slip(one.string("says").strip(), one.string("answer")) for one in _tables(table, "slips")),
            signed=sign == "any",
        )
    }


def _claim(table: Table) -> dict[str, Any]:
    choices = tuple(
        Choice(one.string("text").strip(), one.boolean("wrong"), one.string("why", "").strip())
        for one in _tables(table, "sentence", at_least=3)
    )
    if sum(choice.key for choice in choices) != 1:
        table.fault("exactly one `sentence` must be wrong", "sentence")
    if not table.values.get("lines"):
        table.fault("`lines` must hold the lines that disprove the wrong sentence")
    return {"choices": choices, "why": table.string("why").strip()}


def _options(table: Table) -> dict[str, Any]:
    choices = tuple(
        Choice(one.string("text").strip(), one.boolean("right"), one.string("why").strip())
        for one in _tables(table, "option", at_least=2)
    )
    if sum(choice.key for choice in choices) != 1:
        table.fault("exactly one `option` must be right", "option")
    return {"choices": choices, "why": table.string("why", "").strip()}


def _graph(table: Table) -> dict[str, Any]:
    return _options(table) | {"plot": _plot(table)}


def _aloud(table: Table) -> dict[str, Any]:
    beats = tuple(
        Beat(one.integer("at", 0, 600), one.string("text").strip(), one.boolean("essential"))
        for one in _tables(table, "beat", at_least=2)
    )
    if any(later.at_s < earlier.at_s for earlier, later in itertools.pairwise(beats)):
        table.fault("the beats must stand in the order of `at`", "beat")
    needed = sum(beat.essential for beat in beats)
    return {"beats": beats, "pass_at": table.integer("pass", max(1, needed), max(1, len(beats)))}


_OF_KIND = {
    Kind.NUMERIC: _numeric,
    Kind.CLAIM: _claim,
    Kind.GRAPH: _graph,
    Kind.CHOICE: _options,
    Kind.ALOUD: _aloud,
}


def _tables(table: Table, key: str, at_least: int = 0) -> Iterator[Table]:
    """The tables of a list; each says by itself which of its keys are none."""
    table.seen.add(key)
    value = table.values.get(key, [])
    if not isinstance(value, list) or len(value) < at_least:
        table.fault(f"`{key}` must be a list of at least {at_least} tables", key)
        return
    for number, item in enumerate(value, 1):
        one = Table(item, table.lines, table.span, table.file, [])
        yield one
        one.close()
        table.problems += [
            document.Problem(table.file, table.line_of(key), f"`{key}` {number}: {fault.message}")
            for fault in one.problems
        ]


def _draws(table: Table) -> Iterator[Draw]:
    for one in _tables(table, "draw"):
        yield _draw(one)


def _draw(one: Table) -> Draw:
    name = one.string("name", pattern=_NAME)
    row = one.string("kind", "")
    if row not in ("", "model", "accelerator"):
        one.fault('`kind` must be "model" or "accelerator", or absent')
    unit = one.string("unit", "").strip()
    if "values" in one.values:
        return Draw(name, values=_values(one), unit=unit, row=row)
    if row:
        one.fault(f"`values` must list the keys of the {row}s")
        return Draw(name, row=row)
    low, high = _number(one, "low"), _number(one, "high")
    whole = all(isinstance(one.values.get(key), int) for key in ("low", "high"))
    step = _number(one, "step", 1.0 if whole else 0.0)
    log = one.boolean("log")
    if not high > low or (log and low <= 0) or step < 0:
        one.fault("`high` must be above `low`, `low` above 0 with `log`, and `step` not below 0")
    return Draw(name, low=low, high=high, step=step, log=log, unit=unit)


def _values(one: Table) -> tuple[str, ...]:
    one.seen.add("values")
    values = one.values["values"]
    kinds = str | int | float
    if not isinstance(values, list) or not values or not all(isinstance(value, kinds) for value in values):
        one.fault("`values` must be a list of at least one text or number")
        return ("1",)
    return tuple(value.strip() if isinstance(value, str) else f"{value:.12g}" for value in values)


def _number(table: Table, key: str, default: float | None = None) -> float:
    table.seen.add(key)
    value = table.values.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int | float):
        table.fault(f"`{key}` must be a number")
        return 0.0
    return float(value)


def _plot(table: Table) -> Plot | None:
    table.seen.add("plot")
    value = table.values.get("plot")
    if not isinstance(value, dict):
        table.fault("`plot` must be a table")
        return None
    one = Table(value, table.lines, table.span, table.file, [])
    plot = Plot(
        x=one.string("x", pattern=_NAME),
        x_title=one.string("x_title"),
        y_title=one.string("y_title"),
        low=_number(one, "low"),
        high=_number(one, "high"),
        points=one.integer("points", 5, 200, 60),
        log_x=one.boolean("log_x"),
        log_y=one.boolean("log_y"),
        series=tuple(
            Series(row.string("name"), row.string("expression")) for row in _tables(one, "series", at_least=1)
        ),
        x_unit=one.string("x_unit", "").strip(),
        text=one.string("text", "").strip(),
    )
    if not plot.high > plot.low or (plot.log_x and plot.low <= 0):
        one.fault("`high` must be above `low`, and `low` above 0 with `log_x`")
    if len(plot.series) > 4:
        one.fault("`series` must be at most 4")
    one.close()
    table.problems += [
        document.Problem(table.file, table.line_of("plot"), f"`plot`: {fault.message}") for fault in one.problems
    ]
    return plot


PLAIN_NUMBER = re.compile(r"[+-]?(\d[\d_]*\.?\d*|\.\d+)([eE][+-]?\d{1,3})?", re.ASCII)
