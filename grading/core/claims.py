"""The numbers of a critique: its expression is worked out, and every number in it must come from somewhere."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from calculator.expressions import NO_FACTS, ExpressionError, Facts, Quantity, evaluate
from calculator.expressions.evaluation import Evaluated, put_in_text
from calculator.expressions.grammar import parse
from calculator.expressions.nodes import Call, Chain, Group, Line, Literal, Name, Node, Power, Signed
from calculator.expressions.source import source_of
from calculator.expressions.tokens import tokens_of
from grading.core.case import Case
from grading.core.figures import Figure, figures_in, same

TOLERANCE = 0.02
CLAIM_CHARACTERS = 80

# What the documented formulas hold themselves: key and value, a multiply and an add, six FLOPs of a training step for
# each parameter, the width of BF16; and 1 of any unit, which converts.
_STRUCTURAL = frozenset({(0.0, ""), (1.0, ""), (2.0, ""), (2.0, "FLOP"), (6.0, "FLOP"), (2.0, "byte")})
_POWERS = (0.5, 1.0, 2.0, 3.0)


class ClaimRefused(ValueError):
    """A claim that does not stand. `kind`: "name", "value", "missing", "unreadable", "wrong" or "nowhere"."""

    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(detail)
        self.kind = kind
        self.detail = detail


@dataclass(frozen=True)
class Claim:
    """An expression that was worked out and agrees with what was claimed."""

    expression: str
    with_numbers: str
    quantity: Quantity
    claimed: Figure

    @property
    def value_text(self) -> str:
        """The value that code worked out, in the unit that was claimed where it can be shown in it."""
        return _in_unit(self.quantity, self.claimed.quantity.unit, digits=3)


@dataclass(frozen=True)
class Known:
    """Every number that a critique may use without deriving it: of the prompt, the givens and the submission."""

    figures: tuple[Figure, ...]
    values: frozenset[tuple[float, str]] = field(default_factory=frozenset)

    @classmethod
    def of(cls, case: Case) -> "Known":
        """The numbers of a case. The anchors' are not among them: they are the worked answer."""
        texts = (case.prompt, *(given.text for given in case.givens), *(part.text for part in case.submission.parts))
        figures = tuple(figure for text in texts for figure in figures_in(text))
        return cls(figures, frozenset((quantity.value, quantity.dimension) for quantity in case.names.values()))

    @cached_property
    def _exactly(self) -> frozenset[tuple[float, str]]:
        """The figures' values: most numbers are said again as they stand, and there may be tens of thousands."""
        return frozenset((figure.quantity.value, figure.dimension) for figure in self.figures)

    def holds(self, quantity: Quantity) -> bool:
        """Whether this number stands in one of them."""
        if (quantity.value, quantity.dimension) in self._exactly:
            return True
        if same(self.figures, quantity.value, quantity.dimension):
            return True
        if any(
            dimension == quantity.dimension and abs(value - quantity.value) <= 1e-6 * abs(value)
            for value, dimension in self.values
        ):
            return True
        plain = not quantity.dimension and not quantity.unit
        return plain and any(_written(figure) == quantity.value for figure in self.figures)

    def rounds_to(self, figure: Figure) -> bool:
        """Whether a number of a text is one of them, or one of them rounded."""
        if self.holds(figure.quantity):
            return True
        if any(dimension == figure.dimension and _agrees(figure, value) for value, dimension in self.values):
            return True
        return any(
            known.with_unit and _same_kind(known.quantity, figure.quantity) and _agrees(figure, known.quantity.value)
            for known in self.figures
        )


def check_claim(expression: str, claimed: str, case: Case, known: Known, facts: Facts) -> Claim:
    """The claim worked out. Raises: ClaimRefused."""
    evaluated = _evaluated(expression, case, facts)
    literals = list(_literals(_parsed(expression, case).expression))
    if not evaluated.names and "(" not in expression and all(map(_is_structural, literals)):
        raise ClaimRefused("nowhere", "no figure of the prompt, the submission or the catalogue is in it")
    for literal in literals:
        if not _is_structural(literal) and not known.holds(literal):
            raise ClaimRefused(
                "nowhere", f"{put_in_text(literal)} stands neither in the submission nor in the prompt, and is no fact"
            )
    figure = read_claim(claimed, evaluated.quantity.dimension)
    _agree_or_refuse(figure, evaluated)
    return Claim(" ".join(expression.split()), evaluated.with_numbers, evaluated.quantity, figure)


def read_claim(claimed: str, dimension: str = "") -> Figure:
    """The one number of a claimed value, read in this dimension where it may be. Raises: ClaimRefused."""
    if not claimed.strip():
        raise ClaimRefused("missing", "an expression claims no value")
    if len(claimed) > CLAIM_CHARACTERS:
        raise ClaimRefused("unreadable", f"the claimed value has more than {CLAIM_CHARACTERS} characters")
    figures = figures_in(claimed)
    negative = claimed.strip().startswith(("-", "−"))
    try:
        exact = evaluate(claimed.strip(), names={}, facts=NO_FACTS).quantity
    except ExpressionError:
        exact = None
    if exact is not None and figures:
        last = figures[0].last_place if len(figures) == 1 or figures[0].text.startswith(claimed.strip()) else 0.0
        return Figure(exact, claimed.strip(), last, with_unit=bool(exact.unit))
    if len({figure.text.split()[0] for figure in figures if figure.upper is None}) != 1 or negative:
        raise ClaimRefused("unreadable", f"{claimed.strip()!r} is not one number with its unit")
    return next((figure for figure in figures if figure.dimension == dimension), figures[0])


def unshown_number(text: str, known: Known, claim: Claim | None, expression_names: tuple[Quantity, ...] = ()) -> str:
    """The first number with a unit in a text that stands nowhere and is not the claim's; "" when there is none."""
    own = list(expression_names)
    if claim is not None:
        own.append(claim.quantity)
    for readings in _by_place(figures_in(text)):
        if not any(figure.with_unit for figure in readings):
            continue
        if any(known.rounds_to(figure) or _is_own(figure, own) for figure in readings):
            continue
        return readings[0].text
    return ""


def names_used(expression: str, case: Case, facts: Facts) -> tuple[Quantity, ...]:
    """The quantities that an expression puts in."""
    quantities = (case.names.get(name) or facts.fact(name) for name in _evaluated(expression, case, facts).names)
    return tuple(quantity for quantity in quantities if quantity is not None)


def _by_place(figures: tuple[Figure, ...]) -> Iterator[list[Figure]]:
    """The readings of one written number together: "70B" is seventy billion, or seventy bytes."""
    group: list[Figure] = []
    for figure in figures:
        if group and figure.text.replace(" ", "") != group[0].text.replace(" ", ""):
            yield group
            group = []
        group.append(figure)
    if group:
        yield group


def _is_own(figure: Figure, own: list[Quantity]) -> bool:
    return any(quantity.dimension == figure.dimension and _agrees(figure, quantity.value) for quantity in own)


def _evaluated(expression: str, case: Case, facts: Facts) -> Evaluated:
    try:
        return evaluate(expression, names=case.names, facts=facts)
    except ExpressionError as error:
        raise ClaimRefused("name" if error.kind == "name" else "value", error.message) from None


def _parsed(expression: str, case: Case) -> Line:
    source = source_of(expression)
    return parse(tokens_of(source, case.names), source)


def _agree_or_refuse(figure: Figure, evaluated: Evaluated) -> None:
    quantity = evaluated.quantity
    if figure.dimension != quantity.dimension:
        raise ClaimRefused(
            "wrong", f"{evaluated.with_numbers} is in {quantity.dimension or 'plain numbers'}, not {figure.text}"
        )
    if not _agrees(figure, quantity.value):
        raise ClaimRefused(
            "wrong",
            f"{evaluated.with_numbers} gives {_in_unit(quantity, figure.quantity.unit, digits=4)}, not {figure.text}",
        )


def _in_unit(quantity: Quantity, unit: str, *, digits: int) -> str:
    try:
        return quantity.to(unit).text(digits)
    except ExpressionError:
        return quantity.readable().text(digits)


def _agrees(figure: Figure, value: float) -> bool:
    """Within 2%, or the value rounded to the digits that were written."""
    apart = abs(figure.quantity.value - value)
    return apart <= TOLERANCE * abs(value) or (figure.quantity.value != 0 and apart <= 0.5 * figure.last_place)


def _same_kind(first: Quantity, second: Quantity) -> bool:
    return first.dimension == second.dimension and bool(first.dimension or first.unit == second.unit)


def _written(figure: Figure) -> float:
    return figure.quantity.magnitude


def _literals(node: Node) -> Iterator[Quantity]:
    """Every number that is typed in an expression; powers that a formula has of itself are left out."""
    match node:
        case Literal():
            yield Quantity(node.number * node.unit.factor, str(node.unit))
        case Name():
            return
        case Group() | Signed():
            yield from _literals(node.inner)
        case Chain():
            yield from _literals(node.first)
            for _, term, _ in node.rest:
                yield from _literals(term)
        case Power():
            yield from _literals(node.base)
            yield from (power for power in _literals(node.exponent) if power.value not in _POWERS)
        case Call():
            for _, argument in node.arguments:
                yield from _literals(argument)


def _is_structural(literal: Quantity) -> bool:
    return literal.magnitude == 1 or (literal.value, literal.dimension) in _STRUCTURAL
