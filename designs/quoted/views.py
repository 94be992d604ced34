"""The pages of the thirty figures and of the errata."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from designs.history import is_earned
from designs.quoted.errata import class_counts, errata
from designs.quoted.figures import figures
from designs.quoted.gating import earned_of, shown
from trainer.accounts.requests import TraineeRequest


@require_safe
@never_cache
@login_required
def figures_page(request: TraineeRequest) -> HttpResponse:
    """Each figure as quoted, and ours beside it with its expression; those of a design once it is earned."""
    rows = figures()
    earned = earned_of(request.user, rows)
    entries = [shown(str(row.id), f"figure-{row.id}", row, earned) for row in rows]
    return render(request, "designs/figures.html", {"entries": entries})


@require_safe
@never_cache
@login_required
def errata_page(request: TraineeRequest) -> HttpResponse:
    """Where the quoted figures disagree with their own arithmetic; those of a design once it is earned."""
    rows = errata()
    earned = earned_of(request.user, rows)
    entries = [shown(row.label, row.id, row, earned) for row in rows]
    counted = {slug for row in rows for slug in row.counted if slug in earned or is_earned(request.user, slug)}
    counts = next(filter(None, (class_counts(row, counted) for row in rows)), None)
    return render(request, "designs/errata.html", {"entries": entries, "counts": counts})
