"""The calculator's page, its parts and its JSON. The question is in the URL; nothing is stored."""

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_safe
from django_htmx.http import replace_url, trigger_client_event

from calculator.answers import PARTS, answer, headline, part_context, repeated_fields, typed_fields
from calculator.core.inputs import InputError
from calculator.core.plan import Plan
from calculator.forms import field_groups, labelled
from calculator.parsing import EXAMPLE

UNPROCESSABLE = 422
ANSWERED = "calculator:answered"
"""What the browser is told when there is a new answer: the parts of the page then ask for theirs."""


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """The form and everything about its answer; only the summary of the answer when htmx asks."""
    typed = typed_fields(request.GET) or dict(EXAMPLE)
    plan, errors = answer(typed, repeated_fields(request.GET))
    context = summary(plan, errors, typed)
    if not request.htmx or request.htmx.history_restore_request:  # type: ignore[attr-defined]
        context |= {"groups": field_groups(typed, plan, errors), "parts": all_parts(plan, typed)}
        return render(request, "calculator/page.html", context, status=UNPROCESSABLE if errors else 200)
    response = render(request, "calculator/answer.html", context, status=UNPROCESSABLE if errors else 200)
    if plan:
        trigger_client_event(response, ANSWERED)
    return replace_url(response, f"{reverse('calculator:page')}?{context['query']}")


@require_safe
def part(request: HttpRequest, name: str) -> HttpResponse:
    """One part of the page for the question in the query."""
    if name not in PARTS:
        raise Http404("There is no such part.")
    typed = typed_fields(request.GET)
    plan, errors = answer(typed, repeated_fields(request.GET))
    if plan is None:
        return render(request, "calculator/parts/refused.html", {"errors": labelled(errors)}, status=UNPROCESSABLE)
    context = part_context(name, plan, typed)
    return render(request, "calculator/part.html", context)


@require_safe
def as_json(request: HttpRequest) -> JsonResponse:
    """The same answer as JSON; 422 with every refused field."""
    plan, errors = answer(typed_fields(request.GET), repeated_fields(request.GET))
    if plan is None:
        return refused_json(errors)
    return JsonResponse(plan.as_dict(), json_dumps_params={"ensure_ascii": False, "allow_nan": False})


def refused_json(errors: tuple[InputError, ...]) -> JsonResponse:
    """Every refused field by name, with what it may be."""
    refused = [
        {
            "field": error.field,
            "message": error.message,
            "problem": error.problem,
            "allowed": error.allowed,
            "example": error.example,
        }
        for error in errors
    ]
    return JsonResponse({"errors": refused}, status=UNPROCESSABLE)


def summary(plan: Plan | None, errors: tuple[InputError, ...], typed: dict[str, str]) -> dict[str, object]:
    """What the summary shows: the verdict and the results on top, or every refused field."""
    shown: dict[str, object] = {"plan": plan, "errors": labelled(errors), "query": urlencode(typed)}
    if plan:
        shown |= {"headline": headline(plan), "asked": plan.inputs, "verdict": plan.verdict}
    return shown


def all_parts(plan: Plan | None, typed: dict[str, str]) -> list[dict[str, object]]:
    """Every part of the page; without an answer none."""
    return [] if plan is None else [part_context(name, plan, typed) for name in PARTS]
