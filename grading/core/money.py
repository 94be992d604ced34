"""What calls cost. Decimal throughout: a budget is held to the cent."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_UP, Decimal

from grading.core.prompts import Message

_MILLION = Decimal(1_000_000)
_STEP = Decimal("0.000001")
_FRAME_TOKENS = 16


@dataclass(frozen=True)
class Price:
    """Prices of an endpoint, as the operator set them, and the day that they were read."""

    usd_per_million_input: Decimal
    usd_per_million_output: Decimal
    as_of: date

    def __post_init__(self) -> None:
        for name in ("usd_per_million_input", "usd_per_million_output"):
            value = getattr(self, name)
            if not value.is_finite() or value < 0:
                raise ValueError(f"{name}: must be 0 or more, not {value}")


@dataclass(frozen=True)
class Spent:
    """One call's cost on one day (the budget's day)."""

    day: date
    cost_usd: Decimal


def cost_usd(price: Price, *, input_tokens: int, output_tokens: int) -> Decimal:
    """What a call cost, rounded up to a millionth of a dollar.

    Raises: ValueError when a number of tokens is below 0.
    """
    for name, tokens in (("input_tokens", input_tokens), ("output_tokens", output_tokens)):
        if tokens < 0:
            raise ValueError(f"{name}: must be 0 or more, not {tokens}")
    cost = (price.usd_per_million_input * input_tokens + price.usd_per_million_output * output_tokens) / _MILLION
    return cost.quantize(_STEP, rounding=ROUND_UP)


def most_input_tokens(messages: Sequence[Message]) -> int:
    """An upper bound of a request's tokens: a token is at least one byte of UTF-8, and each message has a frame."""
    return sum(len(message.content.encode()) + _FRAME_TOKENS for message in messages) + _FRAME_TOKENS


def most_cost_usd(price: Price, messages: Sequence[Message], *, max_output_tokens: int) -> Decimal:
    """An upper bound of what a request can cost, before it is sent."""
    return cost_usd(price, input_tokens=most_input_tokens(messages), output_tokens=max_output_tokens)


def budget_left_usd(budget_usd: Decimal, spent: Iterable[Spent], *, day: date) -> Decimal:
    """What is left of a day's budget; never below 0."""
    used = sum((call.cost_usd for call in spent if call.day == day), start=Decimal(0))
    return max(budget_usd - used, Decimal(0))
