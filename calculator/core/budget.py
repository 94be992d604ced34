"""The memory part of a plan: weights, cache, what is left, and how many sequences that holds."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from calculator.core import memory
from calculator.core.dtypes import dtype
from calculator.core.heads import head_counts
from calculator.core.inputs import Inputs
from calculator.core.llms import LanguageModel
from calculator.core.records import record
from calculator.core.steps import Step
from calculator.core.text import digits, show
from calculator.core.units import GB

if TYPE_CHECKING:
    from calculator.core.engines import Part


@record
class Budget:
    """What memory holds. ``refusal`` is empty when what was asked for fits; ``gpus_needed`` is the smallest count.

    Totals are of the replica. ``parts`` divide one GPU's memory when an engine's budget was asked for.
    """

    weights_bytes: float
    kv_bytes_per_token: float
    kv_bytes_per_sequence: float
    usable_bytes: float
    kv_pool_bytes: float | None
    kv_pool_tokens: int | None
    max_batch: int
    gpus_needed: int | None
    refusal: str
    working: Callable[[], tuple[Step, ...]]
    parts: "tuple[Part, ...]" = ()

    @property
    def steps(self) -> tuple[Step, ...]:
        """The working, written out when it is asked for."""
        return self.working()

    @property
    def fits(self) -> bool:
        """Whether the weights fit with room for a cache."""
        return self.kv_pool_bytes is not None


def memory_budget(inputs: Inputs) -> Budget:
    """The budget, part by part. Weights that do not fit are an answer, not an error."""
    if inputs.budget == "engine":
        return _engine_memory_budget(inputs)
    model, gpu = inputs.model, inputs.gpu
    weights = memory.weights_bytes(model, inputs.dtype)
    copies = memory.kv_copies(model, inputs.ranks)
    per_token = memory.kv_cache_bytes_per_token(model, inputs.kv_dtype) * copies
    per_sequence = memory.kv_cache_bytes(model, inputs.seq_len, inputs.kv_dtype) * copies
    pool: float | None = None
    tokens: int | None = None
    batch, needed = 0, None
    try:
        own = memory.kv_pool_bytes(weights, inputs.gpus_of_a_copy, gpu.memory_marketed_bytes, inputs.mem_util)
    except memory.DoesNotFit as refused:
        needed = refused.gpus_needed
    else:
        pool = own * inputs.copies
        tokens = memory.kv_pool_tokens(pool, per_token)
        batch = memory.max_batch(own, per_sequence) * inputs.copies
    weights *= inputs.copies
    usable = inputs.gpus * gpu.memory_marketed_bytes * inputs.mem_util

    def working() -> tuple[Step, ...]:
        return (
            _weights_step(inputs, weights),
            *_cache_steps(inputs, copies, per_token, per_sequence),
            _usable_step(inputs, usable),
            *_pool_steps(inputs, weights, usable, pool, tokens, batch, per_token, per_sequence, needed),
        )

    refusal = _refusal(inputs, pool, tokens, batch, needed)
    return Budget(weights, per_token, per_sequence, usable, pool, tokens, batch, needed, refusal, working)


def _engine_memory_budget(inputs: Inputs) -> Budget:
    from calculator.core.engine_plan import engine_memory_budget

    return engine_memory_budget(inputs)


def gpus_that_split(inputs: Inputs, at_least: int) -> int | None:
    """The smallest count from ``at_least`` up that splits the heads evenly, or ``None``."""
    return next((count for count in head_counts(inputs.model) if count >= at_least), None)


def needs(inputs: Inputs, needed: int) -> str:
    """``needs at least 2 GPUs``, and the next count that splits the heads where that one does not."""
    splits = gpus_that_split(inputs, needed)
    text = f"needs at least {needed} GPUs"
    if splits == needed:
        return text
    if splits is None:
        return f"{text}, more than its heads can be split over"
    return f"{text} by memory, so {splits} to split its heads evenly"


def _refusal(inputs: Inputs, pool: float | None, tokens: int | None, batch: int, needed: int | None) -> str:
    if pool is None and needed is not None:
        where = f"{inputs.gpus} × {inputs.gpu.name}"
        return f"does not fit: {inputs.model.name} in {dtype(inputs.dtype).name} on {where} {needs(inputs, needed)}"
    if batch == 0:
        return f"does not fit: not one sequence of {inputs.seq_len:,} tokens; the pool holds {tokens:,} tokens"
    if batch < inputs.batch:
        return f"does not fit: a batch of {inputs.batch:,} at {inputs.seq_len:,} tokens; at most {batch:,} fit"
    return ""


def _weights_step(inputs: Inputs, weights: float) -> Step:
    model, weight = inputs.model, dtype(inputs.dtype)
    formula = "params * bits / 8"
    numbers = f"{model.params:,.0f} × {weight.bits:g} / 8"
    if weight.key == "mxfp4" and model.experts:
        formula = "expert_params * 4.25 / 8 + (params - expert_params) * 2"
        rest = model.params - model.expert_params
        numbers = f"{model.expert_params:,.0f} × 4.25 / 8 + {rest:,.0f} × 2"
    if inputs.copies > 1:
        formula, numbers = f"copies * ({formula})", f"{inputs.copies} × ({numbers})"
    numbers = f"{numbers} = {show(weights, 'B')}"
    why = f"{digits(weights / GB)} GB in decimal units, read once a decode step and shared by the whole batch."
    return Step("memory/weights", "Weights", weights, "B", formula, numbers, why, f"{model.name}: {model.source}")


def _cache_steps(inputs: Inputs, copies: float, per_token: float, per_sequence: float) -> list[Step]:
    model = inputs.model
    own = per_token / copies
    formula, numbers = _per_token_formula(model, dtype(inputs.kv_dtype).bytes)
    why = "The unit of everything: what one token of context costs to hold."
    if model.sliding_layers:
        why += f" Past {model.sliding_window_tokens:,} tokens only {model.full_layers} of {model.layers} layers grow."
    if model.state_layers:
        why += f" {model.state_layers} of {model.layers} layers keep a state of fixed size instead."
    if model.index_layers:
        why += f" {model.index_layers} layers keep the key of a sparse attention's indexer beside their cache."
    source = f"{model.name}: {model.source}"
    with_numbers = f"{numbers} = {own:,.0f} B = {show(own, 'B')}"
    steps = [Step("memory/kv_cache/per_token", "KV cache per token", own, "B", formula, with_numbers, why, source)]
    if copies > 1:
        heads = 1 if model.attention == "mla" else model.kv_heads
        numbers = f"{show(own, 'B')} × {inputs.ranks} / {heads} = {show(per_token, 'B')}"
        why = "More GPUs than KV heads: each GPU still needs a whole head, so that the cache is stored more than once."
        steps.append(
            Step(
                "memory/kv_cache/per_token_with_copies",
                "KV cache per token, copies included",
                per_token,
                "B",
                "per_token * tp / kv_heads",
                numbers,
                why,
                "tensor parallelism splits by heads",
            )
        )
    steps.append(_per_sequence_step(inputs, copies, per_token, per_sequence))
    return steps


def _per_token_formula(model: LanguageModel, width: float) -> tuple[str, str]:
    """The formula of this model's cache and the same with its numbers; layers that keep a state are not in it."""
    layers, name = model.layers - model.state_layers, "caching_layers" if model.state_layers else "layers"
    if model.attention == "mla":
        formula = f"{name} * (kv_lora_rank + rope_head_dim) * bytes"
        numbers = f"{layers} × ({model.kv_lora_rank} + {model.rope_head_dim}) × {width:g} B"
    elif model.full_kv_heads:
        formula = "2 * (full_layers * full_kv_heads * full_head_dim + sliding_layers * kv_heads * head_dim) * bytes"
        full = f"{model.full_layers} × {model.full_kv_heads} × {model.full_head_dim}"
        numbers = f"2 × ({full} + {model.sliding_layers} × {model.kv_heads} × {model.head_dim}) × {width:g} B"
    else:
        formula = f"2 * {name} * kv_heads * head_dim * bytes"
        numbers = f"2 × {layers} × {model.kv_heads} × {model.head_dim} × {width:g} B"
    if model.index_layers:
        formula += " + index_layers * index_bytes"
        numbers += f" + {model.index_layers} × {model.index_bytes:g} B"
    return formula, numbers


def _per_sequence_step(inputs: Inputs, copies: float, per_token: float, per_sequence: float) -> Step:
    model = inputs.model
    formula = "seq_len * per_token"
    numbers = f"{inputs.seq_len:,} × {show(per_token, 'B')} = {show(per_sequence, 'B')}"
    if model.sliding_layers or model.state_layers:
        windowed = copies * model.sliding_layers * memory.kv_cache_bytes_per_token_per_layer(model, inputs.kv_dtype)
        formula, parts = "seq_len * growing", [f"{inputs.seq_len:,} × {show(per_token - windowed, 'B', 4)}"]
        if model.sliding_layers:
            formula += " + min(seq_len, window) * windowed"
            parts.append(f"{min(inputs.seq_len, model.sliding_window_tokens):,} × {show(windowed, 'B', 4)}")
        if model.state_layers:
            formula += " + state_layers * state"
            parts.append(f"{model.state_layers} × {show(copies * model.state_bytes, 'B', 4)}")
        numbers = f"{' + '.join(parts)} = {show(per_sequence, 'B')}"
    return Step(
        "memory/kv_cache/per_sequence",
        "KV cache of one sequence",
        per_sequence,
        "B",
        formula,
        numbers,
        "What one request holds at its full length.",
        "KV cache per token, times the length",
    )


def _usable_step(inputs: Inputs, usable: float) -> Step:
    gpu = inputs.gpu
    numbers = f"{inputs.gpus} × {show(gpu.memory_marketed_bytes, 'B')} × {inputs.mem_util:g} = {show(usable, 'B')}"
    why = "Weights and cache share it."
    if gpu.memory_reported_bytes:
        reported = show(gpu.memory_reported_bytes, "B", 4)
        why += f" The driver reports {reported} per GPU; planning reads the number on the box as GiB."
    source = f"{gpu.name}: {gpu.source}"
    return Step("memory/usable", "Usable memory", usable, "B", "gpus * memory * mem_util", numbers, why, source)


def _pool_steps(
    inputs: Inputs,
    weights: float,
    usable: float,
    pool: float | None,
    tokens: int | None,
    batch: int,
    per_token: float,
    per_sequence: float,
    needed: int | None,
) -> list[Step]:
    source = "the memory budget"
    if pool is None:
        numbers = f"{show(usable, 'B')} is less than {show(weights, 'B')}"
        why = f"The weights alone do not fit: {needs(inputs, needed or 0)}."
        nothing = "Nothing is left for a cache."
        no_tokens = Step(
            "memory/kv_pool_tokens", "Tokens it holds", None, "tokens", "pool / per_token", "", nothing, source
        )
        no_batch = Step("memory/max_batch", "Largest batch", 0, "sequences", "pool / per_sequence", "", nothing, source)
        return [
            Step("memory/kv_pool", "KV pool", None, "B", "usable - weights", numbers, why, source),
            no_tokens,
            no_batch,
        ]
    held = f"{show(pool, 'B', 4)} / {show(per_sequence, 'B', 4)}"
    if inputs.copies > 1:
        held = f"{inputs.copies} × floor({show(pool / inputs.copies, 'B', 6)} / {show(per_sequence, 'B', 6)})"
    return [
        Step(
            "memory/kv_pool",
            "KV pool",
            pool,
            "B",
            "usable - weights",
            f"{show(usable, 'B', 4)} − {show(weights, 'B', 4)} = {show(pool, 'B', 4)}",
            "What is left for context: the capacity that requests compete for.",
            source,
        ),
        Step(
            "memory/kv_pool_tokens",
            "Tokens it holds",
            tokens,
            "tokens",
            "pool / per_token",
            f"{show(pool, 'B', 4)} / {show(per_token, 'B')} = {tokens:,} tokens",
            "Capacity is counted in tokens held, not in requests.",
            source,
        ),
        Step(
            "memory/max_batch",
            "Largest batch",
            batch,
            "sequences",
            "pool / per_sequence" if inputs.copies == 1 else "copies * floor(pool_of_a_copy / per_sequence)",
            f"{held} = {batch:,} sequences",
            f"At {inputs.seq_len:,} tokens each, every one at its full length.",
            source,
        ),
    ]
