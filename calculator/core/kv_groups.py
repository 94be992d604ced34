"""How an engine lays a cache out on one rank: heads per rank, blocks, and groups of layers that cache differently."""

import math

from calculator.core.llms import LanguageModel
from calculator.core.memory import (
    kv_cache_bytes_per_token_per_full_layer,
    kv_cache_bytes_per_token_per_layer,
)
from calculator.core.records import record

STATE_BLOCKS = 2
"""Blocks of state that a sequence holds per group of state layers: the one in use and the one kept for its prefix."""
STATE_BLOCK_MULTIPLE_TOKENS = 64


@record
class KvGroup:
    """Layers that share a block table. ``kind`` is "full", "sliding" or "state"; bytes are of one layer on one rank."""

    kind: str
    layers: int
    bytes_per_token_per_layer: float


def _heads_per_rank(kv_heads: int, tensor_parallel: int) -> float:
    return max(1.0, kv_heads / tensor_parallel) / kv_heads


def kv_groups(model: LanguageModel, tensor_parallel: int = 1, kv_dtype: str = "bf16") -> tuple[KvGroup, ...]:
    """The groups of layers that cache alike, with what one token costs a layer on one rank.

    Formula: per_layer * max(1, kv_heads / tensor_parallel) / kv_heads; with MLA per_layer, on every rank
    Symbols: per_layer (bytes for all heads), kv_heads, tensor_parallel (ranks that share a layer)
    Holds when: a rank holds whole heads, so that with more ranks than KV heads each holds one, copied
    Source: Megatron-LM, arXiv 1909.08053; vLLM and SGLang logs of MLA models at TP 8: 70,272 bytes a token on each
    Raises: UnknownDtype; ValueError when tensor_parallel is below 1
    """
    if tensor_parallel < 1:
        raise ValueError("tensor_parallel must be at least 1")
    full = kv_cache_bytes_per_token_per_full_layer(model, kv_dtype)
    sliding = kv_cache_bytes_per_token_per_layer(model, kv_dtype)
    if model.attention != "mla":
        full *= _heads_per_rank(model.full_kv_heads or model.kv_heads, tensor_parallel)
        sliding *= _heads_per_rank(model.kv_heads, tensor_parallel)
    indexed = model.index_layers * model.index_bytes / max(1, model.full_layers)
    found = (
        KvGroup("full", model.full_layers, full + indexed),
        KvGroup("sliding", model.sliding_layers, sliding),
        KvGroup("state", model.state_layers, 0.0),
    )
    return tuple(group for group in found if group.layers)


def kv_cache_bytes_per_token_per_rank(model: LanguageModel, tensor_parallel: int = 1, kv_dtype: str = "bf16") -> float:
    """Bytes that one token inside every window takes on one rank.

    Formula: sum over groups of layers * bytes_per_token_per_layer
    Symbols: groups (full and sliding layers; state layers take nothing per token)
    Holds when: the context is inside the sliding window
    Source: see kv_groups; equals the pool over the tokens that engines log for models without a window
    Raises: UnknownDtype; ValueError when tensor_parallel is below 1
    """
    groups = kv_groups(model, tensor_parallel, kv_dtype)
    return sum(group.layers * group.bytes_per_token_per_layer for group in groups)


def group_layers(counts: tuple[int, ...]) -> int:
    """Layers in one block of a cache whose layers are of several kinds.

    Formula: min(counts); max(counts) when that is less than a quarter more
    Symbols: counts (layers of each kind)
    Holds when: the engine is vLLM 0.10 or later, which gives all kinds blocks of one size and pads the rest
    Source: vLLM, vllm/v1/core/kv_cache_utils.py, grouping of layers of one type
    Raises: ValueError when there are no counts
    """
    if not counts:
        raise ValueError("a cache needs layers")
    return max(counts) if max(counts) < 1.25 * min(counts) else min(counts)


def max_concurrency(
    model: LanguageModel,
    pool_bytes_per_rank: float,
    context_tokens: int,
    tensor_parallel: int = 1,
    kv_dtype: str = "bf16",
    block_tokens: int = 16,
    batched_tokens: int = 2048,
) -> float:
    """Sequences of one length that a rank's pool holds at once, as vLLM logs it.

    Formula: blocks / (groups_full * ceil(context / block) + groups_sliding * (ceil(reach / block) + 1) + ...)
    Symbols: blocks (pool over bytes of a block), groups (layers of a kind over layers in a block, rounded up), reach
        (window - 1 + tokens of one step, at most the context): a window is freed only after the step; a state group
        takes 2 blocks whatever the context
    Holds when: blocks of all kinds have one size; a cache with one kind of layer has one group
    Source: vLLM, vllm/v1/kv_cache_interface.py (max_memory_usage_bytes); gpt-oss-120b logs 284.25 at 16,384 tokens
    Raises: UnknownDtype; ValueError when tensor_parallel is below 1
    """
    groups = kv_groups(model, tensor_parallel, kv_dtype)
    size = group_layers(tuple(group.layers for group in groups))
    page = max(group.bytes_per_token_per_layer for group in groups) * block_tokens
    page = max(page, _state_page_bytes(model, tensor_parallel, page / block_tokens))
    blocks = math.floor(pool_bytes_per_rank / (size * page))
    return blocks / sum(
        math.ceil(group.layers / size) * _blocks(model, group, page, context_tokens, batched_tokens) for group in groups
    )


def _state_page_bytes(model: LanguageModel, tensor_parallel: int, bytes_per_token: float) -> float:
    """The bytes of a block that holds a state: attention blocks grow to it, in whole multiples of tokens."""
    if not model.state_layers:
        return 0.0
    multiple = bytes_per_token * STATE_BLOCK_MULTIPLE_TOKENS
    return math.ceil(model.state_bytes / tensor_parallel / multiple) * multiple


def _blocks(model: LanguageModel, group: KvGroup, page_bytes: float, context: int, batched: int) -> int:
    if group.kind == "state":
        return STATE_BLOCKS
    block_tokens = max(1, round(page_bytes / group.bytes_per_token_per_layer))
    if group.kind == "full":
        return math.ceil(context / block_tokens)
    reach = min(model.sliding_window_tokens - 1 + batched, context)
    return math.ceil(reach / block_tokens) + 1
