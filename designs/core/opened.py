"""A step as a worksheet: what it depends on as `name = expression` lines, in order, down to the step itself."""

import re
from collections.abc import Collection, Iterator, Mapping

from calculator.expressions import (
    ExpressionError,
    Facts,
    Quantity,
    check_name,
    evaluate_worksheet,
)
from calculator.expressions.quantity import joined
from calculator.expressions.words import RESERVED
from designs.core.derivation import Derivation

MOST_LINES = 150
_NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*(?![\w.]|\s*[(=])", re.ASCII)
_ARROW = re.compile(r"\s*(?:->|→)[^()]*$")


def opened(derivation: Derivation, id: str, *, facts: Facts, hidden: Collection[str] = ()) -> str:
    """The worksheet that comes to the same value as a given or step, with `facts` as they are today.

    What stands in `hidden` is given by its value. So is whatever the worksheet would not bring to the value that the
    design has (a fact that was changed since, say). A name that a worksheet refuses gets an underscore more.

    Raises: KeyError for an id that the design does not have.
    """
    return "\n".join(_Opening(derivation, facts, frozenset(hidden) - {id}).lines(id)) + "\n"


class _Opening:
    def __init__(self, derivation: Derivation, facts: Facts, hidden: frozenset[str]) -> None:
        self.derivation = derivation
        self.facts = facts
        self.hidden = hidden
        self.expressions = {given.id: given.expression for given in derivation.givens}
        self.expressions |= {step.id: step.expression for step in derivation.steps}
        self.order = {name: place for place, name in enumerate(self.expressions)}
        self.renamed = dict(self._renamed())

    def lines(self, id: str) -> list[str]:
        """The lines, each evaluated as it will be: one that comes out differently holds its value instead."""
        wanted, valued = self._wanted(id)
        known: dict[str, Quantity] = {}
        lines: list[str] = []
        for name in (name for name in self.expressions if name in wanted):
            quantity = self.derivation.names[name]
            candidates = () if name in valued else self._written(name)
            coming = (line for line in candidates if _comes_to(line, quantity, known, self.facts))
            lines.append(next(coming, f"{self._name(name)} = {literal(quantity)}"))
            known[self._name(name)] = quantity
        return lines

    def _wanted(self, id: str) -> tuple[set[str], set[str]]:
        """The names to write down, and those of them to give by their value: hidden ones, and the farthest if many."""
        wanted, valued, edge = {id}, set(), [id]
        while edge:
            name = edge.pop(0)
            depends = [one for one in self._depends_on(name) if one not in wanted]
            if name in self.hidden or len(wanted) + len(depends) > MOST_LINES:
                valued.add(name)
                continue
            wanted.update(depends)
            edge += depends
        return wanted, valued

    def _depends_on(self, name: str) -> list[str]:
        earlier = self.order[name]
        return [word for word in names_in(self.expressions[name]) if self.order.get(word, earlier) < earlier]

    def _written(self, name: str) -> tuple[str, str]:
        """The line as short as it may be, and with the unit to show it in."""
        named = {name: new for name, new in self.renamed.items() if name not in RESERVED}
        expression = _NAME.sub(lambda match: named.get(match[0], match[0]), self.expressions[name])
        bare = f"{self._name(name)} = {_ARROW.sub('', expression).strip()}"
        return bare, f"{bare} -> {self.derivation.names[name].unit}"

    def _name(self, name: str) -> str:
        return self.renamed.get(name, name)

    def _renamed(self) -> Iterator[tuple[str, str]]:
        taken = set(self.expressions)
        for name in self.expressions:
            free = name
            while not _is_free(free, self.facts) or (free != name and free in taken):
                free += "_"
            if free != name:
                taken.add(free)
                yield name, free


def names_in(expression: str) -> list[str]:
    """The words of an expression that may be names of earlier lines, each once: no facts, functions or keywords.

    The name of a unit (`day`, `s`) is none: in an expression it always means the unit.
    """
    return [name for name in dict.fromkeys(_NAME.findall(expression)) if name not in RESERVED]


def literal(quantity: Quantity) -> str:
    """A quantity as it is typed, with all its digits."""
    return joined(f"{quantity.magnitude:.17g}", quantity.unit)


def _is_free(name: str, facts: Facts) -> bool:
    try:
        check_name(name, facts)
    except ExpressionError:
        return False
    return True


def _comes_to(line: str, quantity: Quantity, known: Mapping[str, Quantity], facts: Facts) -> bool:
    found = evaluate_worksheet(line, names=known, facts=facts)[0].evaluated
    return found is not None and found.quantity.value == quantity.value and found.quantity.unit == quantity.unit
