"""One's own deciding number beside the design's."""

import pytest

from trainer.rounds.core.agreement import ABSENT, AGREES, INVERSE, OFF, OTHER_UNIT, PERCENT, agreement


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


@pytest.mark.parametrize(
    ("own", "verdict", "form"),
    [
        (0.23, AGREES, ""),
        (23.0, AGREES, PERCENT),
        (4.34, AGREES, INVERSE),
        (4.0, AGREES, INVERSE),
        (26.2, OFF, ""),
        (3.5, OFF, ""),
        (0.0, OFF, ""),
        (-23.0, OFF, ""),
    ],
)
def test_a_share_may_be_said_in_percent_or_by_how_many_make_the_whole(own: float, verdict: str, form: str) -> None:
    found = agreement(own=own, own_dimension="", design=0.2304, design_dimension="", design_is_share=True)
    assert (found.verdict, found.form) == (verdict, form)
    if form:
        assert found.ratio == pytest.approx(1, abs=0.1)


@pytest.mark.parametrize("own", [50.0, 2.0])
def test_a_number_that_is_no_share_is_not_read_another_way(own: float) -> None:
    found = agreement(own=own, own_dimension="", design=0.5, design_dimension="")
    assert (found.verdict, found.form, found.ratio) == (OFF, "", own / 0.5)
