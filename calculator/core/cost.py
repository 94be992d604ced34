"""What it costs."""

from calculator.core.units import HOUR_S, MILLION


def usd_per_hour(gpus: int, usd_per_gpu_hour: float) -> float:
    """Price of a replica per hour.

    Formula: gpus * price
    Symbols: gpus (of the replica), price (USD per GPU-hour)
    Holds when: GPUs are paid whether busy or not
    Source: multiplication
    Raises: nothing
    """
    return gpus * usd_per_gpu_hour


def usd_per_million_output_tokens(gpus: int, usd_per_gpu_hour: float, tokens_per_s: float) -> float:
    """Price of a million output tokens.

    Formula: gpus * price * 1e6 / (3600 * tokens_per_s)
    Symbols: gpus (of the replica), price (USD per GPU-hour), tokens_per_s (output tokens of the replica)
    Holds when: the replica is always full; divide by the share of the time that it is, for a real fleet
    Source: multiplication
    Raises: ValueError when tokens_per_s is not above 0
    """
    if tokens_per_s <= 0:
        raise ValueError("tokens_per_s must be above 0")
    return usd_per_hour(gpus, usd_per_gpu_hour) * MILLION / (HOUR_S * tokens_per_s)
