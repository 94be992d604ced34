"""`manage.py derive m01`: a design's arithmetic, step by step, as its pages show it."""

import difflib
import json
import textwrap
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from calculator.facts import catalogue_facts
from designs.core.derivation import Derivation, DerivedStep, derive
from designs.core.document import Design
from designs.core.parser import DesignRefused, parse_design
from designs.core.prose import fill
from designs.loader import content_folders, read_files

WIDTH = 100


class Command(BaseCommand):
    help = "Print a design's derivation: formula, numbers put in, result and what each step decides."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the design, such as m01")
        parser.add_argument("--json", action="store_true", help="as a list of steps")

    def handle(self, *args: Any, **options: Any) -> None:
        design, derivation = self._derived(options["slug"])
        steps = [_as_data(step, derivation) for step in derivation.steps]
        if options["json"]:
            self.stdout.write(json.dumps(steps, indent=2, ensure_ascii=False))
        else:
            self.stdout.write("\n".join(_page(design, derivation, steps)))

    def _derived(self, slug: str) -> tuple[Design, Derivation]:
        folders = {folder.name: folder for folder in reversed(content_folders())}
        if slug not in folders:
            near = difflib.get_close_matches(slug, folders, n=3, cutoff=0.4) or sorted(folders)
            raise CommandError(f"there is no design {slug!r}; there is {', '.join(near) or 'none at all'}")
        files, unreadable = read_files(folders[slug])
        try:
            if unreadable:
                raise DesignRefused(unreadable)
            design = parse_design(files)
            return design, derive(design, facts=catalogue_facts())
        except DesignRefused as refusal:
            lines = [f"{folders[slug]}/{problem}" for problem in refusal.problems]
            raise CommandError("\n".join([f"the design {slug} is refused:", *lines])) from refusal


def _as_data(step: DerivedStep, derivation: Derivation) -> dict[str, Any]:
    facts = catalogue_facts()
    return {
        "id": step.id,
        "title": fill(step.title, derivation, facts=facts),
        "value": step.quantity.magnitude,
        "unit": step.quantity.unit,
        "text": step.text,
        "formula": step.formula,
        "expression": step.expression,
        "with_numbers": step.with_numbers,
        "decides": fill(step.decides, derivation, facts=facts),
        "deciding": step.deciding,
        "part": step.part,
    }


def _page(design: Design, derivation: Derivation, steps: list[dict[str, Any]]) -> list[str]:
    lines = [f"{design.slug} · {design.title.source}", "", "Given"]
    for given in derivation.givens:
        source = f" ({given.source}, {given.date})" if given.source else ""
        lines.append(f"  {given.id:<26} {given.text:>18}  {given.title}{source}")
    lines += ["", "Steps"]
    for number, step in enumerate(steps, 1):
        lines += ["", *_lines_of(number, step)]
    return lines


def _lines_of(number: int, step: dict[str, Any]) -> list[str]:
    mark = "  << the deciding number" if step["deciding"] else ""
    where = "" if step["part"] == "s2" else f"  [{step['part']}]"
    head = f"{number:>3}. {step['title']}{where}"
    lines = [f"{head}{' ' * max(2, WIDTH - len(head) - len(step['text']))}{step['text']}{mark}"]
    for name, text in (
        ("formula", step["formula"] or step["expression"]),
        ("numbers", step["with_numbers"]),
        ("decides", step["decides"]),
    ):
        lines += textwrap.wrap(text, WIDTH, initial_indent=f"     {name}  ", subsequent_indent=" " * 14)
    return lines
