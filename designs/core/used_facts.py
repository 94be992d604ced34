"""The facts of a catalogue that a design was worked out with, kept so that it comes out the same for good."""

from collections.abc import Mapping
from typing import Any

from calculator.core.hardware import Accelerator
from calculator.core.llms import LanguageModel
from calculator.core.records import as_dict, fields
from calculator.expressions import Facts, Quantity

_TABLES = ("facts", "models", "accelerators")


class UsedFacts:
    """A catalogue that remembers what was asked of it and found."""

    def __init__(self, catalogue: Facts) -> None:
        self._catalogue = catalogue
        self._facts: dict[str, Quantity] = {}
        self._models: dict[str, LanguageModel] = {}
        self._accelerators: dict[str, Accelerator] = {}

    def fact(self, path: str) -> Quantity | None:
        """The fact called `path`, or None."""
        found = self._catalogue.fact(path)
        if found is not None:
            self._facts[path] = found
        return found

    def language_model(self, key: str) -> LanguageModel | None:
        """The model called `key`, or None."""
        found = self._catalogue.language_model(key)
        if found is not None:
            self._models[key] = found
        return found

    def accelerator(self, key: str) -> Accelerator | None:
        """The accelerator called `key`, or None."""
        found = self._catalogue.accelerator(key)
        if found is not None:
            self._accelerators[key] = found
        return found

    def suggest(self, name: str) -> list[str]:
        """Names near `name`, nearest first."""
        return self._catalogue.suggest(name)

    def as_json(self) -> dict[str, Any]:
        """What was found so far, as JSON can hold it: `KeptFacts` reads it."""
        return {
            "facts": {
                path: {"value": one.value, "unit": one.unit, "mixed": one.mixed}
                for path, one in sorted(self._facts.items())
            },
            "models": {key: as_dict(row) for key, row in sorted(self._models.items())},
            "accelerators": {key: as_dict(row) for key, row in sorted(self._accelerators.items())},
        }


class KeptFacts:
    """The facts that `UsedFacts.as_json` kept, and no others: what the catalogue has become since is no matter."""

    def __init__(self, kept: Mapping[str, Any]) -> None:
        facts, models, accelerators = (kept.get(table, {}) for table in _TABLES)
        self._facts = {path: Quantity(**one) for path, one in facts.items()}
        self._models = {key: _row(LanguageModel, row) for key, row in models.items()}
        self._accelerators = {key: _row(Accelerator, row) for key, row in accelerators.items()}

    def fact(self, path: str) -> Quantity | None:
        """The fact called `path` as it was, or None."""
        return self._facts.get(path)

    def language_model(self, key: str) -> LanguageModel | None:
        """The model called `key` as it was, or None."""
        return self._models.get(key)

    def accelerator(self, key: str) -> Accelerator | None:
        """The accelerator called `key` as it was, or None."""
        return self._accelerators.get(key)

    def suggest(self, name: str) -> list[str]:
        """Nothing: what was kept names no more than what it was used for."""
        return []


def _row(record: Any, row: Mapping[str, Any]) -> Any:
    """A row out of JSON, whose lists were tuples; a field that the table no longer has is left out."""
    known = fields(record)
    return record(**{name: tuple(v) if isinstance(v, list) else v for name, v in row.items() if name in known})
