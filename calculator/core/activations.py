"""The peak of working memory that an engine measures before it sizes its cache: a forward pass, then the sampler."""

from calculator.core.llms import LanguageModel
from calculator.core.memory import BF16_BYTES


def forward_peak_bytes(model: LanguageModel, batched_tokens: int, tensor_parallel: int = 1) -> float:
    """Bytes of activations alive at once in the widest part of a forward pass.

    Formula: 2 * tokens * (2 * hidden + 3 * width), width = ffn / tensor_parallel; with experts: experts_active *
        (3 * moe_ffn / tensor_parallel + hidden)
    Symbols: tokens (of one step), hidden (residual and input, 16 bits), width (gate and up projections and their
        product)
    Holds when: the engine frees a layer's activations before the next; attention needs less than the MLP
    Source: count of live tensors in a gated MLP; vLLM 0.6.4 logged 2.99 GiB for Llama-3.1-8B at 29,000 tokens
    Raises: nothing
    """
    width = 3 * model.ffn / tensor_parallel
    if model.experts:
        routed = model.experts_active * (3 * model.moe_ffn / tensor_parallel + model.hidden)
        width = max(width if model.moe_layers < model.layers else 0.0, routed)
    return BF16_BYTES * batched_tokens * (2 * model.hidden + width)


def sampler_peak_bytes(model: LanguageModel, max_num_seqs: int, batched_tokens: int, bytes_per_logit: float) -> float:
    """Bytes that the sampler needs at the largest batch, with the last hidden states still held.

    Formula: seqs * vocab * bytes_per_logit + 2 * tokens * hidden
    Symbols: seqs (sequences sampled at once), vocab (logits per sequence, gathered whole on a rank), bytes_per_logit
        (logits in 32 bits and what top-k and top-p make of them: a sort's values, indices and sums, or a kernel's few)
    Holds when: the engine profiles with top-k and top-p on, as vLLM does
    Source: vLLM pull request 33538, memory table: 40 bytes a logit for the sort, 12 for the Triton kernel
    Raises: nothing
    """
    return max_num_seqs * model.vocab * bytes_per_logit + BF16_BYTES * batched_tokens * model.hidden


def activation_peak_bytes(
    model: LanguageModel, batched_tokens: int, max_num_seqs: int, bytes_per_logit: float, tensor_parallel: int = 1
) -> float:
    """The peak that the engine's profiling run finds: the larger of the forward pass and the sampler.

    Formula: max(forward, sampler)
    Symbols: forward (see forward_peak_bytes), sampler (see sampler_peak_bytes)
    Holds when: the two do not overlap; independent of the context length once prefill is chunked
    Source: vLLM memory profiling (torch peak increase of a dummy run)
    Raises: nothing
    """
    forward = forward_peak_bytes(model, batched_tokens, tensor_parallel)
    return max(forward, sampler_peak_bytes(model, max_num_seqs, batched_tokens, bytes_per_logit))
