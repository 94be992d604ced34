"""`manage.py alive worker`: the health check of a container that serves no pages."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from trainer.health import PARTS


class Command(BaseCommand):
    help = "Succeeds if the named part of the site works, as /healthz has it."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("part", choices=list(PARTS))

    def handle(self, *args: Any, part: str, **options: Any) -> None:
        if not PARTS[part]():
            raise CommandError(f"{part}: down")
        self.stdout.write(f"{part}: ok")
