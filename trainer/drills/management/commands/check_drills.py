"""Checks every drill: reads it, draws it many times, and names file and drill of whatever is wrong."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from calculator.facts import catalogue_facts
from trainer.drills import bank
from trainer.drills.core.checks import check, counts
from trainer.drills.core.forms import Drill, Problem
from trainer.drills.plots import plot_problem

DRAWS = 100


class Command(BaseCommand):
    """`manage.py check_drills [file or folder …] [--draws 1000]`."""

    help = "Draw every drill many times and name what is wrong, by file and drill. Ends with 1 if anything is."

    requires_system_checks = []  # the content is checked, not the site

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("paths", nargs="*", type=Path, help="files or folders of drills; all of them without")
        parser.add_argument("--draws", type=int, default=DRAWS, help=f"draws of each drill ({DRAWS})")
        parser.add_argument("--drill", action="append", default=[], help="only the drill with this id")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["draws"] < 1:
            raise CommandError("--draws must be at least 1")
        drills, problems = self._read(options["paths"])
        wanted = [drill for drill in drills if not options["drill"] or drill.id in options["drill"]]
        problems += _twice(drills)
        for drill in wanted:
            found = check(drill, facts=catalogue_facts(), draws=options["draws"])
            plot = "" if found else plot_problem(drill)
            problems += [*found, *([Problem(drill.file, drill.id, plot)] if plot else [])]
        for problem in problems:
            self.stdout.write(self.style.ERROR(str(problem)))
        self._count(wanted)
        if problems:
            raise CommandError(f"{len(problems)} problem{'' if len(problems) == 1 else 's'}")
        self.stdout.write(f"{len(wanted)} drills, {options['draws']} draws each: nothing is wrong.")

    def _read(self, paths: list[Path]) -> tuple[list[Drill], list[Problem]]:
        if not paths:
            return bank.all_drills()
        files: list[Path] = []
        for path in paths:
            files += [path] if path.is_file() else [*path.glob("*.toml"), *path.glob("chapters/*.toml")]
        if not files:
            raise CommandError("there is no file of drills there")
        return bank.read_files(sorted(files), bank.CONTENT)

    def _count(self, drills: list[Drill]) -> None:
        kinds, concepts = counts(drills)
        self.stdout.write("by kind: " + ", ".join(f"{kind} {count}" for kind, count in kinds.items() if count))
        self.stdout.write("by concept: " + ", ".join(f"{concept} {count}" for concept, count in concepts.items()))


def _twice(drills: list[Drill]) -> list[Problem]:
    seen: dict[str, Drill] = {}
    titled: dict[str, Drill] = {}
    found = []
    for drill in drills:
        if drill.id in seen:
            found.append(
                Problem(drill.file, drill.id, f"there is another drill with this id, in {seen[drill.id].file}")
            )
        other = titled.setdefault(drill.title.casefold(), drill)
        if other.id != drill.id:
            found.append(Problem(drill.file, drill.id, f"its title is that of {other.id}, in {other.file}"))
        seen.setdefault(drill.id, drill)
    return found
