"""The small tree of an expression."""

from dataclasses import dataclass

from calculator.expressions.units import Unit


@dataclass(frozen=True)
class Literal:
    """A number and its unit. ``spaced`` tells that the unit holds a ``/`` with spaces around it."""

    number: float
    unit: Unit
    spaced: bool
    column: int
    depth: int = 1


@dataclass(frozen=True)
class Name:
    """An earlier line, a given or a fact; ``start`` and ``end`` bound it in the normalised text."""

    name: str
    start: int
    end: int
    column: int
    depth: int = 1


@dataclass(frozen=True)
class Group:
    """Something in parentheses."""

    inner: "Node"
    column: int
    depth: int


@dataclass(frozen=True)
class Signed:
    """A sign before a term."""

    negative: bool
    inner: "Node"
    column: int
    depth: int


@dataclass(frozen=True)
class Chain:
    """Terms joined by "+" and "-", or factors joined by "*" and "/", taken from left to right."""

    first: "Node"
    rest: tuple[tuple[str, "Node", int], ...]
    column: int
    depth: int


@dataclass(frozen=True)
class Power:
    """A base and its exponent."""

    base: "Node"
    exponent: "Node"
    column: int
    depth: int


@dataclass(frozen=True)
class Call:
    """A documented function by name, with arguments by position or by name."""

    function: str
    arguments: tuple[tuple[str | None, "Node"], ...]
    column: int
    depth: int


Node = Literal | Name | Group | Signed | Chain | Power | Call


@dataclass(frozen=True)
class Line:
    """A whole expression, and the unit that it is to be shown in (with its column, and where "->" starts)."""

    expression: Node
    unit: Unit | None = None
    unit_column: int | None = None
    arrow_start: int | None = None
