"""A measured time beside what the calculator makes of the same question: its floor, and its expected value."""

from calculator.core.decode import decode_step
from calculator.core.inputs import Inputs
from calculator.core.prefilling import prefill
from calculator.core.records import record, replace
from calculator.core.units import MS

TOKEN_RATES = ("output_tokens_per_s", "total_tokens_per_s", "decode_tokens_per_s")


@record
class Compared:
    """Seconds: of a step, of a first token, or of a round in which every sequence of the batch is served once."""

    measured_s: float
    floor_s: float
    expected_s: float

    @property
    def floor_share(self) -> float:
        """Floor over measured: above 1 the floor would be wrong."""
        return self.floor_s / self.measured_s

    @property
    def expected_ratio(self) -> float:
        """Expected over measured: below 1 the machine was slower than expected."""
        return self.expected_s / self.measured_s


CACHE_BLOCK_TOKENS = 16
"""A cached prefix ends with a whole block, and before the last token: engines compute that one anew."""


def compared(inputs: Inputs, metric: str, value: float, unit: str, *, prefix_cache: bool = False) -> Compared:
    """A measurement of ``metric`` beside floor and expected value. Raises ValueError for a metric that is unknown.

    The floor takes a token's step at the prompt's length, and a round at the mean length, with prefill's arithmetic and
    decode's reads overlapped perfectly. Where a prefix cache may have been at work the floor takes all of the prompt
    but its last block as cached; the expected value never does. A first token is compared without a queue, whatever the
    concurrency was.
    """
    least = prefill(_cached(inputs) if prefix_cache else inputs)
    if metric in TOKEN_RATES:
        return _round(inputs, metric, value, least.arithmetic_floor_s)
    measured = value * MS if unit == "ms" else value
    if metric == "ttft_s":
        return Compared(measured, least.floor_s, prefill(inputs).first_token_s)
    if metric == "tpot_s":
        first, mean = decode_step(inputs, context=inputs.prompt_len), decode_step(inputs, context=_mean_context(inputs))
        return Compared(measured, first.floor_s, mean.expected_s)
    raise ValueError(f"{metric!r} is not a metric known here")


def _mean_context(inputs: Inputs) -> float:
    return inputs.prompt_len + inputs.output_len / 2


def _cached(inputs: Inputs) -> Inputs:
    return replace(inputs, cached_len=(inputs.prompt_len - 1) // CACHE_BLOCK_TOKENS * CACHE_BLOCK_TOKENS)


def _round(inputs: Inputs, metric: str, value: float, least_prefill_arithmetic_s: float) -> Compared:
    """Every sequence of the batch prefilled and decoded once. Decode alone is a step."""
    step, work = decode_step(inputs, context=_mean_context(inputs)), prefill(inputs)
    if metric == "decode_tokens_per_s":
        return Compared(inputs.batch / value, step.floor_s, step.expected_s)
    counted = inputs.output_len + (inputs.prompt_len if metric == "total_tokens_per_s" else 0)
    arithmetic = inputs.output_len * step.compute_floor_s + inputs.batch * least_prefill_arithmetic_s
    return Compared(
        measured_s=inputs.batch * counted / value,
        floor_s=max(inputs.output_len * step.memory_floor_s, arithmetic),
        expected_s=inputs.output_len * step.expected_s + inputs.batch * work.busy_s,
    )
