"""Puts the findings together: six attacks at most, in the form of checked critiques, then three mutations."""

from dataclasses import dataclass

from calculator.expressions import Facts
from designs.core.derivation import Derivation
from designs.core.document import Design
from grading.core.builtin.findings import AbsentFigure, AbsentNumber, AbsentRemedy, OffLine
from grading.core.case import Case
from grading.core.checking import CheckedCritique, CheckedMutation

LABEL = "built-in"


@dataclass(frozen=True)
class BuiltinReport:
    """All that was found, and what is made of it. `critiques` and `mutations` have the form of a model's, checked."""

    absent_numbers: tuple[AbsentNumber, ...]
    off_lines: tuple[OffLine, ...]
    absent_remedies: tuple[AbsentRemedy, ...]
    absent_figures: tuple[AbsentFigure, ...]
    critiques: tuple[CheckedCritique, ...]
    mutations: tuple[CheckedMutation, ...]
    label: str = LABEL

    @property
    def finding_count(self) -> int:
        """How many things were found in all, before the six are chosen."""
        found = (self.absent_numbers, self.off_lines, self.absent_remedies, self.absent_figures)
        return sum(len(kind) for kind in found)


def builtin_report(case: Case, design: Design, derivation: Derivation, *, facts: Facts, seed: int) -> BuiltinReport:
    """The built-in critic's reading of one submission. Same inputs, same report."""
    raise NotImplementedError
