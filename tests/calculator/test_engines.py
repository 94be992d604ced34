"""An engine's budget of one GPU: parts that sum, versions that differ, and what a log said of each part."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculator import catalogue
from calculator.core import checkpoint, kv_groups
from calculator.core.activations import activation_peak_bytes, forward_peak_bytes, sampler_peak_bytes
from calculator.core.engines import EngineBudget, engine_budget, static_fraction
from calculator.core.inputs import InputErrors
from calculator.core.records import replace
from calculator.core.units import GIB
from calculator.engines import engine_profile, engine_settings, profiles

LLAMA8B, H100, A100 = catalogue.model("llama8b"), catalogue.accelerator("h100"), catalogue.accelerator("a100")
MODELS = sorted(catalogue.models())


def budget(
    model: str = "llama8b", gpu: str = "a100", gpus: int = 1, dtype: str = "bf16", **settings: object
) -> EngineBudget:
    row, accelerator = catalogue.model(model), catalogue.accelerator(gpu)
    made = engine_settings(gpu=accelerator, model=row, gpus=gpus, **settings)  # type: ignore[arg-type]
    return engine_budget(row, accelerator, made, dtype=dtype)


@given(
    key=st.sampled_from(MODELS),
    gpus=st.sampled_from([1, 2, 4, 8]),
    version=st.sampled_from(["0.6.5", "0.10", "0.19", "0.28"]),
    share=st.floats(0.05, 1),
)
def test_the_parts_sum_to_what_the_framework_sees(key: str, gpus: int, version: str, share: float) -> None:
    made = budget(key, gpus=gpus, version=version, mem_util=share)
    if made.fits:
        assert sum(part.bytes_per_gpu for part in made.parts) == pytest.approx(made.memory_bytes_per_gpu)
        assert all(part.bytes_per_gpu >= -1e-3 for part in made.parts)
        assert made.short_bytes_per_gpu == 0
    else:
        assert made.short_bytes_per_gpu >= 0
        assert made.pool_tokens == 0


@given(key=st.sampled_from(MODELS), low=st.floats(0.3, 0.9), more=st.floats(0.01, 0.1))
def test_a_larger_share_never_leaves_a_smaller_pool(key: str, low: float, more: float) -> None:
    smaller, larger = budget(key, gpus=8, mem_util=low), budget(key, gpus=8, mem_util=low + more)
    assert larger.pool_bytes_per_gpu >= smaller.pool_bytes_per_gpu


def test_the_pool_is_whole_blocks_of_every_layer() -> None:
    made = budget()
    block = 16 * kv_groups.kv_cache_bytes_per_token_per_rank(LLAMA8B)
    assert made.pool_tokens % 16 == 0
    assert made.pool_bytes_per_gpu % block == 0
    (rounding,) = [part for part in made.parts if part.key == "rounding"]
    assert 0 <= rounding.bytes_per_gpu < block


def part(made: EngineBudget, key: str) -> float:
    return next(one.bytes_per_gpu for one in made.parts if one.key == key)


def test_graphs_come_out_of_the_pool_from_0_21_on() -> None:
    before, after = budget(version="0.20.9"), budget(version="0.21.0")
    graphs = part(after, "cuda_graphs")
    assert graphs == pytest.approx(part(before, "cuda_graphs"))
    assert before.pool_bytes_per_gpu - after.pool_bytes_per_gpu == pytest.approx(graphs, rel=0.01)
    assert part(budget(version="0.21.0", eager=True), "cuda_graphs") == 0


def test_large_gpus_start_with_more_sequences_and_the_a100_does_not() -> None:
    large = engine_settings(gpu=H100, model=LLAMA8B, gpus=1, version="0.11.0")
    small = engine_settings(gpu=A100, model=LLAMA8B, gpus=1, version="0.11.0")
    assert (large.max_num_seqs, large.max_num_batched_tokens) == (1024, 8192)
    assert (small.max_num_seqs, small.max_num_batched_tokens) == (256, 2048)


@pytest.mark.parametrize(
    ("model", "logged_gib"), [("llama70b", 4.84), ("qwen3_0_6b", 5.56), ("qwen3_32b", 5.64), ("gpt_oss_120b", 7.38)]
)
def test_the_peak_is_the_samplers_and_what_vllm_0_11_logged_on_an_h100(model: str, logged_gib: float) -> None:
    row = catalogue.model(model)
    profile = engine_profile("vllm", "0.11.0")
    peak = activation_peak_bytes(row, 8192, 1024, profile.sampler_bytes_per_logit)
    assert peak == sampler_peak_bytes(row, 1024, 8192, profile.sampler_bytes_per_logit)
    assert peak / GIB == pytest.approx(logged_gib, rel=0.05)


def test_without_chunks_a_long_prompt_sets_the_peak() -> None:
    # vLLM 0.6.4 logged 2.99 GiB for Llama-3.1-8B profiled at 29,000 tokens (vllm#10517).
    settings = engine_settings(gpu=H100, model=LLAMA8B, gpus=1, version="0.6.4", max_model_len=29_000)
    assert settings.max_num_batched_tokens == 29_000
    assert forward_peak_bytes(LLAMA8B, 29_000) / GIB == pytest.approx(2.99, rel=0.1)
    longer = engine_settings(gpu=H100, model=LLAMA8B, gpus=1, version="0.6.4", max_model_len=35_000)
    assert longer.max_num_batched_tokens == 2048


@pytest.mark.parametrize(
    ("model", "dtype", "ranks", "logged_gib"),
    [
        ("phi4", "int4", 1, 8.5107),
        ("llama70b", "int4", 1, 37.06),
        ("llama70b", "fp8", 2, 33.88),
        ("gpt_oss_120b", "mxfp4", 1, 64.38),
        ("gpt_oss_120b", "mxfp4", 4, 17.2217),
        ("gpt_oss_20b", "mxfp4", 1, 13.47),
        ("qwen3_32b", "bf16", 2, 30.59),
        ("mistral_small_3_2", "bf16", 1, 44.76),
    ],
)
def test_a_rank_holds_the_weights_that_vllm_logged(model: str, dtype: str, ranks: int, logged_gib: float) -> None:
    ours = checkpoint.weights_bytes_per_rank(catalogue.model(model), dtype, ranks)
    assert ours / GIB == pytest.approx(logged_gib, rel=0.005)


def test_four_bits_are_four_and_a_half_with_scales_and_embeddings() -> None:
    llama = catalogue.model("llama70b")
    assert checkpoint.checkpoint_bytes(llama, "int4") * 8 / llama.params == pytest.approx(4.5, abs=0.02)
    assert checkpoint.quantized_params(llama, "bf16") == 0
    assert checkpoint.packed_bits("nvfp4") == 4.5
    assert checkpoint.packed_bits("mxfp4") == 4.25


def test_a_rank_holds_a_whole_kv_head_and_a_latent_is_on_every_rank() -> None:
    per_rank = kv_groups.kv_cache_bytes_per_token_per_rank
    qwen, deepseek = catalogue.model("qwen3_30b_a3b"), catalogue.model("deepseek_v3")
    assert per_rank(qwen, 8) == per_rank(qwen, 4) == per_rank(qwen, 1) / 4
    assert per_rank(deepseek, 8) == per_rank(deepseek, 1) == 70_272
    assert per_rank(catalogue.model("minimax_m3"), 8) == 45_312
    extra = checkpoint.weights_bytes_per_rank(qwen, "bf16", 8) - checkpoint.checkpoint_bytes(qwen) / 8
    assert extra == 2 * qwen.hidden * qwen.head_dim * qwen.layers * 0.5 * 2


def test_the_concurrency_of_mixed_layers_is_the_logged_one() -> None:
    held = kv_groups.max_concurrency(catalogue.model("gpt_oss_120b"), 45.32 * GIB, 16_384, 4)
    assert held == pytest.approx(284.25, abs=0.02)


def test_layers_are_grouped_by_the_rarest_kind() -> None:
    assert kv_groups.group_layers((10, 52)) == 10
    assert kv_groups.group_layers((20, 24)) == 24
    assert kv_groups.group_layers((36,)) == 36
    with pytest.raises(ValueError, match="needs layers"):
        kv_groups.group_layers(())


def test_a_static_share_too_small_for_the_weights_is_short() -> None:
    # DeepSeek V4 Pro holds 125.65 GiB of weights on each of eight H200: 0.88 fails, 0.9113 is the least
    # (InferenceX#2128).
    h200 = catalogue.accelerator("h200")
    like = replace(catalogue.model("deepseek_v3"), params=125.65 * GIB * 8 / 2)
    for share, fits in ((0.88, False), (0.9113, True)):
        settings = engine_settings(engine="sglang", gpu=h200, model=like, gpus=8, mem_util=share)
        assert engine_budget(like, h200, settings, dtype="bf16").fits is fits


def test_sglang_works_out_its_share_when_none_is_given() -> None:
    settings = engine_settings(engine="sglang", gpu=H100, model=LLAMA8B, gpus=1)
    assert settings.mem_util == static_fraction(H100, 8192, 256, 1)
    assert 0.8 < settings.mem_util < 0.9


@pytest.mark.parametrize(
    ("engine", "version", "field"),
    [
        ("tgi", "", "engine"),
        ("vllm", "abc", "engine_version"),
        ("vllm", "1.2.3.4.5", "engine_version"),
        ("sglang", "0.1", "engine_version"),
    ],
)
def test_an_unknown_engine_or_version_is_refused(engine: str, version: str, field: str) -> None:
    with pytest.raises(InputErrors) as refused:
        engine_profile(engine, version)
    assert refused.value.errors[0].field == field


@pytest.mark.parametrize(
    ("version", "key"),
    [("0.2.4", "vllm_v0"), ("v0.10.1.1", "vllm_v1"), ("0.26.1rc1", "vllm_graphs_in_pool"), ("", "vllm_graphs_in_pool")],
)
def test_a_version_finds_its_profile(version: str, key: str) -> None:
    assert engine_profile("vllm", version).key == key


def test_a_gpu_whose_memory_no_log_states_has_no_engine_budget() -> None:
    with pytest.raises(InputErrors) as refused:
        budget(gpu="b300")
    assert refused.value.errors[0].field == "gpu"


def test_every_profile_says_where_it_is_from() -> None:
    assert all(len(profile.source) > 20 and profile.read and profile.confidence for profile in profiles())
    firsts = [profile.version_from for profile in profiles() if profile.engine == "vllm"]
    assert firsts == sorted(firsts)
