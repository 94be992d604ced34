"""What a score on a finite set of items can tell: intervals, and the power of a paired test.

The distributions are SciPy's, imported when one is asked for: nothing else in the core needs it.
"""

import math

MOST_ITEMS = 1_000_000
MOST_PAIRED_ITEMS = 20_000


def wilson_low(successes: float, items: int, confidence: float = 0.95) -> float:
    """Lower end of Wilson's interval for a share.

    Formula: (p + z^2 / (2 * items) - z * sqrt(p * (1 - p) / items + z^2 / (4 * items^2))) / (1 + z^2 / items)
    Symbols: p (successes / items; successes are rounded to whole ones), z (normal quantile of the confidence)
    Holds when: items are independent; good from about ten items on, also near 0 and 1, where p +- z * SE is not
    Source: Wilson, Journal of the American Statistical Association 22, 1927; computed by SciPy's binomtest
    Raises: ValueError when successes are outside 0 to items, items outside 1 to 1,000,000, or confidence not in 0 to 1
    """
    return _wilson(successes, items, confidence)[0]


def wilson_high(successes: float, items: int, confidence: float = 0.95) -> float:
    """Upper end of Wilson's interval for a share.

    Formula: (p + z^2 / (2 * items) + z * sqrt(p * (1 - p) / items + z^2 / (4 * items^2))) / (1 + z^2 / items)
    Symbols: see wilson_low
    Holds when: see wilson_low
    Source: see wilson_low
    Raises: ValueError as wilson_low
    """
    return _wilson(successes, items, confidence)[1]


def paired_power(items: int, discordant_share: float, gain: float, confidence: float = 0.95) -> float:
    """Chance that McNemar's exact test finds a gain that is there.

    Formula: sum over k of P(k discordant) * P(wins split unevenly enough to be significant | k)
    Symbols: k is binomial(items, discordant_share); wins are binomial(k, (1 + gain / discordant_share) / 2)
    Holds when: items are independent. The exact test keeps its level and gives away some power to do so.
    Source: the binomial distribution summed; SciPy's binom
    Raises: ValueError when items are outside 1 to 20,000, a share is outside 0 to 1, or gain is above discordant_share
    """
    if not 1 <= items <= MOST_PAIRED_ITEMS:
        raise ValueError(f"items must be from 1 to {MOST_PAIRED_ITEMS:,}, not {items}")
    if not 0 < discordant_share <= 1 or not 0 < confidence < 1:
        raise ValueError("discordant_share must be above 0 and at most 1, confidence between 0 and 1")
    if abs(gain) > discordant_share:
        raise ValueError(f"gain must be at most the discordant share, {discordant_share:g}, not {gain:g}")
    import numpy
    from scipy.stats import binom

    mean, spread = items * discordant_share, math.sqrt(items * discordant_share)
    low, high = max(1, math.floor(mean - 8 * spread - 8)), min(items, math.ceil(mean + 8 * spread + 8))
    counts = numpy.arange(low, high + 1)
    tail = (1 - confidence) / 2
    # The most wins that a fair coin still leaves insignificant on the low side: P(wins <= most) <= tail.
    most = binom.ppf(tail, counts, 0.5)
    most = numpy.where(binom.cdf(most, counts, 0.5) <= tail, most, most - 1)
    wins = (1 + gain / discordant_share) / 2
    found = binom.cdf(most, counts, wins) + binom.sf(counts - most - 1, counts, wins)
    return float(numpy.sum(binom.pmf(counts, items, discordant_share) * found))


def _wilson(successes: float, items: int, confidence: float) -> tuple[float, float]:
    if not 1 <= items <= MOST_ITEMS:
        raise ValueError(f"items must be from 1 to {MOST_ITEMS:,}, not {items}")
    if not 0 <= successes <= items:
        raise ValueError(f"successes must be from 0 to {items}, not {successes:g}")
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must be between 0 and 1, both excluded, not {confidence:g}")
    from scipy.stats import binomtest

    interval = binomtest(round(successes), items).proportion_ci(confidence_level=confidence, method="wilson")
    return float(interval.low), float(interval.high)
