"""The calculator's page and its JSON. The question is in the URL; nothing is stored."""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_safe
from django_htmx.http import replace_url

from calculator.charts import BAR_WIDTH, memory_bar, roofline_chart
from calculator.core.inputs import InputError, InputErrors
from calculator.core.mathml import to_mathml
from calculator.core.plan import Plan, evaluate
from calculator.core.script import spoken
from calculator.core.steps import Step
from calculator.core.text import show
from calculator.forms import FieldGroup, field_groups
from calculator.parsing import EXAMPLE, read_inputs

PART_TITLES = {
    "memory": "Memory",
    "time": "Time",
    "roofline": "Roofline",
    "throughput": "Throughput",
    "cost": "Cost",
}
UNPROCESSABLE = 422


@dataclass(frozen=True)
class ShownStep:
    """A step as the page shows it."""

    step: Step
    value: str
    mathml: str

    @property
    def id(self) -> str:
        """Names the step in the page, so that it stays open while one types."""
        return "step-" + self.step.path.replace("/", "-")


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """The form and its results; only the results when htmx asks."""
    typed = typed_fields(request.GET) or dict(EXAMPLE)
    plan, errors = answer(typed, request.GET)
    groups = field_groups(typed, plan, errors)
    query = urlencode(typed)
    context = {"groups": groups, "errors": labelled(errors, groups), "query": query, **results(plan)}
    status = UNPROCESSABLE if errors else 200
    if not request.htmx or request.htmx.history_restore_request:  # type: ignore[attr-defined]
        return render(request, "calculator/page.html", context, status=status)
    response = render(request, "calculator/page.html#answer", context, status=status)
    return replace_url(response, f"{reverse('calculator:page')}?{query}")


@require_safe
def as_json(request: HttpRequest) -> JsonResponse:
    """The same answer as JSON; 422 with every refused field."""
    plan, errors = answer(typed_fields(request.GET), request.GET)
    if plan is None:
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
    return JsonResponse(plan.as_dict(), json_dumps_params={"ensure_ascii": False, "allow_nan": False})


def typed_fields(query: QueryDict) -> dict[str, str]:
    """What was typed, without the fields left empty."""
    return {name: value for name, value in query.items() if isinstance(value, str) and value.strip()}


def answer(typed: dict[str, str], query: QueryDict) -> tuple[Plan | None, tuple[InputError, ...]]:
    """The plan, or why there is none."""
    repeated = [
        InputError(name[:40], "it is given more than once", "given once", values[0][:40])
        for name, values in query.lists()
        if len(values) > 1
    ]
    if repeated:
        return None, tuple(repeated)
    try:
        return evaluate(read_inputs(typed)), ()
    except InputErrors as refused:
        return None, refused.errors


def results(plan: Plan | None) -> dict[str, object]:
    """What the results show of a plan."""
    if plan is None:
        return {"plan": None}
    parts = [
        (title, [shown(step) for step in plan.steps if step.path.split("/", 1)[0] == part])
        for part, title in PART_TITLES.items()
    ]
    return {
        "plan": plan,
        "headline": [shown(plan.step(path)) for path in HEADLINE],
        "parts": parts,
        "script": spoken(plan),
        "roofline": roofline_chart(plan),
        "memory_bar": memory_bar(plan),
        "bar_width": BAR_WIDTH,
    }


HEADLINE = (
    "memory/weights",
    "memory/kv_pool",
    "memory/max_batch",
    "time/decode/floor",
    "time/decode/expected",
    "time/prefill/expected",
    "throughput/tokens_per_s",
    "cost/per_million_output_tokens",
)


def shown(step: Step) -> ShownStep:
    """A step with its value written out and its formula as MathML."""
    value = "–" if step.value is None else show(step.value, step.unit)
    return ShownStep(step, value, to_mathml(step.formula))


def labelled(errors: tuple[InputError, ...], groups: list[FieldGroup]) -> list[tuple[str, str, str]]:
    """Errors as (id of the control or nothing, label, message) for the summary."""
    fields = {field.name: field for group in groups for field in group.fields}
    found = []
    for error in errors:
        field = fields.get(error.field)
        found.append((field.id if field else "", field.label if field else error.field, error.message))
    return found
