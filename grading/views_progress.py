"""How a trainee's rounds have gone, and how well they judge themselves."""

from zoneinfo import ZoneInfo

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from grading.progress import progress_page
from trainer.rounds.looks import trainee
from trainer.rounds.services import user_rounds_settle


@require_safe
@never_cache
def page(request: HttpRequest) -> HttpResponse:
    """Scores by line, the weakest of them, oneself against the model, and what the model has cost."""
    user, now = trainee(request), timezone.now()
    user_rounds_settle(user=user, now=now)
    with timezone.override(ZoneInfo(user.time_zone)):
        return render(request, "grading/progress.html", {"page": progress_page(user, now)})
