"""A model out of a config.json that is pasted or uploaded: posted, read and forgotten, never in a URL or a table."""

from dataclasses import replace

from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.http import HttpRequest, HttpResponse
from django.http.multipartparser import MultiPartParserError
from django.shortcuts import render
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from calculator.answers import answer, repeated_fields, typed_fields
from calculator.config_files import LARGEST_BYTES, model_from_config_text
from calculator.core.inputs import InputError, InputErrors
from calculator.core.llms import LanguageModel
from calculator.core.plan import Plan
from calculator.forms import FieldGroup, field_groups
from calculator.views import UNPROCESSABLE, all_parts, summary

ALLOWED = f"the text of a config.json of at most {LARGEST_BYTES:,} bytes"
EXAMPLE = '{"hidden_size": 4096, …}'
TOO_LARGE = InputError("config", "it is too large", ALLOWED, EXAMPLE)
NOT_FIELDS = {"config", "csrfmiddlewaretoken"}
START = {"gpu": "h100", "gpus": "8", "seq_len": "8192", "batch": "32"}


@csrf_exempt  # it only calculates: nothing is stored, and what a stranger makes a browser post here changes nothing
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest) -> HttpResponse:
    """The form for a configuration, and the answer once there is one."""
    if request.method != "POST":
        return render(request, "calculator/config.html", {"groups": _groups(START, None, ()), "parts": []})
    text, name, typed, errors = _posted(request)
    plan = None
    if not errors:
        plan, errors = answer(typed, repeated_fields(request.POST), lambda: _model(text, name))
    context = summary(plan, errors, typed) | {"parts": all_parts(plan, typed), "config": _kept(text), "query": ""}
    context["config_error"] = _config_error(errors)
    htmx = bool(request.htmx)  # type: ignore[attr-defined]
    if not htmx:
        context["groups"] = _groups(typed, plan, errors)
    template = "calculator/answers.html" if htmx else "calculator/config.html"
    return render(request, template, context, status=UNPROCESSABLE if errors else 200)


def _groups(typed: dict[str, str], plan: Plan | None, errors: tuple[InputError, ...]) -> list[FieldGroup]:
    """The fields without the model's name."""
    groups = field_groups(typed, plan, errors)
    return [replace(group, fields=tuple(field for field in group.fields if field.name != "model")) for group in groups]


def _posted(request: HttpRequest) -> tuple[bytes | str, str, dict[str, str], tuple[InputError, ...]]:
    """Text, file name and fields of a post; an upload goes before what is pasted."""
    try:
        posted, uploaded = request.POST, request.FILES.get("file")
    except (RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent, MultiPartParserError):
        return "", "", {}, (TOO_LARGE,)
    typed = {name: value for name, value in typed_fields(posted).items() if name not in NOT_FIELDS}
    if uploaded is None:
        return posted.get("config", ""), "config.json", typed, ()
    if (uploaded.size or 0) > LARGEST_BYTES:
        return "", "", typed, (TOO_LARGE,)
    return uploaded.read(), (uploaded.name or "config.json")[:80], typed, ()


def _model(text: bytes | str, name: str) -> LanguageModel:
    if not text.strip():
        raise InputErrors([InputError("config", "it is neither pasted nor uploaded", ALLOWED, EXAMPLE)])
    return model_from_config_text(text, name)


def _kept(text: bytes | str) -> str:
    """What was given, to be shown again: an upload becomes what is pasted, so that one can go on from it."""
    return text.decode("utf-8", "replace") if isinstance(text, bytes) else text


def _config_error(errors: tuple[InputError, ...]) -> str:
    return " ".join(error.message for error in errors if error.field == "config")
