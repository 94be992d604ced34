"""Worksheet lines that work out a step of the derivation and come to something else."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from calculator.expressions import ExpressionError, Facts, Quantity, WorksheetLine, evaluate_worksheet
from designs.core.derivation import Derivation, DerivedStep
from designs.core.prose import fill
from grading.core.builtin.findings import OffLine
from grading.core.builtin.numbers import close, nearby
from grading.core.builtin.wording import folded
from grading.core.case import Case

MEANS_LIKENESS = 0.6
"""From here on a line is taken to work out a step. What is said to a trainee must be right rather than complete."""
ALIKE = 0.3
_DIGITS = 4
_SLIP_SHARE = 0.03

_FILLERS = frozenset({"per", "of", "in", "at", "for", "to", "on", "with", "and", "one", "by", "own", "byte"})
_SAME = {
    "fraction": "share", "percent": "share", "percentage": "share", "pct": "share", "frac": "share", "ratio": "share",
    "usd": "cost", "price": "cost", "money": "cost", "dollar": "cost", "mtti": "mtbf", "memory": "mem",
    "bw": "bandwidth", "tok": "token", "ckpt": "checkpoint", "breakeven": "break", "even": "break", "interval": "tau",
}  # fmt: skip
_SLIPS: tuple[tuple[float, str], ...] = (
    (8.0, "a factor of eight: bits for bytes, or query heads for KV heads"),
    (2.0, "a factor of two: key and value, or bytes for each value"),
    (4.0, "a factor of four, such as the GPUs of a replica"),
    (60.0, "seconds for minutes, or minutes for hours"),
    (3600.0, "seconds for hours"),
    (24.0, "hours for days"),
    (100.0, "a share for a percentage"),
    (1000.0, "a prefix: a factor of a thousand"),
    (1024.0, "a prefix: a factor of 1024"),
    (1e6, "a prefix: a factor of a million"),
    (1e9, "a prefix: a factor of a billion"),
)
_BINARY = {1.024**power: f"{decimal} for {binary}" for power, decimal, binary in ((4, "TB", "TiB"), (5, "PB", "PiB"))}


@dataclass(frozen=True)
class _Meant:
    step: DerivedStep
    likeness: float


def off_lines(case: Case, derivation: Derivation, *, facts: Facts) -> tuple[OffLine, ...]:
    """Lines that are off from the step they work out by more than a tenth; one for each step, the first."""
    found: dict[str, OffLine] = {}
    given = [given.quantity for given in derivation.givens]
    for line in evaluate_worksheet(case.submission.worksheet, facts=facts):
        if line.name is None or line.evaluated is None or line.evaluated.quantity.value == 0:
            continue
        own = line.evaluated.quantity
        step = _off_from(line, own, derivation.steps, given)
        if step is not None and step.id not in found:
            found[step.id] = _off_line(line, own, step, derivation, facts)
    return tuple(found.values())


def _off_from(
    line: WorksheetLine, own: Quantity, steps: Sequence[DerivedStep], given: Iterable[Quantity]
) -> DerivedStep | None:
    """The step that the line works out and does not come to; None when it comes to any that is like it."""
    meant = [
        _Meant(step, likeness(line, step)) for step in steps if _comparable(own, step.quantity) and step.quantity.value
    ]
    if any(one.likeness >= ALIKE and close(own, one.step.quantity) for one in meant) or nearby(own, given):
        return None
    best = max(meant, key=lambda one: one.likeness, default=None)
    return best.step if best is not None and best.likeness >= MEANS_LIKENESS else None


def likeness(line: WorksheetLine, step: DerivedStep) -> float:
    """How much the name of a line is like a step's, 0 to 1; facts that both use count half as much."""
    name = _words((line.name or "").replace("_", " "))
    by_name = max(_overlap(name, _words(step.id.replace("_", " "))), _overlap(name, _words(step.title)))
    used = {fact for fact in (line.evaluated.names if line.evaluated else ()) if "." in fact}
    wanted = {word for word in step.expression.replace("(", " ").replace(")", " ").split() if "." in word}
    shared = _overlap(used, wanted) if len(used & wanted) >= 2 else 0.0
    return max(by_name, min(1.0, by_name + shared / 2), shared if shared == 1.0 and len(wanted) >= 3 else 0.0)


def slip(own: float, ours: float) -> str:
    """The likely slip behind a ratio: "bits for bytes"; "" when none is likely."""
    if not own or not ours or own / ours < 0:
        return ""
    ratio = max(own / ours, ours / own)
    for factor, name in (*_BINARY.items(), *_SLIPS):
        if abs(ratio / factor - 1) <= _SLIP_SHARE * (0.1 if factor in _BINARY or factor in (1000.0, 1024.0) else 1):
            return name
    return ""


def _off_line(line: WorksheetLine, own: Quantity, step: DerivedStep, derivation: Derivation, facts: Facts) -> OffLine:
    return OffLine(
        line_number=line.number,
        line_name=line.name or "",
        line_source=line.source.strip(),
        own_text=_shown(own, step.quantity.unit),
        step_id=step.id,
        title=fill(step.title, derivation, facts=facts),
        value_text=step.text,
        ratio=own.value / step.quantity.value,
        slip=slip(own.value, step.quantity.value),
    )


def _comparable(own: Quantity, ours: Quantity) -> bool:
    """Whether two quantities can mean the same: of one dimension, and a count is a count of the same things."""
    if own.dimension != ours.dimension:
        return False
    return bool(own.dimension) or own.unit == ours.unit or {own.unit, ours.unit} <= {"", "%", "pp"}


def _shown(own: Quantity, unit: str) -> str:
    """One's own value in the unit of ours, so that both can be compared at a glance."""
    try:
        return own.to(unit).text(_DIGITS)
    except ExpressionError:
        return own.text(_DIGITS)


def _words(text: str) -> set[str]:
    return {_SAME.get(word, word) for word in folded(text)} - _FILLERS


def _overlap(first: set[str], second: set[str]) -> float:
    return len(first & second) / len(first | second) if first and second else 0.0
