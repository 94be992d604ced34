"""Where occupancy and time per token settle for requests of one shape: the fixed points as single numbers."""

from calculator.core.queueing import RequestClass, SteadyState, steady_state

ITERATIONS = 2_000


def steady_occupancy(
    arrivals_per_s: float,
    prompt_tokens: float,
    output_tokens: float,
    prefill_s: float,
    replicas: int,
    pool_tokens: float,
    step_empty_s: float,
    step_full_s: float,
) -> float:
    """Share of the KV pool that is full once a steady stream of equal requests has settled.

    Formula: occupancy = arrivals * kv_seconds(tpot) / (replicas * pool),
        with tpot = step(occupancy) / (1 - prefill load)
    Symbols: see steady_state: arrivals (requests/s), pool (tokens per replica), step (empty to full, s)
    Holds when: load is spread evenly, requests are of one shape; prefill and decode take turns
    Source: Little's law with a residence time that depends on the load
    Raises: ValueError when nothing is stable
    """
    return _settled(
        RequestClass(arrivals_per_s, prompt_tokens, output_tokens, prefill_s),
        replicas,
        pool_tokens,
        step_empty_s,
        step_full_s,
    )[0]


def steady_tpot_s(
    arrivals_per_s: float,
    prompt_tokens: float,
    output_tokens: float,
    prefill_s: float,
    replicas: int,
    pool_tokens: float,
    step_empty_s: float,
    step_full_s: float,
) -> float:
    """Time per output token once a steady stream of equal requests has settled.

    Formula: tpot = step(occupancy) / (1 - prefill load), at the occupancy that it leads to
    Symbols: see steady_occupancy
    Holds when: see steady_occupancy
    Source: see steady_occupancy
    Raises: ValueError when nothing is stable
    """
    return _settled(
        RequestClass(arrivals_per_s, prompt_tokens, output_tokens, prefill_s),
        replicas,
        pool_tokens,
        step_empty_s,
        step_full_s,
    )[1]


def _settled(
    requests: RequestClass, replicas: int, pool_tokens: float, step_empty_s: float, step_full_s: float
) -> tuple[float, float]:
    found: SteadyState = steady_state(
        [requests],
        replicas=replicas,
        pool_tokens=pool_tokens,
        step_empty_s=step_empty_s,
        step_full_s=step_full_s,
        iterations=ITERATIONS,
    )
    if found.occupancy is None or found.tpot_s is None:
        raise ValueError(found.reason)
    return found.occupancy, found.tpot_s
