"""Rare events by count: how many to have spare, and how many to expect by chance."""

import math
from statistics import NormalDist

LARGEST_MEAN = 100.0
"""Bounds the terms of a Poisson sum: fewer than 250 are ever added."""


def poisson_quantile(mean: float, probability: float) -> int:
    """The smallest count that a Poisson number does not exceed with this probability.

    Formula: least k with the sum over i = 0..k of exp(-mean) * mean^i / i! >= probability
    Symbols: mean (events expected), probability (0 to 1, both excluded)
    Holds when: events come independently and at a constant rate; the number in repair or in flight is Poisson too,
        whatever the spread of the times, if each starts at a Poisson event (M/G/infinity)
    Source: Feller, An Introduction to Probability Theory and Its Applications, volume 1, chapter VI
    Raises: ValueError when mean is not from 0 to 100, or probability not between 0 and 1
    """
    if not 0 <= mean <= LARGEST_MEAN:
        raise ValueError(f"mean must be from 0 to {LARGEST_MEAN:g}, not {mean:g}")
    if not 0 < probability < 1:
        raise ValueError(f"probability must be between 0 and 1, both excluded, not {probability:g}")
    count = 0
    term = total = math.exp(-mean)
    # Far out the terms fall below the rounding of the sum, which may then never reach a probability close to 1.
    while total < probability and (count <= mean or term > math.ulp(total)):
        count += 1
        term *= mean / count
        total += term
    return count


def normal_upper_tail(deviations: float) -> float:
    """Share of a normal distribution that lies this many standard deviations or more above its mean.

    Formula: erfc(z / sqrt(2)) / 2
    Symbols: z (standard deviations)
    Holds when: the quantity is normal that far out, which measured times seldom are
    Source: Abramowitz and Stegun, Handbook of Mathematical Functions, section 26.2
    Raises: nothing
    """
    return math.erfc(deviations / math.sqrt(2)) / 2


def normal_quantile(probability: float) -> float:
    """Standard deviations above its mean that a normal quantity does not exceed with this probability.

    Formula: z with 1 - erfc(z / sqrt(2)) / 2 = probability
    Symbols: probability (0 to 1, both excluded)
    Holds when: the quantity is normal, or its logarithm is: a lognormal time is median * exp(sigma * z)
    Source: Wichura, Algorithm AS 241, Applied Statistics 37, 1988
    Raises: ValueError when probability is not between 0 and 1
    """
    if not 0 < probability < 1:
        raise ValueError(f"probability must be between 0 and 1, both excluded, not {probability:g}")
    return NormalDist().inv_cdf(probability)
