"""Openers: one's own number and sentence beside the design's deciding step. Of earned designs alone."""

from dataclasses import dataclass

from calculator.expressions import ExpressionError, Quantity, evaluate
from calculator.facts import catalogue_facts
from designs.core.derivation import DerivedStep
from designs.loaded import LoadedDesign
from trainer.drills.core.grading import LONGEST_TYPED, Unreadable
from trainer.drills.core.parser import PLAIN_NUMBER
from trainer.rounds.core.agreement import OTHER_UNIT, Agreement, agreement

_SHARES = ("%", "pp")


@dataclass(frozen=True)
class Opened:
    """The number that was typed, the design's step that it is compared with, and whether they agree."""

    own: Quantity | None
    step: DerivedStep
    agrees: bool
    ratio: float | None


def opened(typed: str, design: LoadedDesign) -> Opened:
    """A typed number beside the deciding number, or the one that is as good an answer. Raises: Unreadable."""
    readings = [(step, _read(typed, step.quantity.unit)) for step in design.derivation.accepted]
    verdicts = [(step, own, _agreement(own, step)) for step, own in readings]
    if all(verdict.verdict == OTHER_UNIT for _, _, verdict in verdicts):
        raise Unreadable(
            f"Number: {readings[0][1].text()} is not of the kind of the deciding number. Say the number that decides "
            "this design."
        )
    step, own, verdict = next((one for one in verdicts if not one[2].is_miss), verdicts[0])
    return Opened(own, step, not verdict.is_miss, verdict.ratio)


def given_up(design: LoadedDesign) -> Opened:
    """Nothing was typed."""
    return Opened(None, design.derivation.deciding, False, None)


def _agreement(own: Quantity, step: DerivedStep) -> Agreement:
    return agreement(
        own=own.value,
        own_dimension=own.dimension,
        design=step.quantity.value,
        design_dimension=step.quantity.dimension,
        design_is_share=step.quantity.unit in _SHARES,
    )


def _read(typed: str, unit: str) -> Quantity:
    """A plain number counts the unit of the number that it is compared with, which nobody is told before."""
    text = typed.strip()
    if not text or len(text) > LONGEST_TYPED:
        raise Unreadable(f"Number: 1 to {LONGEST_TYPED} characters, such as 12 ms.")
    try:
        if PLAIN_NUMBER.fullmatch(text):
            return Quantity.of(float(text.replace("_", "")), unit)
        return evaluate(text, facts=catalogue_facts()).quantity
    except ExpressionError as error:
        raise Unreadable(f"Number: {error.message}. Type a number with its unit, such as 12 ms.") from None
