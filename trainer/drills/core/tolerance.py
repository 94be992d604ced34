"""How near an answer must come: a share of it, an amount, or all the way."""

import math
import re
from dataclasses import dataclass

from calculator.expressions import NO_FACTS, ExpressionError, Quantity, evaluate

EXACT = "exact"
_SHARE = re.compile(r"(\d+(?:\.\d+)?) ?%")
_PLAIN = re.compile(r"\d+(?:\.\d+)?")
_ROUNDING = 1e-9
_EXACT_SHARE = 1e-6
_SLIP_SHARE_WHEN_EXACT = 0.01


@dataclass(frozen=True)
class Tolerance:
    """`share` of the answer, or `amount` in base units; with neither, exact but for the rounding to `digits`."""

    share: float = 0.0
    amount: float = 0.0
    digits: int = 3

    def holds(self, answer: Quantity, value: float) -> bool:
        """Whether `value`, in base units, is right."""
        off = abs(value - answer.value)
        if self.share or self.amount:
            return off <= max(self.share * abs(answer.value), self.amount) * (1 + _ROUNDING)
        rounded = Quantity.of(float(f"{answer.magnitude:.{self.digits - 1}e}"), answer.unit).value
        return off <= _EXACT_SHARE * abs(answer.value) or math.isclose(value, rounded, rel_tol=_EXACT_SHARE)

    def reach(self, value: float) -> float:
        """How far from what a slip gives one may be for the slip to be recognised."""
        if self.amount:
            return self.amount
        return (self.share or _SLIP_SHARE_WHEN_EXACT) * abs(value)


def read_tolerance(text: str, *, unit: str, digits: int) -> Tolerance:
    """ "2%", "exact", or an amount: "1 GiB", or a plain number in the wanted `unit`. Raises: ExpressionError."""
    if text == EXACT:
        return Tolerance(digits=digits)
    share = _SHARE.fullmatch(text)
    if share and 0 < float(share.group(1)) < 100:
        return Tolerance(share=float(share.group(1)) / 100)
    if _PLAIN.fullmatch(text):
        amount = Quantity.of(float(text), unit)
    else:
        amount = evaluate(text, facts=NO_FACTS).quantity.to(unit)
    if not amount.value > 0:
        raise ExpressionError(f"a tolerance must be above 0, not {text!r}", kind="value")
    return Tolerance(amount=amount.value)
