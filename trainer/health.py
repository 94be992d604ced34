"""Health: `/livez` says that this process answers, `/healthz` which part of the site works."""

from collections.abc import Callable

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from redis.exceptions import RedisError

from trainer import heartbeat


def database_answers() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return False
    return True


def broker_answers() -> bool:
    try:
        with heartbeat.broker_client() as client:
            return bool(client.ping())
    except RedisError:
        return False


def left_a_sign_of_life(part: str) -> bool:
    """Whether `part` lives, as far as the broker knows; with the broker down nothing reaches it either way."""
    try:
        with heartbeat.broker_client() as client:
            return bool(client.exists(heartbeat.key_of(part)))
    except RedisError:
        return False


PARTS: dict[str, Callable[[], bool]] = {
    "database": database_answers,
    "broker": broker_answers,
    "worker": lambda: left_a_sign_of_life(heartbeat.WORKER),
    "scheduler": lambda: left_a_sign_of_life(heartbeat.SCHEDULER),
    "critic": lambda: left_a_sign_of_life(heartbeat.CRITIC),
}


@login_not_required
@require_safe
@never_cache
def livez(request: HttpRequest) -> HttpResponse:
    """This process answers; nothing else is asked."""
    return HttpResponse("ok\n", content_type="text/plain")


@login_not_required
@require_safe
@never_cache
def healthz(request: HttpRequest) -> JsonResponse:
    """Each part, `ok` or `down`; 503 when one is down. The critic's worker is a part where there is a model to call."""
    wanted = {name: answers for name, answers in PARTS.items() if name != heartbeat.CRITIC or settings.CRITIC_BASE_URL}
    parts = {name: "ok" if answers() else "down" for name, answers in wanted.items()}
    healthy = set(parts.values()) == {"ok"}
    return JsonResponse({"status": "ok" if healthy else "down", "parts": parts}, status=200 if healthy else 503)
