"""One decode step at any batch and context: what it reads, computes and sends, its floor and its expected time."""

from calculator.core import latency, memory
from calculator.core.dtypes import dtype
from calculator.core.fabric import Communication, communication
from calculator.core.inputs import Inputs
from calculator.core.records import record


@record
class DecodeStep:
    """A step of one copy of the model, each of ``batch`` sequences ``tokens`` further. Bytes and FLOP are of the copy.

    A pipeline takes ``batch`` in ``microbatches`` that follow one another; ``idle`` is how many times longer that is
    than on busy stages.
    """

    batch: int
    tokens: int
    microbatches: int
    idle: float
    weights_read_bytes: float
    least_weights_read_bytes: float
    kv_read_bytes: float
    flops: float
    read_s: float
    memory_floor_s: float
    compute_floor_s: float
    communication: Communication
    floor_s: float
    expected_s: float

    @property
    def bytes_read(self) -> float:
        """Bytes that the step is expected to read."""
        return self.weights_read_bytes + self.kv_read_bytes


def decode_step(inputs: Inputs, batch: int | None = None, context: float | None = None, tokens: int = 1) -> DecodeStep:
    """A step at ``batch`` sequences of ``context`` tokens (those asked for, when not given).

    Reads: weights once per microbatch, of a mixture of experts those that its tokens touch, and every sequence's cache
    once, whatever ``tokens`` is. The floor takes the least weights: all tokens may choose the same experts.
    """
    model, gpu = inputs.model, inputs.gpu
    batch = inputs.batch_of_a_copy if batch is None else batch
    context = inputs.seq_len if context is None else context
    gpus = inputs.gpus_of_a_copy
    pieces = min(inputs.pp, batch)
    idle = inputs.pp / pieces
    unread = latency.embedding_bytes(model, inputs.dtype) if inputs.engine else 0.0
    touched = max(1, round(batch * tokens / pieces))
    weights = pieces * (memory.weights_read_bytes(model, inputs.dtype, touched) - unread)
    least = pieces * (latency.least_weights_read_bytes(model, inputs.dtype) - unread)
    kv = batch * memory.kv_cache_bytes(model, context, inputs.kv_dtype) * memory.kv_copies(model, inputs.ranks)
    flops = batch * tokens * latency.decode_flops_per_token(model, context)
    bandwidth = gpu.hbm_bandwidth_bytes_per_s
    read = idle * latency.memory_s(weights + kv, gpus, bandwidth)
    memory_floor = idle * latency.memory_s(least + kv, gpus, bandwidth)
    compute_floor = idle * latency.compute_s(flops, gpus, gpu.dense_flops_per_s(dtype(inputs.dtype)))
    sent = communication(inputs, batch * tokens / pieces)
    return DecodeStep(
        batch=batch,
        tokens=tokens,
        microbatches=pieces,
        idle=idle,
        weights_read_bytes=weights,
        least_weights_read_bytes=least,
        kv_read_bytes=kv,
        flops=flops,
        read_s=read,
        memory_floor_s=memory_floor,
        compute_floor_s=compute_floor,
        communication=sent,
        floor_s=latency.decode_step_s(memory_floor, compute_floor),
        expected_s=latency.decode_step_s(read / inputs.mbu, compute_floor / inputs.mfu, sent.counted_s),
    )
