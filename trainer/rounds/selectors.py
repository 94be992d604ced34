"""What a round's pages read. Each selector loads what the present state may show and nothing of a later one."""

from trainer.rounds.parts import (
    RoundPage,
    RoundsIndex,
    Timeline,
)

__all__ = ["RoundPage", "RoundsIndex", "Timeline"]
