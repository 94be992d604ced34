"""The expression of a critique as a worksheet that comes to the same value."""

import re

from calculator.expressions import ExpressionError, Facts, check_name
from calculator.facts import catalogue_facts
from designs.core.opened import literal, names_in
from grading.cases import case_of
from grading.findings import worked_step
from grading.models import CritiqueItem


def sheet_of(item: CritiqueItem) -> str:
    """The names that the expression uses, each with its value, and the expression in the last line."""
    case, loaded = case_of(item.critique.round)
    step = worked_step(item, loaded)
    if step is not None:
        return loaded.worksheet_of(step.id)
    facts = catalogue_facts()  # the worksheet's own
    expression = " ".join(item.expression.split())
    lines = [f"# Critique {item.number}: what its number comes to"]
    used = [name for name in names_in(expression) if name in case.names]
    taken = set(names_in(expression))
    for name in used:
        free = _free(name, taken - {name}, facts)
        taken.add(free)
        expression = re.sub(rf"(?<![\w.]){re.escape(name)}(?![\w.]|\s*[(=])", free, expression)
        lines.append(f"{free} = {literal(case.names[name])}")
    return "\n".join([*lines, f"{_free('claim', taken, facts)} = {expression}", ""])


def _free(name: str, taken: set[str], facts: Facts) -> str:
    """The name, with as many underscores more as it takes for a worksheet to accept it."""
    while name in taken or not _worksheet_takes(name, facts):
        name += "_"
    return name


def _worksheet_takes(name: str, facts: Facts) -> bool:
    try:
        check_name(name, facts)
    except ExpressionError:
        return False
    return True
