"""Placing jobs on nodes of several GPUs: how many nodes are whole, how often none is free, how long a drain takes."""

from math import comb, fsum

MOST = 100_000
"""The largest count that a formula here adds up to."""


def whole_free_nodes(nodes: float, gpus_per_node: float, free_share: float) -> float:
    """Expected nodes with every GPU free.

    Formula: nodes * free_share^gpus_per_node
    Symbols: nodes (of the fleet), gpus_per_node (GPUs), free_share (part of all GPUs that is free, 0 to 1)
    Holds when: each GPU is free independently of the others, as after departures from full nodes of one-GPU jobs
    Source: mean of a binomial
    Raises: ValueError when the share is outside 0 to 1 or a count is below 0
    """
    if not 0 <= free_share <= 1 or nodes < 0 or gpus_per_node < 0:
        raise ValueError("free_share must be from 0 to 1, nodes and gpus_per_node at least 0")
    return float(nodes * free_share**gpus_per_node)


def whole_free_nodes_exact(nodes: int, gpus_per_node: int, free_gpus: int) -> float:
    """Expected nodes with every GPU free, when exactly this many GPUs are free, scattered at random.

    Formula: nodes * product over i = 0..gpus_per_node - 1 of (free - i) / (all - i)
    Symbols: nodes (of the fleet), gpus_per_node (GPUs), free (GPUs free in all), all (nodes * gpus_per_node)
    Holds when: every choice of the free GPUs is as likely as any other: drawn without replacement
    Source: mean of indicators under the hypergeometric distribution
    Raises: ValueError when a count is below 1, the fleet has more than 100,000 GPUs, or free is outside 0 to all
    """
    fleet = nodes * gpus_per_node
    if nodes < 1 or gpus_per_node < 1 or fleet > MOST:
        raise ValueError(f"nodes and gpus_per_node must be at least 1, together at most {MOST:,} GPUs")
    if not 0 <= free_gpus <= fleet:
        raise ValueError(f"free_gpus must be from 0 to {fleet:,}, not {free_gpus}")
    return nodes * comb(free_gpus, gpus_per_node) / comb(fleet, gpus_per_node)


def chance_at_least(count: int, trials: int, chance: float) -> float:
    """Chance that at least this many of independent trials succeed.

    Formula: sum over k from count to trials of C(trials, k) * chance^k * (1 - chance)^(trials - k)
    Symbols: count (wanted), trials (made), chance (of one trial, 0 to 1)
    Holds when: trials are independent with one chance
    Source: binomial distribution
    Raises: ValueError when the chance is outside 0 to 1 or trials are outside 0 to 1,000
    """
    if not 0 <= chance <= 1 or not 0 <= trials <= 1_000:
        raise ValueError("chance must be from 0 to 1 and trials from 0 to 1,000")
    return fsum(comb(trials, k) * chance**k * (1 - chance) ** (trials - k) for k in range(max(count, 0), trials + 1))


def erlang_b(offered_load: float, servers: int) -> float:
    """Share of arrivals that find every server busy.

    Formula: B(0) = 1; B(n) = load * B(n - 1) / (n + load * B(n - 1))
    Symbols: offered_load (erlangs: arrivals per second * mean stay), servers (places)
    Holds when: arrivals are Poisson, each takes one place, and who finds none goes elsewhere; any spread of stays
    Source: Erlang, 1917, loss formula
    Raises: ValueError when the load is not above 0 or servers are outside 0 to 100,000
    """
    if offered_load <= 0 or not 0 <= servers <= MOST:
        raise ValueError(f"offered_load must be above 0 and servers from 0 to {MOST:,}")
    blocked = 1.0
    for server in range(1, servers + 1):
        blocked = offered_load * blocked / (server + offered_load * blocked)
    return blocked


def harmonic_number(count: int) -> float:
    """Expected time until the last of several jobs ends, in mean stays.

    Formula: 1 + 1/2 + ... + 1/count
    Symbols: count (jobs that run now)
    Holds when: what is left of each job is exponential with one mean, independently
    Source: maximum of exponentials
    Raises: ValueError when count is outside 1 to 100,000
    """
    if not 1 <= count <= MOST:
        raise ValueError(f"count must be from 1 to {MOST:,}")
    return fsum(1 / k for k in range(1, count + 1))


def ordered_whole_free_nodes(nodes: int, gpus_per_node: int, offered_load: float) -> float:
    """At least this many nodes are whole, on average, when jobs of one GPU take the first free GPU in node order.

    Formula: sum over nodes k of max(0, 1 - load * (B(gpus_per_node * (k - 1)) - B(gpus_per_node * k)))
    Symbols: load (mean GPUs wanted), B (erlang_b), gpus_per_node (GPUs)
    Holds when: see erlang_b. A node's mean of busy GPUs bounds the chance that any is busy, so it is a lower bound
    Source: load carried by each part of an ordered group of servers; Markov's inequality
    Raises: ValueError when a count is below 1, the fleet has more than 100,000 GPUs, or as erlang_b
    """
    if nodes < 1 or gpus_per_node < 1 or nodes * gpus_per_node > MOST:
        raise ValueError(f"nodes and gpus_per_node must be at least 1, together at most {MOST:,} GPUs")
    if offered_load <= 0:
        raise ValueError("offered_load must be above 0")
    whole, blocked, before = 0.0, 1.0, 1.0
    for server in range(1, nodes * gpus_per_node + 1):
        blocked = offered_load * blocked / (server + offered_load * blocked)
        if server % gpus_per_node == 0:
            whole += max(0.0, 1 - offered_load * (before - blocked))
            before = blocked
    return whole
