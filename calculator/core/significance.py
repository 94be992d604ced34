"""What a handful of counts can tell: exact tests, quantiles of small samples, and the largest of several draws."""

import math
from collections.abc import Callable
from itertools import accumulate
from operator import mul

from calculator.core.reliability import normal_upper_tail

LARGEST_DEGREES = 200
"""Bounds the terms of the finite series."""
LARGEST_PAIRS = 1_000
_HALVINGS = 100
_REACH = 10.0
_STRIPS = 2_000


def sign_test_p_value(pairs: int, wins: int) -> float:
    """Chance of a split at least this uneven, either way, when both sides are equally likely (McNemar's exact test).

    Formula: min(1, 2 * sum over i = m..pairs of C(pairs, i) / 2^pairs), m = max(wins, pairs - wins)
    Symbols: pairs (items on which the two disagree), wins (of them, to one side)
    Holds when: items are independent; items on which the two agree tell nothing and are left out
    Source: McNemar, Psychometrika 12, 1947, in its exact binomial form
    Raises: ValueError when pairs is not from 1 to 1,000, or wins not from 0 to pairs
    """
    if not 1 <= pairs <= LARGEST_PAIRS:
        raise ValueError(f"pairs must be from 1 to {LARGEST_PAIRS:,}, not {pairs}")
    if not 0 <= wins <= pairs:
        raise ValueError(f"wins must be from 0 to {pairs}, not {wins}")
    larger = max(wins, pairs - wins)
    return min(1.0, 2 * sum(math.comb(pairs, count) for count in range(larger, pairs + 1)) / 2**pairs)


def expected_maximum(draws: int) -> float:
    """Mean of the largest of several independent draws, in standard deviations above the mean of one.

    Formula: integral over x > 0 of 1 - P(x)^draws - P(-x)^draws, P the normal distribution
    Symbols: draws (how many the largest is taken of)
    Holds when: draws are normal, independent and of one mean; with correlation rho the result is multiplied by
        sqrt(1 - rho)
    Source: Teichroew, Tables of expected values of order statistics, Annals of Mathematical Statistics 27, 1956
    Raises: ValueError when draws is not from 1 to 1,000,000
    """
    if not 1 <= draws <= 1_000_000:
        raise ValueError(f"draws must be from 1 to 1,000,000, not {draws}")

    def height(x: float) -> float:
        above = normal_upper_tail(x)
        return -math.expm1(draws * math.log1p(-above)) - above**draws

    width = _REACH / _STRIPS
    inner = sum((4 if strip % 2 else 2) * height(strip * width) for strip in range(1, _STRIPS))
    return width / 3 * (height(0.0) + inner + height(_REACH))


def chi_square_quantile(probability: float, degrees: int) -> float:
    """Value that a sum of squares of this many standard normal numbers does not exceed with this probability.

    Formula: x with F(x) = probability, F the chi-square distribution as a finite series
    Symbols: probability (0 to 1, both excluded), degrees (of freedom; runs - 1 for a standard deviation)
    Holds when: the runs are normal and independent; sigma lies between s * sqrt(degrees / x) for the two tails' x
    Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.4.4 and 26.4.5
    Raises: ValueError when probability is not between 0 and 1, or degrees not from 1 to 200
    """
    _check(probability, degrees)
    return _solve(lambda x: 1 - _chi_square_upper_tail(x, degrees), probability, 0.0, 40.0 + 20 * degrees)


def student_t_quantile(probability: float, degrees: int) -> float:
    """Standard errors above the mean that a mean of few runs does not exceed with this probability.

    Formula: t with F(t) = probability, F Student's distribution as a finite series
    Symbols: probability (0 to 1, both excluded), degrees (of freedom; runs - 1 for a mean)
    Holds when: the runs are normal and independent and their deviation is estimated from them; t up to 1e9
    Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.3 and 26.7.4
    Raises: ValueError when probability is not between 0 and 1, or degrees not from 1 to 200
    """
    _check(probability, degrees)
    half_turn = math.pi / 2
    angle = _solve(
        lambda theta: 0.5 + _student_central(theta, degrees) / 2, probability, -half_turn + 1e-9, half_turn - 1e-9
    )
    return math.sqrt(degrees) * math.tan(angle)


def _check(probability: float, degrees: int) -> None:
    if not 0 < probability < 1:
        raise ValueError(f"probability must be between 0 and 1, both excluded, not {probability:g}")
    if not 1 <= degrees <= LARGEST_DEGREES:
        raise ValueError(f"degrees must be from 1 to {LARGEST_DEGREES}, not {degrees}")


def _solve(distribution: Callable[[float], float], probability: float, low: float, high: float) -> float:
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if distribution(middle) < probability else (low, middle)
    return (low + high) / 2


def _chi_square_upper_tail(x: float, degrees: int) -> float:
    if degrees % 2:
        first, start = math.sqrt(2 * x / math.pi) * math.exp(-x / 2), 2 * normal_upper_tail(math.sqrt(x))
    else:
        first, start = math.exp(-x / 2), 0.0
    steps = [x / divisor for divisor in range(3 if degrees % 2 else 2, degrees, 2)]
    terms = list(accumulate(steps, mul, initial=first)) if degrees > 1 else []
    return start + sum(terms)


def _student_central(theta: float, degrees: int) -> float:
    """Share of Student's distribution between -t and t, with tan(theta) = t / sqrt(degrees)."""
    square = math.cos(theta) ** 2
    odd = degrees % 2
    factors = [(n - 1) / n * square for n in range(3 if odd else 2, degrees - 1, 2)]
    first = math.sin(theta) * (math.cos(theta) if odd else 1.0)
    total = sum(accumulate(factors, mul, initial=first)) if degrees > 1 else 0.0
    return 2 / math.pi * (theta + total) if odd else total
