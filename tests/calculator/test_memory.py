"""Weights, KV cache and pool against published and logged values, limit cases and properties."""

import csv
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculator import catalogue
from calculator.core import memory
from calculator.core.llms import LanguageModel
from calculator.core.records import replace
from calculator.core.units import GIB

DATA = Path(__file__).parent / "data"
MODELS = sorted(catalogue.models())
LLAMA = catalogue.model("llama70b")


def rows(name: str) -> list[dict[str, str]]:
    with (DATA / name).open() as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("row", rows("kv_bytes_per_token.csv"), ids=lambda row: row["model"])
def test_kv_bytes_per_token_are_those_of_the_published_configurations(row: dict[str, str]) -> None:
    model = catalogue.model(row["model"])
    assert memory.kv_cache_bytes_per_token(model) == int(row["kv_bytes_per_token_bf16"])


@pytest.mark.parametrize("row", rows("logged_kv.csv"), ids=lambda row: f"{row['model']} {row['source'][-24:]}")
def test_kv_bytes_per_token_are_those_that_engines_logged(row: dict[str, str]) -> None:
    model, gpus = catalogue.model(row["model"]), int(row["tensor_parallel"])
    logged = float(row["kv_available_gib_per_gpu"]) * GIB / int(row["kv_tokens"])
    ours = memory.kv_cache_bytes_per_token(model) * memory.kv_copies(model, gpus) / gpus
    assert ours == pytest.approx(logged, rel=0.002)


def test_ignoring_grouped_heads_would_be_eight_times_too_much() -> None:
    ungrouped = replace(LLAMA, kv_heads=LLAMA.heads)
    assert memory.kv_cache_bytes_per_token(ungrouped) == 8 * memory.kv_cache_bytes_per_token(LLAMA)


def test_a_latent_cache_does_not_depend_on_the_heads() -> None:
    deepseek = catalogue.model("deepseek-v3")
    more_heads = replace(deepseek, heads=256, kv_heads=256)
    assert memory.kv_cache_bytes_per_token(more_heads) == memory.kv_cache_bytes_per_token(deepseek) == 61 * 576 * 2


@pytest.mark.parametrize(
    ("model", "gpus", "copies"),
    [("llama70b", 1, 1), ("llama70b", 8, 1), ("llama70b", 16, 2), ("deepseek_v3", 8, 8), ("qwen3_30b_a3b", 8, 2)],
)
def test_more_gpus_than_kv_heads_store_copies(model: str, gpus: int, copies: float) -> None:
    assert memory.kv_copies(catalogue.model(model), gpus) == copies


def test_sliding_layers_stop_growing_at_their_window() -> None:
    gemma = catalogue.model("gemma3_27b")
    inside = memory.kv_cache_bytes(gemma, 1024)
    assert inside == 1024 * memory.kv_cache_bytes_per_token(gemma)
    per_layer = memory.kv_cache_bytes_per_token_per_layer(gemma)
    assert memory.kv_cache_bytes(gemma, 131_072) - memory.kv_cache_bytes(gemma, 131_071) == 10 * per_layer


@pytest.mark.parametrize("dtype", ["fp8", "int8", "int4", "nvfp4"])
def test_fewer_bits_weigh_less_in_proportion(dtype: str) -> None:
    bits = {"fp8": 8, "int8": 8, "int4": 4.5, "nvfp4": 4.5}[dtype]
    assert memory.weights_bytes(LLAMA, dtype) == LLAMA.params * bits / 8


def test_gpt_oss_weighs_what_its_checkpoint_does() -> None:
    # The published checkpoint of gpt-oss-120b is 60.8 GiB (model card); engines pad it to more.
    assert memory.weights_bytes(catalogue.model("gpt-oss-120b"), "mxfp4") / GIB == pytest.approx(60.8, abs=0.1)


def test_qwen3_32b_weighs_what_vllm_logged() -> None:
    assert memory.weights_bytes(catalogue.model("qwen3-32b")) / GIB == pytest.approx(61.03, abs=0.01)


def test_one_token_touches_its_experts_and_a_large_batch_all_of_them() -> None:
    assert memory.experts_touched(256, 8, 1) == pytest.approx(8)
    assert memory.experts_touched(256, 8, 2) == pytest.approx(16 - 8 * 8 / 256)
    assert memory.experts_touched(256, 8, 10_000) == pytest.approx(256)


def test_a_mixture_reads_about_its_active_parameters_for_one_token() -> None:
    mixtral = catalogue.model("mixtral8x7b")
    assert memory.weights_read_bytes(mixtral, "bf16", 1) == pytest.approx(2 * mixtral.active_params, rel=0.001)
    assert memory.weights_read_bytes(mixtral, "bf16", 500) == pytest.approx(memory.weights_bytes(mixtral), rel=0.001)


def test_impossible_arguments_are_refused() -> None:
    with pytest.raises(ValueError, match="experts_active"):
        memory.experts_touched(8, 9, 1)
    with pytest.raises(ValueError, match="tensor_parallel"):
        memory.kv_copies(LLAMA, 0)
    with pytest.raises(ValueError, match="above 0"):
        memory.kv_pool_tokens(1e9, 0)
    with pytest.raises(ValueError, match="above 0"):
        memory.max_batch(1e9, 0)
    with pytest.raises(ValueError, match="above 0"):
        memory.gpus_needed(1e9, 0, 0.9)
    with pytest.raises(ValueError, match="not a number format"):
        memory.weights_bytes(LLAMA, "fp7")


def test_weights_that_do_not_fit_say_how_many_gpus_do() -> None:
    with pytest.raises(memory.DoesNotFit) as refused:
        memory.kv_pool_bytes(140e9, 1, 80 * GIB, 0.95)
    assert refused.value.gpus_needed == 2


@given(
    weights=st.floats(1e6, 1e13),
    gigabytes=st.integers(8, 512),
    share=st.floats(0.05, 1),
)
def test_the_count_that_is_needed_fits_and_one_less_does_not(weights: float, gigabytes: int, share: float) -> None:
    needed = memory.gpus_needed(weights, gigabytes * GIB, share)
    assert memory.kv_pool_bytes(weights, needed + 1, gigabytes * GIB, share) > 0
    if needed > 1:
        with pytest.raises(memory.DoesNotFit):
            memory.kv_pool_bytes(weights * 1.000001, needed - 1, gigabytes * GIB, share)


@given(key=st.sampled_from(MODELS), factor=st.integers(2, 5))
def test_the_cache_is_linear_in_layers(key: str, factor: int) -> None:
    model = catalogue.model(key)
    kinds = ("layers", "sliding_layers", "state_layers", "index_layers")
    deeper = replace(model, **{kind: getattr(model, kind) * factor for kind in kinds})
    assert memory.kv_cache_bytes_per_token(deeper) == factor * memory.kv_cache_bytes_per_token(model)
    assert memory.kv_cache_bytes(deeper, 9999) == factor * memory.kv_cache_bytes(model, 9999)


@given(key=st.sampled_from(MODELS), length=st.integers(1, 10**6), more=st.integers(1, 10**6))
def test_a_longer_context_never_holds_less(key: str, length: int, more: int) -> None:
    model = catalogue.model(key)
    assert memory.kv_cache_bytes(model, length + more) > memory.kv_cache_bytes(model, length)
    state = model.state_layers * model.state_bytes
    assert memory.kv_cache_bytes(model, length) <= length * memory.kv_cache_bytes_per_token(model) + state


@given(key=st.sampled_from(MODELS), batch=st.integers(1, 5000))
def test_a_step_reads_no_more_than_all_weights_and_never_less_with_a_larger_batch(key: str, batch: int) -> None:
    model = catalogue.model(key)
    read = memory.weights_read_bytes(model, "bf16", batch)
    assert read <= memory.weights_bytes(model) * (1 + 1e-12)
    assert memory.weights_read_bytes(model, "bf16", batch + 1) >= read


@given(pool=st.floats(1, 1e13), size=st.floats(1, 1e10))
def test_what_fits_fits_and_one_more_does_not(pool: float, size: float) -> None:
    count = memory.max_batch(pool, size)
    assert count * size <= pool * (1 + 1e-9)
    assert (count + 1) * size > pool * (1 - 1e-9)
    assert count == memory.kv_pool_tokens(pool, size) == math.floor(pool / size)


def counted_params(model: LanguageModel) -> float:
    """Parameters counted out of the architecture: embeddings, attention, feed-forward, norms."""
    attention = model.hidden * model.head_dim * 2 * (model.heads + model.kv_heads)
    per_layer = attention + 3 * model.hidden * model.ffn + 2 * model.hidden
    embeddings = model.vocab * model.hidden * (1 if model.tied_embeddings else 2)
    return embeddings + model.layers * per_layer + model.hidden


DENSE = [key for key in MODELS if not catalogue.model(key).experts]


@pytest.mark.parametrize("key", DENSE)
def test_the_parameters_of_a_dense_model_are_those_counted_from_its_architecture(key: str) -> None:
    model = catalogue.model(key)
    assert counted_params(model) == pytest.approx(model.params, rel=0.001)
    assert model.params == model.active_params
