"""Fields of a model's config.json, read with their ranges: what is missing, of another type or absurd is refused."""

from collections.abc import Mapping, Sequence
from typing import Any

from calculator.core.inputs import InputError, InputErrors

FIELD = "config"
LONGEST_SHOWN = 40


def refusal(problem: str, allowed: str, example: str) -> InputErrors:
    """One refusal of the configuration."""
    return InputErrors([InputError(FIELD, problem, allowed, example)])


def shown(value: object) -> str:
    """A value as a message shows it, cut short."""
    text = repr(value)
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"


class Fields:
    """A configuration's fields. Each may go by several names; the first that is there and not null counts."""

    def __init__(self, config: Mapping[str, Any]) -> None:
        self.config = config

    def name(self, names: Sequence[str]) -> str | None:
        """The first of the names that has a value."""
        return next((name for name in names if self.config.get(name) is not None), None)

    def whole(self, names: Sequence[str], low: int, high: int, example: int, default: int | None = None) -> int:
        """A whole number from ``low`` to ``high``. Raises InputErrors when it is none, or missing without default."""
        name = self.name(names)
        allowed = f"a whole number from {low:,} to {high:,}"
        if name is None:
            if default is None:
                raise refusal(f"{names[0]} is missing", allowed, f'"{names[0]}": {example}')
            return default
        value = self.config[name]
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or value != value or value in (float("inf"), float("-inf")) or value != int(value):
            raise refusal(f"{name} is {shown(value)}, not a whole number", allowed, f'"{name}": {example}')
        if not low <= value <= high:
            raise refusal(f"{name} is {shown(value)}", allowed, f'"{name}": {example}')
        return int(value)

    def truth(self, name: str, default: bool = False) -> bool:
        """True or false; anything else is refused."""
        value = self.config.get(name)
        if value is None:
            return default
        if not isinstance(value, bool):
            raise refusal(f"{name} is {shown(value)}", "true or false", f'"{name}": false')
        return value

    def text(self, name: str) -> str:
        """A word, empty when it is left out."""
        value = self.config.get(name)
        if value is None:
            return ""
        if not isinstance(value, str):
            raise refusal(f"{name} is {shown(value)}, not a word", "a word in quotes", f'"{name}": "llama"')
        return value

    def items(self, name: str, longest: int = 4096) -> list[Any] | None:
        """A list, ``None`` when it is left out or empty."""
        value = self.config.get(name)
        if value is None or value == []:
            return None
        if not isinstance(value, list) or len(value) > longest:
            raise refusal(f"{name} is {shown(value)}", f"a list of at most {longest:,}", f'"{name}": []')
        return value

    def inner(self, name: str) -> "Fields":
        """The fields of an object inside, none when it is left out."""
        value = self.config.get(name)
        if value is None:
            return Fields({})
        if not isinstance(value, Mapping):
            raise refusal(f"{name} is {shown(value)}", "an object in braces", f'"{name}": {{}}')
        return Fields(value)
