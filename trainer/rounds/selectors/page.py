"""The page of a round, put together for its present state."""

from datetime import datetime
from typing import Any

from django.utils.safestring import SafeString

from designs.loaded import LoadedDesign
from designs.markdown import to_html
from designs.selectors import design_of
from trainer.rounds.core import machine
from trainer.rounds.models import Round
from trainer.rounds.parts import Asked, Clock, RoundPage
from trainer.rounds.selectors import reading, scoring, summary, writing
from trainer.rounds.services.clock import snapshot_of

_READING = frozenset({machine.REVEAL, machine.CRITIQUE, machine.DONE})


def clock_of(round_: Round, now: datetime) -> Clock:
    """The clock of a settled round."""
    snapshot = snapshot_of(round_)
    return Clock(
        state=snapshot.state,
        mode=snapshot.mode,
        server_now=now,
        deadline_at=snapshot.deadline_at,
        seal_at=snapshot.seal_at,
        paused=snapshot.paused,
        paused_seconds_left=snapshot.paused_seconds_left,
    )


def round_page(round_: Round, now: datetime) -> RoundPage:
    """What a settled round shows at `now`. Parts of a later state are not loaded at all."""
    loaded = design_of(round_.design_version)
    return RoundPage(
        id=round_.pk,
        slug=round_.slug,
        title=loaded.title,
        state=round_.state,
        mode=round_.mode,
        read_before=round_.read_before,
        extra_time_factor=float(round_.extra_time_factor),
        created_at=round_.created_at,
        submitted_at=round_.submitted_at,
        submitted_by_bell=round_.submitted_by_bell,
        clock=clock_of(round_, now),
        allowed=machine.allowed(snapshot_of(round_), now),
        # At scoring there is one's own text and the rubric, and nothing else.
        prompt_html=SafeString("") if round_.state == machine.SCORING else loaded.prompt_html(),
        asked=_asked(round_),
        **_parts_of_state(round_, loaded),
    )


def _parts_of_state(round_: Round, loaded: LoadedDesign) -> dict[str, Any]:
    state = round_.state
    parts: dict[str, Any] = {}
    if state in machine.CLOCKED:
        parts["worksheet"] = writing.worksheet_of(round_)
    if state == machine.WRITING:
        parts["documents"] = writing.documents_of(round_)
    if round_.sealed_at is not None:
        parts |= {"submission": writing.submission_of(round_), "addenda": writing.addenda_of(round_)}
    if state == machine.SCORING:
        parts["scoring"] = scoring.scoring_of(round_, loaded)
    if state in _READING:
        parts |= {"scored": scoring.scored_of(round_, loaded), "reveal": reading.reveal_of(round_, loaded)}
    if state in (machine.CRITIQUE, machine.DONE):
        parts["critiques"] = reading.critiques_of(round_, loaded)
    if state == machine.DONE:
        parts["summary"] = summary.summary_of(round_, loaded)
    return parts


def _asked(round_: Round) -> tuple[Asked, ...]:
    return tuple(
        Asked(text=row.text, answer_html=to_html(row.answer), matched=bool(row.card), asked_at=row.asked_at)
        for row in round_.asked_questions.order_by("asked_at", "pk")
    )
