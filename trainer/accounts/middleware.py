"""Who is asking: the one local trainee at home, whoever logged in when hosted."""

from collections.abc import Callable
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import resolve_url
from django.utils.functional import SimpleLazyObject
from django.utils.http import url_has_allowed_host_and_scheme
from django_htmx.http import HttpResponseClientRedirect

LOCAL_USERNAME = "local"


class WhoIsHere:
    """At home there is no log-in: every request is the local trainee's, made on first use."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not settings.HOSTED:
            session_user = request.user
            # Not looked up before someone asks: the health pages answer without a database.
            request.user = SimpleLazyObject(lambda: _local_trainee(session_user))  # type: ignore[assignment]
        return self.get_response(request)


def _local_trainee(session_user: AbstractBaseUser | AnonymousUser) -> AbstractBaseUser | AnonymousUser:
    if session_user.is_authenticated:
        return session_user
    user, _ = get_user_model().objects.get_or_create(username=LOCAL_USERNAME)
    return user


class LogInRequired(LoginRequiredMiddleware):
    """Every view wants a log-in unless it says otherwise; scripts are told in a form that they understand."""

    def handle_no_permission(  # type: ignore[override]  # a 401 too
        self, request: HttpRequest, view_func: Callable[..., HttpResponseBase]
    ) -> HttpResponseBase:
        response = super().handle_no_permission(request, view_func)
        if request.headers.get("HX-Request") == "true":
            # The page that the person is on, not the fragment: there they go on after the log-in.
            here = request.headers.get("HX-Current-URL", "/")
            path = urlsplit(here).path if url_has_allowed_host_and_scheme(here, {request.get_host()}) else "/"
            return HttpResponseClientRedirect(redirect_to_login(path, resolve_url(settings.LOGIN_URL)).url)
        if not request.accepts("text/html") or request.content_type == "application/json":
            message = "You are logged out. Log in in another tab; what you wrote is kept here."
            return JsonResponse({"reason": "logged-out", "message": message}, status=401)
        return response
