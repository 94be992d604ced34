"""Prefill, decode, roofline, cost and communication: golden values, second derivations and properties."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculator import catalogue
from calculator.core import comms, cost, fairness, latency, memory, roofline

LLAMA = catalogue.model("llama70b")
MODELS = sorted(catalogue.models())


def counted_causal_flops(layers: int, heads: int, dim: int, tokens: int) -> int:
    """Attention counted pair by pair: a pair costs 2 dim for the score and 2 dim for the sum over values."""
    pairs = sum(range(1, tokens + 1))
    return layers * heads * pairs * (2 * dim + 2 * dim)


def test_causal_attention_in_prefill_has_factor_2_not_4() -> None:
    tokens = 4096
    formula = latency.prefill_attention_flops(LLAMA, tokens)
    assert formula == 2 * LLAMA.layers * LLAMA.hidden * tokens**2
    assert formula == pytest.approx(counted_causal_flops(80, 64, 128, tokens), rel=1 / tokens)


def test_prefill_is_the_sum_of_its_decode_steps() -> None:
    # Prefill computes what token-by-token decode would: each token over the context before it.
    tokens = 2000
    steps = sum(latency.decode_flops_per_token(LLAMA, before) for before in range(tokens))
    assert latency.prefill_flops(LLAMA, tokens) == pytest.approx(steps, rel=1e-4)


def test_a_window_counts_the_band_under_the_mask() -> None:
    pairs = sum(min(position, 100) for position in range(1, 1001))
    assert latency.causal_pairs(1000, 100) == pytest.approx(pairs, rel=0.01)
    assert latency.causal_pairs(100, 100) == latency.causal_pairs(100) == 5000


def test_a_latent_model_decodes_in_the_latent() -> None:
    deepseek = catalogue.model("deepseek-v3")
    per_token = latency.decode_attention_flops_per_token(deepseek, 1)
    assert per_token == 61 * 2 * 128 * (512 + 64 + 512)


def test_nim_prefilled_a_70b_model_at_46_percent_of_the_peak() -> None:
    # NVIDIA NIM 1.8.0: Llama-3.3-70B in FP8 on two H100, 5,000 tokens, first token after 406.77 ms.
    peak = catalogue.accelerator("h100").fp8_dense_flops_per_s
    assert peak is not None
    mfu = latency.prefill_s(LLAMA, 5000, 2, peak) / 0.40677
    assert mfu == pytest.approx(0.46, abs=0.01)


def test_the_floor_is_below_a_static_batch_that_was_measured() -> None:
    # TensorRT-LLM 0.5.0: LLaMA-70B in FP8 on four H100, batch 64, 128 in, 2,048 out: 2,616 tokens a second.
    llama2, h100 = catalogue.model("llama2-70b"), catalogue.accelerator("h100")
    context = 128 + 2048 / 2
    read = memory.weights_read_bytes(llama2, "fp8", 64) + 64 * memory.kv_cache_bytes(llama2, context, "fp8")
    floor_s = latency.memory_s(read, 4, h100.hbm_bandwidth_bytes_per_s)
    measured_s = 64 / 2616
    assert 0.2 < floor_s / measured_s < 1


def test_the_step_is_the_longer_of_reading_and_computing() -> None:
    assert latency.decode_step_s(3.0, 2.0) == 3.0
    assert latency.decode_step_s(1.0, 2.0, 0.5) == 2.5


def test_prefill_takes_its_turn_in_the_throughput() -> None:
    assert latency.output_tokens_per_s(10, 100, 0.02) == pytest.approx(500)
    # 100 steps of 20 ms and ten prefills of 200 ms are 4 s for 1,000 tokens.
    assert latency.output_tokens_per_s(10, 100, 0.02, 0.2) == pytest.approx(250)


def test_a_70b_model_past_1_450_tokens_reaches_the_ridge_at_no_batch() -> None:
    h100 = catalogue.accelerator("h100")
    ridge = roofline.ridge_flops_per_byte(h100.bf16_dense_flops_per_s, h100.hbm_bandwidth_bytes_per_s)

    def batch(context: int) -> float:
        flops = 2 * LLAMA.params
        return roofline.critical_batch(memory.weights_bytes(LLAMA), memory.kv_cache_bytes(LLAMA, context), flops, ridge)

    assert math.isfinite(batch(1400))
    assert math.isinf(batch(1500))
    assert batch(0) == pytest.approx(ridge)


def test_the_critical_batch_has_the_intensity_of_the_ridge() -> None:
    weights, kv, flops, ridge = 100.0, 0.2, 400.0, 300.0
    batch = roofline.critical_batch(weights, kv, flops, ridge)
    assert roofline.intensity_flops_per_byte(batch * flops, weights + batch * kv) == pytest.approx(ridge)


def test_the_bound_changes_at_the_ridge() -> None:
    assert roofline.bound(294.9, 295) == "memory"
    assert roofline.bound(295, 295) == "compute"
    assert roofline.attainable_flops_per_s(1, 100, 10) == 10
    assert roofline.attainable_flops_per_s(20, 100, 10) == 100


def test_a_million_tokens_at_a_thousand_a_second_take_a_thousand_seconds() -> None:
    assert cost.usd_per_million_output_tokens(4, 2.5, 1000) == pytest.approx(10 * 1000 / 3600)
    assert cost.usd_per_hour(384, 2.35) == pytest.approx(902.4)


def test_a_ring_moves_nearly_twice_the_message() -> None:
    assert comms.all_reduce_s(1e9, 1, 1e9) == 0
    assert comms.all_reduce_s(1e9, 2, 1e9) == pytest.approx(1)
    assert comms.all_reduce_s(1e9, 1000, 1e9, 0.5) == pytest.approx(2.498)


def test_the_dominant_share_is_the_larger_one() -> None:
    # 32k tokens in and one out: little memory, much prefill.
    assert fairness.dominant_share(100, 3.0, 1000, 0.25) == 12
    assert fairness.dominant_share(5000, 0.1, 1000, 0.25) == 5


@pytest.mark.parametrize(
    "call",
    [
        lambda: latency.compute_s(1, 1, 1, 0),
        lambda: latency.compute_s(1, 1, 1, 1.01),
        lambda: latency.compute_s(1, 0, 1),
        lambda: latency.memory_s(1, 1, 1, -0.1),
        lambda: latency.memory_s(1, 1, 0),
        lambda: latency.output_tokens_per_s(0, 1, 1),
        lambda: roofline.ridge_flops_per_byte(1, 0),
        lambda: roofline.intensity_flops_per_byte(1, 0),
        lambda: roofline.critical_batch(1, 1, 1, 0),
        lambda: cost.usd_per_million_output_tokens(1, 1, 0),
        lambda: comms.all_reduce_s(1, 0, 1),
        lambda: comms.network_overhead_share(80, 1e-6, 0),
        lambda: comms.break_even_bytes_per_s(1, 0),
        lambda: fairness.dominant_share(1, 1, 0, 1),
    ],
)
def test_what_cannot_be_divided_is_refused(call: object) -> None:
    with pytest.raises(ValueError, match=r"above 0|at least"):
        call()  # type: ignore[operator]


@given(key=st.sampled_from(MODELS), prompt=st.integers(1, 200_000))
def test_prefill_grows_at_least_linearly_and_at_most_with_the_square(key: str, prompt: int) -> None:
    model = catalogue.model(key)
    one, two = latency.prefill_flops(model, prompt), latency.prefill_flops(model, 2 * prompt)
    assert 2 * one * (1 - 1e-12) <= two <= 4 * one


@given(key=st.sampled_from(MODELS), context=st.integers(0, 200_000), more=st.integers(1, 1000))
def test_a_longer_context_never_takes_fewer_operations(key: str, context: int, more: int) -> None:
    model = catalogue.model(key)
    longer = latency.decode_flops_per_token(model, context + more)
    assert longer >= latency.decode_flops_per_token(model, context) >= 2 * model.active_params


@given(gpus=st.integers(1, 64), mfu=st.floats(0.01, 1), flops=st.floats(1, 1e18))
def test_time_falls_with_gpus_and_rises_as_the_share_reached_falls(gpus: int, mfu: float, flops: float) -> None:
    base = latency.compute_s(flops, 1, 1e15)
    assert latency.compute_s(flops, gpus, 1e15, mfu) == pytest.approx(base / gpus / mfu)
    assert latency.memory_s(flops, gpus, 1e15, mfu) == pytest.approx(base / gpus / mfu)


@given(batch=st.integers(1, 1000), output=st.integers(1, 10_000), step=st.floats(1e-4, 1), prefill=st.floats(0, 10))
def test_throughput_rises_with_the_batch_and_stays_below_decode_alone(
    batch: int, output: int, step: float, prefill: float
) -> None:
    rate = latency.output_tokens_per_s(batch, output, step, prefill)
    assert rate <= batch / step * (1 + 1e-9)
    assert latency.output_tokens_per_s(batch + 1, output, step, prefill) >= rate * (1 - 1e-9)


@given(prompt=st.integers(0, 10**6), output=st.integers(1, 10**5), tpot=st.floats(1e-3, 1))
def test_counting_at_the_final_size_is_never_less_than_at_the_size_of_the_moment(
    prompt: int, output: int, tpot: float
) -> None:
    final = fairness.kv_seconds_final(prompt, output, tpot)
    mean = fairness.kv_seconds_mean(prompt, output, tpot)
    assert final / 2 * (1 - 1e-9) <= mean <= final * (1 + 1e-9)
