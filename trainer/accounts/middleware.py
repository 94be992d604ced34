"""Who is asking: the one local trainee at home, whoever logged in when hosted."""

from collections.abc import Callable

from django.conf import settings
from django.contrib.auth import get_user_model
from django.http import HttpRequest, HttpResponse

LOCAL_USERNAME = "local"


class WhoIsHere:
    """At home there is no log-in: every request is the local trainee's, made on first use."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not settings.HOSTED and not request.user.is_authenticated:
            request.user, _ = get_user_model().objects.get_or_create(username=LOCAL_USERNAME)
        return self.get_response(request)
