"""How two scorers agree, by formulas worked out a second time."""

import math

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from grading.core.agreement import (
    BIAS_PAIRS,
    BINS,
    CURVE_PAIRS,
    KAPPA_PAIRS,
    Pair,
    TooFew,
    bias,
    calibration_curve,
    weighted_kappa,
)

LEVEL = st.integers(0, 4)
PAIRS = st.lists(st.builds(Pair, LEVEL, LEVEL, st.integers(0, 100)), min_size=KAPPA_PAIRS, max_size=40)


def kappa_by_matrices(pairs):
    """The same by matrices, as statistics packages do it."""
    observed = numpy.zeros((5, 5))
    for pair in pairs:
        observed[pair.own, pair.other] += 1
    expected = numpy.outer(observed.sum(axis=1), observed.sum(axis=0)) / observed.sum()
    i, j = numpy.indices((5, 5))
    weights = (i - j) ** 2 / 16
    return 1 - (weights * observed).sum() / (weights * expected).sum()


def pairs_of(table):
    return [Pair(own, other) for (own, other), count in table.items() for _ in range(count)]


def test_kappa_of_a_table_worked_out_by_hand():
    """Two pairs are one level apart. By chance, own levels 5, 5, 0 and other levels 6, 3, 1 would give 0.7 a pair."""
    table = {(0, 0): 5, (1, 0): 1, (1, 1): 3, (1, 2): 1}
    expected = 1 - (2 / 10) / ((5 * 3 * 1 + 5 * 1 * 4 + 5 * 6 * 1 + 5 * 1 * 1) / 100)
    assert weighted_kappa(pairs_of(table)).value == pytest.approx(expected)
    assert expected == pytest.approx(1 - 0.2 / 0.7)


@given(PAIRS)
def test_kappa_is_that_of_the_matrices(pairs):
    found = weighted_kappa(pairs)
    same = len({level for pair in pairs for level in (pair.own, pair.other)}) == 1
    if same:
        assert found.value is None
    else:
        assert found.value == pytest.approx(kappa_by_matrices(pairs))
        assert found.value <= 1


def test_kappa_knows_full_agreement_and_full_reversal():
    assert weighted_kappa([Pair(n % 5, n % 5) for n in range(10)]).value == 1
    assert weighted_kappa([Pair(n % 2 * 4, 4 - n % 2 * 4) for n in range(10)]).value == -1
    assert weighted_kappa([Pair(2, 2)] * 10).value is None
    assert weighted_kappa([Pair(3, 2)] * 10).value == 0


def test_bias_is_the_mean_difference_with_its_standard_error():
    found = bias([Pair(3, 2), Pair(4, 2), Pair(2, 2), Pair(3, 3), Pair(1, 3)])
    assert found.mean == pytest.approx(0.2)
    assert found.standard_error == pytest.approx(math.sqrt(((0.8**2 + 1.8**2 + 2 * 0.2**2 + 2.2**2) / 4) / 5))
    assert found.n == 5


@given(PAIRS)
def test_bias_turns_round_when_the_scorers_are_exchanged(pairs):
    exchanged = [Pair(pair.other, pair.own) for pair in pairs]
    assert bias(pairs).mean == pytest.approx(-bias(exchanged).mean)


def test_below_the_stated_number_of_pairs_nothing_is_said():
    pair = Pair(3, 2, 80)
    assert bias([pair] * (BIAS_PAIRS - 1)) == TooFew(4, 5)
    assert weighted_kappa([pair] * (KAPPA_PAIRS - 1)) == TooFew(9, 10)
    assert calibration_curve([pair] * (CURVE_PAIRS - 1)) == TooFew(9, 10)
    assert calibration_curve([pair] * 9 + [Pair(3, 3)] * 9) == TooFew(9, 10)


def test_the_curve_holds_confidence_against_the_share_within_one_level():
    pairs = [Pair(3, 2, 90)] * 6 + [Pair(4, 2, 80)] * 2 + [Pair(0, 4, 30)] * 3 + [Pair(0, 1, 20)]
    low, high = calibration_curve(pairs)
    assert (low.low, low.high, low.n, low.within_one, low.share, low.mean_confidence) == (20, 39, 4, 1, 0.25, 27.5)
    assert (high.low, high.high, high.n, high.within_one, high.mean_confidence) == (80, 100, 8, 6, 87.5)


def test_its_intervals_are_wilsons():
    """Wilson's score interval at 95%: centre (k + z²/2) / (n + z²), by hand, and by SciPy."""
    [only] = calibration_curve([Pair(3, 2, 90)] * 6 + [Pair(4, 1, 80)] * 4)
    z = 1.959963984540054
    centre, half = (6 + z * z / 2) / (10 + z * z), z / (10 + z * z) * math.sqrt(6 * 4 / 10 + z * z / 4)
    assert (only.share_low, only.share_high) == (pytest.approx(centre - half), pytest.approx(centre + half))
    interval = binomtest(6, 10).proportion_ci(method="wilson")
    assert (only.share_low, only.share_high) == (pytest.approx(interval.low), pytest.approx(interval.high))


@given(PAIRS)
def test_every_pair_with_a_confidence_is_in_one_bin(pairs):
    bins = calibration_curve(pairs)
    assert sum(one.n for one in bins) == len(pairs)
    assert all(one.share_low <= one.share <= one.share_high for one in bins)


def test_the_bins_leave_no_percent_out():
    assert [percent for low, high in BINS for percent in range(low, high + 1)] == list(range(101))


@pytest.mark.parametrize("pair", [Pair(5, 2), Pair(2, -1), Pair(2, 2, 101), Pair(2, 2, -1)])
def test_what_is_no_level_or_no_percentage_is_refused(pair):
    for measure in (bias, weighted_kappa, calibration_curve):
        with pytest.raises(ValueError, match=r"level|confidence"):
            measure([pair] * 12)
