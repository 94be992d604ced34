"""Answers to requests that no view could take: pages for people, JSON for scripts.

Django's own answers to 400 and 404 read the form once more to check its token, and break on a form that cannot be read.
"""

import sys

from django.core.exceptions import RequestDataTooBig
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

BROKEN = 500
RETRY_AFTER_S = 5
UNREADABLE = "The server could not read what was sent. Nothing was changed."
TOO_BIG = "That is more than the server reads at once. Nothing was changed; shorten it."
NOT_FOUND = "The address is mistyped, or what it named belongs to someone else."
BUSY = "The database does not answer just now. Nothing of this request was kept; send it again in a moment."


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400 for a request that cannot be read, 413 for one that is too big to be read."""
    if isinstance(exception, RequestDataTooBig):
        return _answer(request, "400.html", "too_long", TOO_BIG, 413)
    return _answer(request, "400.html", "unreadable", UNREADABLE, 400)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """404."""
    return _answer(request, "404.html", "unknown", NOT_FOUND, 404)


def server_error(request: HttpRequest) -> HttpResponse:
    """500; 503 when the database is locked, full or away: the same request may do in a moment."""
    if not isinstance(sys.exception(), OperationalError):
        return _answer(request, "500.html", "broken", "Something broke on the server.", 500)
    response = _answer(request, "500.html", "busy", BUSY, 503)
    response.headers["Retry-After"] = str(RETRY_AFTER_S)
    return response


def _answer(request: HttpRequest, template: str, reason: str, message: str, status: int) -> HttpResponse:
    if not request.accepts("text/html"):
        return JsonResponse({"reason": reason, "message": message}, status=status)
    context = {"message": message, "status": status}
    # After a fault nothing more is asked of the request: who is here is in the database that may be at fault.
    return render(request if status < BROKEN else None, template, context, status=status)
