"""The working of reuse and transfer: when fetching a prefix beats computing it, what moving a prompt's cache costs."""

from collections.abc import Iterator

from calculator.core import comms, memory, prefix
from calculator.core.dtypes import dtype
from calculator.core.inputs import Inputs
from calculator.core.steps import Step
from calculator.core.text import digits, show


def reuse_steps(inputs: Inputs) -> Iterator[Step]:
    """Break-even bandwidth for the prompt asked for, its transfer, and expert parallelism where there are experts."""
    yield _break_even_step(inputs)
    yield _transfer_step(inputs)
    if inputs.model.experts and inputs.gpus_of_a_copy > 1:
        yield _all_to_all_step(inputs)


def _break_even_step(inputs: Inputs) -> Step:
    peak = inputs.gpu.dense_flops_per_s(dtype(inputs.dtype))
    kv = memory.kv_cache_bytes(inputs.model, inputs.prompt_len, inputs.kv_dtype)
    even = prefix.prefix_break_even_bytes_per_s(
        inputs.model, inputs.prompt_len, inputs.gpus_of_a_copy, peak, inputs.mfu, inputs.kv_dtype
    )
    return Step(
        "reuse/break_even",
        "Break-even bandwidth of a prefix",
        even,
        "B/s",
        "kv(prefix) * gpus * peak * mfu / prefill(prefix)",
        f"{show(kv, 'B')} / {show(kv / even, 's')} = {show(even, 'B/s')}",
        f"A tier that reads faster than this beats computing {inputs.prompt_len:,} tokens again at {inputs.mfu:.0%} of "
        "the peak. It falls with the prefix: computing grows with the square.",
        "equality of the time to fetch and the time to compute",
    )


def _transfer_step(inputs: Inputs) -> Step:
    gpu, gpus = inputs.gpu, inputs.gpus_of_a_copy
    each, name = inputs.link_bytes_per_s, inputs.link_name
    if not each:
        each, name = inputs.transfer_bytes_per_s, inputs.transfer_name
    kv = memory.kv_cache_bytes(inputs.model, inputs.prompt_len, inputs.kv_dtype)
    moved = prefix.kv_transfer_s(inputs.model, inputs.prompt_len, gpus * each, inputs.kv_dtype)
    last = prefix.kv_transfer_s(inputs.model, inputs.prompt_len, gpus * each, inputs.kv_dtype, 1)
    return Step(
        "reuse/transfer",
        "Hand a prompt to a decode replica",
        moved,
        "s",
        "kv(prompt) / (gpus * bandwidth)",
        f"{show(kv, 'B')} / ({gpus} × {show(each, 'B/s')}) = {show(moved, 's')}",
        f"Prefill and decode apart, each GPU of {gpu.name} with {name} of its own. Sent layer by layer only the last "
        f"layer waits: {show(last, 's')}.",
        "DistServe, arXiv 2401.09670; Splitwise, arXiv 2311.18677",
    )


def _all_to_all_step(inputs: Inputs) -> Step:
    model, gpus = inputs.model, inputs.gpus_of_a_copy
    fast = gpus <= inputs.gpu.link_domain_gpus
    slow = inputs.link_bytes_per_s if gpus > inputs.gpus_joined else inputs.slow_link_bytes_per_s
    bandwidth = inputs.gpu.link_bandwidth_bytes_per_s if fast else slow
    message = comms.expert_parallel_message_bytes(inputs.batch_of_a_copy, model.experts_active, model.hidden, gpus)
    once = comms.all_to_all_s(message, gpus, bandwidth, inputs.all_reduce_latency_s)
    layers = model.moe_layers or model.layers
    return Step(
        "reuse/expert_parallel",
        "All-to-alls with experts spread",
        2 * layers * once,
        "s",
        "2 * moe_layers * ((gpus - 1) / gpus * message / bandwidth + latency)",
        f"2 × {layers} of {show(message, 'B')} per GPU at {show(bandwidth, 'B/s')} = {show(2 * layers * once, 's')}",
        f"Expert parallelism in place of sharing every expert: {digits(model.experts / gpus)} experts a GPU; tokens go "
        "to theirs and come back in every layer.",
        "Lepikhin et al., GShard, arXiv 2006.16668",
    )
