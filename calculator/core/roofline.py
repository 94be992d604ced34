"""The roofline: how many operations a byte must carry before arithmetic, and not memory, is the limit."""

import math


def ridge_flops_per_byte(flops_per_s: float, bytes_per_s: float) -> float:
    """Operations per byte at which memory and arithmetic take the same time.

    Formula: peak / bandwidth
    Symbols: peak (dense FLOP/s at the format used), bandwidth (HBM bytes/s)
    Holds when: both are peaks; at equal utilisation of both the ridge is the same
    Source: Williams, Waterman, Patterson, Roofline, CACM 2009
    Raises: ValueError when bandwidth is not above 0
    """
    if bytes_per_s <= 0:
        raise ValueError("bytes_per_s must be above 0")
    return flops_per_s / bytes_per_s


def intensity_flops_per_byte(flops: float, bytes_moved: float) -> float:
    """Arithmetic intensity: operations done per byte moved.

    Formula: operations / bytes
    Symbols: operations (FLOP of the step), bytes (read from HBM in the step)
    Holds when: each byte is read once
    Source: Williams, Waterman, Patterson, Roofline, CACM 2009
    Raises: ValueError when bytes_moved is not above 0
    """
    if bytes_moved <= 0:
        raise ValueError("bytes_moved must be above 0")
    return flops / bytes_moved


def attainable_flops_per_s(intensity: float, flops_per_s: float, bytes_per_s: float) -> float:
    """Most operations per second that the roofline allows at an intensity.

    Formula: min(peak, intensity * bandwidth)
    Symbols: intensity (FLOP per byte), peak (FLOP/s), bandwidth (bytes/s)
    Holds when: reads and arithmetic overlap perfectly
    Source: Williams, Waterman, Patterson, Roofline, CACM 2009
    Raises: nothing
    """
    return min(flops_per_s, intensity * bytes_per_s)


def bound(intensity: float, ridge: float) -> str:
    """Which resource is the limit: "memory" below the ridge, "compute" from the ridge up.

    Formula: memory if intensity < ridge else compute
    Symbols: intensity, ridge (both FLOP per byte)
    Holds when: both belong to the same number format
    Source: Williams, Waterman, Patterson, Roofline, CACM 2009
    Raises: nothing
    """
    return "memory" if intensity < ridge else "compute"


def critical_batch(
    weights_read_bytes: float, kv_bytes_per_sequence: float, flops_per_token: float, ridge: float
) -> float:
    """Batch at which a decode step reaches the ridge; infinite when the KV read of each sequence keeps it below.

    Formula: weights / (flops_per_token / ridge - kv)
    Symbols: weights (bytes read a step), kv (bytes a sequence reads a step), flops_per_token, ridge (FLOP per byte)
    Holds when: the weights read do not grow with the batch (dense models)
    Source: intensity of a step set equal to the ridge, solved for the batch
    Raises: ValueError when ridge is not above 0
    """
    if ridge <= 0:
        raise ValueError("ridge must be above 0")
    gain = flops_per_token / ridge - kv_bytes_per_sequence
    return weights_read_bytes / gain if gain > 0 else math.inf
