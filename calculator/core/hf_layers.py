"""Which layers of a configuration keep every token, a window or a state, and which have experts."""

from calculator.core.hf_fields import Fields, refusal
from calculator.core.records import record

FULL, SLIDING, STATE = "full", "sliding", "state"
_SLIDING_WORDS, _STATE_WORDS = ("sliding", "chunk", "local"), ("linear", "mamba", "recurrent", "conv", "ssm", "mlp")
_EVERY_SECOND = {"gemma2", "gpt_oss"}
_EVERY_SIXTH = {"gemma3", "gemma3_text", "gemma4", "gemma4_text", "gemma4_unified_text"}
_WINDOW_IN_ALL = {"mistral", "mixtral", "phi3", "starcoder2"}
_WINDOW_WHEN_SAID = {"qwen2", "qwen3", "qwen2_moe", "qwen3_moe", "qwen2_5_vl", "qwen2_vl", "qwen3_vl_text"}


@record
class LayerKinds:
    """How many layers of each kind, and the window of the sliding ones."""

    full: int
    sliding: int
    state: int
    window: int


def layer_kinds(fields: Fields, family: str, layers: int) -> LayerKinds:
    """The layers by kind. Raises InputErrors when a list of kinds has another length than there are layers."""
    window = fields.whole(("sliding_window", "attention_chunk_size", "window_size"), 0, 10**9, 4096, 0)
    kinds = _listed(fields, layers) or _by_rule(fields, family, layers, window)
    sliding = kinds.count(SLIDING)
    if sliding and not window:
        window = _FAMILY_WINDOWS.get(family, 0)
    if sliding and not window:
        raise refusal(f"{sliding} layers slide but sliding_window is missing", "a window", '"sliding_window": 4096')
    return LayerKinds(kinds.count(FULL), sliding, kinds.count(STATE), window if sliding else 0)


_FAMILY_WINDOWS = {"gemma2": 4096, "gemma3_text": 4096, "gpt_oss": 128, "llama4_text": 8192, "gemma4_text": 512}


def _kind(word: object) -> str:
    text = str(word).lower()
    if any(part in text for part in _SLIDING_WORDS):
        return SLIDING
    return STATE if any(part in text for part in _STATE_WORDS) else FULL


def _listed(fields: Fields, layers: int) -> list[str] | None:
    """Kinds out of a list, one per layer."""
    words = fields.items("layer_types") or fields.items("layers_block_type") or fields.items("block_types")
    pattern = fields.text("hybrid_override_pattern")
    if pattern:
        words = ["full" if letter == "*" else "mamba" for letter in pattern]
    numbers = fields.items("attn_type_list")
    if words is None and numbers is not None:
        words = ["linear" if number == 0 else "full" for number in numbers]
    full_ids = fields.inner("linear_attn_config").items("full_attn_layers")
    if words is None and full_ids is not None:
        words = ["full" if number in full_ids else "linear" for number in range(1, layers + 1)]
    if words is None:
        return None
    if len(words) != layers:
        problem = f"it lists {len(words):,} layer types for {layers:,} layers"
        raise refusal(problem, "a list of one type per layer", '"layer_types": ["full_attention", …]')
    return [_kind(word) for word in words]


def _by_rule(fields: Fields, family: str, layers: int, window: int) -> list[str]:
    """Kinds by the rule of a family of models, where no list gives them."""
    interval = fields.whole(("full_attention_interval",), 1, 1000, 4, 0)
    if interval:
        return _every(interval, layers, STATE)
    if family == "llama4_text":
        return _llama4(fields, layers)
    pattern = fields.whole(("sliding_window_pattern", "_sliding_window_pattern"), 1, 1000, 6, 0)
    if family in _EVERY_SIXTH or pattern:
        return _every(pattern or 6, layers, SLIDING)
    if family in _EVERY_SECOND:
        return [SLIDING if number % 2 == 0 else FULL for number in range(layers)]
    if family in _WINDOW_IN_ALL and window:
        return [SLIDING] * layers
    if family in _WINDOW_WHEN_SAID and window and fields.truth("use_sliding_window"):
        first = fields.whole(("max_window_layers",), 0, layers, layers // 2, 0)
        return [FULL] * first + [SLIDING] * (layers - first)
    return [FULL] * layers


def _every(interval: int, layers: int, other: str) -> list[str]:
    return [FULL if (number + 1) % interval == 0 else other for number in range(layers)]


def _llama4(fields: Fields, layers: int) -> list[str]:
    rope = fields.items("no_rope_layers")
    if rope is not None:
        if len(rope) != layers:
            problem = f"no_rope_layers has {len(rope):,} entries for {layers:,} layers"
            raise refusal(problem, "a list of one number per layer", '"no_rope_layers": [1, 1, 1, 0, …]')
        return [SLIDING if number else FULL for number in rope]
    return _every(fields.whole(("no_rope_layer_interval",), 1, 1000, 4, 4), layers, SLIDING)


def moe_layers(fields: Fields, layers: int) -> int:
    """How many layers have routed experts."""
    listed = fields.items("moe_layers")
    if listed is not None:
        return len(set(map(str, listed)))
    types = fields.items("mlp_layer_types")
    if types is not None:
        return sum(str(kind) != "dense" for kind in types)
    frequency = fields.config.get("moe_layer_freq")
    if isinstance(frequency, list):
        return sum(bool(each) for each in frequency)
    step = fields.whole(("decoder_sparse_step", "interleave_moe_layer_step", "moe_layer_freq"), 1, 1000, 1, 1)
    first = fields.whole(("first_k_dense_replace", "num_dense_layers", "moe_layer_start_index"), 0, layers, 1, 0)
    dense = fields.items("mlp_only_layers") or []
    if fields.name(("first_k_dense_replace",)):
        return sum(number >= first and number % step == 0 for number in range(layers))
    return sum(number >= first and (number + 1) % step == 0 and number not in dense for number in range(layers))
