"""What joins the GPUs of a copy: the fast link of a node, the bus where it does not reach, and the network beyond."""

from calculator.core import comms
from calculator.core.inputs import Inputs
from calculator.core.records import record

ACTIVATION_BYTES = 2
"""Bytes per value that is sent between GPUs: activations are in 16 bits also where weights are not."""


@record
class Fabric:
    """Two levels: ``gpus_inside`` of the ranks inside a node, joined by ``inside_name``, and ``nodes`` of them.

    ``fast`` says whether the link inside is the accelerators' own (NVLink, Infinity Fabric). Bandwidths are one
    direction, per GPU.
    """

    gpus_inside: int
    inside_name: str
    inside_bytes_per_s: float
    fast: bool
    nodes: int
    across_name: str
    across_bytes_per_s: float


def fabric(inputs: Inputs) -> Fabric:
    """The links that the all-reduces of one layer use."""
    gpu, ranks = inputs.gpu, inputs.ranks
    nodes = -(-ranks // inputs.gpus_joined)
    inside = -(-ranks // nodes)
    fast = inside <= gpu.link_domain_gpus
    return Fabric(
        gpus_inside=inside,
        inside_name=gpu.link if fast else inputs.slow_link,
        inside_bytes_per_s=gpu.link_bandwidth_bytes_per_s if fast else inputs.slow_link_bytes_per_s,
        fast=fast,
        nodes=nodes,
        across_name=inputs.link_name,
        across_bytes_per_s=inputs.link_bytes_per_s,
    )


@record
class Communication:
    """Seconds of one step. ``inside_s`` is counted only where ``inside_counted``: see ``all_reduces``."""

    fabric: Fabric
    message_bytes: float
    inside_s: float
    across_s: float
    stages_s: float
    stage_link_bytes_per_s: float
    stage_latency_s: float
    inside_counted: bool

    @property
    def counted_s(self) -> float:
        """What is added to the step."""
        return self.across_s + self.stages_s + (self.inside_s if self.inside_counted else 0.0)


def communication(inputs: Inputs, tokens: float) -> Communication:
    """What a step of ``tokens`` sends: two all-reduces a layer, and the hand-over between stages.

    The whiteboard's utilisations are of whole steps on machines with a fast link, so that with the simple budget its
    all-reduces are in them; the engine's budget counts them one by one. A bus or a network is always counted.
    """
    found = fabric(inputs)
    message = tokens * inputs.model.hidden * ACTIVATION_BYTES
    reduces = comms.tensor_parallel_all_reduces(inputs.model.layers)
    inside = across = stages = 0.0
    if found.gpus_inside > 1:
        latency = inputs.all_reduce_latency_s
        inside = reduces * comms.all_reduce_s(message, found.gpus_inside, found.inside_bytes_per_s, latency)
    if found.nodes > 1:
        share = message / found.gpus_inside
        extra = inputs.network_extra_s
        across = reduces * comms.all_reduce_s(share, found.nodes, found.across_bytes_per_s, extra)
    one_way = handing = 0.0
    if inputs.pp > 1:
        one_way, handing = _between_stages(inputs, found)
        stages = (inputs.pp - 1) * (message / one_way + handing)
    counted = inputs.budget == "engine" or not found.fast
    return Communication(found, message, inside, across, stages, one_way, handing, counted)


def _between_stages(inputs: Inputs, found: Fabric) -> tuple[float, float]:
    if inputs.gpus_of_a_copy > inputs.gpus_joined:
        return inputs.link_bytes_per_s, inputs.network_extra_s
    reach = inputs.gpus_of_a_copy <= inputs.gpu.link_domain_gpus
    return (inputs.gpu.link_bandwidth_bytes_per_s if reach else inputs.slow_link_bytes_per_s), (
        inputs.all_reduce_latency_s
    )
