"""The time part of a plan: a decode step, a prefill, speculation, and where the step lies on the roofline."""

import math
from typing import TYPE_CHECKING

from calculator.core import latency, memory, roofline, speculation
from calculator.core.decode import DecodeStep, decode_step
from calculator.core.dtypes import dtype
from calculator.core.inputs import InputErrors, Inputs
from calculator.core.prefilling import Prefill, prefill
from calculator.core.records import record, replace
from calculator.core.text import digits

if TYPE_CHECKING:
    from calculator.core.steps import Step


@record
class Speculation:
    """A draft model's steps and what checking its tokens yields. ``draft_weights_bytes`` are in no memory budget."""

    draft: DecodeStep
    check: DecodeStep
    accepted_tokens: float
    tpot_s: float
    speedup: float
    draft_weights_bytes: float


@record
class Timing:
    """Times in seconds of one copy of the model, intensities in FLOP per byte, rates per GPU."""

    inputs: Inputs
    decode: DecodeStep
    prefill: Prefill
    speculation: Speculation | None
    ridge: float
    intensity: float
    critical_batch: float
    flops_per_s_per_gpu: float

    @property
    def floor_s(self) -> float:
        """A decode step that no engine beats."""
        return self.decode.floor_s

    @property
    def expected_s(self) -> float:
        """A decode step as it is expected."""
        return self.decode.expected_s

    @property
    def tpot_s(self) -> float:
        """Seconds per output token of a sequence, with the draft's help where there is one; prefill left out."""
        return self.speculation.tpot_s if self.speculation else self.decode.expected_s

    @property
    def prefill_s(self) -> float:
        """Seconds of a copy's time that one prompt takes."""
        return self.prefill.busy_s

    @property
    def bytes_read(self) -> float:
        """Bytes that one decode step reads."""
        return self.decode.bytes_read

    @property
    def verdict(self) -> str:
        """Which resource bounds the decode step, and by how much."""
        ratio = self.ridge / self.intensity
        if roofline.bound(self.intensity, self.ridge) == "memory":
            return (
                f"memory-bound: a decode step does {digits(self.intensity)} FLOP per byte and the ridge is at "
                f"{digits(self.ridge)}, so that 1/{digits(ratio)} of the arithmetic is in use at best"
            )
        return (
            f"compute-bound: a decode step does {digits(self.intensity)} FLOP per byte, above the ridge at "
            f"{digits(self.ridge)}"
        )

    @property
    def steps(self) -> "tuple[Step, ...]":
        """The working, written out when it is asked for."""
        from calculator.core.timing_steps import timing_steps

        return timing_steps(self)


def timing(inputs: Inputs) -> Timing:
    """The times of one question."""
    model, gpu = inputs.model, inputs.gpu
    peak = gpu.dense_flops_per_s(dtype(inputs.dtype))
    step = decode_step(inputs)
    ridge = roofline.ridge_flops_per_byte(peak, gpu.hbm_bandwidth_bytes_per_s)
    per_token = latency.decode_flops_per_token(model, inputs.seq_len)
    return Timing(
        inputs=inputs,
        decode=step,
        prefill=prefill(inputs),
        speculation=_speculation(inputs, step) if inputs.draft else None,
        ridge=ridge,
        intensity=roofline.intensity_flops_per_byte(step.flops, step.bytes_read),
        critical_batch=_critical_batch(inputs, step, per_token, ridge),
        flops_per_s_per_gpu=peak,
    )


MOST_LOOKS, CLOSE = 200, 1e-6


def _critical_batch(inputs: Inputs, step: DecodeStep, per_token: float, ridge: float) -> float:
    """The batch at the ridge. A larger batch touches more experts, so that its weights are read anew until they agree.

    Weights read grow with the batch and never past all of them: the batches rise to the smallest that agrees.
    """
    held = step.kv_read_bytes / step.batch
    found = roofline.critical_batch(step.weights_read_bytes, held, per_token, ridge)
    if not inputs.model.experts or found == math.inf:
        return found
    batch = 1.0
    for _ in range(MOST_LOOKS):
        read = decode_step(inputs, batch=max(1, round(batch))).weights_read_bytes
        found = roofline.critical_batch(read, held, per_token, ridge)
        if abs(found - batch) <= max(1.0, CLOSE * batch):
            break
        batch = found
    return found


def _speculation(inputs: Inputs, step: DecodeStep) -> Speculation:
    """The draft runs on the same GPUs; where its heads do not split over them, on the first only."""
    assert inputs.draft is not None
    g, chance = inputs.draft_len, inputs.acceptance
    drafted = decode_step(_draft_inputs(inputs))
    check = decode_step(inputs, tokens=g + 1)
    return Speculation(
        draft=drafted,
        check=check,
        accepted_tokens=speculation.accepted_tokens_per_step(chance, g),
        tpot_s=speculation.speculative_tpot_s(check.expected_s, drafted.expected_s, g, chance),
        speedup=speculation.speculative_speedup(step.expected_s, check.expected_s, drafted.expected_s, g, chance),
        draft_weights_bytes=memory.weights_bytes(inputs.draft, inputs.draft.native_dtype),
    )


def _draft_inputs(inputs: Inputs) -> Inputs:
    draft = inputs.draft
    assert draft is not None
    length = min(inputs.seq_len, draft.max_context_tokens)
    output = min(inputs.output_len, length - 1)
    asked = {
        "model": draft,
        "draft": None,
        "dtype": draft.native_dtype,
        "pp": 1,
        "engine": None,
        "budget": "simple",
        "batch": inputs.batch_of_a_copy,
        "seq_len": length,
        "output_len": output,
        "prompt_len": min(inputs.prompt_len, length - output),
        "cached_len": 0,
    }
    try:
        return replace(inputs, **asked, gpus=inputs.ranks, tp=inputs.ranks)
    except InputErrors:
        return replace(inputs, **asked, gpus=1, tp=1)
