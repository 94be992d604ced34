"""Prefill in chunks: a prompt's pieces share steps with decoding, and each piece reads the weights again."""

from calculator.core import memory
from calculator.core.latency import compute_s, memory_s, prefill_flops
from calculator.core.llms import LanguageModel

MOST_CHUNKS = 256


def chunked_prefill_s(
    model: LanguageModel,
    prompt_tokens: int,
    chunk_tokens: int,
    gpus: int,
    flops_per_s_per_gpu: float,
    bytes_per_s_per_gpu: float,
    mfu: float = 1.0,
    mbu: float = 1.0,
    dtype: str = "bf16",
    kv_dtype: str = "bf16",
    cached_tokens: int = 0,
) -> float:
    """Time to prefill one prompt in chunks, each of which reads the weights and the cache before it again.

    Formula: sum over chunks of max(flops / (gpus * peak * mfu), (weights + kv_before) / (gpus * bandwidth * mbu))
    Symbols: flops (of a chunk: prefill_flops up to its end less that up to its start), weights (weights_read_bytes for
        the chunk's tokens), kv_before (bytes cached before the chunk), peak and bandwidth per GPU
    Holds when: chunks run alone. Above 256 chunks they are taken in 256 groups, each as its middle: exact while one of
        the two resources limits the whole group.
    Source: Agrawal et al., SARATHI, arXiv 2308.16369, section 4
    Raises: ValueError when a length is not above 0, or as compute_s
    """
    if chunk_tokens <= 0 or not 0 <= cached_tokens <= prompt_tokens or prompt_tokens <= 0:
        raise ValueError("prompt_tokens and chunk_tokens must be above 0, cached_tokens at most prompt_tokens")
    total = 0.0
    for start, length, count in _chunk_groups(cached_tokens, prompt_tokens, chunk_tokens):
        flops = prefill_flops(model, start + length) - prefill_flops(model, start)
        moved = memory.weights_read_bytes(model, dtype, max(1, round(length)))
        moved += memory.kv_cache_bytes(model, start, kv_dtype)
        arithmetic = compute_s(flops, gpus, flops_per_s_per_gpu, mfu)
        total += count * max(arithmetic, memory_s(moved, gpus, bytes_per_s_per_gpu, mbu))
    return total


def _chunk_groups(begin: int, end: int, chunk: int) -> list[tuple[float, float, int]]:
    """Chunks as (start, length, how many like it): one by one up to MOST_CHUNKS, in groups beyond."""
    whole, rest = divmod(end - begin, chunk)
    groups: list[tuple[float, float, int]] = []
    size = max(1, -(-whole // MOST_CHUNKS))
    for first in range(0, whole, size):
        count = min(size, whole - first)
        groups.append((begin + (first + (count - 1) / 2) * chunk, chunk, count))
    if rest:
        groups.append((end - rest, rest, 1))
    return groups
