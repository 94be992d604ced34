"""The topics: a list, a page for each, and its JSON. The question is in the URL; nothing is stored."""

from collections.abc import Mapping

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_safe
from django_htmx.http import replace_url

from calculator.answers import repeated_fields, typed_fields
from calculator.core.inputs import InputError, InputErrors
from calculator.topic_answers import TopicAnswer, topic_answer
from calculator.topic_charts import flip_texts, topic_chart
from calculator.topic_forms import topic_groups, topic_labelled, topic_step_html
from calculator.topic_output import answer_dict
from calculator.topic_plots import curves
from calculator.topics import Topic, topic, topics
from calculator.views import UNPROCESSABLE, refused_json


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Every topic with what it is about."""
    return render(request, "calculator/topics.html", {"topics": topics().values()})


@require_safe
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """A topic's form and everything about its answer; the answer alone when htmx asks."""
    asked = topic_or_404(slug)
    typed = typed_fields(request.GET)
    answer, errors = answered(asked, typed, repeated_fields(request.GET))
    context = shown(asked, answer, errors, typed)
    status = UNPROCESSABLE if errors else 200
    if not request.htmx or request.htmx.history_restore_request:  # type: ignore[attr-defined]
        context["groups"] = topic_groups(asked, typed, errors)
        return render(request, "calculator/topic.html", context, status=status)
    response = render(request, "calculator/topic_answer.html", context, status=status)
    return replace_url(response, f"{reverse('calculator:topic', args=[slug])}?{context['query']}")


@require_safe
def as_json(request: HttpRequest, slug: str) -> JsonResponse:
    """The same answer as JSON; 422 with every refused field."""
    asked = topic_or_404(slug)
    answer, errors = answered(asked, typed_fields(request.GET), repeated_fields(request.GET))
    if answer is None:
        return refused_json(errors)
    return JsonResponse(answer_dict(answer), json_dumps_params={"ensure_ascii": False, "allow_nan": False})


def topic_or_404(slug: str) -> Topic:
    """The topic, or a 404."""
    try:
        return topic(slug)
    except KeyError:
        raise Http404("There is no such topic.") from None


def answered(
    asked: Topic, typed: Mapping[str, str], repeated: tuple[InputError, ...]
) -> tuple[TopicAnswer | None, tuple[InputError, ...]]:
    """The answer, or why there is none."""
    if repeated:
        return None, repeated
    try:
        return topic_answer(asked.slug, typed), ()
    except InputErrors as refused:
        return None, refused.errors


def shown(
    asked: Topic, answer: TopicAnswer | None, errors: tuple[InputError, ...], typed: Mapping[str, str]
) -> dict[str, object]:
    """What the answer's part of the page shows."""
    context: dict[str, object] = {
        "topic": asked,
        "answer": answer,
        "errors": topic_labelled(asked, errors),
        "query": urlencode(typed),
    }
    if answer:
        plotted = curves(answer)
        context["charts"] = [{"chart": topic_chart(one), "flips": flip_texts(one)} for one in plotted]
        context["working"] = topic_step_html(answer)
        context["worksheet"] = urlencode({"text": answer.worksheet()})
    return context
