"""How many different things a batch asks for."""

import random

import pytest

from calculator.core.popularity import distinct_ranked


def test_one_request_asks_for_its_share_of_one_item_and_very_many_for_all() -> None:
    assert distinct_ranked(1, 50, 0.8) == pytest.approx(0.8)
    assert distinct_ranked(0, 50) == 0
    assert distinct_ranked(1_000_000, 50, 0.8) == pytest.approx(50)


def test_the_closed_form_is_what_drawing_gives() -> None:
    chance = random.Random(7)
    weights = [1 / rank for rank in range(1, 51)]
    runs = [len(set(chance.choices(range(50), weights, k=128))) for _ in range(2_000)]
    assert sum(runs) / len(runs) == pytest.approx(distinct_ranked(128, 50), rel=0.01)


@pytest.mark.parametrize(
    ("draws", "items", "share"), [(-1, 50, 0.8), (128, 0, 0.8), (128, 10_001, 0.8), (128, 50, 1.2), (128, 50, -0.1)]
)
def test_what_has_no_meaning_is_refused(draws: float, items: int, share: float) -> None:
    with pytest.raises(ValueError, match="draws must not be below 0"):
        distinct_ranked(draws, items, share)
