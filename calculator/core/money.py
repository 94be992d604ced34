"""The last part of a plan: tokens per second and what a million of them cost."""

from collections.abc import Callable

from calculator.core import cost, latency
from calculator.core.budget import Budget
from calculator.core.inputs import Inputs
from calculator.core.records import record
from calculator.core.steps import Step
from calculator.core.text import digits, show
from calculator.core.timing import Timing


@record
class Money:
    """Output tokens per second of the replica, and USD per million of them; ``None`` when there is no answer.

    ``tpot_s`` is what a user waits for a token while prefill takes its turns.
    """

    tokens_per_s: float | None
    tpot_s: float | None
    usd_per_hour: float | None
    usd_per_million: float | None
    working: Callable[[], tuple[Step, ...]]

    @property
    def steps(self) -> tuple[Step, ...]:
        """The working, written out when it is asked for."""
        return self.working()


def throughput_and_cost(inputs: Inputs, budget: Budget, timing: Timing) -> Money:
    """Throughput at the batch asked for, and its price. A batch that does not fit has neither."""
    rate = None if budget.refusal else served_tokens_per_s(inputs, timing.tpot_s, timing.prefill_s)
    tpot = None if rate is None else inputs.batch / rate
    per_hour = None if inputs.price is None else cost.usd_per_hour(inputs.gpus, inputs.price)
    per_million = None
    if rate is not None and inputs.price is not None:
        per_million = cost.usd_per_million_output_tokens(inputs.gpus, inputs.price, rate)

    def working() -> tuple[Step, ...]:
        rates = _rate_steps(inputs, budget, timing, rate, tpot)
        return (*rates, *_cost_steps(inputs, budget, rate, per_hour, per_million))

    return Money(rate, tpot, per_hour, per_million, working)


def served_tokens_per_s(inputs: Inputs, tpot_s: float, prefill_s: float, batch: int | None = None) -> float:
    """Output tokens per second of all copies at ``batch`` (the one asked for, when not given)."""
    batch = inputs.batch if batch is None else batch
    share = batch / inputs.copies
    return inputs.copies * latency.output_tokens_per_s(share, inputs.output_len, tpot_s, prefill_s)


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."


def _rate_steps(
    inputs: Inputs, budget: Budget, timing: Timing, rate: float | None, tpot: float | None
) -> tuple[Step, ...]:
    step, prefill = show(timing.tpot_s, "s"), show(timing.prefill_s, "s")
    numbers = waits = ""
    why = wait_why = _sentence(budget.refusal)
    if rate is not None and tpot is not None:
        share = f"{inputs.batch:,}" if inputs.copies == 1 else f"{inputs.batch:,} / {inputs.copies}"
        numbers = (
            f"{inputs.batch:,} × {inputs.output_len:,} / "
            f"({inputs.output_len:,} × {step} + {share} × {prefill}) = {digits(rate)} tok/s"
        )
        alone = inputs.batch / timing.tpot_s
        prefill_share = digits(100 * (1 - rate / alone), 2)
        why = f"Decode alone would give {digits(alone)} tok/s; prefill takes {prefill_share}% of the time."
        waits = f"{inputs.batch:,} / {digits(rate)} = {show(tpot, 's')}"
        wait_why = f"{digits(1 / tpot)} tok/s for each sequence. Prefill on machines of its own would leave {step}."
    source = "prefill and decode take turns on the same GPUs"
    return (
        Step(
            "throughput/tokens_per_s",
            "Output tokens per second",
            rate,
            "tok/s",
            "batch * output / (output * step + batch * prefill)",
            numbers,
            why,
            source,
        ),
        Step("throughput/tpot", "Time per output token", tpot, "s", "batch / tokens_per_s", waits, wait_why, source),
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
