"""A cached prefix: what it saves, what moving it costs, and when fetching beats computing."""

from calculator.core import comms, latency, memory
from calculator.core.llms import LanguageModel


def prefill_after_prefix_flops(model: LanguageModel, prompt_tokens: float, cached_tokens: float) -> float:
    """Operations to prefill a prompt whose first tokens are cached already.

    Formula: prefill(prompt) - prefill(cached)
    Symbols: prompt (tokens in all), cached (tokens of the prefix), prefill (prefill_flops)
    Holds when: the cached prefix is in memory. The new tokens still attend to it: only its own triangle is saved.
    Source: pairs under the causal mask, counted
    Raises: ValueError when cached_tokens is above prompt_tokens
    """
    if not 0 <= cached_tokens <= prompt_tokens:
        raise ValueError("cached_tokens must be at least 0 and at most prompt_tokens")
    return latency.prefill_flops(model, prompt_tokens) - latency.prefill_flops(model, cached_tokens)


def prefix_saving_share(model: LanguageModel, prompt_tokens: float, cached_tokens: float) -> float:
    """Share of a prefill that a cached prefix saves.

    Formula: prefill(cached) / prefill(prompt)
    Symbols: see prefill_after_prefix_flops
    Holds when: prefill is bound by arithmetic
    Source: see prefill_after_prefix_flops
    Raises: ValueError when cached_tokens is above prompt_tokens or the prompt is empty
    """
    if prompt_tokens <= 0:
        raise ValueError("prompt_tokens must be above 0")
    left = prefill_after_prefix_flops(model, prompt_tokens, cached_tokens)
    return 1 - left / latency.prefill_flops(model, prompt_tokens)


def kv_transfer_s(
    model: LanguageModel, prompt_tokens: float, bytes_per_s: float, kv_dtype: str = "bf16", layers_at_once: int = 0
) -> float:
    """Time that a request waits while its KV cache moves from a prefill to a decode replica.

    Formula: kv / bandwidth; sent layer by layer during prefill: kv * layers_at_once / layers / bandwidth
    Symbols: kv (bytes of the prompt's cache, one copy), bandwidth (bytes/s, one direction, of all links used together),
        layers_at_once (layers sent in one piece; 0 for all after the prefill)
    Holds when: the link is idle, and piecewise also when prefill takes longer than the transfer
    Source: Zhong et al., DistServe, arXiv 2401.09670, section 3.3; Patel et al., Splitwise, arXiv 2311.18677
    Raises: ValueError when bandwidth is not above 0
    """
    if bytes_per_s <= 0:
        raise ValueError("bytes_per_s must be above 0")
    whole = memory.kv_cache_bytes(model, prompt_tokens, kv_dtype) / bytes_per_s
    return whole * layers_at_once / model.layers if layers_at_once else whole


def prefix_break_even_bytes_per_s(
    model: LanguageModel,
    prefix_tokens: float,
    gpus: int,
    flops_per_s_per_gpu: float,
    mfu: float = 1.0,
    kv_dtype: str = "bf16",
) -> float:
    """Bandwidth above which fetching a prefix beats computing it again; the quadratic term is counted.

    Formula: kv(prefix) * gpus * peak * mfu / prefill(prefix)
    Symbols: kv (bytes of the prefix), gpus, peak (dense FLOP/s per GPU), mfu, prefill (prefill_flops)
    Holds when: fetch and compute are not overlapped. Falls with the prefix: computing grows with its square.
    Source: equality of the two times
    Raises: ValueError when prefix_tokens is not above 0, or as compute_s
    """
    if prefix_tokens <= 0:
        raise ValueError("prefix_tokens must be above 0")
    again = latency.prefill_s(model, prefix_tokens, gpus, flops_per_s_per_gpu, mfu)
    return comms.break_even_bytes_per_s(memory.kv_cache_bytes(model, prefix_tokens, kv_dtype), again)
