"""Load on a fleet: the multi-tenant platform's own working, and where no steady state exists."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculator import catalogue
from calculator.core import fairness, latency, memory, queueing
from calculator.core.units import GIB

MODEL = catalogue.model("llama70b").with_params(catalogue.planning()["reference_params"].value)
H100 = catalogue.accelerator("h100")
WEIGHTS_BYTES = 140e9
KV = memory.kv_cache_bytes_per_token(MODEL)
POOL_BYTES = memory.kv_pool_bytes(WEIGHTS_BYTES, 4, H100.memory_marketed_bytes, 0.95)
POOL_TOKENS = memory.kv_pool_tokens(POOL_BYTES, KV)
PREFILL_TOKENS_PER_S = 4 * H100.bf16_dense_flops_per_s * 0.5 / (2 * MODEL.params)
MBU = 0.6
SHAPES = {
    "chat": (60, 1500, 400),
    "reasoning": (30, 2000, 4000),
    "agent": (10, 12_000, 800),
    "long": (0.2, 131_072, 1000),
}


def step_s(occupancy: float) -> float:
    return latency.memory_s(WEIGHTS_BYTES + occupancy * POOL_BYTES, 4, H100.hbm_bandwidth_bytes_per_s, MBU)


def request_class(arrivals: float, prompt: int, output: int) -> queueing.RequestClass:
    prefill_s = latency.prefill_s(MODEL, prompt, 4, H100.bf16_dense_flops_per_s, 0.5)
    return queueing.RequestClass(arrivals, prompt, output, prefill_s)


CLASSES = [request_class(*shape) for shape in SHAPES.values()]


def settled(replicas: int, classes: list[queueing.RequestClass] = CLASSES) -> queueing.SteadyState:
    return queueing.steady_state(
        classes, replicas=replicas, pool_tokens=POOL_TOKENS, step_empty_s=step_s(0), step_full_s=step_s(1)
    )


def test_demand_by_littles_law_is_55_pools() -> None:
    tpot_s = 0.035
    held_gib = {
        name: queueing.kv_held_tokens(rate, fairness.kv_seconds_final(prompt, output, tpot_s)) * KV / GIB
        for name, (rate, prompt, output) in SHAPES.items()
    }
    assert {name: round(value) for name, value in held_gib.items()} == {
        "chat": 487,
        "reasoning": 7690,
        "agent": 1094,
        "long": 282,
    }
    assert sum(held_gib.values()) / (POOL_BYTES / GIB) == pytest.approx(55.0, abs=0.05)


def test_prefill_needs_24_and_a_half_replicas() -> None:
    assert queueing.prefill_replicas(CLASSES) == pytest.approx(24.5, abs=0.05)


def test_the_step_lengthens_as_the_pool_fills() -> None:
    assert [round(step_s(share) * 1e3, 1) for share in (0, 0.5, 0.75, 0.9, 1)] == [17.4, 29.0, 34.8, 38.3, 40.6]


@pytest.mark.parametrize(
    ("replicas", "occupancy", "tpot_ms"), [(128, 0.26, 29), (96, 0.45, 37), (80, 0.69, 48), (72, 0.96, 60)]
)
def test_fewer_replicas_raise_occupancy_and_latency_together(replicas: int, occupancy: float, tpot_ms: int) -> None:
    state = settled(replicas)
    assert state.stable
    assert state.occupancy == pytest.approx(occupancy, abs=0.006)
    assert state.tpot_s is not None
    assert round(state.tpot_s * 1e3) == tpot_ms


@pytest.mark.parametrize("replicas", [71, 60, 40, 25])
def test_below_72_replicas_there_is_no_steady_state_and_no_number(replicas: int) -> None:
    state = settled(replicas)
    assert not state.stable
    assert state.occupancy is None
    assert state.tpot_s is None
    assert "100%" in state.reason


def test_prefill_that_needs_every_replica_is_said() -> None:
    state = settled(24)
    assert not state.stable
    assert "prefill" in state.reason


def closed_form(classes: list[queueing.RequestClass], replicas: int) -> float:
    """Occupancy solved by hand: what is held is a straight line in the time per token, and that one in occupancy."""
    stretch = 1 / (1 - queueing.prefill_replicas(classes) / replicas)
    tokens = sum(c.arrivals_per_s * (c.prompt_tokens + c.output_tokens / 2) * c.output_tokens for c in classes)
    fixed = sum(c.arrivals_per_s * c.prompt_tokens / 2 * c.prefill_s for c in classes)
    fleet = replicas * POOL_TOKENS
    slope = tokens * stretch * (step_s(1) - step_s(0)) / fleet
    start = (tokens * stretch * step_s(0) + fixed) / fleet
    return start / (1 - slope) if slope < 1 else math.inf


@given(
    replicas=st.integers(1, 200),
    shapes=st.lists(
        st.tuples(st.floats(0.01, 100), st.integers(1, 100_000), st.integers(1, 8000)), min_size=1, max_size=4
    ),
)
def test_the_iteration_finds_the_point_that_the_closed_form_gives(
    replicas: int, shapes: list[tuple[float, int, int]]
) -> None:
    classes = [request_class(*shape) for shape in shapes]
    state = settled(replicas, classes)
    if queueing.prefill_replicas(classes) >= replicas:
        assert not state.stable
        return
    exact = closed_form(classes, replicas)
    if exact < 0.9999:
        assert state.stable
        assert state.occupancy == pytest.approx(exact, abs=1e-6)
    elif exact > 1.0001:
        assert not state.stable


def test_fifteen_points_of_the_pool_last_six_seconds() -> None:
    assert pytest.approx(14_016, abs=0.5) == PREFILL_TOKENS_PER_S
    assert queueing.headroom_s(0.15, POOL_TOKENS, PREFILL_TOKENS_PER_S) == pytest.approx(6.1, abs=0.05)


def test_a_chunk_for_50_ms_is_just_short_of_213_tokens() -> None:
    assert (0.050 - step_s(0.75)) * PREFILL_TOKENS_PER_S == pytest.approx(213, abs=0.05)
    assert queueing.chunk_tokens(0.050, step_s(0.75), PREFILL_TOKENS_PER_S) == 212
    assert queueing.chunk_tokens(0.030, step_s(0.75), PREFILL_TOKENS_PER_S) == 0


def test_a_lane_of_30_ms_must_stay_below_54_percent() -> None:
    bandwidth = 4 * H100.hbm_bandwidth_bytes_per_s
    ceiling = queueing.occupancy_ceiling(0.030, WEIGHTS_BYTES, POOL_BYTES, bandwidth, MBU)
    assert ceiling == pytest.approx(0.54, abs=0.005)
    assert step_s(ceiling) == pytest.approx(0.030)
    assert queueing.occupancy_ceiling(0.050, WEIGHTS_BYTES, POOL_BYTES, bandwidth, MBU) > 1
    assert queueing.occupancy_ceiling(0.010, WEIGHTS_BYTES, POOL_BYTES, bandwidth, MBU) < 0


def test_preempting_at_a_full_pool_takes_a_fifth_of_the_time() -> None:
    # 142 sequences at 40.6 ms a step are 3,503 tokens a second.
    rate = POOL_TOKENS / 4000 / step_s(1)
    assert rate == pytest.approx(3503, abs=0.5)
    assert queueing.recompute_tax(rate, PREFILL_TOKENS_PER_S) == pytest.approx(0.20, abs=0.0005)


def test_little_counts_requests_in_flight() -> None:
    assert queueing.concurrency(60, 14) == 840


@pytest.mark.parametrize(
    "call",
    [
        lambda: queueing.headroom_s(0.1, 1, 0),
        lambda: queueing.headroom_s(1.1, 1, 1),
        lambda: queueing.recompute_tax(0, 0),
        lambda: queueing.recompute_tax(-1, 2),
        lambda: queueing.occupancy_ceiling(0.03, 1, 0, 1, 0.5),
        lambda: queueing.steady_state([], replicas=0, pool_tokens=1, step_empty_s=1, step_full_s=1),
    ],
)
def test_impossible_loads_are_refused(call: object) -> None:
    with pytest.raises(ValueError, match=r"must be|at least"):
        call()  # type: ignore[operator]
