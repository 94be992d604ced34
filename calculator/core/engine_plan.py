"""The memory part of a plan as a serving engine divides it: its budget of one GPU, as steps and totals."""

import math

from calculator.core.budget import Budget, gpus_that_split
from calculator.core.checkpoint import checkpoint_bytes
from calculator.core.dtypes import dtype
from calculator.core.engines import EngineBudget, EngineSettings, Part, engine_budget, with_ranks
from calculator.core.inputs import InputError, InputErrors, Inputs
from calculator.core.kv_groups import kv_cache_bytes_per_token_per_rank, kv_groups, max_concurrency
from calculator.core.memory import kv_cache_bytes
from calculator.core.steps import Step
from calculator.core.text import digits, show
from calculator.core.units import GB


def engine_memory_budget(inputs: Inputs) -> Budget:
    """The budget of every GPU of the replica, which are alike; totals are the fullest rank's times their number."""
    settings = inputs.engine
    if settings is None:
        raise InputErrors([InputError("engine", "an engine's budget needs an engine", "vllm or sglang", "vllm")])
    divided = engine_budget(inputs.model, inputs.gpu, settings, dtype=inputs.dtype, kv_dtype=inputs.kv_dtype)
    ranks = settings.tensor_parallel
    per_token = kv_cache_bytes_per_token_per_rank(inputs.model, ranks, inputs.kv_dtype) * ranks
    held = _held(inputs, settings, divided)
    batch = min(math.floor(held), settings.max_num_seqs) * (inputs.gpus // ranks)
    needed = None if divided.fits else _gpus_needed(inputs, settings)
    pool = divided.pool_bytes_per_gpu * inputs.gpus if divided.fits else None
    tokens = divided.pool_tokens * inputs.gpus // ranks if divided.fits else None
    return Budget(
        weights_bytes=divided.weights_bytes_per_gpu * inputs.gpus,
        kv_bytes_per_token=per_token,
        kv_bytes_per_sequence=divided.pool_bytes_per_gpu * ranks / held if held else _per_sequence(inputs, per_token),
        usable_bytes=divided.memory_bytes_per_gpu * settings.mem_util * inputs.gpus,
        kv_pool_bytes=pool,
        kv_pool_tokens=tokens,
        max_batch=batch,
        gpus_needed=needed,
        refusal=_refusal(inputs, divided, tokens, batch, needed),
        working=lambda: _steps(inputs, settings, divided, per_token, pool, tokens, batch),
        parts=divided.parts,
    )


def _per_sequence(inputs: Inputs, per_token: float) -> float:
    own = kv_cache_bytes(inputs.model, 1, inputs.kv_dtype)
    return kv_cache_bytes(inputs.model, inputs.seq_len, inputs.kv_dtype) * per_token / own


def _held(inputs: Inputs, settings: EngineSettings, divided: EngineBudget) -> float:
    """Sequences of the asked length, whole blocks each, that the pool of one replica holds."""
    return max_concurrency(
        inputs.model,
        divided.pool_bytes_per_gpu,
        inputs.seq_len,
        settings.tensor_parallel,
        inputs.kv_dtype,
        settings.profile.block_tokens,
        settings.max_num_batched_tokens,
    )


def _gpus_needed(inputs: Inputs, settings: EngineSettings) -> int | None:
    """The smallest count that splits the heads and leaves a cache, or ``None``."""
    count = gpus_that_split(inputs, settings.tensor_parallel + 1)
    while count is not None:
        wider = with_ranks(settings, inputs.gpu, count)
        if engine_budget(inputs.model, inputs.gpu, wider, dtype=inputs.dtype, kv_dtype=inputs.kv_dtype).fits:
            return count
        count = gpus_that_split(inputs, count + 1)
    return None


def _refusal(inputs: Inputs, divided: EngineBudget, tokens: int | None, batch: int, needed: int | None) -> str:
    if not divided.fits:
        what = f"{inputs.model.name} in {dtype(inputs.dtype).name} on {inputs.gpus} × {inputs.gpu.name}"
        short = f"is {show(divided.short_bytes_per_gpu, 'B')} per GPU short of a KV pool"
        more = f"needs at least {needed} GPUs" if needed else "more GPUs of this kind do not help"
        return f"does not fit: {what} {short}; {more}"
    if batch == 0:
        return f"does not fit: not one sequence of {inputs.seq_len:,} tokens; the pool holds {tokens:,} tokens"
    if batch < inputs.batch:
        return f"does not fit: a batch of {inputs.batch:,} at {inputs.seq_len:,} tokens; at most {batch:,} fit"
    return ""


def _steps(
    inputs: Inputs,
    settings: EngineSettings,
    divided: EngineBudget,
    per_token: float,
    pool: float | None,
    tokens: int | None,
    batch: int,
) -> tuple[Step, ...]:
    named = {part.key: part for part in divided.parts}
    engine = f"{settings.profile.title} {settings.version}".strip()
    source = f"{engine}: {settings.profile.source}"
    granted = divided.memory_bytes_per_gpu * settings.mem_util
    memory = show(divided.memory_bytes_per_gpu, "B", 4)
    return (
        _weights_step(inputs, divided),
        _per_token_step(inputs, settings, per_token),
        Step(
            "memory/usable",
            "Granted per GPU",
            granted,
            "B",
            "memory_as_reported * mem_util",
            f"{memory} × {settings.mem_util:g} = {show(granted, 'B', 4)}",
            "What the framework sees of one GPU, times the share that the engine may use.",
            f"{inputs.gpu.name}: {inputs.gpu.source}",
        ),
        *(_part_step(key, part, source) for key, part in named.items() if key not in {"weights", "kv_pool"}),
        _pool_step(inputs, divided, granted, pool, source),
        Step(
            "memory/kv_pool_tokens",
            "Tokens it holds",
            tokens,
            "tokens",
            "floor(pool / per_token / block) * block",
            f"{show(pool, 'B', 4)} at {show(per_token, 'B')} a token = {tokens:,} tokens" if tokens else "",
            f"In blocks of {settings.profile.block_tokens} tokens. {_groups_sentence(inputs, settings)}"
            f"{_start_sentence(settings, divided)}",
            source,
        ),
        Step(
            "memory/max_batch",
            "Largest batch",
            batch,
            "sequences",
            "min(concurrency(seq_len), max_num_seqs)",
            f"at most {settings.max_num_seqs:,} at once by the engine's setting",
            f"At {inputs.seq_len:,} tokens each, every one at its full length, in whole blocks.",
            source,
        ),
    )


def _weights_step(inputs: Inputs, divided: EngineBudget) -> Step:
    total = divided.weights_bytes_per_gpu * inputs.gpus
    stored = checkpoint_bytes(inputs.model, inputs.dtype)
    numbers = f"{show(divided.weights_bytes_per_gpu, 'B', 4)} per GPU × {inputs.gpus} = {show(total, 'B', 4)}"
    why = f"The checkpoint in {dtype(inputs.dtype).name} is {digits(stored / GB)} GB, what stays in 16 bits included."
    source = f"{inputs.model.name}: {inputs.model.source}"
    return Step("memory/weights", "Weights", total, "B", "per_gpu * gpus", numbers, why, source)


def _per_token_step(inputs: Inputs, settings: EngineSettings, per_token: float) -> Step:
    groups = kv_groups(inputs.model, settings.tensor_parallel, inputs.kv_dtype)
    numbers = " + ".join(
        f"{group.layers} × {show(group.bytes_per_token_per_layer, 'B')}" for group in groups if group.kind != "state"
    )
    return Step(
        "memory/kv_cache/per_token",
        "KV cache per token",
        per_token,
        "B",
        "tp * sum(layers * per_layer_on_a_rank)",
        f"{settings.tensor_parallel} × ({numbers}) = {show(per_token, 'B')}",
        "With what ranks hold copies of, while the context is inside every window.",
        f"{inputs.model.name}: {inputs.model.source}",
    )


def _groups_sentence(inputs: Inputs, settings: EngineSettings) -> str:
    kinds = kv_groups(inputs.model, settings.tensor_parallel, inputs.kv_dtype)
    if len(kinds) == 1:
        return "Capacity is counted in tokens held, not in requests."
    named = ", ".join(f"{group.layers} {group.kind}" for group in kinds)
    return f"Layers are of several kinds ({named}): tokens are concurrency times {settings.max_model_len:,}."


def _start_sentence(settings: EngineSettings, divided: EngineBudget) -> str:
    """vLLM does not start where one sequence of its longest length has no room; SGLang cuts its requests instead."""
    if settings.profile.engine != "vllm" or not divided.fits or divided.concurrency >= 1:
        return ""
    longest = settings.max_model_len
    return f" Less than one sequence of {longest:,} tokens: the engine starts only with a max_model_len that fits."


def _pool_step(inputs: Inputs, divided: EngineBudget, granted: float, pool: float | None, source: str) -> Step:
    if pool is None:
        why = f"{show(divided.short_bytes_per_gpu, 'B')} per GPU are missing: nothing is left for a cache."
        return Step("memory/kv_pool", "KV pool", None, "B", "(granted - set_aside) * gpus", "", why, source)
    per_gpu = show(divided.pool_bytes_per_gpu, "B", 4)
    numbers = f"{per_gpu} of {show(granted, 'B', 4)} per GPU × {inputs.gpus} = {show(pool, 'B', 4)}"
    why = "What is left for context: the capacity that requests compete for."
    return Step("memory/kv_pool", "KV pool", pool, "B", "(granted - set_aside) * gpus", numbers, why, source)


def _part_step(key: str, part: Part, source: str) -> Step:
    size = show(part.bytes_per_gpu, "B", 4)
    numbers = f"{part.with_numbers} = {size}" if part.with_numbers else size
    path = f"memory/engine/{key}"
    return Step(path, part.title, part.bytes_per_gpu, "B", part.formula, numbers, _sentence(part.why), source)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + "."
