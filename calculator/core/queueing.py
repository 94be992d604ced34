"""Load: how many requests are in flight, where occupancy and latency settle, and how much warning there is if not."""

import math
from collections.abc import Sequence

from calculator.core.fairness import kv_seconds_mean
from calculator.core.records import record


def concurrency(arrivals_per_s: float, residence_s: float) -> float:
    """Requests in flight.

    Formula: arrivals * residence
    Symbols: arrivals (requests/s), residence (s that each stays)
    Holds when: the system is in steady state
    Source: Little, A proof for the queuing formula L = lambda W, Operations Research 1961
    Raises: nothing
    """
    return arrivals_per_s * residence_s


def kv_held_tokens(arrivals_per_s: float, kv_token_seconds: float) -> float:
    """Tokens of KV cache that a stream of equal requests holds.

    Formula: arrivals * kv
    Symbols: arrivals (requests/s), kv (token-seconds of one request)
    Holds when: the system is in steady state: Little's law, weighted by size
    Source: Little 1961; Brumelle, H = lambda G, 1971
    Raises: nothing
    """
    return arrivals_per_s * kv_token_seconds


@record
class RequestClass:
    """Requests of one shape. ``prefill_s`` is what one prompt takes of a replica."""

    arrivals_per_s: float
    prompt_tokens: float
    output_tokens: float
    prefill_s: float


@record
class SteadyState:
    """Where occupancy and time per token settle, or ``stable`` false and both ``None``: there is no operating point."""

    stable: bool
    occupancy: float | None
    tpot_s: float | None
    prefill_replicas: float
    reason: str


def prefill_replicas(classes: Sequence[RequestClass]) -> float:
    """Replicas' worth of time that prefill takes.

    Formula: sum of arrivals * prefill
    Symbols: arrivals (requests/s), prefill (s of a replica per prompt)
    Holds when: prompts are not cached
    Source: offered load in erlangs
    Raises: nothing
    """
    return sum(one.arrivals_per_s * one.prefill_s for one in classes)


def steady_state(
    classes: Sequence[RequestClass],
    *,
    replicas: int,
    pool_tokens: float,
    step_empty_s: float,
    step_full_s: float,
    damping: float = 0.3,
    tolerance: float = 1e-9,
    iterations: int = 10_000,
) -> SteadyState:
    """Occupancy and time per output token of a fleet, each of which sets the other.

    Formula: occupancy = sum of arrivals * kv_seconds(tpot) / (replicas * pool);
        tpot = step(occupancy) / (1 - prefill_replicas / replicas); step = empty + occupancy * (full - empty)
    Symbols: kv_seconds (see kv_seconds_mean: a prompt counts half while it is prefilled), pool (tokens per replica),
        empty and full (s of a decode step with an empty and a full pool)
    Holds when: load is spread evenly; prefill and decode take turns. From occupancy 0 the new value is mixed in with
        ``damping``. At occupancy 1 or more nothing is stable: requests are preempted and computed again, so that no
        number would be true.
    Source: Little's law with a residence time that depends on the load
    Raises: ValueError when replicas or pool_tokens is not above 0
    """
    if replicas <= 0 or pool_tokens <= 0:
        raise ValueError("replicas and pool_tokens must be above 0")
    prefill = prefill_replicas(classes)
    if prefill >= replicas:
        return SteadyState(False, None, None, prefill, "prefill alone needs more than every replica")
    occupancy = 0.0
    for _ in range(iterations):
        tpot_s = (step_empty_s + occupancy * (step_full_s - step_empty_s)) / (1 - prefill / replicas)
        settled = _occupancy(classes, tpot_s, replicas * pool_tokens)
        if abs(settled - occupancy) < tolerance:
            return SteadyState(True, settled, tpot_s, prefill, "settled")
        occupancy += damping * (settled - occupancy)
        if occupancy >= 1:
            return SteadyState(False, None, None, prefill, "the pool fills up: occupancy would pass 100%")
    return SteadyState(False, None, None, prefill, f"did not settle within {iterations} iterations")


def _occupancy(classes: Sequence[RequestClass], tpot_s: float, fleet_tokens: float) -> float:
    held = (
        kv_held_tokens(one.arrivals_per_s, kv_seconds_mean(one.prompt_tokens, one.output_tokens, tpot_s, one.prefill_s))
        for one in classes
    )
    return sum(held) / fleet_tokens


def headroom_s(free_share: float, pool_tokens: float, tokens_per_s: float) -> float:
    """Time until the free part of the pool is full.

    Formula: free * pool / rate
    Symbols: free (share of the pool that is free), pool (tokens), rate (tokens/s that come: prefill, or batch / tpot)
    Holds when: nothing is released meanwhile
    Source: division
    Raises: ValueError when tokens_per_s is not above 0 or free_share is outside 0 to 1
    """
    if tokens_per_s <= 0:
        raise ValueError("tokens_per_s must be above 0")
    if not 0 <= free_share <= 1:
        raise ValueError("free_share must be from 0 to 1")
    return free_share * pool_tokens / tokens_per_s


def chunk_tokens(tpot_target_s: float, decode_step_s: float, prefill_tokens_per_s: float) -> int:
    """Largest prefill chunk that keeps a mixed step within a target; 0 when the decode step alone is too long.

    Formula: floor(max(0, target - step) * rate)
    Symbols: target (s per output token), step (s of the decode step), rate (prefill tokens/s of the replica)
    Holds when: chunk and decode add up in time (no overlap), and the chunk is early in its prompt (little attention)
    Source: Agrawal et al., Sarathi-Serve, arXiv 2403.02310, section 4
    Raises: nothing
    """
    return math.floor(max(0.0, tpot_target_s - decode_step_s) * prefill_tokens_per_s)


def occupancy_ceiling(
    tpot_target_s: float, weights_bytes: float, kv_pool_bytes: float, bytes_per_s: float, mbu: float
) -> float:
    """Largest share of the pool that may be full for a decode step to stay within a target.

    Formula: (target * bandwidth * mbu - weights) / pool
    Symbols: target (s), bandwidth (bytes/s of the replica), mbu (share of it reached), weights, pool (bytes)
    Holds when: the step is bound by memory. Above 1 the target never binds; below 0 it cannot be met at all.
    Source: the decode step solved for the bytes read
    Raises: ValueError when kv_pool_bytes is not above 0
    """
    if kv_pool_bytes <= 0:
        raise ValueError("kv_pool_bytes must be above 0")
    return (tpot_target_s * bytes_per_s * mbu - weights_bytes) / kv_pool_bytes


def recompute_tax(decode_tokens_per_s: float, prefill_tokens_per_s: float) -> float:
    """Share of a replica's time spent on prefilling again what it preempts, at a full pool.

    Formula: decode / (decode + prefill)
    Symbols: decode (tokens/s that the pool grows by), prefill (tokens/s at which evicted tokens come back)
    Holds when: the pool is full, so that each token decoded evicts one that must be computed again
    Source: balance of tokens generated and recomputed
    Raises: ValueError when a rate is below 0 or both are 0
    """
    if decode_tokens_per_s < 0 or prefill_tokens_per_s < 0 or decode_tokens_per_s + prefill_tokens_per_s == 0:
        raise ValueError("rates must be at least 0, and one of them above")
    return decode_tokens_per_s / (decode_tokens_per_s + prefill_tokens_per_s)
