"""A topic's form and its working as HTML."""

from collections.abc import Mapping, Sequence

from django.utils.html import format_html_join
from django.utils.safestring import SafeString, mark_safe

from calculator.core.inputs import InputError
from calculator.core.mathml import to_mathml
from calculator.forms import FieldGroup, FormField, suggestions
from calculator.topic_answers import TopicAnswer
from calculator.topics import Topic, TopicInput


def topic_groups(asked: Topic, typed: Mapping[str, str], errors: Sequence[InputError]) -> list[FieldGroup]:
    """Every input with what was typed; the assumptions folded away while nothing is typed into them."""
    messages = {error.field: error.message for error in errors}
    groups = []
    for title, assumption in (("Inputs", False), ("Assumptions", True)):
        fields = tuple(
            _field(one, typed.get(one.name, ""), messages.get(one.name, ""))
            for one in asked.inputs
            if one.assumption == assumption
        )
        if fields:
            opened = any(field.error or field.value for field in fields)
            groups.append(FieldGroup(title, fields, assumption, opened))
    return groups


def _field(one: TopicInput, typed: str, error: str) -> FormField:
    rows = suggestions("model" if one.kind == "model" else "gpu") if one.kind != "number" else ()
    mode = "decimal" if one.kind == "number" else "text"
    return FormField(one.name, one.label, one.unit, one.help, typed, one.default, error, (), rows, mode)


def topic_labelled(asked: Topic, errors: Sequence[InputError]) -> list[tuple[str, str, str]]:
    """Errors as (id of the control or nothing, label, message) for the summary."""
    found = []
    for error in errors:
        one = asked.input(error.field)
        found.append((f"field-{error.field}" if one else "", one.label if one else error.field, error.message))
    return found


def topic_step_html(answer: TopicAnswer) -> SafeString:
    """Every result, opening to its formula, the numbers put in, what follows, and its source."""
    return format_html_join(
        "",
        '<details class="calculator-step" id="step-{}"><summary><span>{}</span><span class="num">{}</span></summary>'
        '<div class="calculator-step-body"><p class="calculator-formula" tabindex="0">{}</p>'
        '<p class="step-working">{} = {}</p><p>{}</p><p class="muted small">Source: {}</p></div></details>',
        (
            (
                one.step.id,
                one.step.title,
                one.text,
                mark_safe(to_mathml(one.step.formula)),
                one.with_numbers,
                one.text,
                one.decides,
                one.step.source,
            )
            for one in answer.steps
        ),
    )
