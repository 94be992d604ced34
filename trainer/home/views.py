"""The Today page: what is due, and one button for it."""

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from trainer.accounts.requests import TraineeRequest
from trainer.home import selectors
from trainer.rounds.services import user_rounds_settle


@require_safe
@never_cache
def today(request: TraineeRequest) -> HttpResponse:
    """What is due now, what comes after it, and how the lines have gone so far."""
    now = timezone.now()
    user_rounds_settle(user=request.user, now=now)
    page = selectors.today_page(request.user, now, wished=request.GET.get("design", ""))
    return render(request, "home/today.html", {"page": page})
