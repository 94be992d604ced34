"""The last part of a plan: tokens per second and what a million of them cost."""

from calculator.core import cost, latency
from calculator.core.budget import Budget
from calculator.core.inputs import Inputs
from calculator.core.records import record
from calculator.core.steps import Step
from calculator.core.text import digits, show
from calculator.core.timing import Timing


@record
class Money:
    """Output tokens per second of the replica, and USD per million of them; ``None`` when there is no answer."""

    tokens_per_s: float | None
    usd_per_hour: float | None
    usd_per_million: float | None
    steps: tuple[Step, ...]


def throughput_and_cost(inputs: Inputs, budget: Budget, timing: Timing) -> Money:
    """Throughput at the batch asked for, and its price. A batch that does not fit has neither."""
    rate = None
    if not budget.refusal:
        rate = latency.output_tokens_per_s(inputs.batch, inputs.output_len, timing.expected_s, timing.prefill_s)
    per_hour = None if inputs.price is None else cost.usd_per_hour(inputs.gpus, inputs.price)
    per_million = None
    if rate is not None and inputs.price is not None:
        per_million = cost.usd_per_million_output_tokens(inputs.gpus, inputs.price, rate)
    steps = (_rate_step(inputs, budget, timing, rate), *_cost_steps(inputs, budget, rate, per_hour, per_million))
    return Money(rate, per_hour, per_million, steps)


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."


def _rate_step(inputs: Inputs, budget: Budget, timing: Timing, rate: float | None) -> Step:
    step, prefill = show(timing.expected_s, "s"), show(timing.prefill_s, "s")
    numbers = ""
    why = _sentence(budget.refusal)
    if rate is not None:
        numbers = (
            f"{inputs.batch:,} × {inputs.output_len:,} / "
            f"({inputs.output_len:,} × {step} + {inputs.batch:,} × {prefill}) = {digits(rate)} tok/s"
        )
        alone = inputs.batch / timing.expected_s
        prefill_share = digits(100 * (1 - rate / alone), 2)
        why = f"Decode alone would give {digits(alone)} tok/s; prefill takes {prefill_share}% of the time."
    return Step(
        "throughput/tokens_per_s",
        "Output tokens per second",
        rate,
        "tok/s",
        "batch * output / (output * step + batch * prefill)",
        numbers,
        why,
        "prefill and decode take turns on the same GPUs",
    )


def _cost_steps(
    inputs: Inputs, budget: Budget, rate: float | None, per_hour: float | None, per_million: float | None
) -> list[Step]:
    no_price = f"The catalogue has no price for {inputs.gpu.name}: give one."
    hour = Step(
        "cost/per_hour",
        "Replica per hour",
        per_hour,
        "USD",
        "gpus * price",
        "" if per_hour is None else f"{inputs.gpus} × {inputs.price:,.2f} USD = {show(per_hour, 'USD')}",
        no_price if per_hour is None else "Paid whether it is busy or not.",
        inputs.price_source,
    )
    numbers = ""
    why = no_price if inputs.price is None else _sentence(budget.refusal)
    if per_million is not None and per_hour is not None and rate is not None:
        numbers = f"{show(per_hour, 'USD')} × 1e6 / (3600 × {digits(rate)}) = {show(per_million, 'USD')}"
        why = "For a replica that is always full; divide by the share of the time that yours is."
    million = Step(
        "cost/per_million_output_tokens",
        "Per million output tokens",
        per_million,
        "USD",
        "per_hour * 1e6 / (3600 * tokens_per_s)",
        numbers,
        why,
        inputs.price_source,
    )
    return [hour, million]
