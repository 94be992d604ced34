"""Poisson quantiles and normal tails, against sums and integrals done another way."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculator.core.reliability import normal_quantile, normal_upper_tail, poisson_quantile


def cumulative(mean: float, count: int) -> float:
    exact = Fraction(mean)
    return math.exp(-mean) * float(sum(exact**i / math.factorial(i) for i in range(count + 1)))


@given(st.floats(0.01, 60), st.floats(0.01, 0.9999))
def test_a_quantile_reaches_the_probability_and_one_less_does_not(mean: float, probability: float) -> None:
    count = poisson_quantile(mean, probability)
    assert cumulative(mean, count) >= probability - 1e-12
    assert count == 0 or cumulative(mean, count - 1) < probability + 1e-12


def test_known_quantiles() -> None:
    assert poisson_quantile(0, 0.999) == 0
    assert poisson_quantile(1, 0.95) == 3
    assert poisson_quantile(10, 0.5) == 10
    assert poisson_quantile(18.156666666666666, 0.999) == 33


def test_a_probability_that_rounding_never_reaches_ends_far_out() -> None:
    assert 100 < poisson_quantile(100, 1 - 2**-53) < 250
    assert 0 < poisson_quantile(1e-9, 1 - 2**-53) < 5


@pytest.mark.parametrize("mean", [-0.1, 100.1, math.nan, math.inf])
def test_a_mean_out_of_range_is_refused(mean: float) -> None:
    with pytest.raises(ValueError, match="mean must be from 0 to 100"):
        poisson_quantile(mean, 0.9)


@pytest.mark.parametrize("probability", [0, 1, -0.5, 1.5, math.nan])
def test_a_probability_out_of_range_is_refused(probability: float) -> None:
    with pytest.raises(ValueError, match="probability must be between 0 and 1"):
        poisson_quantile(1, probability)


def test_tails_agree_with_the_tables() -> None:
    assert normal_upper_tail(0) == pytest.approx(0.5)
    assert normal_upper_tail(1.959964) == pytest.approx(0.025, rel=1e-5)
    assert normal_upper_tail(3) == pytest.approx(1.349898e-3, rel=1e-6)
    assert normal_upper_tail(-3) == pytest.approx(1 - 1.349898e-3, rel=1e-6)


def test_a_tail_is_the_integral_of_the_density() -> None:
    width = 1e-3
    heights = (math.exp(-((2 + (i + 0.5) * width) ** 2) / 2) for i in range(8_000))
    assert normal_upper_tail(2) == pytest.approx(sum(heights) * width / math.sqrt(2 * math.pi), rel=1e-5)


@given(st.floats(1e-6, 1 - 1e-6))
def test_a_normal_quantile_leaves_the_rest_above_it(probability: float) -> None:
    assert normal_upper_tail(normal_quantile(probability)) == pytest.approx(1 - probability, rel=1e-6)


@pytest.mark.parametrize("probability", [0, 1, -0.5, 1.5, math.nan])
def test_a_normal_quantile_of_no_probability_is_refused(probability: float) -> None:
    with pytest.raises(ValueError, match="probability must be between 0 and 1"):
        normal_quantile(probability)
