"""What fits: the longest context, the largest batch, the fewest GPUs, and what to change when nothing does."""

from collections.abc import Callable, Iterator

from calculator.core.budget import Budget, memory_budget
from calculator.core.dtypes import DTYPES
from calculator.core.heads import head_counts
from calculator.core.inputs import RANGES, InputErrors, Inputs
from calculator.core.records import record, replace


@record
class Change:
    """One change that makes what was asked for fit by itself: fields with new values, and the change in words."""

    fields: tuple[tuple[str, str], ...]
    words: str


@record
class Fits:
    """Limits of what was asked for, one at a time, the other inputs as they are. ``None``: no value does."""

    longest_context_tokens: int | None
    largest_batch: int
    fewest_gpus: int | None
    fewest_gpus_ranks: int | None
    changes: tuple[Change, ...]


def what_fits(inputs: Inputs, budget: Budget | None = None) -> Fits:
    """The limits, and, when what was asked for does not fit, the single changes that would do."""
    budget = budget or memory_budget(inputs)
    context = longest_context_tokens(inputs, (budget.kv_pool_tokens or 0) // inputs.batch)
    gpus, ranks = fewest_gpus(inputs) or (None, None)
    changes = tuple(_changes(inputs, budget, context, gpus, ranks)) if budget.refusal else ()
    return Fits(context, budget.max_batch, gpus, ranks, changes)


def with_length(inputs: Inputs, seq_len: int) -> Inputs:
    """The same question for sequences of another length, prompt and output cut to it."""
    output = min(inputs.output_len, seq_len - 1)
    prompt = min(inputs.prompt_len, seq_len - output)
    cached = min(inputs.cached_len, prompt - 1)
    return replace(inputs, seq_len=seq_len, output_len=output, prompt_len=prompt, cached_len=cached)


def with_gpus(inputs: Inputs, ranks: int, copies: int = 1) -> Inputs:
    """The same question with ``ranks`` GPUs to a layer in ``copies`` of the model. Memory alone: any link will do."""
    engine = inputs.engine
    if engine is not None:
        from calculator.core.engines import with_ranks

        engine = with_ranks(engine, inputs.gpu, ranks)
    return replace(
        inputs,
        gpus=ranks * copies,
        tp=ranks,
        pp=1,
        engine=engine,
        mem_util=inputs.mem_util if engine is None else engine.mem_util,
        link_bytes_per_s=inputs.link_bytes_per_s or 1.0,
        slow_link_bytes_per_s=inputs.slow_link_bytes_per_s or 1.0,
    )


def longest_context_tokens(inputs: Inputs, guess: int = 0) -> int | None:
    """The longest sequence at which the batch asked for fits, at most what model and engine take; ``None``: none does.

    ``guess`` is tried first: the share of the pool is the answer where every layer keeps every token.
    """

    def fits(length: int) -> bool:
        return memory_budget(with_length(inputs, length)).max_batch >= inputs.batch

    longest = inputs.engine.max_model_len if inputs.engine else inputs.model.max_context_tokens
    if 2 <= guess < longest and fits(guess) and not fits(guess + 1):
        return guess
    return _last(fits, 2, longest)


def fewest_gpus(inputs: Inputs) -> tuple[int, int] | None:
    """The smallest count of GPUs that holds the batch asked for, and how many of them share a layer; ``None``: none.

    One copy of the model on few GPUs, or several: with more GPUs than KV heads a cache is stored more than once, and
    copies of the model are the cheaper way to a large batch.
    """
    best: tuple[int, int] | None = None
    for ranks in head_counts(inputs.model):
        if best is not None and ranks >= best[0]:
            break
        held = _held(inputs, ranks)
        if not held:
            continue
        gpus = ranks * -(-inputs.batch // held)
        if gpus <= RANGES["gpus"].high and (best is None or gpus < best[0]):
            best = gpus, ranks
    return best


def _held(inputs: Inputs, ranks: int) -> int:
    """The largest batch of one copy on ``ranks`` GPUs; 0 also where the engine would start on none of so many."""
    try:
        return memory_budget(with_gpus(inputs, ranks)).max_batch
    except InputErrors:  # the share that the engine works out for itself is out of range
        return 0


def _last(fits: Callable[[int], bool], low: int, high: int) -> int | None:
    """The last value for which ``fits`` holds, which it does up to some value."""
    if not fits(low):
        return None
    while low < high:
        middle = (low + high + 1) // 2
        if fits(middle):
            low = middle
        else:
            high = middle - 1
    return low


def _changes(
    inputs: Inputs, budget: Budget, context: int | None, gpus: int | None, ranks: int | None
) -> Iterator[Change]:
    if gpus is not None and ranks is not None:
        copies = f", in {gpus // ranks} copies of the model" if gpus > ranks else ""
        fields = _gpu_fields(inputs, gpus, ranks)
        yield Change(fields, f"{gpus} GPUs in place of {inputs.gpus}{copies}")
    else:
        yield from _fewer_sequences_on_more_gpus(inputs)
    if budget.max_batch:
        yield Change((("batch", str(budget.max_batch)),), f"a batch of {budget.max_batch:,}")
    if context is not None:
        yield Change(
            (("seq_len", str(context)), ("prompt_len", ""), ("output_len", "")), f"sequences of {context:,} tokens"
        )
    yield from _formats(inputs)


def _gpu_fields(inputs: Inputs, gpus: int, ranks: int) -> tuple[tuple[str, str], ...]:
    far = ranks > inputs.gpus_joined and not inputs.link
    fields = (("gpus", str(gpus)), ("tp", str(ranks) if gpus > ranks else ""), ("pp", ""))
    return (*fields, ("link", "infiniband_ndr")) if far else fields


def _fewer_sequences_on_more_gpus(inputs: Inputs) -> Iterator[Change]:
    """Where no count of GPUs holds the batch asked for: the smallest that holds any, with what it holds."""
    for ranks in head_counts(inputs.model):
        held = _held(inputs, ranks)
        if held and ranks > inputs.gpus:
            fields = (*_gpu_fields(inputs, ranks, ranks), ("batch", str(held)))
            yield Change(fields, f"{ranks} GPUs in place of {inputs.gpus}, with a batch of {held:,}")
            return


def _formats(inputs: Inputs) -> Iterator[Change]:
    narrower = sorted(
        (row for row in DTYPES.values() if row.bits < DTYPES[inputs.dtype].bits), key=lambda row: -row.bits
    )
    for weight in narrower:
        if _would_fit(inputs, dtype=weight.key):
            yield Change((("dtype", weight.key),), f"weights in {weight.name}")
            break
    if inputs.kv_dtype in {"bf16", "fp16"} and _would_fit(inputs, kv_dtype="fp8"):
        yield Change((("kv_dtype", "fp8"),), "a KV cache in FP8")


def _would_fit(inputs: Inputs, **changes: str) -> bool:
    try:
        return not memory_budget(replace(inputs, **changes)).refusal
    except InputErrors:
        return False
