"""`manage.py critic_check`: tries the configured endpoint, and says what works."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from grading.checkup import findings
from grading.client.endpoint import configured_endpoint

_SIGNS = {True: "ok  ", None: "note", False: "FAIL"}


class Command(BaseCommand):
    help = "Ask the configured endpoint one small question, and say what works. Fails if the critic cannot use it."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        endpoint = configured_endpoint()
        if endpoint is None:
            raise CommandError(
                "No endpoint is configured: the built-in critic does the work. Set CRITIC_BASE_URL and CRITIC_MODEL "
                "(and CRITIC_API_KEY, if the server wants one); README.md says how."
            )
        failed = False
        for finding in findings(endpoint, timezone.now().date()):
            self.stdout.write(f"{_SIGNS[finding.ok]}  {finding.what + ':':13}{finding.said}")
            failed |= finding.ok is False
        if failed:
            raise CommandError("The critic cannot use this endpoint as it is.")
        self.stdout.write("The critic can use this endpoint.")
