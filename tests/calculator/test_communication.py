"""Links: all-reduces inside and across nodes, all-to-alls, pipelines, and how they enter a step."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculator.core import comms
from calculator.core.fabric import fabric
from tests.calculator.helpers import plan_for


def ring_all_reduce_by_hand(message: list[list[float]]) -> tuple[list[list[float]], int]:
    """A ring in slow motion: reduce-scatter, then all-gather. Returns what each rank has and the chunks each sent."""
    ranks = len(message)
    held = [row[:] for row in message]
    sent = 0
    for phase, add in ((0, True), (1, False)):
        for step in range(ranks - 1):
            chunks = [(rank - step + phase) % ranks for rank in range(ranks)]
            moved = [(chunk, held[rank][chunk]) for rank, chunk in enumerate(chunks)]
            sent += 1
            for rank, (chunk, value) in enumerate(moved):
                to = (rank + 1) % ranks
                held[to][chunk] = held[to][chunk] + value if add else value
    return held, sent


@pytest.mark.parametrize("ranks", [2, 3, 4, 8])
def test_a_ring_in_slow_motion_sends_what_the_formula_counts(ranks: int) -> None:
    message = [[float(rank * 10 + chunk) for chunk in range(ranks)] for rank in range(ranks)]
    sums = [sum(row[chunk] for row in message) for chunk in range(ranks)]
    held, chunks_sent = ring_all_reduce_by_hand(message)
    assert all(row == sums for row in held)
    assert comms.all_reduce_s(ranks, ranks, 1.0) == pytest.approx(chunks_sent)


def test_two_levels_are_a_ring_inside_and_one_across_on_a_share() -> None:
    both = comms.two_level_all_reduce_s(8e6, 8, 450e9, 2, 50e9, 8e-6, 17e-6)
    assert both == pytest.approx(2 * 7 / 8 * 8e6 / 450e9 + 8e-6 + 2 * 1 / 2 * 1e6 / 50e9 + 17e-6)
    assert comms.two_level_all_reduce_s(8e6, 8, 450e9, 1, 50e9) == comms.all_reduce_s(8e6, 8, 450e9)
    assert comms.two_level_all_reduce_s(8e6, 1, 450e9, 4, 50e9) == comms.all_reduce_s(8e6, 4, 50e9)


def test_an_all_to_all_keeps_its_own_part_at_home() -> None:
    assert comms.all_to_all_s(8e6, 8, 1e9) == pytest.approx(7e-3)
    assert comms.all_to_all_s(8e6, 1, 1e9, 5e-6) == 5e-6
    # 64 tokens, 8 experts each, 7,168 wide, 16 bits, over 8 GPUs: 64 copies a GPU of 14 KiB
    assert comms.expert_parallel_message_bytes(64, 8, 7168, 8) == 64 * 7168 * 2


@pytest.mark.parametrize(("stages", "pieces"), [(1, 1), (2, 1), (4, 8), (8, 3)])
def test_the_bubble_is_what_a_schedule_drawn_out_leaves_idle(stages: int, pieces: int) -> None:
    busy = {(stage, stage + piece) for stage in range(stages) for piece in range(pieces)}
    slots = stages * (max(time for _, time in busy) + 1)
    assert comms.pipeline_bubble_share(stages, pieces) == pytest.approx(1 - len(busy) / slots)


@pytest.mark.parametrize(
    "call",
    [
        lambda: comms.all_to_all_s(1, 0, 1),
        lambda: comms.all_to_all_s(1, 1, 0),
        lambda: comms.pipeline_bubble_share(0, 1),
        lambda: comms.expert_parallel_message_bytes(1, 1, 1, 0),
        lambda: comms.two_level_all_reduce_s(1, 2, 0, 1, 1),
    ],
)
def test_links_without_bandwidth_and_rings_without_ranks_are_refused(call: object) -> None:
    with pytest.raises(ValueError, match="at least"):
        call()  # type: ignore[operator]


def test_the_whiteboard_leaves_nvlink_to_the_mbu_and_the_engine_counts_it() -> None:
    simple, engine = plan_for(gpus=4, batch=64).timing.decode, plan_for(gpus=4, batch=64, budget="engine").timing.decode
    assert simple.communication.inside_s == engine.communication.inside_s > 0
    assert simple.communication.counted_s == 0
    assert engine.expected_s == pytest.approx(engine.read_s / 0.7 + engine.communication.inside_s)


def test_a_bus_is_always_counted() -> None:
    step = plan_for(model="llama-8b", gpu="l4", gpus=4, batch=8).timing.decode
    assert step.communication.fabric.inside_name.startswith("PCIe 4.0")
    assert step.communication.counted_s == step.communication.inside_s > 0


def test_a_fast_domain_of_72_needs_no_network() -> None:
    found = fabric(plan_for(gpu="gb200", gpus=64).inputs)
    assert (found.gpus_inside, found.nodes, found.fast) == (64, 1, True)


def test_a_pipeline_speeds_up_the_cache_reads_and_not_the_weights() -> None:
    # Four stages of two GPUs: each microbatch passes all layers on two GPUs; the weights are read for each of the four.
    plan = plan_for(gpus=8, pp=4, batch=64)
    step, budget = plan.timing.decode, plan.budget
    kv = 64 * budget.kv_bytes_per_sequence
    assert step.microbatches == 4
    assert step.memory_floor_s == pytest.approx((budget.weights_bytes + kv / 4) / (2 * 3.35e12))
    alone = plan_for(gpus=8, pp=4, batch=1).timing.decode
    assert alone.memory_floor_s == pytest.approx((budget.weights_bytes + budget.kv_bytes_per_sequence) / (2 * 3.35e12))
    assert plan.timing.prefill.bubble == pytest.approx(3 / 4)
    work = plan.timing.prefill
    assert work.first_token_s - work.communication_s == pytest.approx(4 * (work.busy_s - work.communication_s))


def test_two_copies_are_two_replicas_of_half_the_batch() -> None:
    two, one = plan_for(gpus=8, tp=4, batch=64), plan_for(gpus=4, batch=32)
    assert two.inputs.copies == 2
    assert two.timing.expected_s == one.timing.expected_s
    assert two.money.tokens_per_s == pytest.approx(2 * (one.money.tokens_per_s or 0))
    assert two.budget.weights_bytes == 2 * one.budget.weights_bytes
    assert two.budget.max_batch == 2 * one.budget.max_batch


@given(message=st.floats(1, 1e9), gpus=st.integers(2, 64), more=st.floats(1, 1e9), latency=st.floats(0, 1e-3))
def test_a_longer_message_never_takes_less_and_the_latency_is_paid_once(
    message: float, gpus: int, more: float, latency: float
) -> None:
    short, long = (comms.all_reduce_s(size, gpus, 1e11, latency) for size in (message, message + more))
    assert long >= short >= latency
    assert long - short == pytest.approx(2 * (gpus - 1) / gpus * more / 1e11, rel=1e-6, abs=1e-12)
