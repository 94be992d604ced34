"""From a query or a posted form to an answer, and what each part of the page shows of it."""

from collections.abc import Callable, Mapping
from functools import lru_cache

from django.http import QueryDict
from django.utils.http import urlencode

from calculator.charts import BAR_WIDTH, memory_bar, roofline_chart
from calculator.core.fits import what_fits
from calculator.core.inputs import InputError, InputErrors
from calculator.core.llms import LanguageModel
from calculator.core.plan import Plan, evaluate
from calculator.core.script import spoken
from calculator.core.text import digits, show
from calculator.line_charts import break_even_chart, load_chart
from calculator.parsing import read_inputs
from calculator.step_html import working_html


def typed_fields(query: QueryDict) -> dict[str, str]:
    """What was typed, without the fields left empty."""
    return {name: value for name, value in query.items() if isinstance(value, str) and value.strip()}


def repeated_fields(query: QueryDict) -> tuple[InputError, ...]:
    """Fields that are given more than once: none is chosen for the user."""
    return tuple(
        InputError(name[:40], "it is given more than once", "given once", values[0][:40])
        for name, values in query.lists()
        if len(values) > 1
    )


@lru_cache(maxsize=64)
def _evaluated(typed: tuple[tuple[str, str], ...]) -> Plan:
    """The plan of a question. The parts of a page ask the same one shortly after one another; refusals are not kept."""
    return evaluate(read_inputs(dict(typed)))


def answer(
    typed: Mapping[str, str],
    repeated: tuple[InputError, ...] = (),
    config: Callable[[], LanguageModel] | None = None,
) -> tuple[Plan | None, tuple[InputError, ...]]:
    """The plan, or why there is none."""
    if repeated:
        return None, repeated
    try:
        if config is not None:
            return evaluate(read_inputs(typed, config)), ()
        return _evaluated(tuple(typed.items())), ()
    except InputErrors as refused:
        return None, refused.errors


def headline(plan: Plan) -> list[tuple[str, str]]:
    """The results that stand on top, without their working."""
    values = (
        ("Weights", plan.budget.weights_bytes, "B"),
        ("KV pool", plan.budget.kv_pool_bytes, "B"),
        ("Largest batch", plan.budget.max_batch, "sequences"),
        ("Decode step, floor", plan.timing.floor_s, "s"),
        ("Decode step, expected", plan.timing.expected_s, "s"),
        ("Time to first token", plan.timing.prefill.first_token_s, "s"),
        ("Output tokens per second", plan.money.tokens_per_s, "tok/s"),
        ("Per million output tokens", plan.money.usd_per_million, "USD"),
    )
    return [(title, "–" if value is None else show(value, unit)) for title, value, unit in values]


def fits_context(plan: Plan, typed: Mapping[str, str]) -> dict[str, object]:
    """The limits, and the changes that would do with the question that each makes."""
    found = what_fits(plan.inputs, plan.budget)
    asked = plan.inputs
    machine = f"{asked.gpus} × {asked.gpu.name}"
    copies = (found.fewest_gpus or 0) // (found.fewest_gpus_ranks or 1)
    limits = [
        (
            "Longest context",
            "none" if found.longest_context_tokens is None else f"{found.longest_context_tokens:,} tokens",
            f"at a batch of {asked.batch:,} on {machine}",
        ),
        (
            "Largest batch",
            f"{found.largest_batch:,}",
            f"at {asked.seq_len:,} tokens on {machine}",
        ),
        (
            "Fewest GPUs",
            "none" if found.fewest_gpus is None else show(found.fewest_gpus, "GPUs"),
            f"for a batch of {asked.batch:,} at {asked.seq_len:,} tokens"
            + (f", in {copies} copies of the model" if copies > 1 else ""),
        ),
    ]
    linked = "model" in typed  # a configuration that was posted is in no URL
    changes = [
        (change.words, urlencode(changed(typed, dict(change.fields))) if linked else "") for change in found.changes
    ]
    return {"limits": limits, "changes": changes, "refusal": plan.budget.refusal}


def changed(typed: Mapping[str, str], fields: Mapping[str, str]) -> dict[str, str]:
    """The question with other values; an empty one leaves its field out."""
    return {name: value for name, value in {**typed, **fields}.items() if value}


PARTS: dict[str, tuple[str, Callable[[Plan, Mapping[str, str]], dict[str, object]]]] = {
    "fits": ("What fits?", fits_context),
    "roofline": ("Roofline of the replica", lambda plan, typed: {"roofline": roofline_chart(plan)}),
    "memory": (
        "Memory of the replica",
        lambda plan, typed: {"memory_bar": memory_bar(plan), "bar_width": BAR_WIDTH},
    ),
    "load": ("Throughput against latency", lambda plan, typed: {"chart": load_chart(plan)}),
    "break-even": ("Fetch a prefix or compute it?", lambda plan, typed: {"chart": break_even_chart(plan)}),
    "script": ("The script", lambda plan, typed: {"script": spoken(plan)}),
    "working": ("The working", lambda plan, typed: {"working": working_html(plan)}),
}


def part_context(name: str, plan: Plan, typed: Mapping[str, str]) -> dict[str, object]:
    """What one part shows."""
    title, shown = PARTS[name]
    template = f"calculator/parts/{'line_chart' if name in {'load', 'break-even'} else name}.html"
    return {"part": name, "title": title, "template": template, **shown(plan, typed)}


def comparison(plans: tuple[Plan, Plan]) -> list[tuple[str, str, str, str]]:
    """Results of two questions side by side, with the second over the first."""
    rows = []
    for key, title, unit in COMPARED:
        values = [plan.results[key] for plan in plans]
        numbers = [value for value in values if isinstance(value, int | float)]
        ratio = f"{digits(numbers[1] / numbers[0])}×" if len(numbers) == 2 and numbers[0] else "–"
        shown = ["–" if value is None else show(value, unit) for value in values]  # type: ignore[arg-type]
        rows.append((title, shown[0], shown[1], ratio))
    return rows


COMPARED = (
    ("weights_bytes", "Weights", "B"),
    ("kv_cache_bytes_per_token", "KV cache per token", "B"),
    ("kv_pool_bytes", "KV pool", "B"),
    ("kv_pool_tokens", "Tokens it holds", "tokens"),
    ("max_batch", "Largest batch", "sequences"),
    ("decode_step_floor_s", "Decode step, floor", "s"),
    ("decode_step_expected_s", "Decode step, expected", "s"),
    ("prefill_s", "Prefill of one prompt", "s"),
    ("tokens_per_s", "Output tokens per second", "tok/s"),
    ("ridge_flops_per_byte", "Ridge point", "FLOP/B"),
    ("intensity_flops_per_byte", "Intensity of a decode step", "FLOP/B"),
    ("usd_per_million_output_tokens", "Per million output tokens", "USD"),
)
