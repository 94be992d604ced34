"""Popularity: how many different things a batch of independent requests asks for."""

from calculator.core.placement import harmonic_number

MOST_ITEMS = 10_000


def distinct_ranked(draws: float, items: int, share: float = 1.0) -> float:
    """Different items among the draws, where the k-th most popular is asked for 1/k as often as the first.

    Formula: sum over k = 1..items of 1 - (1 - share / (k * H))^draws
    Symbols: draws (requests), items (count), share (of all requests that go to these items), H (the harmonic number
        of items)
    Holds when: requests are independent and popularity within the items follows Zipf's law with exponent 1
    Source: the chance that an item is drawn at least once, added up
    Raises: ValueError when draws is below 0, items are outside 1 to 10,000, or share is outside 0 to 1
    """
    if draws < 0 or not 1 <= items <= MOST_ITEMS or not 0 <= share <= 1:
        raise ValueError(f"draws must not be below 0, items must be from 1 to {MOST_ITEMS:,} and share from 0 to 1")
    first = share / harmonic_number(items)
    return sum(1 - (1 - first / rank) ** draws for rank in range(1, items + 1))
