"""What a round's page is made of. `selectors.round_page` fills these; templates read them and nothing else.

A part that the present state may not show is `None` (or empty): it is not merely hidden, it was never loaded.
"""

from trainer.rounds.parts.lists import Draft, RoundRow, RoundsIndex, StartableDesign, Timeline
from trainer.rounds.parts.page import RoundPage
from trainer.rounds.parts.reading import Critiques, CritiqueView, DecidingNumber, Drawing, Reveal, RevealedSection
from trainer.rounds.parts.running import (
    Addendum,
    AnchorText,
    Asked,
    Clock,
    EditorDocument,
    OwnText,
    Scoring,
    ScoringLine,
    Worksheet,
    WorksheetRow,
)
from trainer.rounds.parts.summary import Bar, EarlierLine, EarlierRound, MissedCard, ScoredLine, Summary, TimeUsed

__all__ = [
    "Addendum",
    "AnchorText",
    "Asked",
    "Bar",
    "Clock",
    "CritiqueView",
    "Critiques",
    "DecidingNumber",
    "Draft",
    "Drawing",
    "EarlierLine",
    "EarlierRound",
    "EditorDocument",
    "MissedCard",
    "OwnText",
    "Reveal",
    "RevealedSection",
    "RoundPage",
    "RoundRow",
    "RoundsIndex",
    "ScoredLine",
    "Scoring",
    "ScoringLine",
    "StartableDesign",
    "Summary",
    "TimeUsed",
    "Timeline",
    "Worksheet",
    "WorksheetRow",
]
