"""What a call costs, what it can cost at most, and what is left of a day."""

import datetime as dt
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.core.money import Price, Spent, budget_left_usd, cost_usd, most_cost_usd, most_input_tokens
from grading.core.mutations import CHOSEN, MUTATIONS, choose
from grading.core.prompts import Message

TODAY = dt.date(2026, 11, 30)
PRICE = Price(Decimal("2.50"), Decimal("10"), TODAY)


def test_a_call_costs_its_tokens_at_their_prices():
    assert cost_usd(PRICE, input_tokens=20_000, output_tokens=3_000) == Decimal("0.08")
    assert cost_usd(PRICE, input_tokens=0, output_tokens=0) == 0
    assert cost_usd(PRICE, input_tokens=1, output_tokens=0) == Decimal("0.000003")  # rounded up


@pytest.mark.parametrize("tokens", [{"input_tokens": -1, "output_tokens": 0}, {"input_tokens": 0, "output_tokens": -1}])
def test_fewer_than_no_tokens_are_refused(tokens):
    with pytest.raises(ValueError, match="_tokens: must be 0 or more"):
        cost_usd(PRICE, **tokens)


@pytest.mark.parametrize("value", ["-1", "NaN", "Infinity"])
def test_a_price_is_a_number_from_0(value):
    with pytest.raises(ValueError, match="usd_per_million_output"):
        Price(Decimal(1), Decimal(value), TODAY)


@given(st.text(max_size=200))
def test_the_bound_of_a_request_is_at_least_its_bytes(text):
    """A token of a byte-level vocabulary is one byte or more."""
    messages = [Message("system", "Rules."), Message("user", text)]
    assert most_input_tokens(messages) >= len(text.encode()) + len("Rules.")


def test_the_most_that_a_request_can_cost_counts_the_whole_answer():
    messages = [Message("user", "a" * 1_000_000)]
    assert most_cost_usd(PRICE, messages, max_output_tokens=1_000) >= Decimal("2.51")
    assert most_cost_usd(PRICE, messages, max_output_tokens=1_000) < Decimal("2.52")


def test_a_budget_is_spent_by_the_day_and_never_below_nothing():
    spent = [Spent(TODAY, Decimal("0.30")), Spent(TODAY, Decimal("0.45")), Spent(TODAY - dt.timedelta(1), Decimal(5))]
    assert budget_left_usd(Decimal(1), spent, day=TODAY) == Decimal("0.25")
    assert budget_left_usd(Decimal("0.5"), spent, day=TODAY) == 0
    assert budget_left_usd(Decimal(1), [], day=TODAY) == 1


def test_three_mutations_are_chosen_by_design_and_seed():
    chosen = choose("m02", 7)
    assert chosen == choose("m02", 7)
    assert len({mutation.id for mutation in chosen}) == CHOSEN
    assert all("m02" in mutation.slugs for mutation in chosen)
    assert len({choose("m02", seed) for seed in range(20)}) > 3
    assert len({mutation.id for mutation in choose("a-design-of-yours", 1, count=len(MUTATIONS))}) == len(MUTATIONS)


@pytest.mark.parametrize("slug", ["m01", "m02", "m03", "m04", "m05", "m06", "m07", "m08", "chatgpt"])
def test_every_design_has_more_mutations_that_bite_it_than_are_asked(slug):
    assert sum(slug in mutation.slugs for mutation in MUTATIONS) > CHOSEN
    assert all(1 <= section <= 10 for mutation in MUTATIONS for section in mutation.sections)


@pytest.mark.parametrize("count", [0, len(MUTATIONS) + 1])
def test_no_more_mutations_are_chosen_than_there_are(count):
    with pytest.raises(ValueError, match="count must be"):
        choose("m01", 1, count=count)
