"""Calling a function: arguments are placed, checked for their kind and unit, and the result is a value again."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from calculator.expressions.errors import ExpressionError
from calculator.expressions.formulas import WHOLE_ARGUMENT, Formula, Parameter, dtype_names, formulas, is_whole
from calculator.expressions.known import Facts
from calculator.expressions.limits import within_limits
from calculator.expressions.mathematics import MATHEMATICS
from calculator.expressions.nodes import Call, Name, Node
from calculator.expressions.quantity import named, spoken
from calculator.expressions.tokens import near_words
from calculator.expressions.units import labels_of
from calculator.expressions.values import Value, mixed_of

Evaluator = Callable[[Node], Value]


def call(node: Call, evaluate: Evaluator, facts: Facts) -> Value:
    """The value of a call. Raises ExpressionError."""
    if node.function in MATHEMATICS:
        if any(keyword is not None for keyword, _ in node.arguments):
            raise ExpressionError(f"{node.function} takes its arguments by position", kind="syntax")
        return MATHEMATICS[node.function].apply([evaluate(argument) for _, argument in node.arguments])
    formula = formulas().get(node.function)
    if formula is None:
        raise ExpressionError(f"there is no function '{node.function}'{_near(node.function)}", kind="name")
    values: list[Value] = []
    arguments: dict[str, Any] = {}
    for parameter, argument in _placed(formula, node.arguments):
        if parameter.kind == "number":
            value = evaluate(argument)
            values.append(value)
            arguments[parameter.name] = _located(argument, lambda v=value, p=parameter: _number(p, v))  # type: ignore[misc]
        else:
            arguments[parameter.name] = _row(parameter, argument, facts)
    return _result(formula, arguments, values)


def _near(name: str) -> str:
    return near_words(name, [*MATHEMATICS, *formulas()])


def _placed(formula: Formula, given: Sequence[tuple[str | None, Node]]) -> list[tuple[Parameter, Node]]:
    by_name = {parameter.name: parameter for parameter in formula.parameters}
    placed: dict[str, Node] = {}
    for position, (keyword, argument) in enumerate(given):
        name = keyword
        if name is None:
            if any(other is not None for other, _ in given[:position]):
                raise ExpressionError(
                    "arguments by position come before those by name", kind="syntax", column=argument.column
                )
            if position >= len(formula.parameters):
                raise ExpressionError(f"too many arguments: {formula.signature}", kind="value", column=argument.column)
            name = formula.parameters[position].name
        if name not in by_name:
            near = near_words(name, list(by_name))
            raise ExpressionError(
                f"{formula.name} has no argument '{name}'{near or f': {formula.signature}'}",
                kind="name",
                column=argument.column,
            )
        if name in placed:
            raise ExpressionError(f"'{name}' is given twice", kind="value", column=argument.column)
        placed[name] = argument
    missing = [
        parameter.name for parameter in formula.parameters if parameter.required and parameter.name not in placed
    ]
    if missing:
        raise ExpressionError(f"{', '.join(missing)} missing: {formula.signature}", kind="value")
    return [(by_name[name], argument) for name, argument in placed.items()]


def _row(parameter: Parameter, argument: Node, facts: Facts) -> Any:
    wanted = {"model": "a model of the catalogue", "accelerator": "an accelerator of the catalogue"}.get(
        parameter.kind, f"a number format ({', '.join(dtype_names())})"
    )
    name = argument.name if isinstance(argument, Name) else None
    if name is not None:
        row: Any = {
            "model": facts.language_model,
            "accelerator": facts.accelerator,
            "dtype": lambda key: key if key in dtype_names() else None,
        }[parameter.kind](name)
        if row is not None:
            return row
    near = [] if name is None or parameter.kind == "dtype" else [one for one in facts.suggest(name) if "." not in one]
    meant = f": did you mean {' or '.join(near[:3])}?" if near else ""
    raise ExpressionError(f"{parameter.name} must be {wanted}{meant}", kind="name", column=argument.column)


def _number(parameter: Parameter, value: Value) -> float | int:
    wanted = parameter.unit
    if value.dimension != wanted.dimension:
        expected = named(wanted) if wanted.powers else "a plain number"
        raise ExpressionError(
            f"{parameter.name} must be in {expected}, not {value.named()}: "
            f"{spoken(wanted.dimension)} against {spoken(value.dimension)}",
            kind="unit",
        )
    ours, theirs = labels_of(value.bases), labels_of(wanted.bases)
    if not wanted.dimension and ours and theirs and ours != theirs:
        raise ExpressionError(f"{parameter.name} counts {named(wanted)}, not {value.named()}", kind="unit")
    if value.number < 0:
        raise ExpressionError(f"{parameter.name} must be at least 0, not {value.number:g}", kind="value")
    number = value.number / wanted.factor
    if not parameter.whole:
        return number
    if number > WHOLE_ARGUMENT:
        raise ExpressionError(f"{parameter.name} must be at most {WHOLE_ARGUMENT:,}", kind="limit")
    if not is_whole(number):
        raise ExpressionError(f"{parameter.name} must be a whole number, not {number:g}", kind="value")
    return round(number)


def _located(argument: Node, check: Callable[[], float | int]) -> float | int:
    try:
        return check()
    except ExpressionError as error:
        raise error.at(argument.column) from None


def _result(formula: Formula, arguments: Mapping[str, Any], values: Sequence[Value]) -> Value:
    try:
        number = formula.call(**arguments)
    except OverflowError:
        raise ExpressionError(f"{formula.name} is larger than the limit here", kind="limit") from None
    except ZeroDivisionError:
        raise ExpressionError(f"{formula.name} divides by zero for these arguments", kind="value") from None
    except ValueError as error:
        raise ExpressionError(f"{formula.name}: {error}", kind="value") from None
    if isinstance(number, complex):
        raise ExpressionError(f"{formula.name} has no real value for these arguments", kind="value")
    value = Value.in_base_units(
        within_limits(float(number) * formula.result.factor), formula.result, mixed=mixed_of(*values)
    )
    return value.computed(formula.symbols if formula.result.bases.get("B", 0) > 0 else {})
