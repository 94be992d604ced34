"""Drills: the list, the next one, a drill at a seed, its answer and its marks."""

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from calculator.views_worksheet import SeeOther
from trainer.accounts.requests import TraineeRequest
from trainer.drills import bank, selectors, services
from trainer.drills.core.forms import Drill, Kind
from trainer.drills.core.grading import LONGEST_TYPED
from trainer.drills.lists import groups_of, kinds_of
from trainer.drills.pages import drill_address, drill_page
from trainer.drills.refusals import DrillAnswerRefused
from trainer.drills.selectors import CARD_SEED, GROUPS, SEED, Filters
from trainer.drills.token import read_page, sign_page


@require_safe
@never_cache
def index(request: TraineeRequest) -> HttpResponse:
    """Every drill by group, with one's own record."""
    filters = _filters(request)
    drills, records = selectors.drills_of(request.user), selectors.records_of(request.user, timezone.now())
    context = {
        "groups": groups_of(drills, records, filters),
        "kinds": kinds_of(drills),
        "all_groups": {id: title for id, title in GROUPS.items() if any(d.group == id for d in drills.values())},
        "filters": filters,
        "tried": sum(bool(record.tried) for record in records.values()),
        "weak": sum(record.weak for id, record in records.items() if id in drills),
        "problems": bank.bank().problems,
    }
    return render(request, "drills/index.html", context)


@require_safe
@never_cache
def next_one(request: TraineeRequest) -> HttpResponse:
    """The drill to do next, at a fresh seed; back to the list where the filters take none."""
    filters = _filters(request)
    records = selectors.records_of(request.user, timezone.now())
    found = selectors.next_drill(request.user, filters, records, after=request.GET.get("after", ""))
    if found is None:
        return render(request, "drills/none.html", {"filters": filters})
    return redirect(drill_address(found, seed=selectors.fresh_seed(), timed=_timed(request.GET)))


@require_safe
@never_cache
def drill(request: TraineeRequest, drill_id: str) -> HttpResponse:
    """A drill at the seed of its address; without one, at a fresh seed."""
    found = selectors.get_drill_for_user(request.user, drill_id)
    if "seed" not in request.GET:
        return redirect(drill_address(found, seed=selectors.fresh_seed(), timed=_timed(request.GET)))
    return _page(request, found, _seed(request.GET), timed=bool(_timed(request.GET)))


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def answer(request: TraineeRequest, drill_id: str) -> HttpResponse:
    """The answer to a drawing; then its page, which now has the working. Opened as an address: the drawing's page."""
    found = selectors.get_drill_for_user(request.user, drill_id)
    if request.method != "POST":
        return _back(request, found)
    seed, timed = _seed(request.POST), bool(_timed(request.POST))
    try:
        services.attempt_record(
            user=request.user,
            drill=found,
            seed=seed,
            typed=request.POST.get("answer", ""),
            words=request.POST.get("words", ""),
            given_up="give_up" in request.POST,
            timed=timed,
            page=read_page(request.POST.get("page", "")),
            now=timezone.now(),
        )
    except DrillAnswerRefused as refused:
        return _page(request, found, seed, timed=timed, refused=refused)
    return SeeOther(drill_address(found, seed=seed, timed=_timed(request.POST)))


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def mark(request: TraineeRequest, drill_id: str) -> HttpResponse:
    """The marks of what was said aloud, or of an opener's sentence."""
    found = selectors.get_drill_for_user(request.user, drill_id)
    if request.method != "POST":
        return _back(request, found)
    seed, timed = _seed(request.POST), bool(_timed(request.POST))
    try:
        services.attempt_mark(
            user=request.user,
            drill=found,
            seed=seed,
            ticks=_ticks(request),
            said=request.POST.get("said") == "yes",
            now=timezone.now(),
        )
    except DrillAnswerRefused as refused:
        return _page(request, found, seed, timed=timed, refused=refused)
    return SeeOther(drill_address(found, seed=seed, timed=_timed(request.POST)))


def _back(request: TraineeRequest, found: Drill) -> HttpResponse:
    """To the page of the drill, at the seed of this address where it has one."""
    seed = _seed(request.GET) if "seed" in request.GET else ""
    return redirect(drill_address(found, seed=seed, timed=_timed(request.GET)))


def _page(
    request: TraineeRequest, found: Drill, seed: str, *, timed: bool, refused: DrillAnswerRefused | None = None
) -> HttpResponse:
    """The page as it stands; what was typed survives a refusal, and so does the page's own count of seconds."""
    typed = {name: request.POST.get(name, "") for name in ("answer", "words")}
    context = {
        "page": drill_page(request.user, found, seed, timed=timed),
        "typed": typed,
        "refused": refused,
        "token": request.POST.get("page") or sign_page(timezone.now()),
        "longest": LONGEST_TYPED,
        "group": GROUPS.get(found.group, ""),
    }
    return render(request, "drills/drill.html", context, status=refused.status if refused else 200)


def _filters(request: TraineeRequest) -> Filters:
    """What is asked for. Raises: Http404 for a kind or a group that there is not."""
    asked = {name: request.GET.get(name, "") for name in ("kind", "group", "concept", "chapter")}
    for name, known in (("kind", [kind.value for kind in Kind]), ("group", list(GROUPS))):
        if asked[name] and asked[name] not in known:
            raise Http404(f"{name}: must be one of {', '.join(known)}")
    return Filters(**asked, weak=request.GET.get("weak") == "1")


def _seed(given: Any) -> str:
    seed = str(given.get("seed", ""))
    if not SEED.fullmatch(seed) or seed.startswith(CARD_SEED):
        raise Http404(f"seed: must be 1 to 40 letters, digits and hyphens, and not begin with {CARD_SEED}")
    return seed


def _timed(given: Any) -> str:
    return "1" if given.get("timed") == "1" else ""


def _ticks(request: TraineeRequest) -> list[int]:
    given = request.POST.getlist("beat")
    if not all(one.isascii() and one.isdecimal() and len(one) <= 3 for one in given):
        raise DrillAnswerRefused("Beats: numbers of beats alone.", field="beat")
    return [int(one) for one in given]
