"""Prefill of one prompt: chunks, a cached prefix, all-reduces, and the stages of a pipeline."""

import math

from calculator.core import comms, latency
from calculator.core.chunking import chunked_prefill_s
from calculator.core.dtypes import dtype
from calculator.core.fabric import communication
from calculator.core.inputs import Inputs
from calculator.core.prefix import prefill_after_prefix_flops
from calculator.core.records import record


@record
class Prefill:
    """One prompt on one copy of the model. ``busy_s`` is its share of the copy's time, ``first_token_s`` what it waits.

    The two differ in a pipeline, whose other stages work on other prompts meanwhile.
    """

    tokens: int
    chunks: int
    flops: float
    attention_flops: float
    saved_flops: float
    arithmetic_floor_s: float
    floor_s: float
    communication_s: float
    bubble: float
    busy_s: float
    first_token_s: float


def prefill(inputs: Inputs) -> Prefill:
    """Prefill of what is not cached of the prompt that was asked for."""
    model, gpu, gpus = inputs.model, inputs.gpu, inputs.gpus_of_a_copy
    prompt, cached = inputs.prompt_len, inputs.cached_len
    tokens = prompt - cached
    flops = prefill_after_prefix_flops(model, prompt, cached)
    attention = latency.prefill_attention_flops(model, prompt) - latency.prefill_attention_flops(model, cached)
    peak = gpu.dense_flops_per_s(dtype(inputs.dtype))
    chunk = min(inputs.chunk_tokens, tokens)
    chunks = math.ceil(tokens / chunk)
    worked = chunked_prefill_s(
        model,
        prompt,
        chunk,
        gpus,
        peak,
        gpu.hbm_bandwidth_bytes_per_s,
        inputs.mfu,
        inputs.mbu,
        inputs.dtype,
        inputs.kv_dtype,
        cached,
    )
    sent = chunks * communication(inputs, tokens / chunks).counted_s
    bubble = comms.pipeline_bubble_share(inputs.pp, chunks)
    least = latency.least_prefill_flops(model, prompt)
    if cached:
        least = max(0.0, flops - 4 * model.vocab * model.hidden * tokens)
    arithmetic = latency.compute_s(max(0.0, least), gpus, peak)
    weights = latency.least_weights_read_bytes(model, inputs.dtype) - latency.embedding_bytes(model, inputs.dtype)
    reading = latency.memory_s(weights, gpus, gpu.hbm_bandwidth_bytes_per_s)
    return Prefill(
        tokens=tokens,
        chunks=chunks,
        flops=flops,
        attention_flops=attention,
        saved_flops=latency.prefill_flops(model, cached) if cached else 0.0,
        arithmetic_floor_s=arithmetic,
        floor_s=max(arithmetic, reading),
        communication_s=sent,
        bubble=bubble,
        busy_s=worked + sent,
        first_token_s=worked / (1 - bubble) + sent,
    )
