"""The small endpoints beside the page: saves, the clock, the worksheet's values, the focus, late text."""

import hashlib
import json
from typing import Any
from uuid import UUID

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from trainer.rounds import pages, services, worksheet
from trainer.rounds.core import documents, machine
from trainer.rounds.core.text import BadText, clean_text
from trainer.rounds.looks import SeeOther, look, refusal_json
from trainer.rounds.models import Round
from trainer.rounds.parts import Worksheet
from trainer.rounds.refusals import RoundRefused
from trainer.rounds.selectors.page import clock_of
from trainer.rounds.services.inputs import text_or_refuse


@require_safe
@never_cache
def clock(request: HttpRequest, round_id: UUID) -> JsonResponse:
    """The server's clock: moments in ISO 8601 with zone. None where there is no clock."""
    round_, now = look(request, round_id)
    face = clock_of(round_, now)
    return JsonResponse(
        {
            "state": face.state,
            "mode": face.mode,
            "server_now": face.server_now.isoformat(),
            "deadline_at": face.deadline_at.isoformat() if face.deadline_at else None,
            "seal_at": face.seal_at.isoformat() if face.seal_at else None,
            "paused": face.paused,
            "paused_seconds_left": face.paused_seconds_left,
        }
    )


@require_http_methods(["PUT", "POST", "GET"])
@never_cache
def document(request: HttpRequest, round_id: UUID, key: str) -> HttpResponse:
    """PUT: save by a script, answered in JSON. POST: the same by a form, answered with the page."""
    round_, now = look(request, round_id)
    if request.method == "GET":
        return SeeOther(reverse("rounds:round", args=[round_.pk]))
    if request.method == "POST":
        return _document_by_form(request, round_, key)
    try:
        fields = _json_fields(request)
        saved = services.document_save(
            round=round_,
            key=key,
            text=fields.get("text"),
            base_revision=fields.get("base_revision"),
            save_id=fields.get("save_id"),
            now=now,
        )
    except RoundRefused as refused:
        return refusal_json(refused)
    return JsonResponse({"revision": saved.revision, "saved_at": saved.saved_at.isoformat()})


@require_POST
@never_cache
def evaluate(request: HttpRequest, round_id: UUID) -> HttpResponse:
    """The worksheet's lines with their values, for a text that need not be saved. Changes nothing."""
    round_, _ = look(request, round_id)
    try:
        if round_.state not in machine.CLOCKED:
            message = f"The worksheet is closed; this round is {machine.STATE_NAMES[round_.state]}."
            raise RoundRefused("out_of_order", message, 409, extra={"state": round_.state})
        text = text_or_refuse(
            _posted(request).get("text"),
            "The worksheet",
            field="text",
            limit_characters=documents.WORKSHEET_LIMIT_CHARACTERS,
            status_if_long=413,
        )
    except RoundRefused as refused:
        return refusal_json(refused)
    context = {"worksheet": _as_typed(round_, text), "round_id": round_.pk}
    return render(request, "rounds/worksheet_rows.html", context)


@require_POST
@never_cache
def focus(request: HttpRequest, round_id: UUID) -> JsonResponse:
    """The trainee turned to a section or another place."""
    round_, now = look(request, round_id)
    try:
        key = text_or_refuse(_posted(request).get("key"), "key", field="key", limit_characters=16)
        services.focus_record(round=round_, key=key, now=now)
    except RoundRefused as refused:
        return refusal_json(refused)
    return JsonResponse({"key": key})


@require_POST
@never_cache
def addendum(request: HttpRequest, round_id: UUID) -> JsonResponse:
    """Text that a browser still held after the seal. 201 when it is kept, 200 when it had been saved in time."""
    round_, now = look(request, round_id)
    try:
        fields = _posted(request)
        key = text_or_refuse(fields.get("key"), "key", field="key", limit_characters=16)
        offered = services.addendum_offer(
            round=round_, key=key, text=fields.get("text"), save_id=fields.get("save_id"), now=now
        )
    except RoundRefused as refused:
        return refusal_json(refused)
    if offered is None:
        return JsonResponse({"id": None, "decision": "saved"})
    return JsonResponse({"id": offered.pk, "decision": offered.decision}, status=201)


def _document_by_form(request: HttpRequest, round_: Round, key: str) -> HttpResponse:
    """A browser without scripts: the same text posted twice is known by what it is."""
    text, base = request.POST.get("text", ""), request.POST.get("base_revision", "")
    _, now = look(request, round_.pk)
    try:
        posted_as = hashlib.sha256(f"{base}\n{_plain(text)}".encode()).hexdigest()
        services.document_save(round=round_, key=key, text=text, base_revision=base, save_id=posted_as, now=now)
    except RoundRefused as refused:
        settled, _ = look(request, round_.pk)
        return pages.render_round(request, settled, status=refused.status, refused=refused, posted=request.POST)
    return SeeOther(f"{reverse('rounds:round', args=[round_.pk])}#{key}")


def _plain(text: str) -> str:
    """The text as it would be stored; as it came when it cannot be, which the service then refuses."""
    try:
        return clean_text(text, "text", limit_characters=len(text))
    except BadText:
        return text.encode("utf-8", "replace").decode()


def _as_typed(round_: Round, text: str) -> Worksheet:
    rows = worksheet.rows_of(text, starred=round_.deciding_line)
    return Worksheet(
        text=text,
        revision=0,
        saved_at=None,
        rows=rows,
        starred_name=round_.deciding_line,
        starred_at=round_.deciding_starred_at,
        starred_stands=any(row.starred for row in rows),
    )


def _posted(request: HttpRequest) -> dict[str, Any]:
    """The fields of a form or of a JSON object."""
    return _json_fields(request) if request.content_type == "application/json" else request.POST.dict()


def _json_fields(request: HttpRequest) -> dict[str, Any]:
    """The JSON object in the body. Raises: RoundRefused 422 when there is none."""
    try:
        fields = json.loads(request.body)
    except RequestDataTooBig as error:
        raise RoundRefused("too_long", "That is more than the server reads at once. Shorten it.", 413) from error
    except (ValueError, RecursionError) as error:
        raise RoundRefused("invalid", "The body must be a JSON object in UTF-8.", 422) from error
    if not isinstance(fields, dict):
        raise RoundRefused("invalid", "The body must be a JSON object.", 422)
    return fields
