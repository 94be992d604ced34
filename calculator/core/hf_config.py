"""A language model out of the config.json that is published beside its weights. Pure: it takes the parsed mapping."""

from collections.abc import Mapping
from typing import Any

from calculator.core.hf_fields import Fields, refusal, shown
from calculator.core.hf_layers import LayerKinds, layer_kinds, moe_layers
from calculator.core.hf_params import Shape, active_params, state_bytes, total_params
from calculator.core.hf_quantization import weights_dtype
from calculator.core.llms import LanguageModel

_INSIDE = ("text_config", "llm_config", "language_config", "language_model_config", "thinker_config")
_HIDDEN = ("hidden_size", "n_embd", "d_model")
_LAYERS = ("num_hidden_layers", "n_layer", "num_layers", "n_layers")
_HEADS = ("num_attention_heads", "n_head", "n_heads")
_KV_HEADS = ("num_key_value_heads", "num_kv_heads", "multi_query_group_num", "n_head_kv")
_FFN = ("intermediate_size", "ffn_hidden_size", "n_inner", "ffn_dim")
_EXPERTS = ("num_experts", "n_routed_experts", "num_routed_experts", "num_local_experts", "moe_num_experts")
_ACTIVE = ("num_experts_per_tok", "num_experts_per_token", "moe_top_k", "moe_topk", "top_k_experts", "moe_k")
_SHARED = ("n_shared_experts", "num_shared_experts", "moe_num_shared_experts")
_SHARED_WIDTH = ("shared_expert_intermediate_size", "shared_intermediate_size")
_POSITIONS = ("max_position_embeddings", "n_positions", "max_sequence_length", "seq_length", "model_max_length")
_TIED_FAMILIES = {"gemma", "gemma2", "gemma3", "gemma3_text", "gemma4", "gemma4_text", "gpt2", "gpt_bigcode", "opt"} | {
    "bloom",
    "falcon",
    "mpt",
    "cohere",
    "cohere2",
}
_QKV_BIAS = {"qwen2", "qwen2_moe", "qwen2_vl", "qwen2_5_vl", "qwen2_5_vl_text", "gpt_oss", "gpt2", "opt", "bloom"}
_QK_NORM = {
    "qwen3",
    "qwen3_moe",
    "qwen3_next",
    "qwen3_5_text",
    "qwen3_5_moe_text",
    "gemma3",
    "gemma3_text",
    "gemma4_text",
}
_OUTPUT_GATE = {"qwen3_next", "qwen3_5_text", "qwen3_5_moe_text"}
_ROUTER_BIAS = {"gpt_oss", "deepseek_v3", "deepseek_v32", "kimi_k2", "glm4_moe", "glm_moe_dsa", "kimi_linear"}
_SHARED_GATE = {"qwen2_moe", "qwen3_next", "qwen3_5_moe_text"}
DSA_INDEX_EXTRA_BYTES = 4
"""DeepSeek's indexer keeps its key in 8 bits with one 32-bit scale, in vLLM as in SGLang."""


def language_model_from_config(config: object, name: str = "config.json") -> LanguageModel:
    """The model that a configuration describes. Raises InputErrors naming the key, the range and an example.

    Multimodal configurations are read for their language model alone.
    """
    if not isinstance(config, Mapping):
        raise refusal("it is no JSON object", "the config.json of a language model", '{"hidden_size": 4096, …}')
    outer = Fields(config)
    text = _language_part(outer)
    if not any(text.name(names) for names in (_HIDDEN, _LAYERS, _HEADS)):
        problem = "it has none of hidden_size, num_hidden_layers, num_attention_heads"
        raise refusal(problem, "the config.json of a language model", '{"hidden_size": 4096, …}')
    if outer.truth("is_encoder_decoder"):
        raise refusal("is_encoder_decoder is true", "a decoder-only model", '"model_type": "llama"')
    family = text.text("model_type") or outer.text("model_type")
    layers = text.whole(_LAYERS, 1, 2000, 32)
    kinds = layer_kinds(text, family, layers)
    if kinds.state >= layers:
        problem = f"each of its {layers:,} layers keeps a state and none a KV cache"
        raise refusal(problem, "a model with attention in at least one layer", '"layer_types": ["full_attention", …]')
    shape = _shape(outer, text, family, layers, kinds)
    return _model(outer, text, shape, kinds, name)


def _language_part(outer: Fields) -> Fields:
    """The part about the language model: nested in multimodal configurations, sometimes twice."""
    fields = outer
    for _ in range(3):
        inner = next((name for name in _INSIDE if isinstance(fields.config.get(name), Mapping)), None)
        if inner is None:
            break
        fields = fields.inner(inner)
    return fields


def _model(outer: Fields, text: Fields, shape: Shape, kinds: LayerKinds, name: str) -> LanguageModel:
    latent = shape.kv_lora_rank > 0
    total = total_params(shape)
    index_layers, index_bytes = _index_cache(text, shape)
    kind = "mla" if latent else "mha" if shape.kv_heads == shape.heads else "gqa"
    return LanguageModel(
        key=name,
        name=outer.text("_name_or_path") or name,
        hf_id=outer.text("_name_or_path"),
        aliases=(),
        params=total,
        active_params=active_params(shape, total),
        layers=shape.layers,
        hidden=shape.hidden,
        heads=shape.heads,
        kv_heads=1 if latent else shape.kv_heads,
        head_dim=shape.head_dim,
        ffn=shape.ffn,
        vocab=shape.vocab,
        attention=kind,
        native_dtype=weights_dtype(outer, text),
        max_context_tokens=shape.positions,
        tied_embeddings=shape.tied,
        sliding_layers=kinds.sliding,
        sliding_window_tokens=kinds.window,
        kv_lora_rank=shape.kv_lora_rank,
        rope_head_dim=shape.rope_head_dim,
        v_head_dim=shape.v_head_dim if latent else 0,
        full_kv_heads=shape.full_kv_heads,
        full_head_dim=shape.full_head_dim,
        index_layers=index_layers,
        index_bytes=index_bytes,
        state_layers=kinds.state,
        state_bytes=state_bytes(shape) if kinds.state else 0.0,
        experts=shape.experts,
        experts_active=shape.experts_active,
        experts_shared=1 if shape.shared_ffn else 0,
        moe_ffn=shape.moe_ffn,
        moe_layers=shape.moe_layers,
        note="Read from a configuration: its parameters are counted, the language model's alone.",
        source=f"{name}, as given",
        read="",
        confidence="",
    )


def _shape(outer: Fields, text: Fields, family: str, layers: int, kinds: LayerKinds) -> Shape:
    hidden = text.whole(_HIDDEN, 8, 1_000_000, 4096)
    heads = text.whole(_HEADS, 1, 8192, 32)
    latent = text.whole(("kv_lora_rank",), 1, 100_000, 512, 0)
    ffn = _ffn(text, family, hidden)
    experts, active, moe_ffn, with_experts = _experts(text, family, layers, ffn)
    states = _states(text)
    kv_heads = _kv_heads(text, heads)
    full_heads = text.whole(("num_global_key_value_heads",), 1, heads, 2, 0)
    full_dim = text.whole(("global_head_dim",), 1, 8192, 512, 0)
    head_dim = _head_dim(text, hidden, heads, bool(latent))
    differs = bool(full_heads or full_dim) and kinds.full > 0
    index = text.inner("sparse_attention_config")
    return Shape(
        family=family,
        layers=layers,
        hidden=hidden,
        heads=heads,
        kv_heads=kv_heads,
        head_dim=head_dim,
        ffn=ffn,
        vocab=text.whole(("vocab_size",), 2, 100_000_000, 128_256, None if family != "gemma3_text" else 262_208),
        positions=text.whole(_POSITIONS, 1, 1_000_000_000, 131_072, 131_072 if family == "gemma3_text" else 2048),
        tied=_tied(outer, text, family),
        qkv_bias=_bias(text) or family in _QKV_BIAS,
        output_bias=text.truth("attention_bias") and family not in {"glm4_moe", "qwen2"},
        qk_norm=family in _QK_NORM or (text.truth("use_qk_norm") and family != "llama4_text"),
        output_gate=family in _OUTPUT_GATE or text.truth("attn_output_gate"),
        state_layers=kinds.state,
        full_layers=kinds.full,
        full_kv_heads=(full_heads or kv_heads) if differs else 0,
        full_head_dim=(full_dim or head_dim) if differs else 0,
        kv_lora_rank=latent,
        q_lora_rank=text.whole(("q_lora_rank",), 1, 100_000, 1536, 0) if latent else 0,
        rope_head_dim=text.whole(("qk_rope_head_dim",), 0, 8192, 64) if latent else 0,
        v_head_dim=text.whole(("v_head_dim",), 1, 8192, 128) if latent else head_dim,
        index_heads=text.whole(("index_n_heads",), 1, 8192, 64, 0),
        index_head_dim=text.whole(("index_head_dim",), 1, 8192, 128, 0)
        or index.whole(("sparse_index_dim",), 1, 8192, 128, 0),
        experts=experts,
        experts_active=active,
        moe_ffn=moe_ffn,
        moe_layers=with_experts,
        shared_ffn=_shared(text, family, moe_ffn) if experts else 0,
        shared_gate=family in _SHARED_GATE,
        router_bias=family in _ROUTER_BIAS,
        dense_beside_experts=text.truth("enable_moe_block"),
        **states,
    )


def _kv_heads(text: Fields, heads: int) -> int:
    if text.truth("multi_query") and not text.truth("new_decoder_architecture"):
        return 1
    name = text.name(_KV_HEADS) or _KV_HEADS[0]
    kv_heads = text.whole(_KV_HEADS, 1, 8192, 8, heads)
    if kv_heads > heads:
        raise refusal(
            f"{name} is {kv_heads}, above num_attention_heads, {heads}",
            f"a whole number from 1 to {heads}",
            f'"{name}": {min(8, heads)}',
        )
    if heads % kv_heads:
        raise refusal(
            f"{name} is {kv_heads}, which does not divide num_attention_heads, {heads}",
            f"a divisor of {heads}",
            f'"{name}": {next(count for count in range(min(8, heads), 0, -1) if heads % count == 0)}',
        )
    return kv_heads


def _head_dim(text: Fields, hidden: int, heads: int, latent: bool) -> int:
    if latent:
        return text.whole(("qk_nope_head_dim",), 1, 8192, 128)
    if not text.name(("head_dim", "attention_head_dim", "kv_channels")) and hidden % heads:
        problem = f"head_dim is missing, and hidden_size {hidden} is no multiple of num_attention_heads {heads}"
        raise refusal(problem, "a head_dim, or a hidden_size that divides", '"head_dim": 128')
    return text.whole(("head_dim", "attention_head_dim", "kv_channels"), 1, 8192, 128, max(1, hidden // heads))


def _ffn(text: Fields, family: str, hidden: int) -> int:
    names = ("intermediate_size_mlp", "dense_intermediate_size", *_FFN) if "4" in family or "m3" in family else _FFN
    fallback = text.whole(("moe_intermediate_size",), 1, 10_000_000, 768, 4 * hidden)
    return text.whole(names, 1, 10_000_000, 4 * hidden, fallback)


def _experts(text: Fields, family: str, layers: int, ffn: int) -> tuple[int, int, int, int]:
    experts = text.whole(_EXPERTS, 0, 100_000, 8, 0)
    said = text.name(_ACTIVE)
    if said and not text.name(_EXPERTS) and text.whole((said,), 0, 100_000, 8) > 0:
        raise refusal(
            f"{said} is given but n_routed_experts is missing", "how many there are", '"n_routed_experts": 64'
        )
    if experts <= 1:
        return 0, 0, 0, 0
    active = text.whole(_ACTIVE, 1, experts, 2, 1)
    width = text.whole(("moe_intermediate_size", "expert_ffn_hidden_size", *_FFN), 1, 10_000_000, 1536, ffn)
    with_experts = moe_layers(text, layers)
    return (experts, active, width, with_experts) if with_experts else (0, 0, 0, 0)


def _shared(text: Fields, family: str, moe_ffn: int) -> int:
    if family == "llama4_text":
        return moe_ffn
    width = text.whole(_SHARED_WIDTH, 0, 10_000_000, 512, 0)
    return width or text.whole(_SHARED, 0, 1000, 1, 0) * moe_ffn


def _tied(outer: Fields, text: Fields, family: str) -> bool:
    for fields in (text, outer):
        if fields.config.get("tie_word_embeddings") is not None:
            return fields.truth("tie_word_embeddings")
    return family in _TIED_FAMILIES


def _bias(text: Fields) -> bool:
    return any(text.truth(name) for name in ("attention_bias", "qkv_bias", "use_qkv_bias", "add_qkv_bias"))


def _states(text: Fields) -> dict[str, Any]:
    """The widths of the layers with a state: Gated DeltaNet, KDA, or Mamba 2."""
    kda = text.inner("linear_attn_config")
    if kda.config:
        heads, width = kda.whole(("num_heads",), 1, 8192, 32), kda.whole(("head_dim",), 1, 8192, 128)
        taps = kda.whole(("short_conv_kernel_size",), 1, 64, 4, 4)
        return _state_fields("kda", heads, heads, width, width, taps)
    if text.name(("linear_num_value_heads",)):
        return _state_fields(
            "delta",
            text.whole(("linear_num_key_heads",), 1, 8192, 16),
            text.whole(("linear_num_value_heads",), 1, 8192, 32),
            text.whole(("linear_key_head_dim",), 1, 8192, 128),
            text.whole(("linear_value_head_dim",), 1, 8192, 128),
            text.whole(("linear_conv_kernel_dim",), 1, 64, 4, 4),
        )
    heads = text.whole(("mamba_num_heads", "mamba_n_heads", "linear_num_heads"), 1, 8192, 64, 0)
    width = text.whole(("mamba_head_dim", "mamba_d_head", "linear_head_dim"), 1, 8192, 64, 0)
    state = text.whole(("ssm_state_size", "mamba_d_state"), 1, 8192, 128, width)
    return _state_fields("mamba", text.whole(("n_groups", "mamba_n_groups"), 1, 8192, 8, 1), heads, state, width, 4)


def _state_fields(kind: str, keys: int, values: int, key_dim: int, value_dim: int, taps: int) -> dict[str, Any]:
    return {
        "state_kind": kind,
        "state_key_heads": keys,
        "state_value_heads": values,
        "state_key_dim": key_dim,
        "state_value_dim": value_dim,
        "state_conv": taps,
    }


def _index_cache(text: Fields, shape: Shape) -> tuple[int, float]:
    """Layers with a sparse attention's indexer, and what it caches per token in each."""
    if shape.index_heads and shape.index_head_dim:
        return shape.full_layers, float(shape.index_head_dim + DSA_INDEX_EXTRA_BYTES)
    sparse = text.inner("sparse_attention_config").items("sparse_attention_freq")
    if sparse and shape.index_head_dim:
        if len(sparse) != shape.layers:
            raise refusal(f"sparse_attention_freq is {shown(sparse)}", "a list of one number per layer", "[0, 0, 0, 1]")
        return sum(bool(each) for each in sparse), 2.0 * shape.index_head_dim
    return 0, 0.0
