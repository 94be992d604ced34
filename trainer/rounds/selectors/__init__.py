"""What a round's pages read. Each selector loads what the present state may show and nothing of a later one."""

from trainer.rounds.selectors.access import get_round_for_user, rounds_due, running_round_of
from trainer.rounds.selectors.lists import rounds_index, timeline
from trainer.rounds.selectors.page import clock_of, round_page
from trainer.rounds.selectors.reading import revealed_step

__all__ = [
    "clock_of",
    "get_round_for_user",
    "revealed_step",
    "round_page",
    "rounds_due",
    "rounds_index",
    "running_round_of",
    "timeline",
]
