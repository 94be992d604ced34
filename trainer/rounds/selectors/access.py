"""Who may see a round, and which rounds a bell has overtaken."""

from datetime import datetime
from uuid import UUID

from django.db.models import Q
from django.http import Http404

from trainer.accounts.models import User
from trainer.rounds.core.deadlines import GRACE
from trainer.rounds.models import Round, State


def get_round_for_user(user: User, round_id: UUID) -> Round:
    """One's own round. Raises: Http404 for anyone else's, and for one that is not there."""
    found = Round.objects.select_related("user", "design_version").filter(pk=round_id, user=user).first()
    if found is None:
        raise Http404("You have no such round.")
    return found


def running_round_of(user: User) -> Round | None:
    """The person's round whose clock runs, as last settled."""
    return Round.objects.filter(user=user, deadline_at__isnull=False).first()


def rounds_due(now: datetime) -> list[UUID]:
    """The rounds that a look at `now` would move on, the longest overdue first."""
    due = Q(state=State.ARITHMETIC, deadline_at__lte=now) | Q(state=State.WRITING, deadline_at__lte=now - GRACE)
    return list(Round.objects.filter(due).order_by("deadline_at").values_list("pk", flat=True))
