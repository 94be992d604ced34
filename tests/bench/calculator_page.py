"""The server's time for what changes on the calculator's page as one types, against a view that does nothing.

An update is the summary; the parts below it ask for theirs, one request each.
"""

import itertools
from functools import partial

from django.http import HttpRequest, HttpResponse
from django.test import Client, override_settings
from django.urls import include, path

from calculator.answers import PARTS
from trainer.ops.bench import Measured, compare

QUESTION = {"model": "llama-70b", "gpu": "h100", "gpus": "8", "seq_len": "8192"}


def nothing(request: HttpRequest) -> HttpResponse:
    """An empty view: what it takes is the site's own, for every request."""
    return HttpResponse()


urlpatterns = [path("empty/", nothing), path("", include("trainer.urls"))]
HTMX = {"HX-Request": "true"}


class Several:
    """Several measurements, a line each."""

    def __init__(self, found: list[Measured]) -> None:
        self.found = found

    def line(self) -> str:
        return "\n".join(one.line() for one in self.found)


@override_settings(ROOT_URLCONF="tests.bench.calculator_page")
def measure() -> Several:
    client, batches = Client(), itertools.count(1)

    def ask(path: str) -> None:
        # Every update is a question of its own: what the summary has evaluated is there for its parts alone.
        response = client.get(path, QUESTION | {"batch": str(next(batches))}, headers=HTMX)
        assert response.status_code == 200

    def ask_again(path: str) -> None:
        assert client.get(path, QUESTION | {"batch": "16"}, headers=HTMX).status_code == 200

    def empty() -> None:
        assert client.get("/empty/").status_code == 200

    ask_again("/calculator/")
    update = compare("an update of the calculator", lambda: ask("/calculator/"), "an empty view", empty)
    parts = [
        compare(f"its part '{name}'", partial(ask_again, f"/calculator/parts/{name}/"), "an empty view", empty)
        for name in PARTS
    ]
    return Several([update, *parts])
