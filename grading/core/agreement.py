"""How a self-score and a second scorer's agree over rounds. Below a stated number of pairs nothing is said."""

import math
import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from calculator.core.evaluation import wilson_high, wilson_low
from grading.core.rubric import LEVELS

BIAS_PAIRS = 5
KAPPA_PAIRS = 10
CURVE_PAIRS = 10
BINS = ((0, 19), (20, 39), (40, 59), (60, 79), (80, 100))


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
    """Mean difference of two scorers and its standard error.

    Formula: mean of d, and s / sqrt(n) with s the sample's deviation (n - 1), d = own - other
    Symbols: own, other (levels 0 to 4), n (pairs)
    Holds when: pairs are independent; lines of one round are not quite, so the error is rather too small
    Raises: ValueError for a level that is none
    """
    _check(pairs)
    n = len(pairs)
    if n < BIAS_PAIRS:
        return TooFew(n, BIAS_PAIRS)
    differences = [pair.own - pair.other for pair in pairs]
    return Bias(mean=statistics.fmean(differences), standard_error=statistics.stdev(differences) / math.sqrt(n), n=n)


def weighted_kappa(pairs: Sequence[Pair]) -> Kappa | TooFew:
    """Cohen's kappa with quadratic weights over the levels 0 to 4.

    Formula: 1 - sum(w O) / sum(w E), w = (i - j)^2, E the product of both scorers' frequencies over n
    Symbols: O (pairs with own level i and other level j), n (pairs)
    Holds when: not both scorers gave one and the same level throughout: then it is undefined, and None
    Source: Cohen, Weighted kappa, Psychological Bulletin 70, 1968
    Raises: ValueError for a level that is none
    """
    _check(pairs)
    n = len(pairs)
    if n < KAPPA_PAIRS:
        return TooFew(n, KAPPA_PAIRS)
    own, other = Counter(pair.own for pair in pairs), Counter(pair.other for pair in pairs)
    observed = sum((pair.own - pair.other) ** 2 for pair in pairs)
    expected = sum((i - j) ** 2 * own[i] * other[j] for i in own for j in other)
    return Kappa(value=1 - n * observed / expected if expected else None, n=n)


def calibration_curve(pairs: Sequence[Pair]) -> tuple[CalibrationBin, ...] | TooFew:
    """Confidence against the share that came within one level, bin by bin, with Wilson's interval at 95%.

    Pairs without a confidence are left out, and so are empty bins.
    Raises: ValueError for a level that is none, or a confidence outside of 0 to 100
    """
    _check(pairs)
    sure = [(pair.confidence, abs(pair.own - pair.other) <= 1) for pair in pairs if pair.confidence is not None]
    if len(sure) < CURVE_PAIRS:
        return TooFew(len(sure), CURVE_PAIRS)
    bins = []
    for low, high in BINS:
        inside = [(confidence, within) for confidence, within in sure if low <= confidence <= high]
        if not inside:
            continue
        n, within_one = len(inside), sum(within for _, within in inside)
        bins.append(
            CalibrationBin(
                low=low,
                high=high,
                n=n,
                within_one=within_one,
                mean_confidence=statistics.fmean(confidence for confidence, _ in inside),
                share=within_one / n,
                share_low=wilson_low(within_one, n),
                share_high=wilson_high(within_one, n),
            )
        )
    return tuple(bins)


def _check(pairs: Sequence[Pair]) -> None:
    for pair in pairs:
        for level in (pair.own, pair.other):
            if level not in LEVELS:
                raise ValueError(f"level: must be {min(LEVELS)} to {max(LEVELS)}, not {level!r}")
        if pair.confidence is not None and not 0 <= pair.confidence <= 100:
            raise ValueError(f"confidence: must be 0 to 100 percent, not {pair.confidence!r}")
