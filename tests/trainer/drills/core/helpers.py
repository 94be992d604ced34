"""Drills that tests of the core read, draw and grade."""

from pathlib import Path
from typing import Any

from calculator.facts import catalogue_facts
from trainer.drills.core.drawing import Drawn, draw
from trainer.drills.core.forms import Drill
from trainer.drills.core.grading import Verdict, grade
from trainer.drills.core.parser import parse_drills
from trainer.drills.core.working import Worked, work_out

SAMPLE = (Path(__file__).parents[1] / "sample.toml").read_text()
FACTS = catalogue_facts()


def sample(id: str) -> Drill:
    """A drill of the sample file."""
    read = parse_drills(SAMPLE, "sample.toml")
    assert read.problems == ()
    return next(drill for drill in read.drills if drill.id == id)


def one(text: str) -> Drill:
    """The one drill of a text."""
    read = parse_drills(text, "one.toml")
    assert read.problems == ()
    (drill,) = read.drills
    return drill


def faults(text: str) -> list[str]:
    """What is wrong with the drills of a text."""
    return [str(problem) for problem in parse_drills(text, "one.toml").problems]


def numeric(**changed: Any) -> str:
    """The text of a drill that asks for 140 GB over 3.5 TB/s, with keys changed; None leaves one out."""
    keys: dict[str, Any] = {
        "id": "floor",
        "concept": "D2.4",
        "kind": "numeric",
        "title": "The floor",
        "ask": "How long do {{ weights }} take at {{ bandwidth }}, in ms?",
        "lines": "weights = 140 GB\nbandwidth = 3.5 TB/s",
        "answer": "weights / bandwidth",
        "unit": "ms",
        "tolerance": "2%",
        "working": "step = weights / bandwidth -> ms",
    }
    given = {name: value for name, value in {**keys, **changed}.items() if value is not None}
    return "[[drill]]\n" + "\n".join(f"{name} = {_toml(value)}" for name, value in given.items())


def _toml(value: Any) -> str:
    if isinstance(value, str):
        return "'''\n" + value + "'''" if "\n" in value else f"'{value}'"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{name} = {_toml(item)}' for name, item in value.items())} }}"
    return str(value)


def drawn(drill: Drill, seed: str = "a") -> tuple[Drawn, Worked]:
    """A drill drawn and worked out."""
    found = draw(drill, seed, facts=FACTS)
    return found, work_out(found)


def graded(drill: Drill, typed: str, seed: str = "a") -> Verdict:
    """The verdict on a typed answer."""
    return grade(*drawn(drill, seed), typed)
