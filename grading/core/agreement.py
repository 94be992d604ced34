"""How a self-score and a second scorer's agree over rounds. Below a stated number of pairs nothing is said."""

from collections.abc import Sequence
from dataclasses import dataclass

BIAS_PAIRS = 5
KAPPA_PAIRS = 10
CURVE_PAIRS = 10


@dataclass(frozen=True)
class TooFew:
    """Too few pairs to say anything."""

    n: int
    needed: int


@dataclass(frozen=True)
class Pair:
    """One line of one round: both levels, and how sure the trainee was (percent) of being within one level."""

    own: int
    other: int
    confidence: int | None = None


@dataclass(frozen=True)
class Bias:
    """Mean of own - other, in levels, and its standard error. Positive: flatters oneself."""

    mean: float
    standard_error: float
    n: int


@dataclass(frozen=True)
class Kappa:
    """Quadratic-weighted kappa; None where both scorers gave one and the same level throughout."""

    value: float | None
    n: int


@dataclass(frozen=True)
class CalibrationBin:
    """Of the scores with a confidence in this range (percent, both ends in it): the share within one level."""

    low: int
    high: int
    n: int
    within_one: int
    mean_confidence: float
    share: float
    share_low: float
    share_high: float


def bias(pairs: Sequence[Pair]) -> Bias | TooFew:
    """Mean difference and its standard error."""
    raise NotImplementedError


def weighted_kappa(pairs: Sequence[Pair]) -> Kappa | TooFew:
    """Cohen's kappa with quadratic weights over the levels 0 to 4."""
    raise NotImplementedError


def calibration_curve(pairs: Sequence[Pair]) -> tuple[CalibrationBin, ...] | TooFew:
    """Confidence against the share within one level, bin by bin; empty bins are left out."""
    raise NotImplementedError
