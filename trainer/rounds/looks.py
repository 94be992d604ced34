"""A look at a round: one's own, settled at the present moment. Every view starts here."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponseRedirect, JsonResponse
from django.utils import timezone

from trainer.accounts.models import User
from trainer.rounds.models import Round
from trainer.rounds.refusals import RoundRefused
from trainer.rounds.selectors.access import get_round_for_user
from trainer.rounds.services import round_settle


class SeeOther(HttpResponseRedirect):
    """303: the form was taken; the page to look at is there."""

    status_code = 303


def trainee(request: HttpRequest) -> User:
    """Who is asking. The middleware has let nobody through who is not logged in."""
    assert isinstance(request.user, User)
    return request.user


def look(request: HttpRequest, round_id: UUID) -> tuple[Round, datetime]:
    """The round as its bells have left it, and the moment of the look. Raises: Http404 for anyone else's."""
    now = timezone.now()
    found = get_round_for_user(trainee(request), round_id)
    return round_settle(round_id=found.pk, now=now), now


def refusal_json(refused: RoundRefused) -> JsonResponse:
    """A refusal for scripts."""
    body: dict[str, Any] = {"reason": refused.reason, "message": refused.message, "field": refused.field}
    return JsonResponse(body | refused.extra, status=refused.status)
