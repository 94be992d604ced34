"""Memory: what weights and KV cache weigh, what is left for the cache, and how many sequences it holds."""

import math

from calculator.core.dtypes import dtype as dtype_named
from calculator.core.llms import LanguageModel

BF16_BYTES = 2


class DoesNotFit(ValueError):
    """The weights leave no room. ``gpus_needed`` is the smallest count of the same GPU that holds them."""

    def __init__(self, gpus: int, gpus_needed: int) -> None:
        self.gpus, self.gpus_needed = gpus, gpus_needed
        super().__init__(f"the weights do not fit on {gpus}: needs at least {gpus_needed} GPUs")


def weights_bytes(model: LanguageModel, dtype: str = "bf16") -> float:
    """Bytes of all weights.

    Formula: params * bits / 8; MXFP4 on a mixture of experts: routed_experts * 4.25 / 8 + rest * 2
    Symbols: params (parameters stored), bits (per parameter, block scales included), rest (all but routed experts)
    Holds when: every tensor has the same format. Quantized checkpoints keep norms, and often embeddings, in 16 bits:
        a few percent more for 8-bit weights, and more than that for 4-bit weights of small models.
    Source: count of parameters times their width; OCP Microscaling formats for the scales
    Raises: UnknownDtype
    """
    weight = dtype_named(dtype)
    if weight.key == "mxfp4" and model.experts:
        return model.expert_params * weight.bytes + (model.params - model.expert_params) * BF16_BYTES
    return model.params * weight.bytes


def experts_touched(experts: int, experts_active: int, batch: int) -> float:
    """Expected number of different experts of a layer that a decode step of ``batch`` tokens reads.

    Formula: experts * (1 - (1 - experts_active / experts)^batch)
    Symbols: experts (routed experts of a layer), experts_active (chosen per token), batch (tokens of the step)
    Holds when: tokens choose independently and evenly; correlated tokens touch fewer.
    Source: expected occupied boxes when each of ``batch`` tokens draws experts_active of them
    Raises: ValueError when experts_active is above experts
    """
    if not 0 < experts_active <= experts:
        raise ValueError(f"experts_active must be from 1 to {experts}")
    return experts * (1 - (1 - experts_active / experts) ** batch)


def weights_read_bytes(model: LanguageModel, dtype: str = "bf16", batch: int = 1) -> float:
    """Bytes of weights that one decode step of ``batch`` sequences reads.

    Formula: weights for a dense model; for experts: rest + routed experts * touched / experts
    Symbols: batch (sequences in the step), touched (different experts a layer reads)
    Holds when: each weight is read once a step. Counts the input embedding, of which only a row a token is read: an
        over-count of vocab * hidden when embeddings are not tied (1.5% of a 70B model, 6.5% of an 8B).
    Source: see experts_touched
    Raises: UnknownDtype
    """
    total = weights_bytes(model, dtype)
    if not model.experts:
        return total
    routed = model.expert_params * dtype_named(dtype).bytes
    return total - routed + routed * experts_touched(model.experts, model.experts_active, batch) / model.experts


def kv_cache_bytes_per_token_per_layer(model: LanguageModel, kv_dtype: str = "bf16") -> float:
    """Bytes that one layer caches for one token.

    Formula: 2 * kv_heads * head_dim * bytes; with MLA: (kv_lora_rank + rope_head_dim) * bytes
    Symbols: kv_heads (key-value heads, fewer than query heads with GQA), head_dim (width of a head), bytes (per value)
    Holds when: keys and values have one width and format; MLA caches one latent and one position key for all heads.
    Source: Ainslie et al., GQA, arXiv 2305.13245; DeepSeek-V2, arXiv 2405.04434, section 2.1
    Raises: UnknownDtype
    """
    width = dtype_named(kv_dtype).bytes
    if model.attention == "mla":
        return (model.kv_lora_rank + model.rope_head_dim) * width
    return 2 * model.kv_heads * model.head_dim * width


def kv_cache_bytes_per_token_per_full_layer(model: LanguageModel, kv_dtype: str = "bf16") -> float:
    """Bytes that a layer which keeps every token caches for one, where its heads may differ from a sliding layer's.

    Formula: 2 * full_kv_heads * full_head_dim * bytes; per_layer where the heads are the same in all layers
    Symbols: full_kv_heads, full_head_dim (of the layers without a window), bytes (per value)
    Holds when: keys and values are both stored, also where the model computes one from the other
    Source: Gemma 4 configuration (global_head_dim, num_global_key_value_heads); see kv_cache_bytes_per_token_per_layer
    Raises: UnknownDtype
    """
    if not model.full_kv_heads:
        return kv_cache_bytes_per_token_per_layer(model, kv_dtype)
    return 2 * model.full_kv_heads * model.full_head_dim * dtype_named(kv_dtype).bytes


def kv_cache_bytes_per_token(model: LanguageModel, kv_dtype: str = "bf16") -> float:
    """Bytes that one token of context adds while it is inside every window.

    Formula: layers * per_layer, which is 2 * layers * kv_heads * head_dim * bytes for GQA; plus index_layers * index
    Symbols: layers (that cache tokens), per_layer (see kv_cache_bytes_per_token_per_layer), index (bytes an indexer
        of sparse attention keeps per token and layer)
    Holds when: the context is shorter than the sliding window; past it only full layers grow (see kv_cache_bytes).
        Layers with a state instead of a cache add nothing per token.
    Source: Pope et al., Efficiently Scaling Transformer Inference, arXiv 2211.05102, section 3
    Raises: UnknownDtype
    """
    full = model.full_layers * kv_cache_bytes_per_token_per_full_layer(model, kv_dtype)
    sliding = model.sliding_layers * kv_cache_bytes_per_token_per_layer(model, kv_dtype)
    return full + sliding + model.index_layers * model.index_bytes


def kv_cache_bytes(model: LanguageModel, context_tokens: float, kv_dtype: str = "bf16") -> float:
    """Bytes of KV cache of one sequence of ``context_tokens``.

    Formula: per_layer * (full_layers * context + sliding_layers * min(context, window)) + state_layers * state
    Symbols: context (tokens held), full_layers, sliding_layers, state_layers (together: layers), window (what a
        sliding layer keeps), state (bytes of a layer's state)
    Holds when: the engine frees what leaves the window; some engines keep all layers in full.
    Source: Mistral 7B, arXiv 2310.06825, section 2 (rolling buffer); Gemma 3 report, arXiv 2503.19786, section 2
    Raises: UnknownDtype
    """
    in_windows = model.sliding_layers * min(context_tokens, model.sliding_window_tokens)
    full = model.full_layers * kv_cache_bytes_per_token_per_full_layer(model, kv_dtype)
    per_token = full + model.index_layers * model.index_bytes
    sliding = in_windows * kv_cache_bytes_per_token_per_layer(model, kv_dtype)
    return per_token * context_tokens + sliding + model.state_layers * model.state_bytes


def kv_copies(model: LanguageModel, tensor_parallel: int) -> float:
    """How many times the KV cache is stored across the GPUs of a tensor-parallel replica.

    Formula: max(1, tensor_parallel / kv_heads); with MLA kv_heads is 1, so every GPU holds the whole latent
    Symbols: tensor_parallel (GPUs that share each layer), kv_heads
    Holds when: heads are split over GPUs; data-parallel attention avoids the copies.
    Source: Megatron-LM, arXiv 1909.08053 (split by heads); DeepSeek-V2, arXiv 2405.04434
    Raises: ValueError when tensor_parallel is below 1
    """
    if tensor_parallel < 1:
        raise ValueError("tensor_parallel must be at least 1")
    heads = 1 if model.attention == "mla" else model.kv_heads
    return max(1.0, tensor_parallel / heads)


def gpus_needed(weights_bytes: float, memory_bytes_per_gpu: float, usable_share: float) -> int:
    """Fewest GPUs whose usable memory is more than the weights.

    Formula: floor(weights / (memory * share)) + 1
    Symbols: weights (bytes), memory (bytes per GPU), share (usable part of it)
    Holds when: weights divide evenly over GPUs
    Source: the memory budget, solved for the count
    Raises: ValueError when memory or share is not above 0
    """
    if memory_bytes_per_gpu <= 0 or usable_share <= 0:
        raise ValueError("memory and share must be above 0")
    return math.floor(weights_bytes / (memory_bytes_per_gpu * usable_share)) + 1


def kv_pool_bytes(weights_bytes: float, gpus: int, memory_bytes_per_gpu: float, usable_share: float) -> float:
    """Bytes left for KV cache on a replica: the whiteboard's budget.

    Formula: gpus * memory * share - weights
    Symbols: gpus (of the replica), memory (marketed bytes per GPU), share (usable part), weights (bytes)
    Holds when: the share stands for everything else (activations, graphs, driver). An engine leaves less: on an H100
        about 0.85 of the marketed memory instead of 0.95.
    Source: the memory budget; see the planning constant hbm_usable_share
    Raises: DoesNotFit, with the count that is needed, instead of a pool that is zero or below
    """
    pool = gpus * memory_bytes_per_gpu * usable_share - weights_bytes
    if pool <= 0:
        raise DoesNotFit(gpus, gpus_needed(weights_bytes, memory_bytes_per_gpu, usable_share))
    return pool


def kv_pool_tokens(kv_pool_bytes: float, kv_bytes_per_token: float) -> int:
    """Whole tokens that the pool holds.

    Formula: floor(pool / per_token)
    Symbols: pool (bytes), per_token (bytes per token, copies included)
    Holds when: sequences are short of their sliding windows; block rounding is left out (at most a block per sequence)
    Source: division of the budget
    Raises: ValueError when per_token is not above 0
    """
    if kv_bytes_per_token <= 0:
        raise ValueError("kv_bytes_per_token must be above 0")
    return math.floor(kv_pool_bytes / kv_bytes_per_token)


def max_batch(kv_pool_bytes: float, kv_bytes_per_sequence: float) -> int:
    """Whole sequences of one length that the pool holds at once.

    Formula: floor(pool / per_sequence)
    Symbols: pool (bytes), per_sequence (bytes of one sequence at its full length)
    Holds when: every sequence is held at its full length: safe, and low while sequences are still growing
    Source: division of the budget
    Raises: ValueError when per_sequence is not above 0
    """
    if kv_bytes_per_sequence <= 0:
        raise ValueError("kv_bytes_per_sequence must be above 0")
    return math.floor(kv_pool_bytes / kv_bytes_per_sequence)
