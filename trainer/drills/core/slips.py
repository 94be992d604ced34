"""Mistakes with a name. A slip is claimed only where what was typed is what that mistake gives, and is not right."""

from collections.abc import Iterator
from dataclasses import dataclass

from calculator.core.units import GB, GIB, KB, KIB, MB, MIB, TB, TIB
from calculator.expressions import ExpressionError, Quantity
from trainer.drills.core.drawing import Drawn
from trainer.drills.core.tolerance import Tolerance
from trainer.drills.core.working import Worked

NEAR_SHARE = 0.01
"""How near to what a general slip gives one must be for it to be claimed."""
PREFIX_NEAR_SHARE = 0.005
"""The same for binary and decimal prefixes, which are only a few per cent apart."""
_PREFIXES = {
    "K": ("KiB", "KB", KIB / KB),
    "M": ("MiB", "MB", MIB / MB),
    "G": ("GiB", "GB", GIB / GB),
    "T": ("TiB", "TB", TIB / TB),
}


@dataclass(frozen=True)
class Named:
    """What a mistake gives, in base units, and its sentence."""

    value: float
    says: str
    near_share: float = NEAR_SHARE


def own_slips(drawn: Drawn, worked: Worked) -> Iterator[Named | None]:
    """The drill's own, at this draw; None for one that has no value here. Raises: ExpressionError."""
    numeric = drawn.drill.numeric
    assert numeric is not None
    for slip in numeric.slips:
        try:
            value = worked.scene.value(slip.answer).to(numeric.unit).value
            yield Named(value, worked.scene.fill(slip.says))
        except ExpressionError as error:
            if error.kind not in ("value", "limit"):
                raise
            yield None


def general_slips(worked: Worked) -> Iterator[Named]:
    """Those that any number may suffer from: units, factors, the inverse."""
    answer = worked.answer
    assert answer is not None
    units = [answer.unit, *(one.unit for one in worked.scene.names.values())]
    holds_bytes = any("byte" in Quantity(1, unit).dimension for unit in units)
    for letter, (binary, decimal, ratio) in _PREFIXES.items():
        if any(unit.startswith((f"{letter}iB", f"{letter}B")) for unit in units):
            sentence = f"{ratio - 1:.1%} apart: {binary} taken for {decimal}, or the other way round."
            yield Named(answer.value * ratio, sentence, PREFIX_NEAR_SHARE)
            yield Named(answer.value / ratio, sentence, PREFIX_NEAR_SHARE)
    yield from _both(
        answer,
        2,
        "Twice too much. Look for a factor 2: bytes per value, keys and values, both directions of a link, sparse "
        "peaks for dense ones.",
        "Half of it. Look for a factor 2: bytes per value, keys and values, a multiply and an add.",
    )
    bits = "bits for bytes, or" if holds_bytes else "look for"
    yield from _both(
        answer, 8, f"8 times too much: {bits} a count of 8 taken in twice.", f"An eighth of it: {bits} a count of 8."
    )
    yield from _both(answer, 1000, "1,000 times too much: a prefix slipped.", "A thousandth of it: a prefix slipped.")
    if answer.unit == "%":
        yield Named(answer.value / 100, "A hundredth of it: a share typed where per cent are wanted.")
    if answer.magnitude:
        yield Named(Quantity.of(1 / answer.magnitude, answer.unit).value, "This is the inverse: one over the answer.")


def _both(answer: Quantity, factor: float, above: str, below: str) -> Iterator[Named]:
    yield Named(answer.value * factor, above)
    yield Named(answer.value / factor, below)


def slip_of(typed: Quantity, drawn: Drawn, worked: Worked, tolerance: Tolerance) -> str:
    """The sentence of the slip that gives what was typed: the drill's own before general ones, the nearest first."""
    answer = worked.answer
    assert answer is not None
    own = [(slip, tolerance.reach(slip.value)) for slip in own_slips(drawn, worked) if slip is not None]
    general = [
        (slip, min(tolerance.reach(slip.value), slip.near_share * abs(slip.value))) for slip in general_slips(worked)
    ]
    for slips in (own, general):
        matching = [
            (abs(typed.value - slip.value), slip)
            for slip, reach in slips
            if not tolerance.holds(answer, slip.value) and abs(typed.value - slip.value) <= reach
        ]
        if matching:
            return min(matching, key=lambda pair: pair[0])[1].says
    return ""
