"""The page of one round, in whatever state it is."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.utils.safestring import SafeString

from trainer.rounds.parts.reading import Critiques, Reveal
from trainer.rounds.parts.running import Addendum, Asked, Clock, EditorDocument, OwnText, Scoring, Worksheet
from trainer.rounds.parts.summary import ScoredLine, Summary


@dataclass(frozen=True)
class RoundPage:
    """Everything the page of a round shows in its present state, and nothing of a later one."""

    id: UUID
    slug: str
    title: str
    state: str
    mode: str
    read_before: bool
    extra_time_factor: float
    created_at: datetime
    submitted_at: datetime | None
    submitted_by_bell: bool
    clock: Clock
    allowed: frozenset[str]  # actions open now: "ask", "begin", "save", "star", "submit", "pause", "resume", ...
    prompt_html: SafeString
    asked: tuple[Asked, ...]
    worksheet: Worksheet | None = None  # arithmetic, writing
    documents: tuple[EditorDocument, ...] = ()  # writing
    submission: tuple[OwnText, ...] = ()  # from scoring on, and when abandoned; the worksheet comes last
    addenda: tuple[Addendum, ...] = ()  # from the seal on
    scoring: Scoring | None = None  # scoring
    scored: tuple[ScoredLine, ...] = ()  # from reveal on
    reveal: Reveal | None = None  # reveal, critique, done
    critiques: Critiques | None = None  # critique, done
    summary: Summary | None = None  # done
