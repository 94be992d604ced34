"""The other lists of the track: numbers, transfer, patterns, defects, failures, hire bar, cheat sheet and the rest."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from designs.history import earned_slugs
from designs.loader import load_designs
from grading.core.rubric import BARS
from trainer.accounts.requests import TraineeRequest
from trainer.study import catalogue_rows, cheat_sheet, selectors
from trainer.study.defects import taxonomy
from trainer.study.loader import load_study
from trainer.study.worked import WorkedEntry

UNPROCESSABLE = 422
KINDS = {
    "paper": "papers",
    "implementation": "implementations",
    "write-up": "write-ups",
    "documentation": "documentation",
}


@require_safe
@never_cache
@login_required
def numbers(request: TraineeRequest) -> HttpResponse:
    """Numbers to quote cold: hardware, links and prices of the catalogue, and what follows from them."""
    study = load_study()
    hardware, links, prices = (study.one("numbers", form) for form in ("hardware", "links", "prices"))
    rows = study.entries("numbers", "number")
    groups = [
        (group, [one for one in rows if one.filled("group") == group.id]) for group in study.entries("numbers", "group")
    ]
    context = {
        "hardware": hardware,
        "hardware_rows": catalogue_rows.hardware_rows(_listed(hardware, "accelerators")),
        "links": links,
        "link_rows": catalogue_rows.link_rows(_listed(links, "keys")),
        "prices": prices,
        "price_rows": catalogue_rows.price_rows(_listed(prices, "keys")),
        "groups": groups,
        "rules": study.entries("numbers", "rule"),
    }
    return render(request, "study/numbers.html", context)


def _listed(entry: WorkedEntry | None, key: str) -> tuple[str, ...]:
    return entry.lists.get(key, ()) if entry else ()


@require_safe
@never_cache
@login_required
def transfer(request: TraineeRequest) -> HttpResponse:
    """What carries over from distributed systems, and the instincts that fail."""
    study = load_study()
    context = {
        "top": study.one("transfer", "top"),
        "substitutions": study.entries("transfer", "substitution"),
        "transfers": selectors.items(request.user, study.entries("transfer", "transfers")),
        "fails": selectors.items(request.user, study.entries("transfer", "fails")),
    }
    return render(request, "study/transfer.html", context)


@require_safe
@never_cache
@login_required
def patterns(request: TraineeRequest) -> HttpResponse:
    """The cross-cutting patterns, each with where it returns."""
    study = load_study()
    context = {
        "top": study.one("patterns", "top"),
        "items": selectors.items(request.user, study.entries("patterns", "pattern")),
    }
    return render(request, "study/patterns.html", context)


@require_safe
@never_cache
@login_required
def defects(request: TraineeRequest) -> HttpResponse:
    """The defect taxonomy with our critiques by class: those of a design once it is earned."""
    context = {"taxonomy": taxonomy(earned_slugs(request.user)), "top": load_study().one("defects", "top")}
    return render(request, "study/defects.html", context)


@require_safe
@never_cache
@login_required
def failure_modes(request: TraineeRequest) -> HttpResponse:
    """How candidates fail: what is heard, the number that ends it, the cure."""
    study = load_study()
    context = {"top": study.one("failures", "top"), "failures": study.entries("failures", "failure")}
    return render(request, "study/failure_modes.html", context)


@require_safe
@never_cache
@login_required
def hire_bar(request: TraineeRequest) -> HttpResponse:
    """The hire bar in what an interviewer hears."""
    study, ranges = load_study(), _ranges()
    context = {
        "top": study.one("hire_bar", "top"),
        "bars": [(one, ranges.get(one.filled("name"), "")) for one in study.entries("hire_bar", "bar")],
        "caps": study.entries("hire_bar", "cap"),
    }
    return render(request, "study/hire_bar.html", context)


def _ranges() -> dict[str, str]:
    """Each verdict with the scores that earn it, before any cap."""
    found, above = {}, 0
    for low, name in BARS:
        found[name] = f"{low}% and more" if not above else f"{low}% to below {above}%" if low else f"below {above}%"
        above = low
    return found


@require_safe
@never_cache
@login_required
def sheet(request: TraineeRequest) -> HttpResponse:
    """The cheat sheet: one page, on paper too."""
    return render(request, "study/cheat_sheet.html", {"sheet": cheat_sheet.sheet_of(earned_slugs(request.user))})


@require_safe
@never_cache
@login_required
def references(request: TraineeRequest) -> HttpResponse:
    """What to take from each paper, implementation and write-up; one kind of them, if the URL names it."""
    study = load_study()
    kind = request.GET.get("kind", "")
    refused = bool(kind) and kind not in KINDS
    found = [one for one in study.entries("references", "reference") if refused or kind in ("", one.filled("kind"))]
    designs = load_designs().designs
    lines = [
        {
            "entry": one,
            "designs": [designs[slug] for slug in one.lists.get("used", ()) if slug in designs],
            "chapters": [study.chapters[slug] for slug in one.lists.get("chapters", ()) if slug in study.chapters],
        }
        for one in found
    ]
    context = {"lines": lines, "kinds": KINDS, "kind": kind, "refused": refused}
    return render(request, "study/references.html", context, status=UNPROCESSABLE if refused else 200)


@require_safe
@never_cache
@login_required
def glossary(request: TraineeRequest) -> HttpResponse:
    """Every term, from A to Z."""
    study = load_study()
    terms = sorted(study.entries("glossary", "term"), key=lambda one: one.filled("term").lower())
    lines = [{"entry": one, "chapter": study.chapters.get(one.filled("chapter"))} for one in terms]
    return render(request, "study/glossary.html", {"lines": lines, "top": study.one("glossary", "top")})
