"""The working as HTML. Written in Python, since it is most of the page: a template takes ten times as long."""

from functools import lru_cache

from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe

from calculator.core.mathml import to_mathml
from calculator.core.plan import Plan
from calculator.core.steps import Step
from calculator.core.text import show

PART_TITLES = {
    "memory": "Memory",
    "time": "Time",
    "roofline": "Roofline",
    "throughput": "Throughput",
    "reuse": "Reuse and transfer",
    "cost": "Cost",
}
_mathml = lru_cache(maxsize=512)(to_mathml)


def value_text(step: Step) -> str:
    """A step's value as the page writes it."""
    return "–" if step.value is None else show(step.value, step.unit)


@lru_cache(maxsize=2048)
def step_html(step: Step) -> SafeString:
    """A result that opens to its formula, the numbers put in, what follows, and its source."""
    numbers = f'<p class="step-working">{escape(step.with_numbers)}</p>' if step.with_numbers else ""
    return format_html(
        '<details class="calculator-step" id="step-{}">'
        '<summary><span>{}</span><span class="num">{}</span></summary><div class="calculator-step-body">'
        '<p class="calculator-formula" tabindex="0">{}</p>{}<p>{}</p><p class="muted small">Source: {}</p>'
        "</div></details>",
        step.path.replace("/", "-"),
        step.title,
        value_text(step),
        mark_safe(_mathml(step.formula)),
        mark_safe(numbers),
        step.why,
        step.source,
    )


def working_html(plan: Plan) -> SafeString:
    """Every step under the title of its part."""
    parts: dict[str, list[str]] = {part: [] for part in PART_TITLES}
    for step in plan.steps:
        parts[step.path.split("/", 1)[0]].append(step_html(step))
    written = [f"<h3>{title}</h3>{''.join(parts[part])}" for part, title in PART_TITLES.items() if parts[part]]
    return mark_safe("".join(written))
