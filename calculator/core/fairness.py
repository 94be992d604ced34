"""Fairness on memory: what a request holds, for how long, and which resource it takes most of."""


def kv_seconds_final(prompt_tokens: float, output_tokens: float, tpot_s: float) -> float:
    """Token-seconds that a request holds, counted at its final size for the whole decode.

    Formula: (prompt + output) * output * tpot
    Symbols: prompt, output (tokens), tpot (s per output token)
    Holds when: the final size is reserved from the start; prefill time is left out
    Source: size times time
    Raises: nothing
    """
    return (prompt_tokens + output_tokens) * output_tokens * tpot_s


def kv_seconds_mean(prompt_tokens: float, output_tokens: float, tpot_s: float, prefill_s: float = 0.0) -> float:
    """Token-seconds that a request holds, counted at the size it has at each moment.

    Formula: (prompt + output / 2) * output * tpot + prompt / 2 * prefill
    Symbols: prompt, output (tokens), tpot (s per output token), prefill (s; the prompt is half there on average)
    Holds when: the cache grows evenly during prefill and during decode
    Source: integral of size over time
    Raises: nothing
    """
    decode = (prompt_tokens + output_tokens / 2) * output_tokens * tpot_s
    return decode + prompt_tokens / 2 * prefill_s


def dominant_share(kv_token_seconds: float, prefill_s: float, kv_capacity_tokens: float, prefill_share: float) -> float:
    """The larger of a request's two shares of a replica: of KV memory and of prefill time.

    Formula: max(kv / capacity, prefill / share)
    Symbols: kv (token-seconds), capacity (tokens of the pool, per second of the replica), prefill (s of the replica),
        share (part of each second that the replica may spend on prefill)
    Holds when: the two resources are the ones that run out
    Source: Ghodsi et al., Dominant Resource Fairness, NSDI 2011
    Raises: ValueError when a capacity is not above 0
    """
    if kv_capacity_tokens <= 0 or prefill_share <= 0:
        raise ValueError("kv_capacity_tokens and prefill_share must be above 0")
    return max(kv_token_seconds / kv_capacity_tokens, prefill_s / prefill_share)
