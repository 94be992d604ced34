"""Where names that are no lines come from: the facts of a catalogue."""

from typing import Protocol

from calculator.core.hardware import Accelerator
from calculator.core.llms import LanguageModel
from calculator.expressions.quantity import Quantity


class Facts(Protocol):
    """Facts by dotted name, and the rows that functions take."""

    def fact(self, path: str) -> Quantity | None:
        """The fact called ``path`` ("llama70b.layers"), or None."""

    def language_model(self, key: str) -> LanguageModel | None:
        """The model called ``key``, or None."""

    def accelerator(self, key: str) -> Accelerator | None:
        """The accelerator called ``key``, or None."""

    def suggest(self, name: str) -> list[str]:
        """Names of facts and rows near ``name``, nearest first."""


class NoFacts:
    """An empty catalogue."""

    def fact(self, path: str) -> Quantity | None:
        """Nothing."""
        return None

    def language_model(self, key: str) -> LanguageModel | None:
        """Nothing."""
        return None

    def accelerator(self, key: str) -> Accelerator | None:
        """Nothing."""
        return None

    def suggest(self, name: str) -> list[str]:
        """Nothing."""
        return []


NO_FACTS = NoFacts()
