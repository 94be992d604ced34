"""The numbers to quote cold as drills: rows of the numbers page, and rows of the catalogue that it names."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from calculator import catalogue
from calculator.facts import Fact, catalogue_facts
from trainer.drills.core.forms import Drill, Kind, Numeric, Problem

SECONDS = 15
TOLERANCE = "5%"
ACCELERATOR_FACTS = {
    "memory": "memory on its sheet",
    "hbm_bandwidth": "HBM bandwidth",
    "bf16_dense": "dense BF16 peak",
    "fp8_dense": "dense FP8 peak",
    "link_bandwidth": "link bandwidth in one direction",
}
_DIGITS = 4
_SIZE = re.compile(r" \d+ GB\b")
"""The memory within the name of an accelerator."""


def cold_drills(table: Mapping[str, Any], file: str) -> tuple[list[Drill], list[Problem]]:
    """The drills of the numbers page's table; a row that makes none is named."""
    drills: list[Drill] = []
    problems: list[Problem] = []
    for row in table.get("number", ()):
        try:
            drills.append(_of_number(row, file))
        except (KeyError, TypeError, ValueError) as error:
            problems.append(Problem(file, str(row.get("id", "?")), f"makes no cold drill: {error!r}"))
    for key, names in (("accelerators", ACCELERATOR_FACTS), ("keys", {"": "bandwidth in one direction"})):
        section = table.get("hardware" if key == "accelerators" else "links", {})
        for row_key in section.get(key, ()):
            found = list(_of_row(str(row_key), names, file))
            drills += found
            if not found:
                problems.append(Problem(file, "", f"there is no {row_key!r} in the catalogue"))
    return drills, problems


def _of_number(row: Mapping[str, Any], file: str) -> Drill:
    unit = str(row.get("unit", ""))
    return Drill(
        id=f"cold-{row['id']}",
        file=file,
        kind=Kind.COLD,
        title=str(row["title"]),
        concept="",
        seconds=SECONDS,
        ask=f"{row['title']}{_wanted(unit)}?",
        consequence=str(row.get("text", "")).strip(),
        source=str(row.get("source", "")),
        date=str(row.get("date", "")),
        numeric=Numeric(
            answer=str(row["answer"]),
            unit=unit,
            digits=int(row.get("digits", 3)),
            tolerance=str(row.get("tolerance", TOLERANCE)),
            working=str(row["lines"]),
            signed=True,
        ),
    )


def _of_row(key: str, names: Mapping[str, str], file: str) -> Iterator[Drill]:
    for name, what in names.items():
        path = f"{key}.{name}" if name else f"links.{key}"
        fact = catalogue_facts().described(path)
        if fact is not None and fact.quantity.value and not (name == "memory" and _needs_its_size(_subject(fact))):
            yield _of_fact(fact, key, name or "link", what, file)


def _of_fact(fact: Fact, key: str, name: str, what: str, file: str) -> Drill:
    unit = fact.quantity.unit
    subject = _SIZE.sub("", _subject(fact)) if name == "memory" else _subject(fact)
    return Drill(
        id=f"cold-{key}-{name}".replace("_", "-").replace(".", "-").lower(),
        file=file,
        kind=Kind.COLD,
        title=f"{subject}: {what}",
        concept="",
        seconds=SECONDS,
        ask=f"{subject}: {what}{_wanted(unit)}?",
        source=fact.source,
        date=fact.read,
        numeric=Numeric(
            answer=fact.path,
            unit=unit,
            digits=_digits(fact.quantity.magnitude),
            tolerance=TOLERANCE,
            working=f"# As the catalogue has it\n{fact.path} -> {unit}\n",
        ),
    )


def _subject(fact: Fact) -> str:
    return fact.title.partition(":")[0]


def _needs_its_size(name: str) -> bool:
    """Whether another accelerator is called the same but for its memory: then nobody can be asked for it."""
    bare = _SIZE.sub("", name)
    return sum(_SIZE.sub("", row.name) == bare for row in catalogue.accelerators().values()) > 1


def _digits(number: float) -> int:
    """As many as the catalogue's figure has, up to four."""
    return max(1, len(f"{number:.{_DIGITS}g}".partition("e")[0].replace(".", "").strip("0")))


def _wanted(unit: str) -> str:
    return f", in {unit}" if unit else ""
