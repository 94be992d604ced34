"""`manage.py figures`: the track's often-quoted figures, each beside what the math module gives."""

import json
import textwrap
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from designs.quoted.figures import Figure, figures

WIDTH = 110
VERDICTS = {True: "agrees", False: "DIFFERS", None: "formula"}


class Command(BaseCommand):
    help = "Print the thirty often-quoted figures: as quoted, as computed, whether they agree, and on what assumption."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="as a list")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["json"]:
            self.stdout.write(json.dumps([row.as_dict() for row in figures()], indent=2, ensure_ascii=False))
        else:
            self.stdout.write("\n".join(line for row in figures() for line in _lines(row)))


def _lines(row: Figure) -> list[str]:
    erratum = f", see {row.erratum_label}" if row.erratum else ""
    head = f"{row.id:>2}  {row.title:<64} {row.quoted_text:>16}  {row.ours_text:>16}  {VERDICTS[row.within]}{erratum}"
    text = textwrap.wrap(row.assumption, WIDTH, initial_indent="    ", subsequent_indent="    ")
    return [head, *text]
