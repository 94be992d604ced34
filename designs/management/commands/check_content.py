"""`manage.py check_content [folder]`: what is wrong with the designs, by file and line."""

from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from calculator.facts import catalogue_facts
from designs.calculator_inputs import calculator_problems
from designs.core.checks import by_file, check, counts, word_count
from designs.core.derivation import derive
from designs.core.document import Design, Problem
from designs.core.parser import DesignRefused, parse_design
from designs.diagrams import DiagramRefused, draw
from designs.loader import content_folders, design_folders, read_files


class Command(BaseCommand):
    help = "Check designs: parts, classes, quotes, links, placeholders, figures and their sources."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "folder", nargs="?", help="a design, or a folder of them; all that are configured if absent"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        folders = self._folders(options["folder"])
        results = [(folder, *_check(folder)) for folder in folders]
        results += _twice(folders)
        wrong = warned = 0
        for folder, design, problems in results:
            for problem in by_file(problems):
                self.stdout.write(f"{_shown(folder)}/{_warned(problem)}")
            if design is not None:
                self.stdout.write(f"{design.slug}: {_counts(design)}")
            wrong += sum(not problem.warning for problem in problems)
            warned += sum(problem.warning for problem in problems)
        summary = f"designs: {len(folders)}, problems: {wrong}, warnings: {warned}"
        if wrong:
            raise CommandError(summary)
        self.stdout.write(summary)

    def _folders(self, folder: str | None) -> list[Path]:
        if folder is None:
            return content_folders()
        if not Path(folder).is_dir():
            raise CommandError(f"{folder} is no folder")
        found = design_folders([Path(folder)])
        if not found:
            raise CommandError(f"{folder} holds no design: no folder in it has a .toml, .md or .dot file")
        return found


def _check(folder: Path) -> tuple[Design | None, list[Problem]]:
    files, unreadable = read_files(folder)
    try:
        design = parse_design(files)
    except DesignRefused as refusal:
        unread = {problem.file for problem in unreadable}
        return None, [*unreadable, *(problem for problem in refusal.problems if problem.file not in unread)]
    problems = unreadable + check(design, files, catalogue_facts()) + calculator_problems(design)
    problems += list(_drawings(design))
    if design.slug != folder.resolve().name:
        message = f"the slug {design.slug!r} must be the folder's name, {folder.resolve().name!r}"
        problems.append(Problem("design.toml", 0, message))
    return design, problems


def _drawings(design: Design) -> Iterator[Problem]:
    for dot in (design.diagram.first_dot, design.diagram.revised_dot):
        try:
            if dot:
                draw(dot.source, title="", description="", prefix="check")
        except DiagramRefused as refusal:
            yield Problem(dot.file, 0, str(refusal))


def _twice(folders: list[Path]) -> list[tuple[Path, None, list[Problem]]]:
    seen: dict[str, Path] = {}
    found: list[tuple[Path, None, list[Problem]]] = []
    for folder in folders:
        if folder.name in seen:
            message = f"the slug {folder.name} is already taken by {seen[folder.name]}"
            found.append((folder, None, [Problem("design.toml", 0, message)]))
        seen.setdefault(folder.name, folder)
    return found


def _counts(design: Design) -> str:
    parts = [f"{number} {name}" for name, number in counts(design).items()]
    try:
        facts = catalogue_facts()
        parts.append(f"{word_count(design, derive(design, facts=facts), facts):,} words")
    except (DesignRefused, ValueError):
        parts.append("words not counted")  # a placeholder without a value: told above
    return ", ".join(parts)


def _warned(problem: Problem) -> str:
    return f"{problem} (warning)" if problem.warning else str(problem)


def _shown(folder: Path) -> str:
    here = Path.cwd()
    return str(folder.relative_to(here)) if folder.is_relative_to(here) else str(folder)
