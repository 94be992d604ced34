"""`manage.py user_add NAME`: make an account of the hosted form."""

import getpass
import sys
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser

from trainer.accounts.services import user_add


class Command(BaseCommand):
    help = "Make an account. The password is asked for, or read from standard input when that is not a terminal."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")
        parser.add_argument("--staff", action="store_true", help="may use the administration's pages")

    def handle(self, *args: Any, username: str, staff: bool, **options: Any) -> None:
        try:
            user_add(username=username, password=read_password(), is_staff=staff)
        except ValidationError as error:
            raise CommandError("\n".join(error.messages)) from error
        self.stdout.write(f"{username} can log in.")


def read_password() -> str:
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\n")
    password = getpass.getpass("Password: ")
    if password != getpass.getpass("Password again: "):
        raise CommandError("The two passwords differ.")
    return password
