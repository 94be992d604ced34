"""Any model's config.json: counted parameters, cache and format are the published ones, and lies are refused."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculator import catalogue
from calculator.config_files import LARGEST_BYTES, model_from_config_file, model_from_config_text
from calculator.core import memory
from calculator.core.hf_config import language_model_from_config
from calculator.core.inputs import InputError, InputErrors
from calculator.core.llms import LanguageModel

PUBLISHED: Mapping[str, Any] = json.loads((Path(__file__).parent / "configs" / "published.json").read_text())
IN_CATALOGUE = sorted(set(PUBLISHED) & set(catalogue.models()))
LLAMA = {
    "model_type": "llama",
    "hidden_size": 4096,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "intermediate_size": 14336,
    "vocab_size": 128256,
    "max_position_embeddings": 131072,
    "torch_dtype": "bfloat16",
}


def read(key: str) -> LanguageModel:
    return language_model_from_config(PUBLISHED[key]["config"], key)


def refused(config: object) -> InputError:
    with pytest.raises(InputErrors) as errors:
        language_model_from_config(config)
    (error,) = errors.value.errors
    assert error.field == "config"
    assert error.allowed
    assert error.example
    return error


def test_every_model_that_the_reference_table_counts_has_a_configuration_here() -> None:
    counted = Path(__file__).parent / "data" / "kv_bytes_per_token.csv"
    keys = {line.split(",")[0] for line in counted.read_text().splitlines()[1:]}
    assert keys <= set(PUBLISHED)


@pytest.mark.parametrize("key", IN_CATALOGUE)
def test_parameters_counted_from_a_configuration_are_the_known_totals(key: str) -> None:
    known, counted = catalogue.model(key), read(key)
    assert counted.params == pytest.approx(known.params, rel=0.005)
    assert counted.active_params == pytest.approx(known.active_params, rel=0.005)


@pytest.mark.parametrize("key", IN_CATALOGUE)
def test_a_configuration_caches_what_the_catalogue_says(key: str) -> None:
    known, counted = catalogue.model(key), read(key)
    assert counted.attention == known.attention
    for context in (100, 5000, 100_000):
        assert memory.kv_cache_bytes(counted, context) == memory.kv_cache_bytes(known, context)
    assert memory.weights_read_bytes(counted, "bf16", 8) == pytest.approx(
        memory.weights_read_bytes(known, "bf16", 8), rel=0.005
    )


@pytest.mark.parametrize(
    ("key", "billions"),
    [
        ("deepseek_v2_lite", 15.7),
        ("qwen3_next_80b_a3b", 79.7),
        ("kimi_linear", 49.1),
        ("mistral_small_4", 119),
        ("mistral_nemo", 12.25),
        ("yi_34b", 34.4),
        ("codellama_34b", 33.7),
        ("qwen3_14b", 14.8),
        ("deepseek_v3_2", 671),
    ],
)
def test_models_outside_the_catalogue_have_their_published_sizes(key: str, billions: float) -> None:
    assert read(key).params / 1e9 == pytest.approx(billions, rel=0.005)


@pytest.mark.parametrize(
    ("key", "dtype"),
    [
        ("deepseek_v3", "fp8"),
        ("gpt_oss_120b", "mxfp4"),
        ("kimi_linear", "nvfp4"),
        ("llama4_scout", "fp8"),
        ("llama8b", "bf16"),
    ],
)
def test_the_format_of_the_weights_is_read(key: str, dtype: str) -> None:
    assert read(key).native_dtype == dtype


@pytest.mark.parametrize(
    ("quantization", "dtype"),
    [
        ({"quant_method": "awq", "bits": 4, "group_size": 128}, "int4"),
        ({"quant_method": "gptq", "bits": 8}, "int8"),
        ({"quant_method": "bitsandbytes", "load_in_4bit": True}, "int4"),
        ({"quant_method": "modelopt", "quant_algo": "NVFP4"}, "nvfp4"),
        ({"quant_method": "modelopt", "quant_algo": "FP8"}, "fp8"),
        ({"quant_method": "quark", "global_quant_config": {"weight": {"dtype": "fp4"}}}, "mxfp4"),
        (
            {"quant_method": "compressed-tensors", "config_groups": {"g": {"weights": {"num_bits": 4, "type": "int"}}}},
            "int4",
        ),
    ],
)
def test_every_quantization_in_use_is_known(quantization: dict[str, object], dtype: str) -> None:
    assert language_model_from_config(LLAMA | {"quantization_config": quantization}).native_dtype == dtype


def test_sliding_linear_and_sparse_layers_are_counted() -> None:
    assert (read("gemma3_27b").sliding_layers, read("gemma3_27b").full_layers) == (52, 10)
    assert (read("gpt_oss_120b").sliding_layers, read("gpt_oss_120b").sliding_window_tokens) == (18, 128)
    assert (read("llama4_scout").sliding_layers, read("llama4_scout").sliding_window_tokens) == (36, 8192)
    assert (read("qwen3_next_80b_a3b").state_layers, read("qwen3_next_80b_a3b").full_layers) == (36, 12)
    assert read("kimi_linear").state_layers == 20
    assert (read("minimax_m3").index_layers, read("minimax_m3").index_bytes) == (57, 256)
    assert read("deepseek_v3_2").index_bytes == 132


def test_a_state_is_held_once_whatever_the_length() -> None:
    kimi = read("kimi_linear")
    grown = memory.kv_cache_bytes(kimi, 2000) - memory.kv_cache_bytes(kimi, 1000)
    assert grown == 1000 * 7 * 576 * 2
    assert memory.kv_cache_bytes(kimi, 0) == 20 * kimi.state_bytes > 0


def test_a_window_counts_only_where_the_configuration_says_that_it_is_used() -> None:
    windowed = LLAMA | {"model_type": "qwen2", "sliding_window": 4096, "max_window_layers": 28}
    assert language_model_from_config(windowed | {"use_sliding_window": False}).sliding_layers == 0
    assert language_model_from_config(windowed | {"use_sliding_window": True}).sliding_layers == 4
    assert language_model_from_config(LLAMA | {"model_type": "mistral", "sliding_window": 4096}).sliding_layers == 32


LIES: list[tuple[dict[str, object], str, str]] = [
    ({"num_key_value_heads": 64}, "num_key_value_heads is 64, above", "from 1 to 32"),
    ({"num_key_value_heads": 5}, "does not divide num_attention_heads", "a divisor of 32"),
    ({"num_key_value_heads": 0}, "num_key_value_heads is 0", "from 1 to"),
    ({"num_hidden_layers": -3}, "num_hidden_layers is -3", "from 1 to 2,000"),
    ({"num_hidden_layers": 10**9}, "num_hidden_layers is 1000000000", "from 1 to 2,000"),
    ({"hidden_size": "4096"}, "hidden_size is '4096', not a whole number", "from 8 to"),
    ({"hidden_size": [4096]}, "hidden_size is [4096], not a whole number", "from 8 to"),
    ({"hidden_size": 4096.5}, "hidden_size is 4096.5, not a whole number", "from 8 to"),
    ({"hidden_size": float("nan")}, "hidden_size is nan, not a whole number", "from 8 to"),
    ({"hidden_size": float("inf")}, "hidden_size is inf, not a whole number", "from 8 to"),
    ({"hidden_size": True}, "hidden_size is True, not a whole number", "from 8 to"),
    ({"hidden_size": 4097}, "no multiple of num_attention_heads", "head_dim"),
    ({"vocab_size": None}, "vocab_size is missing", "from 2 to"),
    ({"num_experts_per_tok": 8}, "n_routed_experts is missing", "how many"),
    ({"n_routed_experts": 4, "num_experts_per_tok": 8}, "num_experts_per_tok is 8", "from 1 to 4"),
    ({"layer_types": ["full_attention"]}, "1 layer types for 32 layers", "one type per layer"),
    ({"layer_types": "full"}, "layer_types is 'full'", "a list"),
    ({"layer_types": ["sliding_attention"] * 32}, "sliding_window is missing", "a window"),
    ({"torch_dtype": "int7"}, "torch_dtype is 'int7'", "bfloat16"),
    ({"quantization_config": {"quant_method": "zip"}}, "quant_method is 'zip'", "one of fp8"),
    ({"quantization_config": {"quant_method": "gptq", "bits": 3}}, "bits is 3", "4 or 8"),
    ({"quantization_config": 4}, "quantization_config is 4", "an object"),
    ({"tie_word_embeddings": "no"}, "tie_word_embeddings is 'no'", "true or false"),
    ({"is_encoder_decoder": True}, "is_encoder_decoder is true", "decoder-only"),
    ({"kv_lora_rank": 512}, "qk_nope_head_dim is missing", "from 1 to"),
]


@pytest.mark.parametrize(("change", "problem", "allowed"), LIES, ids=lambda value: str(value)[:40])
def test_a_lie_is_refused_with_its_key_range_and_example(change: dict[str, object], problem: str, allowed: str) -> None:
    error = refused(LLAMA | change)
    assert problem in error.problem
    assert allowed in error.allowed


@pytest.mark.parametrize("config", [None, 7, "x", [], {}, {"a": 1}, {"text_config": {"b": 2}}])
def test_what_is_no_configuration_is_refused(config: object) -> None:
    assert "config.json of a language model" in refused(config).allowed


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("<html>", "not JSON"),
        (b"\xff\xfe{}", "not text in UTF-8"),
        ("[" * 100_000, "nested too deeply"),
        ('{"hidden_size": NaN}', "holds NaN"),
        ('{"hidden_size": -Infinity}', "holds -Infinity"),
        ('{"hidden_size": ' + "9" * 5000 + "}", "a number too long"),
        (" " * (LARGEST_BYTES + 1), "it has 2,000,001 bytes"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_text_that_is_no_configuration_is_refused(text: str | bytes, problem: str) -> None:
    with pytest.raises(InputErrors) as errors:
        model_from_config_text(text)
    assert problem in errors.value.errors[0].problem


def test_files_are_read_and_a_missing_or_huge_one_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text("\ufeff" + json.dumps(LLAMA))
    assert model_from_config_file(str(path)).params == catalogue.model("llama8b").params
    huge = tmp_path / "huge.json"
    with huge.open("wb") as file:
        file.truncate(50_000_000)
    for wrong, problem in (
        (huge, "50,000,000 bytes"),
        (tmp_path, "cannot be read"),
        (tmp_path / "no", "cannot be read"),
    ):
        with pytest.raises(InputErrors) as errors:
            model_from_config_file(str(wrong))
        assert problem in errors.value.errors[0].problem
    with pytest.raises(InputErrors):
        model_from_config_file("nul\0byte")


SCALARS = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5), st.lists(st.integers()))


@given(key=st.sampled_from(sorted(PUBLISHED)), data=st.data())
def test_any_single_wrong_value_is_read_or_refused_but_never_breaks(key: str, data: st.DataObject) -> None:
    config = json.loads(json.dumps(PUBLISHED[key]["config"]))
    inner = config.get("text_config", config)
    inner[data.draw(st.sampled_from(sorted(inner)))] = data.draw(SCALARS)
    try:
        model = language_model_from_config(config)
    except InputErrors:
        return
    assert model.params > 0
    assert model.active_params <= model.params
    assert memory.kv_cache_bytes(model, 100) >= 0


def test_a_model_without_attention_in_any_layer_is_refused() -> None:
    config = json.loads(json.dumps(next(one["config"] for one in PUBLISHED.values() if "layer_types" in one["config"])))
    config["layer_types"] = ["linear_attention"] * config["num_hidden_layers"]
    with pytest.raises(InputErrors, match="keeps a state and none a KV cache"):
        language_model_from_config(config)
