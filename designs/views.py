"""Pages of the designs. A worked design is in no response before it is earned."""

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from designs.core.matching import BadQuery
from designs.history import earned_slugs, index_entries, index_entry, is_earned
from designs.loaded import LoadedDesign
from designs.loader import load_designs
from designs.reading import Link, drawings_of, reading_of
from designs.search import search as search_designs
from designs.selectors import DesignNotFound, design_for_slug
from designs.step_pages import worksheet_of_step
from trainer.accounts.requests import TraineeRequest
from trainer.rounds.refusals import RoundRefused
from trainer.rounds.services import design_reading_record

UNPROCESSABLE = 422


@require_safe
@never_cache
@login_required
def index(request: TraineeRequest) -> HttpResponse:
    """The designs in the recommended order; whoever runs the site also sees what was refused, and why."""
    runs_the_site = not settings.HOSTED or request.user.is_staff
    loaded = load_designs()
    context = {
        "entries": index_entries(request.user, loaded.designs.values()),
        "refused": loaded.refused if runs_the_site else (),
    }
    return render(request, "designs/index.html", context)


@require_safe
@never_cache
@login_required
def search(request: TraineeRequest) -> HttpResponse:
    """What one has earned, searched for words."""
    context: dict[str, object] = {"query": request.GET.get("q", "")}
    try:
        designs = load_designs().designs
        earned = earned_slugs(request.user) & designs.keys()
        found = search_designs(request.GET.get("q", ""), designs.values(), earned=earned)
        context |= {"found": found, "earned": len(earned)}
    except BadQuery as refused:
        return render(request, "designs/search.html", {"query": "", "refused": refused}, status=UNPROCESSABLE)
    return render(request, "designs/search.html", context)


@require_safe
@never_cache
@login_required
def design(request: TraineeRequest, slug: str) -> HttpResponse:
    """The prompt alone, or, once it is earned, the whole design."""
    loaded = _loaded_or_404(slug)
    context = {"design": loaded, "entry": index_entry(request.user, loaded)}
    if not is_earned(request.user, slug):
        return render(request, "designs/prompt.html", context)
    context |= {"reading": reading_of(loaded, _worksheet_link(slug)), "drawings": drawings_of(loaded)}
    return render(request, "designs/reading.html", context)


@require_safe
@never_cache
@login_required
def step(request: TraineeRequest, slug: str, step: str) -> HttpResponse:
    """One step in the worksheet, for who has earned the design: for anyone else there is none."""
    loaded = _loaded_or_404(slug)
    if not is_earned(request.user, slug):
        raise Http404("this design is not earned")
    return worksheet_of_step(request, loaded, step, back=f"{reverse('designs:design', args=[slug])}#step-{step}")


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def read(request: TraineeRequest, slug: str) -> HttpResponse:
    """ "Read without attempting": asks once, then is on record."""
    loaded = _loaded_or_404(slug)
    if is_earned(request.user, slug):
        return redirect("designs:design", slug=slug)
    context = {"design": loaded, "entry": index_entry(request.user, loaded)}
    if request.method != "POST":
        return render(request, "designs/read.html", context)
    try:
        design_reading_record(user=request.user, slug=slug, now=timezone.now())
    except RoundRefused as refused:
        return render(request, "designs/read.html", context | {"refused": refused}, status=refused.status)
    return redirect("designs:design", slug=slug)


def _worksheet_link(slug: str) -> Link:
    return lambda step: reverse("designs:step", args=[slug, step])


def _loaded_or_404(slug: str) -> LoadedDesign:
    try:
        return design_for_slug(slug)
    except DesignNotFound:
        raise Http404(f"there is no design {slug[:40]!r}") from None
