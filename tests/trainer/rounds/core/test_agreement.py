"""One's own deciding number beside the design's."""

import pytest

from trainer.rounds.core.agreement import ABSENT, AGREES, OFF, OTHER_UNIT, agreement


@pytest.mark.parametrize(
    ("own", "verdict"), [(100.0, AGREES), (90.0, AGREES), (110.0, AGREES), (89.9, OFF), (110.1, OFF), (-100.0, OFF)]
)
def test_ten_percent_either_way_agrees(own: float, verdict: str) -> None:
    found = agreement(own=own, own_dimension="byte", design=100.0, design_dimension="byte")
    assert found.verdict == verdict
    assert found.ratio == own / 100
    assert found.is_miss == (verdict != AGREES)


def test_another_dimension_is_a_miss_that_says_so() -> None:
    found = agreement(own=100.0, own_dimension="second", design=100.0, design_dimension="byte")
    assert (found.verdict, found.ratio, found.is_miss) == (OTHER_UNIT, None, True)


def test_none_starred_is_absent() -> None:
    found = agreement(own=None, own_dimension="", design=100.0, design_dimension="byte")
    assert (found.verdict, found.is_miss) == (ABSENT, True)


def test_a_design_number_of_zero_agrees_with_zero_alone() -> None:
    assert agreement(own=0.0, own_dimension="", design=0.0, design_dimension="").verdict == AGREES
    assert agreement(own=1e-9, own_dimension="", design=0.0, design_dimension="").verdict == OFF
