"""The self-assessment, and the recommended order with its plan for a calendar."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from designs.history import index_entries
from designs.loader import load_designs
from trainer.accounts.models import User
from trainer.accounts.requests import TraineeRequest
from trainer.home.order import sitting_order
from trainer.review.days import study_day_of
from trainer.study import selectors
from trainer.study.core.plan import WEEKDAYS, WEEKS, Stop, calendar
from trainer.study.loader import load_study
from trainer.study.models import LEVELS
from trainer.study.plan_form import PlanForm
from trainer.study.redirects import see_other
from trainer.study.services import MarkRefused, self_assessment_record

UNPROCESSABLE = 422
LEVEL_NAMES = {0: "cannot", 1: "with notes", 2: "aloud", 3: "aloud, and where it breaks"}
ROUND_MINUTES, DAILY_MINUTES = 110, 10


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def self_assessment(request: TraineeRequest) -> HttpResponse:
    """Fourteen items, marked 0 to 3 as often as one likes; what is below 2 becomes a card."""
    items = {one.id: one for one in load_study().entries("self_assessment", "item")}
    if request.method != "POST":
        return render(request, "study/self_assessment.html", _assessment(request, {}, {}))
    typed = {id: request.POST[f"level-{id}"] for id in items if request.POST.get(f"level-{id}")}
    errors = {
        id: f"0 to {LEVELS[-1]}, not {text[:20]!r}." for id, text in typed.items() if text not in map(str, LEVELS)
    }
    if not errors:
        levels = {id: int(text) for id, text in typed.items()}
        try:
            self_assessment_record(user=request.user, levels=levels, items=items, now=timezone.now())
        except MarkRefused as refused:
            errors = {refused.field: refused.message}
    if errors or not typed:
        context = _assessment(request, typed, errors) | {"nothing": not typed}
        return render(request, "study/self_assessment.html", context, status=UNPROCESSABLE)
    return see_other(f"{reverse('study:self_assessment')}#kept")


def _assessment(request: TraineeRequest, typed: dict[str, str], errors: dict[str, str]) -> dict[str, object]:
    study = load_study()
    marks = selectors.self_levels(request.user)
    views = selectors.concept_views(request.user)
    rows = [
        {
            "entry": one,
            "chosen": typed.get(one.id, ""),
            "error": errors.get(one.id, ""),
            "marks": marks.get(one.id, []),
            "concepts": [views[id] for id in one.lists.get("concepts", ()) if id in views],
        }
        for one in study.entries("self_assessment", "item")
    ]
    return {
        "rows": rows,
        "top": study.one("self_assessment", "top"),
        "levels": LEVEL_NAMES.items(),
        "errors": errors,
        "marked": sum(bool(row["marks"]) for row in rows),
        "below": sum(bool(row["marks"]) and row["marks"][0].level < 2 for row in rows),  # type: ignore[index]
    }


@require_safe
@never_cache
@login_required
def order(request: TraineeRequest) -> HttpResponse:
    """The recommended order with its reasons, and the form of the plan."""
    left = _left(request.user)
    first = PlanForm.first(request.user, study_day_of(request.user, timezone.now()), len(left))
    return render(request, "study/order.html", _order(request, PlanForm(initial=first), left))


@require_safe
@never_cache
@login_required
def plan(request: TraineeRequest) -> HttpResponse:
    """The plan of what is left as a calendar file; 422 with the page for what is refused, or where nothing is left."""
    form, left = PlanForm(request.GET), _left(request.user)
    if not form.is_valid() or not left:
        return render(request, "study/order.html", _order(request, form, left), status=UNPROCESSABLE)
    study = load_study().one("order", "plan")
    stops = _stops(request)
    content = calendar(
        [one for one in stops if one.slug in left],
        stops,
        form.wish(owner=f"{request.user.pk}.{request.get_host().partition(':')[0]}"),
        round_minutes=int(study.numbers.get("round_minutes", ROUND_MINUTES)) if study else ROUND_MINUTES,
        daily_minutes=int(study.numbers.get("daily_minutes", DAILY_MINUTES)) if study else DAILY_MINUTES,
        round_title=study.filled("summary_round") if study else "Roofline: {{ title }}",
        daily_title=study.filled("summary_daily") if study else "Roofline: cards",
        now=timezone.now(),
    )
    response = HttpResponse(content, content_type="text/calendar; charset=utf-8")
    response.headers["Content-Disposition"] = 'attachment; filename="roofline-plan.ics"'
    return response


def _order(request: TraineeRequest, form: PlanForm, left: list[str]) -> dict[str, object]:
    study = load_study()
    reasons = {one.id: one for one in study.entries("order", "stop")}
    entries = {one.slug: one for one in index_entries(request.user, load_designs().designs.values())}
    return {
        "top": study.one("order", "top"),
        "stops": [{"design": entries[slug], "reason": reasons.get(slug)} for slug in sitting_order(entries)],
        "form": form,
        "sat": len(entries) - len(left),
        "left": [entries[slug] for slug in left],
        "weekdays": WEEKDAYS,
        "weeks": WEEKS,
    }


def _left(user: User) -> list[str]:
    """The installed designs that this trainee has not sat to the end, in the order in which they are sat."""
    entries = index_entries(user, load_designs().designs.values())
    return sitting_order(one.slug for one in entries if not one.done)


def _stops(request: TraineeRequest) -> list[Stop]:
    """The installed designs in the order in which they are sat."""
    designs = load_designs().designs
    reasons = {one.id: one.filled("reason") for one in load_study().entries("order", "stop")}
    return [
        Stop(
            slug,
            designs[slug].title,
            reasons.get(slug, designs[slug].summary),
            request.build_absolute_uri(reverse("designs:design", args=[slug])),
        )
        for slug in sitting_order(designs)
    ]
