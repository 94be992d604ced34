"""The time part of a plan: a decode step, a prefill, and where the step lies on the roofline."""

import math

from calculator.core import comms, latency, memory, roofline
from calculator.core.dtypes import dtype
from calculator.core.inputs import Inputs
from calculator.core.records import record
from calculator.core.steps import Step
from calculator.core.text import digits, show


@record
class Timing:
    """Times in seconds for the whole replica, intensities in FLOP per byte, rates per GPU."""

    weights_read_bytes: float
    kv_read_bytes: float
    decode_flops: float
    memory_floor_s: float
    compute_floor_s: float
    network_s: float
    floor_s: float
    expected_s: float
    prefill_flops: float
    prefill_attention_flops: float
    prefill_s: float
    ridge: float
    intensity: float
    critical_batch: float
    flops_per_s_per_gpu: float
    steps: tuple[Step, ...]

    @property
    def bytes_read(self) -> float:
        """Bytes that one decode step reads."""
        return self.weights_read_bytes + self.kv_read_bytes

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


def timing(inputs: Inputs) -> Timing:
    """The times of one question."""
    model, gpu, gpus = inputs.model, inputs.gpu, inputs.gpus
    peak = gpu.dense_flops_per_s(dtype(inputs.dtype))
    copies = memory.kv_copies(model, gpus)
    per_sequence = memory.kv_cache_bytes(model, inputs.seq_len, inputs.kv_dtype) * copies
    weights_read = memory.weights_read_bytes(model, inputs.dtype, inputs.batch)
    kv_read = inputs.batch * per_sequence
    per_token = latency.decode_flops_per_token(model, inputs.seq_len)
    flops = inputs.batch * per_token
    memory_floor = latency.memory_s(weights_read + kv_read, gpus, gpu.hbm_bandwidth_bytes_per_s)
    compute_floor = latency.compute_s(flops, gpus, peak)
    network = (
        comms.network_all_reduce_s(model.layers, inputs.network_extra_s) if gpus > gpu.link_domain_gpus > 1 else 0.0
    )
    prefill_flops = latency.prefill_flops(model, inputs.prompt_len)
    ridge = roofline.ridge_flops_per_byte(peak, gpu.hbm_bandwidth_bytes_per_s)
    found = Timing(
        weights_read_bytes=weights_read,
        kv_read_bytes=kv_read,
        decode_flops=flops,
        memory_floor_s=memory_floor,
        compute_floor_s=compute_floor,
        network_s=network,
        floor_s=latency.decode_step_s(memory_floor, compute_floor),
        expected_s=latency.decode_step_s(memory_floor / inputs.mbu, compute_floor / inputs.mfu, network),
        prefill_flops=prefill_flops,
        prefill_attention_flops=latency.prefill_attention_flops(model, inputs.prompt_len),
        prefill_s=latency.compute_s(prefill_flops, gpus, peak, inputs.mfu),
        ridge=ridge,
        intensity=roofline.intensity_flops_per_byte(flops, weights_read + kv_read),
        critical_batch=roofline.critical_batch(weights_read, per_sequence, per_token, ridge),
        flops_per_s_per_gpu=peak,
        steps=(),
    )
    steps = (*_decode_steps(inputs, found), *_prefill_steps(inputs, found), *_roofline_steps(inputs, found))
    return Timing(**{**vars(found), "steps": steps})


def _decode_steps(inputs: Inputs, found: Timing) -> list[Step]:
    network = [_network_step(inputs, found)] if found.network_s else []
    return [*_read_steps(inputs, found), *_floor_steps(inputs, found), *network, _expected_step(inputs, found)]


def _read_steps(inputs: Inputs, found: Timing) -> list[Step]:
    model = inputs.model
    per_token = found.decode_flops / inputs.batch
    attention_percent = digits(100 * (1 - 2 * model.active_params / per_token), 2)
    routed = f": of {model.experts} experts a layer those that {inputs.batch:,} tokens touch" if model.experts else ""
    return [
        Step(
            "time/decode/weights_read",
            "Weights read in a step",
            found.weights_read_bytes,
            "B",
            "rest + routed * (1 - (1 - active / experts)^batch)" if model.experts else "weights",
            f"{show(found.weights_read_bytes, 'B', 4)}{routed}",
            "Read once, whatever the batch: this is what a larger batch shares.",
            f"{model.name}: {model.source}",
        ),
        Step(
            "time/decode/kv_read",
            "KV cache read in a step",
            found.kv_read_bytes,
            "B",
            "batch * per_sequence",
            f"{inputs.batch:,} × {show(found.kv_read_bytes / inputs.batch, 'B')} = {show(found.kv_read_bytes, 'B')}",
            "Grows with the batch: no sequence can share another's cache.",
            "every cached token is read once a step",
        ),
        Step(
            "time/decode/flops",
            "Arithmetic of a step",
            found.decode_flops,
            "FLOP",
            "batch * (2 * active_params + attention)",
            f"{inputs.batch:,} × {show(per_token, 'FLOP')} = {show(found.decode_flops, 'FLOP')}",
            f"Attention over {inputs.seq_len:,} tokens is {attention_percent}% of it.",
            "Kaplan et al., arXiv 2001.08361; attention counted",
        ),
    ]


def _floor_steps(inputs: Inputs, found: Timing) -> list[Step]:
    gpu, gpus = inputs.gpu, inputs.gpus
    bandwidth = show(gpu.hbm_bandwidth_bytes_per_s, "B/s")
    peak = show(found.flops_per_s_per_gpu, "FLOP/s", 4)
    reads, works = show(found.memory_floor_s, "s"), show(found.compute_floor_s, "s")
    sheet = f"{gpu.name}: {gpu.source}"
    return [
        Step(
            "time/decode/memory_floor",
            "Time to read memory",
            found.memory_floor_s,
            "s",
            "(weights_read + kv_read) / (gpus * bandwidth)",
            f"{show(found.bytes_read, 'B', 4)} / ({gpus} × {bandwidth}) = {reads}",
            "At the full bandwidth of the data sheet.",
            sheet,
        ),
        Step(
            "time/decode/compute_floor",
            "Time of the arithmetic",
            found.compute_floor_s,
            "s",
            "flops / (gpus * peak)",
            f"{show(found.decode_flops, 'FLOP')} / ({gpus} × {peak}) = {works}",
            "At the dense peak. The sparse figure of the sheet is twice as high and does not apply.",
            sheet,
        ),
        Step(
            "time/decode/floor",
            "Decode step, floor",
            found.floor_s,
            "s",
            "max(memory, compute)",
            f"max({reads}, {works}) = {show(found.floor_s, 's')}",
            "No engine can be faster: it would have to read less.",
            "Williams, Waterman, Patterson, Roofline, CACM 2009",
        ),
    ]


def _network_step(inputs: Inputs, found: Timing) -> Step:
    gpu = inputs.gpu
    return Step(
        "time/decode/network",
        "All-reduces across nodes",
        found.network_s,
        "s",
        "2 * layers * extra",
        f"2 × {inputs.model.layers} × {show(inputs.network_extra_s, 's')} = {show(found.network_s, 's')}",
        f"{inputs.gpus} GPUs are more than the {gpu.link_domain_gpus} that {gpu.link} joins.",
        "planning constant network_all_reduce_extra_s",
    )


def _expected_step(inputs: Inputs, found: Timing) -> Step:
    reads, works = show(found.memory_floor_s, "s"), show(found.compute_floor_s, "s")
    network = f" + {show(found.network_s, 's')}" if found.network_s else ""
    return Step(
        "time/decode/expected",
        "Decode step, expected",
        found.expected_s,
        "s",
        "max(memory / mbu, compute / mfu)" + (" + network" if network else ""),
        f"max({reads} / {inputs.mbu:g}, {works} / {inputs.mfu:g}){network} = {show(found.expected_s, 's')}",
        f"One token for each of the {inputs.batch:,} sequences, at {inputs.seq_len:,} tokens of context.",
        "planning constants decode_mbu and prefill_mfu, unless given",
    )


def _prefill_steps(inputs: Inputs, found: Timing) -> list[Step]:
    model = inputs.model
    linear = found.prefill_flops - found.prefill_attention_flops
    percent = digits(100 * found.prefill_attention_flops / found.prefill_flops, 2)
    peak = show(found.flops_per_s_per_gpu, "FLOP/s", 4)
    widths = f"({model.score_head_dim} + {model.value_head_dim})"
    sliding = " (sliding layers counted to their window)" if model.sliding_layers else ""
    return [
        Step(
            "time/prefill/linear_flops",
            "Prefill, matrices",
            linear,
            "FLOP",
            "2 * active_params * prompt",
            f"2 × {model.active_params:,.0f} × {inputs.prompt_len:,} = {show(linear, 'FLOP')}",
            "Grows with the prompt.",
            "Kaplan et al., arXiv 2001.08361",
        ),
        Step(
            "time/prefill/attention_flops",
            "Prefill, attention",
            found.prefill_attention_flops,
            "FLOP",
            "layers * heads * (score_dim + value_dim) * prompt^2",
            f"{model.layers} × {model.heads} × {widths} × {inputs.prompt_len:,}²{sliding} "
            f"= {show(found.prefill_attention_flops, 'FLOP')}",
            f"Grows with the square: {percent}% of this prefill. Causal, so half of the full square.",
            "counted: 4 FLOP per query-key pair and head dimension, half of the pairs",
        ),
        Step(
            "time/prefill/expected",
            "Prefill of one prompt",
            found.prefill_s,
            "s",
            "(linear + attention) / (gpus * peak * mfu)",
            f"{show(found.prefill_flops, 'FLOP')} / ({inputs.gpus} × {peak} × {inputs.mfu:g}) "
            f"= {show(found.prefill_s, 's')}",
            "The time to first token, with no queue and nothing cached.",
            "planning constant prefill_mfu, unless given",
        ),
    ]


def _roofline_steps(inputs: Inputs, found: Timing) -> list[Step]:
    gpu = inputs.gpu
    peak, bandwidth = show(found.flops_per_s_per_gpu, "FLOP/s", 4), show(gpu.hbm_bandwidth_bytes_per_s, "B/s")
    reached = math.isfinite(found.critical_batch)
    never = "At this length no batch reaches it: each sequence's own cache read keeps the step below the ridge."
    above = "Below it a larger batch is nearly free; from it on, arithmetic is the limit."
    return [
        Step(
            "roofline/ridge",
            "Ridge point",
            found.ridge,
            "FLOP/B",
            "peak / bandwidth",
            f"{peak} / {bandwidth} = {digits(found.ridge)} FLOP/B",
            f"{dtype(inputs.dtype).name} weights multiply at {peak} dense on this part.",
            f"{gpu.name}: {gpu.source}",
        ),
        Step(
            "roofline/intensity",
            "Intensity of a decode step",
            found.intensity,
            "FLOP/B",
            "flops / bytes_read",
            f"{show(found.decode_flops, 'FLOP')} / {show(found.bytes_read, 'B', 4)} = {digits(found.intensity)} FLOP/B",
            found.verdict[0].upper() + found.verdict[1:] + ".",
            "Williams, Waterman, Patterson, Roofline, CACM 2009",
        ),
        Step(
            "roofline/critical_batch",
            "Batch that reaches the ridge",
            found.critical_batch if reached else None,
            "sequences",
            "weights_read / (flops_per_token / ridge - kv_per_sequence)",
            f"{digits(found.critical_batch)} sequences" if reached else "the divisor is not above 0",
            above if reached else never,
            "intensity set equal to the ridge",
        ),
    ]
