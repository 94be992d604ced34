"""Every URL of a critique is the owner's alone, and none of them shows a result before the round is done."""

import html
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from grading import services
from grading.models import Critique, CritiqueItem, State
from grading.running.critique import run_critique
from grading.urls import urlpatterns
from tests.endpoint import Endpoint
from tests.trainer.rounds.sitting import STATES, Sitting
from trainer.rounds.core import machine
from trainer.rounds.models import Round

pytestmark = pytest.mark.django_db

type One = tuple[str, tuple[int, ...]]

GETS: list[One] = [("page", ()), ("status", ()), ("worksheet", (1,))]
GETS += [(f"{kind}{part}", (1,)) for kind in ("critique", "mutation") for part in ("", "_reply")]
FORMS: list[One] = [("request", ()), ("retry", ()), ("builtin", ()), ("close", ())]
FORMS += [(f"{kind}_{step}", (1,)) for kind in ("critique", "mutation") for step in ("answer", "mark", "retry")]
REQUESTS = [("get", *one) for one in (*GETS, *FORMS)] + [("post", *one) for one in FORMS]
FIELDS = {"answer": "The queue is bounded by the leases.", "mark": "miss"}


def send(client: Client, method: str, sitting: Sitting, name: str, args: tuple[int, ...]) -> Any:
    return getattr(client, method)(reverse(f"critic:{name}", args=[sitting.id, *args]), FIELDS)


def made(sitting: Sitting) -> Critique:
    critique = services.critique_request(round=sitting.round, user=sitting.user, now=sitting.now)
    run_critique(critique.pk)
    critique = Critique.objects.get(pk=critique.pk)
    assert critique.state == State.SHOWN
    return critique


def test_the_lists_above_name_every_url_of_a_critique() -> None:
    assert {name for _, name, _ in REQUESTS} == {pattern.name for pattern in urlpatterns}


def test_another_trainee_and_a_stranger_get_a_404_everywhere_and_change_nothing(
    sitting: Sitting, endpoint: Endpoint, alice_client: Client, bob_client: Client, stranger_client: Client
) -> None:
    critique = made(sitting.to("done"))
    before = [*Critique.objects.values(), *CritiqueItem.objects.filter(critique=critique).values()]
    for method, name, args in REQUESTS:
        for client in (bob_client, stranger_client):
            assert send(client, method, sitting, name, args).status_code == 404, (method, name)
    assert [*Critique.objects.values(), *CritiqueItem.objects.filter(critique=critique).values()] == before
    for method, name, args in REQUESTS:
        status = send(alice_client, method, sitting, name, args).status_code
        assert status in (200, 303, 404 if name == "worksheet" else 0, 409), (method, name)


@pytest.mark.parametrize("state", STATES)
def test_in_every_state_the_owner_gets_an_answer_and_never_an_error_of_the_server(
    sitting: Sitting, alice_client: Client, state: str
) -> None:
    sitting = sitting if state in machine.SUBMITTED else Sitting(sitting.user, sitting.now)
    sitting.to(state)
    for method, name, args in REQUESTS:
        with transaction.atomic():
            response = send(alice_client, method, sitting, name, args)
            assert response.status_code in (200, 303, 404, 409, 422), (method, name)
            transaction.set_rollback(True)


@pytest.mark.parametrize("kind", ["model", "builtin"])
@pytest.mark.parametrize("state", ["scoring", "reveal", "critique", "abandoned"])
def test_before_the_round_is_done_no_response_holds_a_word_of_the_critique(
    request: pytest.FixtureRequest, sitting: Sitting, alice_client: Client, kind: str, state: str
) -> None:
    if kind == "model":
        request.getfixturevalue("endpoint")
    critique = made(sitting)
    assert critique.kind == kind
    sitting.to(state)
    secrets = secrets_of(critique)
    assert len(secrets) >= 10
    addresses = [reverse(f"critic:{name}", args=[sitting.id, *args]) for name, args in (*GETS, *FORMS)]
    for address in [*addresses, "/progress/", "/", "/rounds/", sitting.url(), sitting.url("timeline"), "/review/"]:
        response = alice_client.get(address)
        assert not [secret for secret in secrets if secret in said(response)], address
    for name, args in FORMS:
        with transaction.atomic():
            response = send(alice_client, "post", sitting, name, args)
            assert not [secret for secret in secrets if secret in said(response)], name
            transaction.set_rollback(True)


def said(response: Any) -> str:
    """What a response says, on one line: its headers too, and without the escapes of HTML."""
    headers = [f"{name}: {value}" for name, value in response.headers.items()]
    return " ".join(html.unescape("\n".join([response.content.decode(), *headers])).split())


def secrets_of(critique: Critique) -> set[str]:
    """What the critic says. A scenario of the built-in critic quotes the worked draft, which has its own moment."""
    rows = [*critique.items.values_list("attack"), *critique.mutations.values_list("title", "ask")]
    if critique.kind == Critique.Kind.MODEL:
        rows += critique.items.values_list("scenario")
    return {" ".join(text.split()) for row in rows for text in row}


@pytest.mark.parametrize("kind", ["model", "builtin"])
def test_the_search_above_finds_what_it_looks_for_once_the_round_is_done(
    request: pytest.FixtureRequest, sitting: Sitting, alice_client: Client, kind: str
) -> None:
    if kind == "model":
        request.getfixturevalue("endpoint")
    critique = made(sitting.to("done"))
    shown = ""
    for name, count in (("critique", critique.items.count()), ("mutation", critique.mutations.count())):
        for number in range(1, count + 1):
            shown += said(alice_client.get(reverse(f"critic:{name}", args=[sitting.id, number])))
    assert [secret for secret in secrets_of(critique) if secret not in shown] == []


def test_the_models_levels_are_on_progress_only_once_the_round_is_done(
    sitting: Sitting, endpoint: Endpoint, alice_client: Client
) -> None:
    made(sitting.to("critique"))
    assert "Over 1 round" not in alice_client.get("/progress/").content.decode()
    sitting.to("done")
    assert Round.objects.get(pk=sitting.id).state == "done"
    assert "Over 1 round" in alice_client.get("/progress/").content.decode()
