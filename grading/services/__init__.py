"""Every change to a critique's rows. Keyword-only, in one transaction, with `now` as an argument."""

from grading.services.answers import (
    critique_close,
    item_answer,
    item_mark,
    mutation_answer,
    mutation_mark,
    reply_retry,
)
from grading.services.requests import critique_fall_back, critique_request, critique_retry

__all__ = [
    "critique_close",
    "critique_fall_back",
    "critique_request",
    "critique_retry",
    "item_answer",
    "item_mark",
    "mutation_answer",
    "mutation_mark",
    "reply_retry",
]
