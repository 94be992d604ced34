"""The HTML pages of a round. What they may show is settled in `selectors`; how, in `templates/rounds`."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from calculator.worksheet_help import worksheet_help
from designs.step_pages import worksheet_of_step
from grading.core import rubric
from trainer.rounds import selectors
from trainer.rounds.looks import trainee
from trainer.rounds.models import Round, State
from trainer.rounds.refusals import RoundRefused
from trainer.rounds.services.clock import round_settle, user_rounds_settle

# The fields that a state's page shows a message at; any other refusal stands above the page.
_FIELDS_SHOWN: dict[str, frozenset[str]] = {
    State.PROMPT: frozenset({"text"}),
    State.SCORING: frozenset(
        f"{name}_{line.number}" for name in ("level", "quote", "confidence") for line in rubric.LINES
    ),
    State.CRITIQUE: frozenset({"answer", "mark"}),
}


@require_safe
@never_cache
def index(request: HttpRequest) -> HttpResponse:
    """One's rounds, and what can be started."""
    return render_index(request)


@require_safe
@never_cache
def round_page(request: HttpRequest, round_id: UUID) -> HttpResponse:
    """The round in whatever state it is."""
    return render_round(request, selectors.get_round_for_user(trainee(request), round_id))


@require_safe
@never_cache
def timeline(request: HttpRequest, round_id: UUID) -> HttpResponse:
    """The drafts of a finished submission, replayed."""
    round = selectors.get_round_for_user(trainee(request), round_id)
    try:
        replay = selectors.timeline(round_settle(round_id=round.pk, now=timezone.now()))
    except RoundRefused as refused:
        return render_round(request, round, status=refused.status, refused=refused)
    return _render(request, "rounds/timeline.html", {"timeline": replay})


@require_safe
@never_cache
def step(request: HttpRequest, round_id: UUID, step: str) -> HttpResponse:
    """A step that the round has revealed, in the worksheet; of those that it has not, no more than the value."""
    found = selectors.get_round_for_user(trainee(request), round_id)
    round = round_settle(round_id=found.pk, now=timezone.now())
    revealed = selectors.revealed_step(round, step)
    if revealed is None:
        raise Http404("no such step is revealed")
    loaded, hidden = revealed
    return worksheet_of_step(request, loaded, step, back=reverse("rounds:round", args=[round_id]), hidden=hidden)


def render_index(request: HttpRequest, *, status: int = 200, refused: RoundRefused | None = None) -> HttpResponse:
    """The list, with what was refused above it."""
    user_rounds_settle(user=trainee(request), now=timezone.now())
    context = {"index": selectors.rounds_index(trainee(request)), "refused": refused}
    return _render(request, "rounds/index.html", context, status=status)


def render_round(
    request: HttpRequest,
    round: Round,
    *,
    status: int = 200,
    refused: RoundRefused | None = None,
    posted: Mapping[str, Any] | None = None,
) -> HttpResponse:
    """The round's page in its present state; after a refusal with the message at its field and what was typed."""
    now = timezone.now()
    page = selectors.round_page(round_settle(round_id=round.pk, now=now), now)
    context: dict[str, Any] = {
        "page": page,
        "refused": refused,
        "errors": refused.errors if refused else {},
        "at_field": bool(refused and set(refused.errors) & _FIELDS_SHOWN.get(page.state, frozenset())),
        "posted": posted or {},
    }
    if page.worksheet is not None:
        context["worksheet_help"] = worksheet_help()
    if page.summary is not None:
        context["hire_bar"] = rubric.BARS
    return _render(request, f"rounds/{page.state}.html", context, status=status)


def _render(request: HttpRequest, template: str, context: Mapping[str, Any], *, status: int = 200) -> HttpResponse:
    """The page with its times in the trainee's own zone."""
    with timezone.override(ZoneInfo(trainee(request).time_zone)):
        return render(request, template, context, status=status)
