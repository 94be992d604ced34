"""Exact tests and quantiles of small samples, against tables and sums done another way."""

import math
from fractions import Fraction
from statistics import NormalDist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculator.core.significance import (
    chi_square_quantile,
    expected_maximum,
    sign_test_p_value,
    student_t_quantile,
)


@given(st.integers(1, 60), st.data())
def test_a_p_value_is_the_share_of_all_splits_that_are_at_least_as_uneven(pairs: int, data: st.DataObject) -> None:
    wins = data.draw(st.integers(0, pairs))
    uneven = abs(2 * wins - pairs)
    share = sum(
        Fraction(math.comb(pairs, count), 2**pairs) for count in range(pairs + 1) if abs(2 * count - pairs) >= uneven
    )
    assert sign_test_p_value(pairs, wins) == pytest.approx(float(share), rel=1e-12)


def test_of_25_disagreements_18_are_needed() -> None:
    assert sign_test_p_value(25, 18) == pytest.approx(0.0433, abs=5e-5)
    assert sign_test_p_value(25, 17) > 0.05


@pytest.mark.parametrize(
    ("draws", "tabulated"), [(1, 0.0), (2, 0.56419), (3, 0.84628), (10, 1.53875), (20, 1.86748), (100, 2.50759)]
)
def test_the_expected_maximum_agrees_with_the_tables(draws: int, tabulated: float) -> None:
    assert expected_maximum(draws) == pytest.approx(tabulated, abs=1e-5)


@pytest.mark.parametrize(
    ("probability", "degrees", "tabulated"),
    [(0.95, 1, 3.84146), (0.025, 4, 0.48442), (0.975, 4, 11.14329), (0.95, 5, 11.07050), (0.05, 30, 18.49266)],
)
def test_chi_square_quantiles_agree_with_the_tables(probability: float, degrees: int, tabulated: float) -> None:
    assert chi_square_quantile(probability, degrees) == pytest.approx(tabulated, abs=2e-5)


@pytest.mark.parametrize(
    ("probability", "degrees", "tabulated"),
    [(0.975, 1, 12.70620), (0.975, 2, 4.30265), (0.975, 4, 2.77645), (0.95, 5, 2.01505), (0.025, 30, -2.04227)],
)
def test_students_quantiles_agree_with_the_tables(probability: float, degrees: int, tabulated: float) -> None:
    assert student_t_quantile(probability, degrees) == pytest.approx(tabulated, abs=2e-5)


def test_with_many_degrees_students_quantile_is_nearly_the_normal_one() -> None:
    assert student_t_quantile(0.975, 200) == pytest.approx(NormalDist().inv_cdf(0.975), rel=0.01)


def test_what_is_out_of_range_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="pairs must be from 1 to 1,000"):
        sign_test_p_value(0, 0)
    with pytest.raises(ValueError, match="wins must be from 0 to 5"):
        sign_test_p_value(5, 6)
    with pytest.raises(ValueError, match="draws must be from 1 to 1,000,000"):
        expected_maximum(0)
    with pytest.raises(ValueError, match="degrees must be from 1 to 200"):
        chi_square_quantile(0.5, 201)
    with pytest.raises(ValueError, match="probability must be between 0 and 1"):
        student_t_quantile(1.0, 4)
