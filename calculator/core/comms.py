"""Communication: what sharing a layer over GPUs, or moving a cache, costs."""


def tensor_parallel_all_reduces(layers: int) -> int:
    """All-reduces of one step under tensor parallelism.

    Formula: 2 * layers
    Symbols: layers (transformer layers): one after attention, one after the feed-forward part
    Holds when: attention and feed-forward run one after the other
    Source: Shoeybi et al., Megatron-LM, arXiv 1909.08053, section 3
    Raises: nothing
    """
    return 2 * layers


def all_reduce_s(message_bytes: float, gpus: int, bytes_per_s: float, latency_s: float = 0.0) -> float:
    """Time of one ring all-reduce.

    Formula: 2 * (gpus - 1) / gpus * message / bandwidth + latency
    Symbols: message (bytes per GPU), bandwidth (bytes/s of a GPU's link, one direction), latency (s, of the whole)
    Holds when: a ring is used; small messages of decode are nearly all latency
    Source: Patarasuk and Yuan, Bandwidth optimal all-reduce algorithms, JPDC 2009
    Raises: ValueError when bandwidth or gpus is not above 0
    """
    if bytes_per_s <= 0 or gpus < 1:
        raise ValueError("bytes_per_s must be above 0 and gpus at least 1")
    return 2 * (gpus - 1) / gpus * message_bytes / bytes_per_s + latency_s


def network_all_reduce_s(layers: int, extra_s_per_all_reduce: float) -> float:
    """Time that a step loses when its all-reduces cross nodes.

    Formula: 2 * layers * extra
    Symbols: layers, extra (s more than over NVLink, each)
    Holds when: messages are small, so that latency and not bandwidth counts (decode at small batch)
    Source: see tensor_parallel_all_reduces and the planning constant network_all_reduce_extra_s
    Raises: nothing
    """
    return tensor_parallel_all_reduces(layers) * extra_s_per_all_reduce


def network_overhead_share(layers: int, extra_s_per_all_reduce: float, step_s: float) -> float:
    """That loss as a share of the step inside one node.

    Formula: 2 * layers * extra / step
    Symbols: layers, extra (s), step (s of the decode step inside one node)
    Holds when: the step is the batch-1 floor; a loaded step is longer and the share smaller
    Source: see network_all_reduce_s
    Raises: ValueError when step_s is not above 0
    """
    if step_s <= 0:
        raise ValueError("step_s must be above 0")
    return network_all_reduce_s(layers, extra_s_per_all_reduce) / step_s


def two_level_all_reduce_s(
    message_bytes: float,
    gpus_inside: int,
    inside_bytes_per_s: float,
    nodes: int,
    across_bytes_per_s: float,
    inside_latency_s: float = 0.0,
    across_latency_s: float = 0.0,
) -> float:
    """Time of one all-reduce over several nodes: inside each node, then across, on shares of the message.

    Formula: all_reduce(message, gpus_inside, inside) + all_reduce(message / gpus_inside, nodes, across)
    Symbols: message (bytes per GPU), gpus_inside (GPUs of one node), nodes, inside and across (bytes/s of a GPU's link
        inside a node and of its network adapter, one direction), latencies (s, of each level)
    Holds when: every GPU has a network adapter of its own, and the levels run one after the other
    Source: hierarchical all-reduce as in NCCL; Thakur et al., Optimization of collective communication, IJHPCA 2005
    Raises: ValueError as all_reduce_s
    """
    inside = all_reduce_s(message_bytes, gpus_inside, inside_bytes_per_s, inside_latency_s) if gpus_inside > 1 else 0.0
    if nodes <= 1:
        return inside
    return inside + all_reduce_s(message_bytes / gpus_inside, nodes, across_bytes_per_s, across_latency_s)


def all_to_all_s(message_bytes: float, gpus: int, bytes_per_s: float, latency_s: float = 0.0) -> float:
    """Time of one all-to-all: every GPU sends each of the others its part of a message.

    Formula: (gpus - 1) / gpus * message / bandwidth + latency
    Symbols: message (bytes that one GPU holds), bandwidth (bytes/s of a GPU's link, one direction), latency (s)
    Holds when: parts are equal; a popular expert makes one link the last to finish
    Source: Thakur et al., Optimization of collective communication, IJHPCA 2005
    Raises: ValueError when bandwidth or gpus is not above 0
    """
    if bytes_per_s <= 0 or gpus < 1:
        raise ValueError("bytes_per_s must be above 0 and gpus at least 1")
    return (gpus - 1) / gpus * message_bytes / bytes_per_s + latency_s


def expert_parallel_message_bytes(
    tokens: float, experts_active: int, hidden: int, gpus: int, bytes_per_value: float = 2.0
) -> float:
    """Bytes that one GPU sends to the experts of one layer.

    Formula: tokens * experts_active * hidden * bytes / gpus
    Symbols: tokens (of the step, whole replica), experts_active (per token), hidden (width), bytes (per value)
    Holds when: tokens start evenly spread over the GPUs and each copy goes to another expert
    Source: Lepikhin et al., GShard, arXiv 2006.16668, section 3
    Raises: ValueError when gpus is below 1
    """
    if gpus < 1:
        raise ValueError("gpus must be at least 1")
    return tokens * experts_active * hidden * bytes_per_value / gpus


def pipeline_bubble_share(stages: int, microbatches: int) -> float:
    """Share of the time that a stage of a pipeline stands idle while it fills and drains.

    Formula: (stages - 1) / (microbatches + stages - 1)
    Symbols: stages (pipeline stages), microbatches (pieces that follow one another)
    Holds when: stages take equally long and there is no other work to fill in
    Source: Huang et al., GPipe, arXiv 1811.06965, section 2.3
    Raises: ValueError when stages or microbatches is below 1
    """
    if stages < 1 or microbatches < 1:
        raise ValueError("stages and microbatches must be at least 1")
    return (stages - 1) / (microbatches + stages - 1)


def break_even_bytes_per_s(kv_bytes: float, recompute_s: float) -> float:
    """Bandwidth at which fetching a cached prefix takes as long as computing it again.

    Formula: kv / recompute
    Symbols: kv (bytes of the prefix), recompute (s to prefill it)
    Holds when: fetch and compute are not overlapped
    Source: equality of the two times
    Raises: ValueError when recompute_s is not above 0
    """
    if recompute_s <= 0:
        raise ValueError("recompute_s must be above 0")
    return kv_bytes / recompute_s
