"""The working of prefill: matrices, attention, a cached prefix, chunks, stages."""

from collections.abc import Iterator

from calculator.core import latency
from calculator.core.llms import LanguageModel
from calculator.core.steps import Step
from calculator.core.text import digits, show
from calculator.core.timing import Timing


def prefill_steps(found: Timing) -> Iterator[Step]:
    """What one prompt costs, and the time to its first token."""
    inputs, work, model = found.inputs, found.prefill, found.inputs.model
    linear = work.flops - work.attention_flops
    percent = digits(100 * work.attention_flops / work.flops, 2)
    yield Step(
        "time/prefill/linear_flops",
        "Prefill, matrices",
        linear,
        "FLOP",
        "2 * active_params * tokens",
        f"2 × {model.active_params:,.0f} × {work.tokens:,} = {show(linear, 'FLOP')}",
        "Grows with the prompt.",
        "Kaplan et al., arXiv 2001.08361",
    )
    yield Step(
        "time/prefill/attention_flops",
        "Prefill, attention",
        work.attention_flops,
        "FLOP",
        *_attention_working(found),
        f"Grows with the square: {percent}% of this prefill. Causal, so half of the full square.",
        "counted: 4 FLOP per query-key pair and head dimension, half of the pairs",
    )
    if inputs.cached_len:
        yield _saving_step(found)
    yield from _time_steps(found)


def _attention_working(found: Timing) -> tuple[str, str]:
    """Formula and numbers of attention: pairs of a query and a key it may see, layers with a window apart."""
    inputs, model = found.inputs, found.inputs.model
    full, formula = f"{inputs.prompt_len:,}²", "prompt^2"
    if inputs.cached_len:
        full, formula = f"({full} − {inputs.cached_len:,}²)", "(prompt^2 - cached^2)"
    numbers = f"{model.full_layers} × {model.heads} × ({_widths(model, full=True)}) × {full}"
    formula = f"{'full_layers' if model.sliding_layers else 'layers'} * heads * (score_dim + value_dim) * {formula}"
    if model.sliding_layers:
        window = model.sliding_window_tokens
        pairs = latency.causal_pairs(inputs.prompt_len, window) - latency.causal_pairs(inputs.cached_len, window)
        numbers += f" + 2 × {model.sliding_layers} × {model.heads} × ({_widths(model)}) × {pairs:,.0f}"
        formula += " + 2 * sliding_layers * heads * (score_dim + value_dim) * pairs_in_window"
    return formula, f"{numbers} = {show(found.prefill.attention_flops, 'FLOP')}"


def _widths(model: LanguageModel, *, full: bool = False) -> str:
    if full and model.full_head_dim:
        return f"{model.full_head_dim} + {model.full_head_dim}"
    return f"{model.score_head_dim} + {model.value_head_dim}"


def _saving_step(found: Timing) -> Step:
    inputs, work = found.inputs, found.prefill
    whole = latency.prefill_flops(inputs.model, inputs.prompt_len)
    share = work.saved_flops / whole
    return Step(
        "time/prefill/prefix_saving",
        "Saved by the cached prefix",
        share,
        "%",
        "prefill(cached) / prefill(prompt)",
        f"{show(work.saved_flops, 'FLOP')} / {show(whole, 'FLOP')} = {digits(100 * share)}%",
        f"{inputs.cached_len:,} of {inputs.prompt_len:,} tokens are there. What is new still attends to them.",
        "pairs under the causal mask, counted",
    )


def _time_steps(found: Timing) -> Iterator[Step]:
    inputs, work = found.inputs, found.prefill
    peak = show(found.flops_per_s_per_gpu, "FLOP/s", 4)
    gpus = inputs.gpus_of_a_copy
    arithmetic = latency.compute_s(work.flops, gpus, found.flops_per_s_per_gpu, inputs.mfu)
    sent = f" + {show(work.communication_s, 's')} sent" if work.communication_s else ""
    read_bound = work.busy_s - work.communication_s > arithmetic * (1 + 1e-9)
    times = "once" if work.chunks == 1 else f"{work.chunks:,} times"
    bound = f"; reading weights and cache {times} is the limit" if read_bound else ""
    total = f": {show(work.busy_s, 's')} in all" if sent or read_bound else ""
    yield Step(
        "time/prefill/expected",
        "Prefill of one prompt",
        work.busy_s,
        "s",
        "sum(max(flops / (gpus * peak * mfu), bytes / (gpus * bandwidth * mbu)))"
        if read_bound or work.chunks > 1
        else "(linear + attention) / (gpus * peak * mfu)",
        f"{show(work.flops, 'FLOP')} / ({gpus} × {peak} × {inputs.mfu:g}) = {show(arithmetic, 's')}"
        f"{sent}{bound}{total}",
        f"In {work.chunks:,} chunk{'s' if work.chunks > 1 else ''} of at most "
        f"{min(inputs.chunk_tokens, work.tokens):,} tokens; each reads the weights again.",
        "planning constant prefill_mfu, unless given; SARATHI, arXiv 2308.16369",
    )
    bubble = f" A pipeline of {inputs.pp} stages stands idle {digits(100 * work.bubble, 2)}% of it."
    plus = f" + {show(work.communication_s, 's')}" if work.communication_s else ""
    yield Step(
        "time/ttft",
        "Time to first token",
        work.first_token_s,
        "s",
        "(prefill - sent) / (1 - bubble) + sent" if work.bubble else "prefill",
        f"{show(work.busy_s - work.communication_s, 's')} / (1 − {work.bubble:.3g}){plus} "
        f"= {show(work.first_token_s, 's')}"
        if work.bubble
        else show(work.first_token_s, "s"),
        "With no queue before it." + (bubble if work.bubble else ""),
        "Huang et al., GPipe, arXiv 1811.06965" if work.bubble else "the prompt's last token gives the first one",
    )
