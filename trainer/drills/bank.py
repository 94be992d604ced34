"""Every drill there is: those written, those out of the numbers to quote cold, and the openers. The only file I/O."""

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from calculator.facts import catalogue_facts
from designs.loaded import LoadedDesign
from designs.loader import load_designs
from trainer.drills.cold import cold_drills
from trainer.drills.core.checks import trial
from trainer.drills.core.forms import Drill, Kind, Problem
from trainer.drills.core.parser import parse_drills
from trainer.drills.plots import plot_problem

HERE = Path(__file__).parent
CONTENT = HERE / "content"
NUMBERS = HERE.parent / "study" / "content" / "numbers.toml"
OPENER_SECONDS = 60


@dataclass(frozen=True)
class Bank:
    """The drills by id, in the order in which they are listed, and what had to be left out."""

    drills: dict[str, Drill]
    problems: tuple[Problem, ...]


def bank() -> Bank:
    """The written drills and the cold ones. Read anew when a file has changed."""
    return _bank(_stamps())


def opener_of(design: LoadedDesign) -> Drill:
    """The opener of a design: for those who have earned it alone."""
    return Drill(
        id=f"opener-{design.slug}",
        file=f"designs/content/{design.slug}",
        kind=Kind.OPENER,
        title=f"Opener: {design.title}",
        concept="",
        seconds=OPENER_SECONDS,
        ask=f"{design.title}: say the deciding number, then its consequence in one sentence.",
    )


def openers() -> dict[str, LoadedDesign]:
    """The design of each opener, by the opener's id."""
    return {f"opener-{slug}": design for slug, design in load_designs().designs.items()}


def read_files(paths: Iterable[Path], root: Path) -> tuple[list[Drill], list[Problem]]:
    """The drills of files, whether they can be used or not, and what cannot be read."""
    drills: list[Drill] = []
    problems: list[Problem] = []
    for path in paths:
        name = str(path.relative_to(root)) if path.is_relative_to(root) else str(path)
        try:
            read = parse_drills(path.read_text(encoding="utf-8"), name)
        except (OSError, UnicodeDecodeError) as error:
            problems.append(Problem(name, "", f"cannot be read: {error}"))
            continue
        drills += read.drills
        problems += read.problems
    return drills, problems


def content_files() -> list[Path]:
    """The files of drills, by concept group first, then by chapter."""
    return [*sorted(CONTENT.glob("*.toml")), *sorted(CONTENT.glob("chapters/*.toml"))]


def all_drills() -> tuple[list[Drill], list[Problem]]:
    """Every drill that can be read, untried, and what is wrong with the files."""
    drills, problems = read_files(content_files(), CONTENT)
    cold, cold_problems = _cold()
    return [*drills, *cold], [*problems, *cold_problems]


def _cold() -> tuple[list[Drill], list[Problem]]:
    if not NUMBERS.exists():
        return [], []
    try:
        table = tomllib.loads(NUMBERS.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        return [], [Problem(NUMBERS.name, "", f"cannot be read: {error}")]
    return cold_drills(table, NUMBERS.name)


def _stamps() -> tuple[tuple[str, int, int], ...]:
    return tuple(_stamp(path) for path in (*content_files(), NUMBERS) if path.exists())


def _stamp(path: Path) -> tuple[str, int, int]:
    found = path.stat()
    return str(path), found.st_mtime_ns, found.st_size


@lru_cache(maxsize=2)
def _bank(stamps: tuple[tuple[str, int, int], ...]) -> Bank:
    drills, problems = all_drills()
    usable: dict[str, Drill] = {}
    for drill in drills:
        problem = _why_left_out(drill, usable)
        if problem:
            problems.append(Problem(drill.file, drill.id, problem))
        else:
            usable[drill.id] = drill
    return Bank(usable, tuple(problems))


def _why_left_out(drill: Drill, others: dict[str, Drill]) -> str:
    if drill.id in others:
        return f"there is another drill with this id, in {others[drill.id].file}"
    if drill.id.startswith("opener-"):
        return "an id may not begin with opener-"
    return trial(drill, facts=catalogue_facts()) or plot_problem(drill)
