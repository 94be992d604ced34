"""Reads `docker-compose.yml` as Docker does, as far as that file goes: substitution, merging, order of starts."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

FILE = Path(__file__).resolve().parents[2] / "docker-compose.yml"
VARIABLE = re.compile(r"\$\{(?P<name>\w+)(?::(?P<kind>[?-])(?P<word>[^}]*))?\}")


class Missing(ValueError):
    """A variable that the file requires is not set."""


def substituted(text: str, variables: Mapping[str, str]) -> str:
    """`${NAME}`, `${NAME:-default}` and `${NAME:?message}` replaced.

    Raises:
        Missing: a variable of the last kind is not set, or is empty.
    """

    def value(found: re.Match[str]) -> str:
        given = variables.get(found["name"], "")
        if found["kind"] == "?" and not given:
            raise Missing(f"{found['name']}: {found['word']}")
        return given or (found["word"] if found["kind"] == "-" else "")

    return VARIABLE.sub(value, text)


def services(variables: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = filled(yaml.safe_load(FILE.read_text())["services"], variables)
    return found


def filled(value: Any, variables: Mapping[str, str]) -> Any:
    """Every text in a parsed part of the file with its variables replaced."""
    match value:
        case str():
            return substituted(value, variables)
        case dict():
            return {key: filled(part, variables) for key, part in value.items()}
        case list():
            return [filled(part, variables) for part in value]
    return value


def named_volumes() -> set[str]:
    return set(yaml.safe_load(FILE.read_text())["volumes"])
