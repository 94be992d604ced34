"""From an expression to its value, and to the same expression with the numbers put in."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from calculator.expressions.calls import call
from calculator.expressions.errors import ExpressionError
from calculator.expressions.grammar import parse
from calculator.expressions.known import Facts
from calculator.expressions.naming import unknown_name
from calculator.expressions.nodes import Call, Chain, Group, Line, Literal, Name, Node, Power, Signed
from calculator.expressions.quantity import Quantity, check_conversion, joined, number_text
from calculator.expressions.source import Source, source_of
from calculator.expressions.tokens import tokens_of
from calculator.expressions.values import Value, added, divided, multiplied, raised
from calculator.expressions.words import RESERVED

PUT_IN_DIGITS = 6
REMEMBERED_CHARACTERS = 240
"""A longer expression is read anew each time, so that what is remembered stays small."""


@dataclass(frozen=True)
class Evaluated:
    """A result, the expression with every name replaced by its number and unit, and the names it used, in order."""

    quantity: Quantity
    with_numbers: str
    names: tuple[str, ...]


def evaluate(expression: str, *, names: Mapping[str, Quantity] | None = None, facts: Facts) -> Evaluated:
    """The value of ``expression``, which may use ``names`` and ``facts``. Raises ExpressionError, and nothing else."""
    known = names or {}
    reader = _remembered if len(expression) <= REMEMBERED_CHARACTERS else _read
    source, line = reader(expression, frozenset(known))
    walk = _Walk(known, facts)
    value = walk.value(line.expression)
    quantity = _shown(value, line)
    return Evaluated(
        quantity, _with_numbers(source, walk.put_in), tuple(dict.fromkeys(name.name for name, _ in walk.put_in))
    )


def _read(expression: str, names: frozenset[str]) -> tuple[Source, Line]:
    source = source_of(expression)
    return source, parse(tokens_of(source, names), source)


_remembered = lru_cache(maxsize=2048)(_read)  # the same lines are read again and again, with other numbers


def _shown(value: Value, line: Line) -> Quantity:
    if line.unit is None:
        return value.quantity()
    try:
        check_conversion(value.unit, line.unit)
    except ExpressionError as error:
        raise error.at(line.unit_column) from None
    return Quantity(value.number, str(line.unit), value.mixed)


class _Walk:
    """One walk over a tree. ``put_in`` gathers the names met, with their quantities."""

    def __init__(self, names: Mapping[str, Quantity], facts: Facts) -> None:
        self.names = names
        self.facts = facts
        self.put_in: list[tuple[Name, Quantity]] = []

    def value(self, node: Node) -> Value:
        """The value of ``node``; an error without a place gets the place of the node."""
        try:
            return self._value(node)
        except ExpressionError as error:
            raise error.at(node.column) from None

    def _value(self, node: Node) -> Value:
        match node:
            case Literal():
                return Value.of(node.number, node.unit)
            case Name():
                return self._named(node)
            case Group():
                return self.value(node.inner)
            case Signed():
                inner = self.value(node.inner)
                return inner.negated() if node.negative else inner
            case Chain():
                return self._chain(node)
            case Power():
                return raised(self.value(node.base), self.value(node.exponent))
            case Call():
                return call(node, self.value, self.facts)

    def _named(self, node: Name) -> Value:
        quantity = self.names.get(node.name) if "." not in node.name else self.facts.fact(node.name)
        if quantity is None or node.name in RESERVED:
            raise unknown_name(node.name, self.names, self.facts)
        self.put_in.append((node, quantity))
        return Value.from_quantity(quantity)

    def _chain(self, node: Chain) -> Value:
        total = self.value(node.first)
        for sign, term, column in node.rest:
            other = self.value(term)
            try:
                total = _joined(total, sign, other)
            except ExpressionError as error:
                raise error.at(column) from None
        return total


def _joined(left: Value, sign: str, right: Value) -> Value:
    if sign == "*":
        return multiplied(left, right)
    if sign == "/":
        return divided(left, right)
    return added(left, right, 1 if sign == "+" else -1)


def _with_numbers(source: Source, put_in: list[tuple[Name, Quantity]]) -> str:
    """The typed expression with names replaced, in parentheses where the number would be read differently."""
    text, position = "", 0
    for name, quantity in sorted(put_in, key=lambda pair: pair[0].start):
        text += source.text[position : name.start]
        number = put_in_text(quantity)
        is_base = source.text[name.end :].lstrip().startswith(("^", "**"))
        negative = number.startswith("-") and (is_base or text.strip()[-1:] not in ("", "(", ",", "="))
        if negative or quantity.unit.startswith("/") or (is_base and quantity.unit):
            number = f"({number})"
        text += number
        position = name.end
    return " ".join((text + source.text[position:]).split())


def put_in_text(quantity: Quantity) -> str:
    """A quantity as it is typed: enough digits to compute with, no commas."""
    counts = not quantity.dimension and quantity.unit not in ("%", "pp")
    number = number_text(quantity.magnitude, PUT_IN_DIGITS, counts=counts, separator="")
    mantissa, e, power = number.partition("e")
    if "." in mantissa:
        mantissa = mantissa.rstrip("0").rstrip(".")
    return joined(f"{mantissa}{e}{power}", quantity.unit)
