"""`manage.py check_study [--json]`: what is wrong with the track, by file and entry, and what there is of it."""

import json
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from designs.core.document import Problem
from trainer.study.checking import problems_of
from trainer.study.core.chapters import word_count
from trainer.study.core.forms import FORMS
from trainer.study.loader import Study, load_study


class Command(BaseCommand):
    help = "Check the track: chapters, concepts and lists; their placeholders, figures, sources and links."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="counts and problems as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        study = load_study()
        problems = problems_of(study)
        wrong = sum(not problem.warning for problem in problems)
        if options["json"]:
            found = {"counts": counts(study), "problems": [asdict(problem) for problem in problems]}
            self.stdout.write(json.dumps(found, indent=2, ensure_ascii=False))
        else:
            for problem in problems:
                self.stdout.write(_shown(problem))
            self.stdout.write(", ".join(f"{name} {count}" for name, count in counts(study).items()))
        if wrong:
            raise CommandError(f"problems: {wrong}, warnings: {len(problems) - wrong}")


def counts(study: Study) -> dict[str, int]:
    """How many there are of each: what could not be used is not counted."""
    found = {"chapters": len(study.chapters), "words": sum(_words(study, slug) for slug in study.chapters)}
    for kind in FORMS:
        for file in study.files(kind):
            for one in file.entries:
                form = one.entry.form
                name = f"{kind}.{form.rpartition('.')[2]}"
                found[name] = found.get(name, 0) + 1
    return found


def _words(study: Study, slug: str) -> int:
    return word_count(study.chapters[slug].chapter.body.source)


def _shown(problem: Problem) -> str:
    return f"{problem} (warning)" if problem.warning else str(problem)
