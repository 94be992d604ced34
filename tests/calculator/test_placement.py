"""Placement formulas against direct sums, known values and a simulation."""

import heapq
import random
from collections.abc import Callable
from itertools import pairwise, product
from math import exp, factorial, fsum

import pytest

from calculator.core.placement import (
    chance_at_least,
    erlang_b,
    harmonic_number,
    ordered_whole_free_nodes,
    whole_free_nodes,
)


def test_half_of_a_fleet_free_is_half_a_node_free() -> None:
    assert whole_free_nodes(128, 8, 0.5) == 0.5
    assert whole_free_nodes(128, 8, 1) == 128


def test_a_chance_of_at_least_so_many_is_the_count_over_all_outcomes() -> None:
    chance = 0.3
    outcomes = [chance ** sum(draw) * (1 - chance) ** (6 - sum(draw)) for draw in product((0, 1), repeat=6)]
    wanted = fsum(one for one, draw in zip(outcomes, product((0, 1), repeat=6), strict=True) if sum(draw) >= 4)
    assert chance_at_least(4, 6, chance) == pytest.approx(wanted)
    assert chance_at_least(0, 6, chance) == pytest.approx(1)
    assert chance_at_least(7, 6, chance) == 0


@pytest.mark.parametrize(("load", "servers"), [(0.5, 1), (10, 16), (40, 45)])
def test_the_recursion_for_blocking_is_the_formula_as_a_sum(load: float, servers: int) -> None:
    terms = [load**k / factorial(k) for k in range(servers + 1)]
    assert erlang_b(load, servers) == pytest.approx(terms[-1] / fsum(terms))


def test_the_last_of_two_jobs_takes_one_and_a_half_mean_stays() -> None:
    assert harmonic_number(1) == 1
    assert harmonic_number(2) == 1.5
    assert harmonic_number(256) == pytest.approx(6.124345)


def test_nodes_kept_whole_by_placing_in_order_lie_between_the_bound_and_what_the_load_leaves() -> None:
    nodes, gpus, load = 16, 4, 20.0
    bound = ordered_whole_free_nodes(nodes, gpus, load)
    assert bound < simulated_whole_nodes(nodes, gpus, load) < nodes - load * (1 - erlang_b(load, nodes * gpus)) / gpus
    assert bound > nodes * exp(-load / nodes)  # what spreading the load evenly would leave


def test_the_bound_is_one_less_what_each_node_carries_by_itself() -> None:
    load, gpus = 3.0, 2
    turned_away = [erlang_b(load, gpus * nodes) for nodes in range(5)]
    carried = [load * (before - after) for before, after in pairwise(turned_away)]
    assert carried[0] > 1 > carried[2]
    assert ordered_whole_free_nodes(4, gpus, load) == pytest.approx(fsum(max(0, 1 - one) for one in carried))
    assert ordered_whole_free_nodes(1, 8, 0.5) == pytest.approx(1 - 0.5 * (1 - erlang_b(0.5, 8)))


def simulated_whole_nodes(nodes: int, gpus: int, load: float) -> float:
    """Mean whole nodes when each job takes the first free GPU in order, by events of a seeded run."""
    draw = random.Random(7)
    free = list(range(nodes * gpus))
    heapq.heapify(free)
    busy_of = [0] * nodes
    ends: list[tuple[float, int]] = []
    now, whole_time, start, arrivals = 0.0, 0.0, 5.0, 40_000
    for _ in range(arrivals):
        then = now + draw.expovariate(load)
        while ends and ends[0][0] <= then:
            at, gpu = heapq.heappop(ends)
            whole_time += busy_of.count(0) * max(0.0, at - max(now, start))
            now = at
            busy_of[gpu // gpus] -= 1
            heapq.heappush(free, gpu)
        whole_time += busy_of.count(0) * max(0.0, then - max(now, start))
        now = then
        if free:
            gpu = heapq.heappop(free)
            busy_of[gpu // gpus] += 1
            heapq.heappush(ends, (now + draw.expovariate(1), gpu))
    return whole_time / (now - start)


@pytest.mark.parametrize(
    "refused",
    [
        lambda: whole_free_nodes(128, 8, 1.1),
        lambda: chance_at_least(1, 8, -0.1),
        lambda: chance_at_least(1, 1_001, 0.1),
        lambda: erlang_b(0, 8),
        lambda: erlang_b(1, 100_001),
        lambda: harmonic_number(0),
        lambda: ordered_whole_free_nodes(100_000, 8, 10),
        lambda: ordered_whole_free_nodes(16, 4, 0),
    ],
)
def test_what_is_out_of_range_is_refused(refused: Callable[[], float]) -> None:
    with pytest.raises(ValueError, match="must be"):
        refused()
