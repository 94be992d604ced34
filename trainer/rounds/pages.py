"""The HTML pages of a round. What they may show is settled in `selectors`; how, in `templates/rounds`."""

import datetime as dt
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from trainer.rounds import selectors
from trainer.rounds.models import Round
from trainer.rounds.refusals import RoundRefused


@require_safe
@never_cache
@login_required
def index(request: HttpRequest) -> HttpResponse:
    """One's rounds, and what can be started."""
    return render_index(request)


@require_safe
@never_cache
@login_required
def round_page(request: HttpRequest, round_id: UUID) -> HttpResponse:
    """The round in whatever state it is."""
    return render_round(request, selectors.get_round_for_user(request.user, round_id))


@require_safe
@never_cache
@login_required
def timeline(request: HttpRequest, round_id: UUID) -> HttpResponse:
    """The drafts of a finished submission, replayed."""
    round = selectors.get_round_for_user(request.user, round_id)
    try:
        replay = selectors.timeline(round, timezone.now())
    except RoundRefused as refused:
        return render_round(request, round, status=refused.status, refused=refused)
    return render(request, "rounds/timeline.html", {"timeline": replay})


def render_index(request: HttpRequest, *, status: int = 200, refused: RoundRefused | None = None) -> HttpResponse:
    """The list, with what was refused above it."""
    context = {"index": selectors.rounds_index(request.user, timezone.now()), "refused": refused}
    return render(request, "rounds/index.html", context, status=status)


def render_round(
    request: HttpRequest,
    round: Round,
    *,
    status: int = 200,
    refused: RoundRefused | None = None,
    posted: Mapping[str, Any] | None = None,
) -> HttpResponse:
    """The round's page in its present state; after a refusal with the message at its field and what was typed."""
    now: dt.datetime = timezone.now()
    page = selectors.round_page(round, now)
    context = {
        "page": page,
        "refused": refused,
        "errors": refused.errors if refused else {},
        "posted": posted or {},
    }
    return render(request, f"rounds/{page.state}.html", context, status=status)
