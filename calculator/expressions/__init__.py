"""The expression language: numbers with units, names, facts and formulas. docs/expressions.md describes it."""

from calculator.expressions.errors import ExpressionError
from calculator.expressions.evaluation import Evaluated, evaluate
from calculator.expressions.formulas import formulas
from calculator.expressions.help import FunctionHelp, UnitHelp, function_help, unit_names
from calculator.expressions.known import NO_FACTS, Facts
from calculator.expressions.naming import check_name
from calculator.expressions.quantity import Quantity, agrees
from calculator.expressions.worksheet import WorksheetLine, evaluate_worksheet

__all__ = [
    "NO_FACTS",
    "Evaluated",
    "ExpressionError",
    "Facts",
    "FunctionHelp",
    "Quantity",
    "UnitHelp",
    "WorksheetLine",
    "agrees",
    "check_name",
    "evaluate",
    "evaluate_worksheet",
    "formulas",
    "function_help",
    "unit_names",
]
