"""Many questions at once: the numbers of each without its working."""

from collections.abc import Iterable, Iterator

from calculator.core.budget import memory_budget
from calculator.core.decode import decode_step
from calculator.core.inputs import Inputs
from calculator.core.money import served_tokens_per_s
from calculator.core.plan import Plan, evaluate
from calculator.core.prefilling import prefill
from calculator.core.records import record


@record
class LoadPoint:
    """The replica at one batch: what a user waits for a token, and what all users get together."""

    batch: int
    tpot_s: float
    tokens_per_s: float
    fits: bool


def sweep(questions: Iterable[Inputs]) -> Iterator[Plan]:
    """The plan of each question. Its working is written only when asked for."""
    return map(evaluate, questions)


def load_curve(inputs: Inputs, batches: Iterable[int]) -> list[LoadPoint]:
    """Throughput against latency: every batch at the length asked for, prefill taking its turns, no draft."""
    largest = memory_budget(inputs).max_batch
    work = prefill(inputs)
    points = []
    for batch in batches:
        step = decode_step(inputs, -(-batch // inputs.copies))
        rate = served_tokens_per_s(inputs, step.expected_s, work.busy_s, batch)
        points.append(LoadPoint(batch, batch / rate, rate, batch <= largest))
    return points


def batches_up_to(largest: int, count: int = 10) -> list[int]:
    """Batches from 1 to ``largest``, about evenly spread on a logarithmic axis."""
    if largest <= 1:
        return [1]
    return sorted({round(largest ** (step / (count - 1))) for step in range(count)})
