"""The working of the time part: reads, floor, communication, expected value, prefill, roofline."""

import math
from collections.abc import Iterator

from calculator.core.dtypes import dtype
from calculator.core.prefill_steps import prefill_steps
from calculator.core.speculation_steps import speculation_steps
from calculator.core.steps import Step
from calculator.core.text import digits, show
from calculator.core.timing import Timing

ROOFLINE = "Williams, Waterman, Patterson, Roofline, CACM 2009"


def timing_steps(found: Timing) -> tuple[Step, ...]:
    """Every step of the time part, in the order in which one would say them."""
    return (
        *_read_steps(found),
        *_floor_steps(found),
        *_communication_steps(found),
        _expected_step(found),
        *speculation_steps(found),
        *prefill_steps(found),
        *_roofline_steps(found),
    )


def _read_steps(found: Timing) -> Iterator[Step]:
    inputs, step, model = found.inputs, found.decode, found.inputs.model
    whose = f"{model.name}: {model.source}"
    numbers, formula = show(step.weights_read_bytes, "B", 4), "weights"
    why = "Read once, whatever the batch: this is what a larger batch shares."
    if model.experts:
        formula = "rest + routed * (1 - (1 - active / experts)^batch)"
        numbers += f": of {model.experts} experts a layer those that {step.batch:,} tokens touch"
        why = "Grows with the batch until every expert is touched, as if tokens chose independently and evenly."
    if step.microbatches > 1:
        formula, why = f"microbatches * ({formula})", f"Read once for each of {step.microbatches} microbatches."
    if inputs.engine:
        why += " Without the input embedding, of which a step reads a row a sequence."
    yield Step(
        "time/decode/weights_read", "Weights read in a step", step.weights_read_bytes, "B", formula, numbers, why, whose
    )
    if model.experts:
        yield _least_step(found, whose)
    indexed = ""
    if model.index_layers:
        indexed = " Counted in full: a kernel that follows the indexer of a sparse attention reads less, and is faster."
    yield Step(
        "time/decode/kv_read",
        "KV cache read in a step",
        step.kv_read_bytes,
        "B",
        "batch * per_sequence",
        f"{step.batch:,} × {show(step.kv_read_bytes / step.batch, 'B')} = {show(step.kv_read_bytes, 'B')}",
        "Grows with the batch: no sequence can share another's cache." + _of_a_copy(found) + indexed,
        "every cached token is read once a step",
    )
    per_token = step.flops / step.batch
    attention_percent = digits(100 * (1 - 2 * model.active_params / per_token), 2)
    yield Step(
        "time/decode/flops",
        "Arithmetic of a step",
        step.flops,
        "FLOP",
        "batch * (2 * active_params + attention)",
        f"{step.batch:,} × {show(per_token, 'FLOP')} = {show(step.flops, 'FLOP')}",
        f"Attention over {inputs.seq_len:,} tokens is {attention_percent}% of it.",
        "Kaplan et al., arXiv 2001.08361; attention counted",
    )


def _of_a_copy(found: Timing) -> str:
    copies = found.inputs.copies
    return f" Of one of {copies} copies of the model, the fullest." if copies > 1 else ""


def _least_step(found: Timing, whose: str) -> Step:
    step = found.decode
    return Step(
        "time/decode/least_weights_read",
        "Weights read at least",
        step.least_weights_read_bytes,
        "B",
        "rest + routed * active / experts",
        show(step.least_weights_read_bytes, "B", 4),
        "All tokens may choose the same experts: only this is certain, and the floor takes it.",
        whose,
    )


def _floor_steps(found: Timing) -> Iterator[Step]:
    inputs, step, gpu = found.inputs, found.decode, found.inputs.gpu
    gpus = inputs.gpus_of_a_copy
    bandwidth, peak = show(gpu.hbm_bandwidth_bytes_per_s, "B/s"), show(found.flops_per_s_per_gpu, "FLOP/s", 4)
    reads, works = show(step.memory_floor_s, "s"), show(step.compute_floor_s, "s")
    sheet = f"{gpu.name}: {gpu.source}"
    waits = f" × {step.idle:g} for stages that wait" if step.idle > 1 else ""
    factor = " * stages / microbatches" if inputs.pp > 1 else ""
    least = step.least_weights_read_bytes + step.kv_read_bytes
    yield Step(
        "time/decode/memory_floor",
        "Time to read memory",
        step.memory_floor_s,
        "s",
        f"(weights_read + kv_read) / (gpus * bandwidth){factor}",
        f"{show(least, 'B', 4)} / ({gpus} × {bandwidth}){waits} = {reads}",
        "At the full bandwidth of the data sheet.",
        sheet,
    )
    yield Step(
        "time/decode/compute_floor",
        "Time of the arithmetic",
        step.compute_floor_s,
        "s",
        f"flops / (gpus * peak){factor}",
        f"{show(step.flops, 'FLOP')} / ({gpus} × {peak}){waits} = {works}",
        "At the dense peak. The sparse figure of the sheet is twice as high and does not apply.",
        sheet,
    )
    why = "No engine can be faster: it would have to read less."
    if not inputs.engine:
        why += " The whiteboard's count has the input embedding in it; an engine's budget leaves it out."
    yield Step(
        "time/decode/floor",
        "Decode step, floor",
        step.floor_s,
        "s",
        "max(memory, compute)",
        f"max({reads}, {works}) = {show(step.floor_s, 's')}",
        why,
        ROOFLINE,
    )


def _communication_steps(found: Timing) -> Iterator[Step]:
    inputs, sent = found.inputs, found.decode.communication
    fabric, layers = sent.fabric, inputs.model.layers
    message = show(sent.message_bytes, "B")
    if sent.inside_s:
        counted = "Added on." if sent.inside_counted else "Not added: the MBU is of whole steps on such a link."
        yield Step(
            "time/decode/all_reduce",
            "All-reduces inside a node",
            sent.inside_s,
            "s",
            "2 * layers * (2 * (g - 1) / g * message / bandwidth + latency)",
            f"2 × {layers} of {message} over {fabric.gpus_inside} GPUs on {fabric.inside_name} at "
            f"{show(fabric.inside_bytes_per_s, 'B/s')}, {show(inputs.all_reduce_latency_s, 's')} each "
            f"= {show(sent.inside_s, 's')}",
            f"A layer ends attention and feed-forward with one each. {counted}",
            "Megatron-LM, arXiv 1909.08053; planning constant all_reduce_latency_s",
        )
    if sent.across_s:
        yield Step(
            "time/decode/network",
            "All-reduces across nodes",
            sent.across_s,
            "s",
            "2 * layers * (2 * (n - 1) / n * message / inside / bandwidth + extra)",
            f"2 × {layers} of {message} / {fabric.gpus_inside} over {fabric.nodes} nodes on {fabric.across_name} at "
            f"{show(fabric.across_bytes_per_s, 'B/s')}, {show(inputs.network_extra_s, 's')} each "
            f"= {show(sent.across_s, 's')}",
            f"{inputs.ranks} GPUs are more than the {inputs.gpus_joined} of a node. Nearly all of it is latency.",
            "planning constant network_all_reduce_extra_s",
        )
    if sent.stages_s:
        yield Step(
            "time/decode/stages",
            "Hand-over between stages",
            sent.stages_s,
            "s",
            "(stages - 1) * (message / bandwidth + latency)",
            f"{inputs.pp - 1} × ({message} / {show(sent.stage_link_bytes_per_s, 'B/s')} + "
            f"{show(sent.stage_latency_s, 's')}) = {show(sent.stages_s, 's')}",
            f"{inputs.pp} stages take {found.decode.microbatches} microbatches in turn.",
            "Huang et al., GPipe, arXiv 1811.06965",
        )


def _expected_step(found: Timing) -> Step:
    inputs, step = found.inputs, found.decode
    reads, works = show(step.read_s, "s"), show(step.compute_floor_s, "s")
    counted = step.communication.counted_s
    sent = f" + {show(counted, 's')}" if counted else ""
    return Step(
        "time/decode/expected",
        "Decode step, expected",
        step.expected_s,
        "s",
        "max(memory / mbu, compute / mfu)" + (" + communication" if counted else ""),
        f"max({reads} / {inputs.mbu:g}, {works} / {inputs.mfu:g}){sent} = {show(step.expected_s, 's')}",
        f"One token for each of the {step.batch:,} sequences, at {inputs.seq_len:,} tokens of context.",
        "planning constants decode_mbu and prefill_mfu, unless given",
    )


def _roofline_steps(found: Timing) -> Iterator[Step]:
    gpu, step = found.inputs.gpu, found.decode
    peak, bandwidth = show(found.flops_per_s_per_gpu, "FLOP/s", 4), show(gpu.hbm_bandwidth_bytes_per_s, "B/s")
    reached, numbers = math.isfinite(found.critical_batch), "the divisor is not above 0"
    if reached:
        per_token, held = step.flops / step.batch, step.kv_read_bytes / step.batch
        read = found.critical_batch * (per_token / found.ridge - held)
        numbers = (
            f"{show(read, 'B', 4)} / ({show(per_token, 'FLOP', 4)} / {digits(found.ridge, 4)} FLOP/B − "
            f"{show(held, 'B', 4)}) = {digits(found.critical_batch)} sequences"
        )
    never = "At this length no batch reaches it: each sequence's own cache read keeps the step below the ridge."
    above = "Below it a larger batch is nearly free; from it on, arithmetic is the limit."
    if found.inputs.model.experts:
        above = f"The weights are of the experts that so large a batch touches. {above}"
    if found.inputs.copies > 1:
        above += " Of one copy."
    yield Step(
        "roofline/ridge",
        "Ridge point",
        found.ridge,
        "FLOP/B",
        "peak / bandwidth",
        f"{peak} / {bandwidth} = {digits(found.ridge)} FLOP/B",
        f"{dtype(found.inputs.dtype).name} weights multiply at {peak} dense on this part.",
        f"{gpu.name}: {gpu.source}",
    )
    yield Step(
        "roofline/intensity",
        "Intensity of a decode step",
        found.intensity,
        "FLOP/B",
        "flops / bytes_read",
        f"{show(step.flops, 'FLOP')} / {show(step.bytes_read, 'B', 4)} = {digits(found.intensity)} FLOP/B",
        found.verdict[0].upper() + found.verdict[1:] + ".",
        ROOFLINE,
    )
    yield Step(
        "roofline/critical_batch",
        "Batch that reaches the ridge",
        found.critical_batch if reached else None,
        "sequences",
        "weights_read / (flops_per_token / ridge - kv_per_sequence)",
        numbers,
        above if reached else never,
        "intensity set equal to the ridge",
    )
