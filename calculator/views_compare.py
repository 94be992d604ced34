"""Two configurations side by side. Both are in the URL; the second says only what differs."""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_safe
from django_htmx.http import replace_url

from calculator.answers import answer, comparison, repeated_fields, typed_fields
from calculator.core.inputs import InputError
from calculator.core.plan import Plan
from calculator.forms import FormField, field_groups, labelled
from calculator.parsing import EXAMPLE
from calculator.views import UNPROCESSABLE

PREFIX = "b."
EXAMPLE_B = {"b.gpu": "h200"}


@dataclass(frozen=True)
class FieldPair:
    """A field of both configurations."""

    first: FormField
    second: FormField


@dataclass(frozen=True)
class PairGroup:
    """Fields that belong together."""

    title: str
    pairs: tuple[FieldPair, ...]
    folded: bool
    open: bool


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """The two questions and their results; only the results when htmx asks."""
    typed = typed_fields(request.GET) or EXAMPLE | EXAMPLE_B
    first = {name: value for name, value in typed.items() if not name.startswith(PREFIX)}
    other = {name.removeprefix(PREFIX): value for name, value in typed.items() if name.startswith(PREFIX)}
    repeated = repeated_fields(request.GET)
    answers = [answer(first, repeated), answer(first | other, repeated)]
    plans = [plan for plan, _ in answers if plan is not None]
    context: dict[str, object] = {
        "sides": [
            (name, plan, labelled(errors), urlencode(asked))
            for name, (plan, errors), asked in zip("AB", answers, (first, first | other), strict=True)
        ],
        "rows": comparison((plans[0], plans[1])) if len(plans) == 2 else [],
    }
    status = 200 if len(plans) == 2 else UNPROCESSABLE
    if request.htmx and not request.htmx.history_restore_request:  # type: ignore[attr-defined]
        response = render(request, "calculator/compared.html", context, status=status)
        return replace_url(response, f"{reverse('calculator:compare')}?{urlencode(typed)}")
    context["groups"] = _pairs(first, other, answers)
    return render(request, "calculator/compare.html", context, status=status)


def _pairs(
    first: dict[str, str], other: dict[str, str], answers: list[tuple[Plan | None, tuple[InputError, ...]]]
) -> list[PairGroup]:
    """The fields of both sides; what the second leaves out is that of the first, shown greyed."""
    (plan, errors), (other_plan, other_errors) = answers
    found = []
    for ours, theirs in zip(
        field_groups(first, plan, errors), field_groups(other, other_plan, other_errors), strict=True
    ):
        pairs = tuple(FieldPair(one, two) for one, two in zip(ours.fields, theirs.fields, strict=True))
        found.append(PairGroup(ours.title, pairs, ours.folded, ours.open or theirs.open))
    return found
