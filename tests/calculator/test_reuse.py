"""Chunks, cached prefixes, transfers and drafts: golden values, simulations and limits."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculator import catalogue
from calculator.core import latency, memory, prefix, speculation
from calculator.core.chunking import chunked_prefill_s
from tests.calculator.helpers import plan_for

LLAMA = catalogue.model("llama70b").with_params(70e9)
PEAK, BANDWIDTH = 989.5e12, 3.35e12


@pytest.mark.parametrize(("tokens", "gb_per_s"), [(2048, 9.0), (32_768, 7.0), (131_072, 4.1)])
def test_the_break_even_falls_with_the_prefix(tokens: int, gb_per_s: float) -> None:
    even = prefix.prefix_break_even_bytes_per_s(LLAMA, tokens, 4, PEAK)
    assert even / 1e9 == pytest.approx(gb_per_s, abs=0.1)


def test_at_half_the_peak_a_drive_of_7_gb_per_s_wins() -> None:
    assert prefix.prefix_break_even_bytes_per_s(LLAMA, 2048, 4, PEAK, 0.5) < 7e9 < 9e9


def test_fetching_at_the_break_even_takes_as_long_as_computing() -> None:
    even = prefix.prefix_break_even_bytes_per_s(LLAMA, 10_000, 4, PEAK, 0.5)
    fetch = memory.kv_cache_bytes(LLAMA, 10_000) / even
    assert fetch == pytest.approx(latency.prefill_s(LLAMA, 10_000, 4, PEAK, 0.5))


def test_a_cached_prefix_saves_its_own_triangle_alone() -> None:
    after = prefix.prefill_after_prefix_flops(LLAMA, 3000, 2000)
    steps = sum(latency.decode_flops_per_token(LLAMA, before) for before in range(2000, 3000))
    assert after == pytest.approx(steps, rel=1e-4)
    assert prefix.prefix_saving_share(LLAMA, 3000, 0) == 0
    assert prefix.prefix_saving_share(LLAMA, 3000, 3000) == 1
    assert prefix.prefix_saving_share(LLAMA, 3000, 1500) < 0.5


def test_a_plan_with_a_cached_prefix_prefills_the_rest() -> None:
    cached, whole = plan_for(gpus=4, cached_len=4000), plan_for(gpus=4)
    saved = cached.step("time/prefill/prefix_saving").value
    assert saved is not None
    assert cached.timing.prefill_s == pytest.approx(whole.timing.prefill_s * (1 - saved))
    assert (cached.money.tokens_per_s or 0) > (whole.money.tokens_per_s or 0)


def test_a_cache_moves_whole_or_layer_by_layer() -> None:
    whole = prefix.kv_transfer_s(LLAMA, 4096, 50e9)
    assert whole == pytest.approx(4096 * 327_680 / 50e9)
    assert prefix.kv_transfer_s(LLAMA, 4096, 50e9, layers_at_once=1) == pytest.approx(whole / 80)
    assert plan_for(gpus=4, link="100gbe").step("reuse/transfer").value == pytest.approx(7680 * 327_680 / 4 / 12.5e9)


def test_chunks_that_compute_are_a_whole_prefill() -> None:
    chunked = chunked_prefill_s(LLAMA, 8192, 1024, 4, PEAK, BANDWIDTH, 0.5, 0.7)
    assert chunked == pytest.approx(latency.prefill_s(LLAMA, 8192, 4, PEAK, 0.5))


def test_small_chunks_read_the_weights_again_and_again() -> None:
    chunked = chunked_prefill_s(LLAMA, 8192, 16, 4, PEAK, BANDWIDTH, 0.5, 0.7)
    weights = 512 * memory.weights_bytes(LLAMA) / (4 * BANDWIDTH * 0.7)
    cache = sum(memory.kv_cache_bytes(LLAMA, start) for start in range(0, 8192, 16)) / (4 * BANDWIDTH * 0.7)
    assert chunked == pytest.approx(weights + cache)
    assert plan_for(gpus=4, max_num_batched_tokens=16).timing.prefill_s > 5 * plan_for(gpus=4).timing.prefill_s


def test_groups_of_chunks_add_up_to_the_chunks_one_by_one() -> None:
    peak, bandwidth = PEAK, BANDWIDTH
    one_by_one = sum(
        max(
            latency.compute_s(latency.prefill_flops(LLAMA, at + 16) - latency.prefill_flops(LLAMA, at), 4, peak),
            (memory.weights_bytes(LLAMA) + memory.kv_cache_bytes(LLAMA, at)) / (4 * bandwidth),
        )
        for at in range(0, 80_000, 16)
    )
    assert chunked_prefill_s(LLAMA, 80_000, 16, 4, peak, bandwidth) == pytest.approx(one_by_one, rel=1e-3)


@given(prompt=st.integers(1, 100_000), chunk=st.integers(16, 100_000), cached=st.integers(0, 99_999))
def test_chunks_never_take_less_than_the_arithmetic(prompt: int, chunk: int, cached: int) -> None:
    cached = min(cached, prompt - 1)
    least = prefix.prefill_after_prefix_flops(LLAMA, prompt, cached) / (4 * PEAK)
    assert chunked_prefill_s(LLAMA, prompt, chunk, 4, PEAK, BANDWIDTH, cached_tokens=cached) >= least * (1 - 1e-9)


def test_leviathans_table_gives_its_expected_tokens() -> None:
    # arXiv 2211.17192, figure 2: acceptance 0.8 and 5 drafted tokens yield 3.69 a run.
    assert speculation.accepted_tokens_per_step(0.8, 5) == pytest.approx(3.69, abs=0.005)
    assert speculation.accepted_tokens_per_step(0, 5) == 1
    assert speculation.accepted_tokens_per_step(1, 5) == 6


def test_accepted_tokens_agree_with_a_simulation() -> None:
    dice, runs, chance, drafted = random.Random(7), 40_000, 0.7, 4
    total = 0
    for _ in range(runs):
        kept = 0
        while kept < drafted and dice.random() < chance:
            kept += 1
        total += kept + 1
    assert speculation.accepted_tokens_per_step(chance, drafted) == pytest.approx(total / runs, rel=0.01)


def test_a_draft_helps_a_small_batch_and_hurts_a_compute_bound_one() -> None:
    small = plan_for(gpus=4, batch=1, draft="llama-8b").timing.speculation
    large = plan_for(gpus=8, batch=2048, seq_len=512, output_len=128, draft="llama-8b").timing.speculation
    assert small is not None
    assert large is not None
    assert small.speedup > 1.4
    assert large.speedup < 1


def test_checking_reads_the_cache_once_and_computes_every_drafted_token() -> None:
    found = plan_for(gpus=4, batch=8, draft="llama-8b", draft_len=3).timing
    assert found.speculation is not None
    assert found.speculation.check.kv_read_bytes == found.decode.kv_read_bytes
    assert found.speculation.check.flops == 4 * found.decode.flops
    assert found.tpot_s == found.speculation.tpot_s != found.expected_s


def test_a_draft_that_is_never_kept_costs_its_steps() -> None:
    found = plan_for(gpus=4, draft="llama-8b", acceptance=0).timing
    assert found.speculation is not None
    assert found.tpot_s == pytest.approx(4 * found.speculation.draft.expected_s + found.speculation.check.expected_s)


@pytest.mark.parametrize(
    "call",
    [
        lambda: speculation.accepted_tokens_per_step(1.1, 4),
        lambda: speculation.accepted_tokens_per_step(0.5, -1),
        lambda: speculation.speculative_speedup(0, 0, 0, 4, 0.5),
        lambda: prefix.prefill_after_prefix_flops(LLAMA, 10, 11),
        lambda: prefix.prefix_saving_share(LLAMA, 0, 0),
        lambda: prefix.prefix_break_even_bytes_per_s(LLAMA, 0, 4, PEAK),
        lambda: prefix.kv_transfer_s(LLAMA, 1, 0),
        lambda: chunked_prefill_s(LLAMA, 0, 1, 1, 1, 1),
        lambda: chunked_prefill_s(LLAMA, 10, 0, 1, 1, 1),
    ],
)
def test_what_makes_no_sense_is_refused(call: object) -> None:
    with pytest.raises(ValueError, match=r"above 0|at least|at most|from 0"):
        call()  # type: ignore[operator]


def test_a_mixture_reads_what_its_tokens_touch_and_at_least_one_tokens_experts() -> None:
    dice, model = random.Random(3), catalogue.model("deepseek-v3")
    layers = [len({expert for _ in range(32) for expert in dice.sample(range(256), 8)}) for _ in range(2000)]
    assert memory.experts_touched(256, 8, 32) == pytest.approx(sum(layers) / len(layers), rel=0.01)
    step = plan_for(model="deepseek-v3", gpu="h200", gpus=8, batch=32).timing.decode
    assert step.least_weights_read_bytes < step.weights_read_bytes < memory.weights_bytes(model, "fp8")
    assert step.floor_s * step.memory_floor_s > 0
    assert step.memory_floor_s < step.read_s


def test_an_engine_does_not_read_the_input_embedding() -> None:
    simple, engine = plan_for(gpus=4).timing.decode, plan_for(gpus=4, budget="engine").timing.decode
    assert simple.weights_read_bytes - engine.weights_read_bytes == 128_256 * 8192 * 2
    tied = catalogue.model("gemma-3-27b")
    assert latency.embedding_bytes(tied) == 0
