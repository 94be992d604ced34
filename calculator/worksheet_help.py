"""What a worksheet line may hold, as the help panel beside it lists it."""

from dataclasses import dataclass
from functools import cache
from itertools import groupby

from calculator import catalogue
from calculator.expressions import function_help, unit_names
from calculator.facts import catalogue_facts


@dataclass(frozen=True)
class HelpEntry:
    """A name as it is typed, and what it is."""

    name: str
    title: str


@dataclass(frozen=True)
class HelpGroup:
    """Names of one kind."""

    title: str
    entries: tuple[HelpEntry, ...]


@cache
def worksheet_help() -> tuple[HelpGroup, ...]:
    """Units by group, functions, and the catalogue's models and accelerators with the facts each has."""
    units = tuple(
        HelpGroup(f"Units: {group}", tuple(HelpEntry(unit.symbol, ", ".join(unit.spellings)) for unit in members))
        for group, members in groupby(unit_names(), key=lambda unit: unit.group)
    )
    functions = tuple(HelpEntry(function.signature, function.summary) for function in function_help())
    models = tuple(HelpEntry(key, model.name) for key, model in catalogue.models().items())
    accelerators = tuple(HelpEntry(key, row.name) for key, row in catalogue.accelerators().items())
    return (
        *units,
        HelpGroup("Functions", functions),
        HelpGroup("Models, each with facts such as those of the first", (*models, *_facts_of(models[0]))),
        HelpGroup(
            "Accelerators, each with facts such as those of the first", (*accelerators, *_facts_of(accelerators[0]))
        ),
        HelpGroup("Planning constants", _facts_of(HelpEntry("planning", ""))),
    )


def _facts_of(entry: HelpEntry) -> tuple[HelpEntry, ...]:
    facts = catalogue_facts()
    paths = [path for path in facts.paths() if path.startswith(f"{entry.name}.")]
    return tuple(HelpEntry(path, fact.title) for path in paths if (fact := facts.described(path)))
