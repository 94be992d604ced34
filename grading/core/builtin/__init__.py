"""The built-in critic: deterministic, needs no model. It is shown only once the round is done."""

from grading.core.builtin.findings import AbsentNumber, AbsentRemedy, OffLine
from grading.core.builtin.report import BuiltinReport, builtin_report

__all__ = ["AbsentNumber", "AbsentRemedy", "BuiltinReport", "OffLine", "builtin_report"]
