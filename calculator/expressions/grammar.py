"""The grammar (LALR, by lark), and the tree that it is read into. Depth is counted while the tree is built."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, cast

from lark import Lark, Token, Transformer
from lark.exceptions import UnexpectedToken
from lark.lexer import Lexer

from calculator.expressions.errors import ExpressionError
from calculator.expressions.limits import ARGUMENTS, DEPTH, UNIT_EXPONENT
from calculator.expressions.nodes import Call, Chain, Group, Line, Literal, Name, Node, Power, Signed
from calculator.expressions.source import Source
from calculator.expressions.units import Unit
from calculator.expressions.words import WORDS

GRAMMAR = """
line: sum [ARROW unit]
?sum: product ((PLUS | MINUS) product)*
?product: signed ((TIMES | OVER) signed)*
?signed: power | (PLUS | MINUS) signed
?power: atom | atom POWER signed
?atom: literal | name | call | LEFT sum RIGHT -> group
name: NAME | FACT
call: FUNCTION LEFT [argument (COMMA argument)*] RIGHT
argument: [KEYWORD] sum
literal: NUMBER [unit]
unit: factor (unit_sign factor)* | (unit_sign factor)+
unit_sign: UNIT_TIMES | UNIT_OVER | UNIT_OVER_SPACED
factor: UNIT [UNIT_POWER]
%declare NUMBER NAME FACT FUNCTION KEYWORD UNIT UNIT_POWER UNIT_OVER UNIT_OVER_SPACED UNIT_TIMES
%declare PLUS MINUS TIMES OVER POWER LEFT RIGHT COMMA ARROW
"""


def parse(tokens: Sequence[Token], source: Source) -> Line:
    """The tree of ``tokens``. Raises ExpressionError."""
    if not tokens:
        raise ExpressionError("there is nothing to evaluate", kind="syntax", column=1)
    try:
        return cast(Line, _parser().parse(cast(Any, tokens), start="line"))
    except UnexpectedToken as unexpected:
        raise _unexpected(unexpected, tokens, source) from None


def parse_unit(tokens: Sequence[Token], source: Source) -> Unit:
    """The unit that ``tokens`` spell. Raises ExpressionError."""
    try:
        unit, _ = cast(tuple[Unit, bool], _parser().parse(cast(Any, tokens), start="unit"))
    except UnexpectedToken:
        raise ExpressionError(f"'{source.typed}' is no unit", kind="unit") from None
    return unit


class _Given(Lexer):
    """The tokens are made already."""

    def __init__(self, _configuration: object) -> None: ...

    def lex(self, lexer_state: Any, parser_state: Any = None) -> Iterator[Token]:
        return iter(lexer_state)


@cache
def _parser() -> Lark:
    return Lark(GRAMMAR, parser="lalr", lexer=_Given, start=["line", "unit"], transformer=_Builder())


def _column(token: Token) -> int:
    return int(token.column or 1)


def _deeper(*nodes: Node, column: int) -> int:
    depth = 1 + max(node.depth for node in nodes)
    if depth > DEPTH:
        raise ExpressionError(
            f"this is nested more than {DEPTH} deep: give a part of it a name of its own", kind="limit", column=column
        )
    return depth


class _Builder(Transformer[Token, Any]):
    """What each rule becomes."""

    def line(self, parts: list[Any]) -> Line:
        expression, arrow, unit = parts
        if arrow is None:
            return Line(expression)
        return Line(expression, unit[0], _column(arrow), arrow.start_pos)

    def sum(self, parts: list[Any]) -> Chain:
        return self._chain(parts)

    def product(self, parts: list[Any]) -> Chain:
        for sign, factor in zip(parts[1::2], parts[2::2], strict=True):
            if sign == "/" and isinstance(factor, Literal) and factor.spaced:
                raise ExpressionError(
                    "this can be read two ways: write the unit without spaces (3 TB/s) to divide by a rate, "
                    "or put what comes before it in parentheses",
                    kind="syntax",
                    column=factor.column,
                )
        return self._chain(parts)

    def _chain(self, parts: list[Any]) -> Chain:
        first, rest = parts[0], parts[1:]
        joined = tuple((str(sign), term, _column(sign)) for sign, term in zip(rest[::2], rest[1::2], strict=True))
        return Chain(first, joined, first.column, max(node.depth for node in (first, *rest[1::2])))

    def signed(self, parts: list[Any]) -> Signed:
        sign, inner = parts
        column = _column(sign)
        return Signed(sign == "-", inner, column, _deeper(inner, column=column))

    def power(self, parts: list[Any]) -> Power:
        base, sign, exponent = parts
        if isinstance(base, Literal) and base.unit.powers:
            raise ExpressionError(
                "this can be read two ways: put the number and its unit in parentheses, as in (3 GB)^n",
                kind="syntax",
                column=_column(sign),
            )
        return Power(base, exponent, _column(sign), _deeper(base, exponent, column=base.column))

    def group(self, parts: list[Any]) -> Group:
        left, inner, _ = parts
        return Group(inner, _column(left), _deeper(inner, column=_column(left)))

    def name(self, parts: list[Token]) -> Name:
        (name,) = parts
        return Name(str(name), int(name.start_pos or 0), int(name.end_pos or 0), _column(name))

    def call(self, parts: list[Any]) -> Call:
        function, _, *rest = parts
        arguments = tuple(part for part in rest if isinstance(part, tuple))
        column = _column(function)
        if len(arguments) > ARGUMENTS:
            raise ExpressionError(f"a function takes {ARGUMENTS} arguments at most", kind="limit", column=column)
        depth = _deeper(*(node for _, node in arguments), column=column) if arguments else 1
        return Call(str(function), arguments, column, depth)

    def argument(self, parts: list[Any]) -> tuple[str | None, Node]:
        keyword, value = parts
        return (None if keyword is None else keyword.rstrip("= "), value)

    def literal(self, parts: list[Any]) -> Literal:
        number, unit = parts
        unit, spaced = unit or (Unit(), False)
        return Literal(float(number), unit, spaced, _column(number))

    def unit(self, parts: list[Any]) -> tuple[Unit, bool]:
        powers: list[tuple[str, int]] = []
        sign, spaced = 1, False
        for part in parts:
            if isinstance(part, Token):
                sign = 1 if part.type == "UNIT_TIMES" else -1
                spaced = spaced or part.type == "UNIT_OVER_SPACED"
            else:
                powers += [(symbol, sign * exponent) for symbol, exponent in part]
        if any(abs(exponent) > UNIT_EXPONENT for _, exponent in powers):
            raise ExpressionError(f"a unit's exponent is {UNIT_EXPONENT} at most", kind="limit")
        return Unit.of(powers), spaced

    def unit_sign(self, parts: list[Token]) -> Token:
        return parts[0]

    def factor(self, parts: list[Any]) -> list[tuple[str, int]]:
        word, power = parts
        exponent = int(power.lstrip(" *^")) if power is not None else 1
        return [(symbol, exponent) for symbol in WORDS[word]]


def _unexpected(unexpected: UnexpectedToken, tokens: Sequence[Token], source: Source) -> ExpressionError:
    token = unexpected.token
    if token.type == "$END":
        missing = "a ')' is missing" if _open(tokens) and tokens[-1].type not in _INCOMPLETE else _needs(tokens[-1])
        return ExpressionError(missing, kind="syntax", column=len(source.typed.rstrip()) + 1)
    column = _column(token)
    if token.type == "RIGHT":
        problem = (
            "there is no '(' for this ')'"
            if _open(tokens[: tokens.index(token)]) <= 0
            else "something is missing before this ')'"
        )
    elif token.type == "KEYWORD":
        problem = "'=' names a line of the worksheet and has no place inside an expression"
    elif token.type == "ARROW":
        problem = "'->' stands once, at the end, before the unit to show"
    elif token.type == "COMMA":
        problem = "a comma stands between the arguments of a function only"
    elif token.type == "NUMBER" and tokens[tokens.index(token) - 1].type == "NUMBER":
        problem = f"two numbers side by side: write an operator before '{token}', or one number without a space"
    elif token.type in ("NUMBER", "NAME", "FACT", "FUNCTION", "LEFT"):
        problem = f"an operator (such as *) is missing before '{token}'"
    else:
        problem = f"'{token.strip()}' has no place here: a number, a name or '(' should come before it"
    return ExpressionError(problem, kind="syntax", column=column)


_INCOMPLETE = {"PLUS", "MINUS", "TIMES", "OVER", "POWER", "COMMA", "LEFT", "ARROW", "KEYWORD", "FUNCTION"}


def _open(tokens: Sequence[Token]) -> int:
    return sum((token.type == "LEFT") - (token.type == "RIGHT") for token in tokens)


def _needs(last: Token) -> str:
    if last.type == "ARROW":
        return "a unit should follow '->'"
    return f"the expression stops after '{last.strip()}'"
