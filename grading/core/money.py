"""What calls cost. Decimal throughout: a budget is held to the cent."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from grading.core.prompts import Message


@dataclass(frozen=True)
class Price:
    """Prices of an endpoint, as the operator set them, and the day that they were read."""

    usd_per_million_input: Decimal
    usd_per_million_output: Decimal
    as_of: date


@dataclass(frozen=True)
class Spent:
    """One call's cost on one day (the budget's day)."""

    day: date
    cost_usd: Decimal


def cost_usd(price: Price, *, input_tokens: int, output_tokens: int) -> Decimal:
    """What a call cost."""
    raise NotImplementedError


def most_input_tokens(messages: Sequence[Message]) -> int:
    """An upper bound of the tokens of a request, from its characters."""
    raise NotImplementedError


def most_cost_usd(price: Price, messages: Sequence[Message], *, max_output_tokens: int) -> Decimal:
    """An upper bound of what a request can cost, before it is sent."""
    raise NotImplementedError


def budget_left_usd(budget_usd: Decimal, spent: Iterable[Spent], *, day: date) -> Decimal:
    """What is left of a day's budget; never below 0."""
    raise NotImplementedError
