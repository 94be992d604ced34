"""Time: prefill, a decode step, and what the two together give in tokens per second."""

from calculator.core import memory
from calculator.core.dtypes import dtype as dtype_named
from calculator.core.llms import LanguageModel


def causal_pairs(tokens: float, window_tokens: float = 0) -> float:
    """Query-key pairs of a causal layer over a prompt.

    Formula: tokens^2 / 2; with a window shorter than the prompt: window * tokens - window^2 / 2
    Symbols: tokens (prompt length), window (tokens a query may look back; 0 for all)
    Holds when: the kernel skips masked blocks; a kernel that does not computes tokens^2
    Source: area under the causal mask
    Raises: nothing
    """
    if 0 < window_tokens < tokens:
        return window_tokens * tokens - window_tokens**2 / 2
    return tokens**2 / 2


def prefill_attention_flops(model: LanguageModel, prompt_tokens: float) -> float:
    """Operations of the attention scores and of the weighted sum over values: the part that grows with the square.

    Formula: 2 * pairs * heads * (score_dim + value_dim), summed over layers; dense: 2 * layers * hidden * tokens^2
    Symbols: pairs (causal_pairs), heads (query heads), score_dim and value_dim (width of a head), tokens (prompt)
    Holds when: attention is causal. A pair costs 2 * dim operations for the score and 2 * dim for the sum, so the full
        square would be 4 * layers * hidden * tokens^2; the causal mask halves it to 2. Hidden is heads * head_dim here.
    Source: counted; Korthikanti et al., arXiv 2205.05198, appendix A counts the full square (factor 4)
    Raises: nothing
    """
    full = model.full_layers * _full_width(model) * causal_pairs(prompt_tokens)
    width = model.score_head_dim + model.value_head_dim
    sliding = model.sliding_layers * width * causal_pairs(prompt_tokens, model.sliding_window_tokens)
    return 2 * model.heads * (full + sliding)


def _full_width(model: LanguageModel) -> float:
    """Widths of score and value in the layers that keep every token, whose heads may be wider than the others'."""
    return 2 * model.full_head_dim or model.score_head_dim + model.value_head_dim


def prefill_flops(model: LanguageModel, prompt_tokens: float) -> float:
    """Operations to prefill one prompt.

    Formula: 2 * active_params * tokens + attention
    Symbols: active_params (parameters a token multiplies with), tokens (prompt), attention (prefill_attention_flops)
    Holds when: nothing of the prompt is cached. Counts the output head for every token; engines need only the last.
    Source: Kaplan et al., arXiv 2001.08361, section 2.1 (2 N per token); the quadratic term counted
    Raises: nothing
    """
    return 2 * model.active_params * prompt_tokens + prefill_attention_flops(model, prompt_tokens)


def compute_s(flops: float, gpus: int, flops_per_s_per_gpu: float, mfu: float = 1.0) -> float:
    """Time of an amount of arithmetic on a number of GPUs.

    Formula: operations / (gpus * peak * mfu)
    Symbols: operations (FLOP), gpus, peak (dense FLOP/s per GPU), mfu (share of the peak reached)
    Holds when: the work divides evenly
    Source: definition of model FLOP utilisation: Chowdhery et al., PaLM, arXiv 2204.02311, appendix B
    Raises: ValueError when mfu is outside 0 (exclusive) to 1, or gpus or peak is not above 0
    """
    if not 0 < mfu <= 1:
        raise ValueError("mfu must be above 0 and at most 1")
    if gpus <= 0 or flops_per_s_per_gpu <= 0:
        raise ValueError("gpus and flops_per_s_per_gpu must be above 0")
    return flops / (gpus * flops_per_s_per_gpu * mfu)


def memory_s(bytes_read: float, gpus: int, bytes_per_s_per_gpu: float, mbu: float = 1.0) -> float:
    """Time to read an amount of memory, spread over a number of GPUs.

    Formula: bytes / (gpus * bandwidth * mbu)
    Symbols: bytes, gpus, bandwidth (HBM bytes/s per GPU), mbu (share of the bandwidth reached)
    Holds when: the bytes are spread evenly
    Source: definition of model bandwidth utilisation
    Raises: ValueError when mbu is outside 0 (exclusive) to 1, or gpus or bandwidth is not above 0
    """
    if not 0 < mbu <= 1:
        raise ValueError("mbu must be above 0 and at most 1")
    if gpus <= 0 or bytes_per_s_per_gpu <= 0:
        raise ValueError("gpus and bytes_per_s_per_gpu must be above 0")
    return bytes_read / (gpus * bytes_per_s_per_gpu * mbu)


def prefill_s(
    model: LanguageModel, prompt_tokens: float, gpus: int, flops_per_s_per_gpu: float, mfu: float = 1.0
) -> float:
    """Time to prefill one prompt on a replica.

    Formula: prefill_flops / (gpus * peak * mfu)
    Symbols: see prefill_flops and compute_s
    Holds when: the prompt is long enough to be bound by arithmetic (more tokens than the ridge)
    Source: see prefill_flops
    Raises: ValueError as compute_s
    """
    return compute_s(prefill_flops(model, prompt_tokens), gpus, flops_per_s_per_gpu, mfu)


def decode_attention_flops_per_token(model: LanguageModel, context_tokens: float) -> float:
    """Operations of attention for one new token over its context.

    Formula: 2 * heads * (score_dim + value_dim) * context, summed over layers; dense: 4 * layers * hidden * context
    Symbols: heads (query heads), context (tokens held), score_dim, value_dim (of a head; MLA works in the
        latent: kv_lora_rank + rope_head_dim and kv_lora_rank)
    Holds when: sliding layers look at their window only. A sparse attention's indexer is left out, and its layers are
        taken as full: a kernel that follows the indexer does less.
    Source: counted; for MLA with absorbed projections DeepSeek-V2, arXiv 2405.04434, section 2.1
    Raises: nothing
    """
    wide, width = _full_width(model), model.score_head_dim + model.value_head_dim
    if model.attention == "mla":
        wide = width = 2 * model.kv_lora_rank + model.rope_head_dim
    kept = model.sliding_layers * width * min(context_tokens, model.sliding_window_tokens)
    return 2 * model.heads * (model.full_layers * wide * context_tokens + kept)


def decode_flops_per_token(model: LanguageModel, context_tokens: float = 0) -> float:
    """Operations to generate one token.

    Formula: 2 * active_params + attention
    Symbols: active_params (parameters a token multiplies with), attention (decode_attention_flops_per_token)
    Holds when: one token per sequence and step (no speculation)
    Source: Kaplan et al., arXiv 2001.08361, section 2.1
    Raises: nothing
    """
    return 2 * model.active_params + decode_attention_flops_per_token(model, context_tokens)


def decode_step_s(memory_s: float, compute_s: float, communication_s: float = 0.0) -> float:
    """Time of one decode step.

    Formula: max(memory, compute) + communication
    Symbols: memory (time to read weights and KV cache), compute (time of the arithmetic), communication (added on)
    Holds when: reads and arithmetic overlap perfectly. With both at full rate it is the floor, no engine is faster;
        with utilisations put in it is the expected value.
    Source: Williams, Waterman, Patterson, Roofline, CACM 2009
    Raises: nothing
    """
    return max(memory_s, compute_s) + communication_s


def output_tokens_per_s(batch: float, output_tokens: float, decode_step_s: float, prefill_s: float = 0.0) -> float:
    """Output tokens per second of a replica that does its own prefill.

    Formula: batch * output / (output * step + batch * prefill)
    Symbols: batch (sequences in flight), output (tokens each generates), step (s), prefill (s per prompt)
    Holds when: prefill and decode take turns on the same GPUs, and the batch stays full
    Source: one round of the batch: output steps and a prefill for each sequence
    Raises: ValueError when batch or output_tokens is not above 0
    """
    if batch <= 0 or output_tokens <= 0:
        raise ValueError("batch and output_tokens must be above 0")
    return batch * output_tokens / (output_tokens * decode_step_s + batch * prefill_s)


def embedding_bytes(model: LanguageModel, dtype: str = "bf16") -> float:
    """Bytes of the input embedding that a decode step does not read: it looks up one row a sequence.

    Formula: vocab * hidden * bytes; 0 when the output head uses the same table
    Symbols: vocab (entries), hidden (width), bytes (per value)
    Holds when: the rows looked up are few beside the table
    Source: an embedding is an index, not a product
    Raises: UnknownDtype
    """
    return 0.0 if model.tied_embeddings else model.vocab * model.hidden * dtype_named(dtype).bytes


def least_weights_read_bytes(model: LanguageModel, dtype: str = "bf16") -> float:
    """Fewest bytes of weights that a decode step can read: every token chooses the same experts.

    Formula: weights_read_bytes at batch 1: rest + routed * experts_active / experts
    Symbols: rest (all but routed experts), routed (bytes of routed experts)
    Holds when: a lower limit at any batch. Routing is neither even nor independent, so that a batch touches
        fewer experts than weights_read_bytes expects.
    Source: a step reads at least what one of its tokens needs
    Raises: UnknownDtype
    """
    return memory.weights_read_bytes(model, dtype, 1)


def least_prefill_flops(model: LanguageModel, prompt_tokens: float) -> float:
    """Fewest operations that a prefill can take: neither embedding products nor the output head but for one token.

    Formula: prefill_flops - 2 * vocab * hidden * (tables * tokens - 1)
    Symbols: tables (embedding and output head: 1 when they are one table, otherwise 2), tokens (prompt)
    Holds when: only the last token's output is wanted, as in serving
    Source: Kaplan et al., arXiv 2001.08361, section 2.1 leaves embeddings out
    Raises: nothing
    """
    tables = 1 if model.tied_embeddings else 2
    return prefill_flops(model, prompt_tokens) - 2 * model.vocab * model.hidden * (tables * prompt_tokens - 1)
