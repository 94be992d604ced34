"""How long the phases of a round last."""

from datetime import datetime, timedelta
from decimal import Decimal

ARITHMETIC_S = 300
WRITING_S = 2700
GRACE_S = 10  # after the writing bell: the client's own time is not trusted, text in flight still lands
FIRST_SENTENCE_S = 90
CRITIQUE_ANSWER_S = 300
CRITIQUES_S = 1800

GRACE = timedelta(seconds=GRACE_S)


def phase_length(seconds: int, extra_time_factor: Decimal) -> timedelta:
    """Formula: seconds x extra time factor. Extra time stretches every phase alike; the grace stays as it is."""
    return timedelta(seconds=float(seconds * extra_time_factor))


def deadline(started_at: datetime, seconds: int, extra_time_factor: Decimal) -> datetime:
    """When a phase of `seconds` that began at `started_at` ends."""
    return started_at + phase_length(seconds, extra_time_factor)
