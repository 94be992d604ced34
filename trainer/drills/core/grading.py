"""Whether an answer is right, by how much it is off, and the slip that it shows."""

from collections.abc import Collection
from dataclasses import dataclass

from calculator.expressions import ExpressionError, Facts, Quantity, evaluate
from calculator.expressions.evaluation import put_in_text
from calculator.expressions.quantity import joined
from trainer.drills.core.drawing import Drawn
from trainer.drills.core.forms import Drill, Kind
from trainer.drills.core.parser import PLAIN_NUMBER
from trainer.drills.core.slips import slip_of
from trainer.drills.core.tolerance import Tolerance, read_tolerance
from trainer.drills.core.working import Worked

LONGEST_TYPED = 200
FACTORS_UP_TO = 1e6
"""A larger factor is not said as a number: it tells no more."""


class Unreadable(Exception):
    """An answer that cannot be read, or whose unit does not fit: nothing is graded. `message` says what would do."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


@dataclass(frozen=True)
class Verdict:
    """How an answer stands. `off` is (typed - right) / right; `read` is how the typed answer was understood."""

    right: bool
    read: str = ""
    off: float | None = None
    slip: str = ""

    @property
    def off_text(self) -> str:
        """How far off, as said: "7.4% too much", "a factor of 1,820 too little"; nothing of a plain 0."""
        if self.off is None or self.right:
            return ""
        ratio = 1 + self.off
        if ratio <= 0:
            return "of the wrong sign" if ratio < 0 else ""
        if 0.5 < ratio < 2:
            return _share(self.off)
        return f"a factor of {_factor(ratio)} too much" if ratio > 1 else f"a factor of {_factor(1 / ratio)} too little"


def _share(off: float) -> str:
    return f"{abs(off):.1%} too {'much' if off > 0 else 'little'}"


def _factor(ratio: float) -> str:
    if ratio >= FACTORS_UP_TO:
        return "more than a million"
    return f"{ratio:.3g}" if ratio < 999.5 else f"{float(f'{ratio:.2e}'):,.0f}"


def _said(quantity: Quantity) -> str:
    """A quantity as one reads it: "1,048,576 KiB", "68.625 KiB"."""
    if 1000 <= abs(quantity.magnitude) < 1e15:
        whole = abs(quantity.magnitude) >= 1e6
        return joined(f"{quantity.magnitude:,.0f}" if whole else f"{quantity.magnitude:,.6g}", quantity.unit)
    return put_in_text(quantity)


def tolerance_of(drill: Drill) -> Tolerance:
    """How near the answer to a drill must come. Raises: ExpressionError."""
    numeric = drill.numeric
    assert numeric is not None
    return read_tolerance(numeric.tolerance, unit=numeric.unit, digits=numeric.digits)


def grade(drawn: Drawn, worked: Worked, typed: str) -> Verdict:
    """The verdict on a typed number. Raises: Unreadable."""
    assert drawn.drill.numeric is not None
    assert worked.answer is not None
    tolerance = tolerance_of(drawn.drill)
    readings = read_typed(typed, drawn.drill.numeric.unit, drawn.scene.facts)
    own = next((one for one in readings if tolerance.holds(worked.answer, one.value)), readings[0])
    right = tolerance.holds(worked.answer, own.value)
    off = own.value / worked.answer.value - 1 if worked.answer.value else None
    slip = "" if right else slip_of(own, drawn, worked, tolerance)
    return Verdict(right, _said(own), off, slip)


def read_typed(typed: str, unit: str, facts: Facts) -> tuple[Quantity, ...]:
    """How a typed answer may be read, the likeliest first; a plain number counts the wanted unit.

    Raises: Unreadable.
    """
    text = typed.strip()
    if not text:
        raise Unreadable(f"Answer: type {_wanted(unit)}.")
    if len(text) > LONGEST_TYPED:
        raise Unreadable(f"Answer: at most {LONGEST_TYPED} characters, not {len(text):,}.")
    if PLAIN_NUMBER.fullmatch(text):
        return (_counted(text, unit),)
    try:
        quantity = evaluate(text, facts=facts).quantity
        wanted = Quantity.of(1, unit)
        if quantity.unit or not unit:
            return (quantity.to(unit),)
        in_wanted = Quantity.of(quantity.value, unit)
        return (in_wanted,) if wanted.dimension else (Quantity(quantity.value, unit), in_wanted)
    except ExpressionError as error:
        wants = f"The answer is wanted in {unit}" if unit and error.kind == "unit" else f"Type {_wanted(unit)}"
        raise Unreadable(f"Answer: {error.message}. {wants}.") from None


def _counted(text: str, unit: str) -> Quantity:
    try:
        return Quantity.of(float(text.replace("_", "")), unit)
    except ExpressionError as error:
        raise Unreadable(f"Answer: {error.message}. Type {_wanted(unit)}.") from None


def _wanted(unit: str) -> str:
    number = f"a number in {unit}" if unit else "a plain number"
    return f"{number}, such as 12, or an expression, such as 12 GB / 3 GB/s"


def grade_choice(drawn: Drawn, typed: str) -> Verdict:
    """The verdict on the place of the choice that was taken, counted from 1. Raises: Unreadable."""
    count = len(drawn.order)
    if not (typed.isascii() and typed.isdecimal() and len(typed) <= 3 and 1 <= int(typed) <= count):
        raise Unreadable(f"Choice: take one of the {count}.")
    choice = drawn.drill.choices[drawn.order[int(typed) - 1]]
    why = "" if choice.key or drawn.drill.kind is Kind.CLAIM else drawn.scene.fill(choice.why)
    return Verdict(choice.key, typed, slip=why)


def grade_beats(drill: Drill, ticked: Collection[int]) -> Verdict:
    """The verdict on the beats that were ticked: enough of them, and every essential one. Raises: Unreadable."""
    if not set(ticked) <= set(range(len(drill.beats))):
        raise Unreadable(f"Beats: numbers from 1 to {len(drill.beats)}.")
    missing = [index + 1 for index, beat in enumerate(drill.beats) if beat.essential and index not in ticked]
    count = len(set(ticked))
    if missing:
        which = ", ".join(map(str, missing))
        return Verdict(False, slip=f"An essential beat was not said: {which}.")
    if count < drill.pass_at:
        return Verdict(False, slip=f"{count} beats said; {drill.pass_at} are needed.")
    return Verdict(True)
