"""Every URL of a round is its owner's alone."""

from uuid import uuid4

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from tests.trainer.rounds.sitting import STATES, Sitting
from trainer.rounds.models import Round
from trainer.rounds.urls import urlpatterns

pytestmark = pytest.mark.django_db

# (name, arguments after the round's id, method)
OF_A_ROUND = [
    ("round", (), "get"),
    ("timeline", (), "get"),
    ("step", ("run_time",), "get"),
    ("clock", (), "get"),
    ("document", ("s1",), "put"),
    ("document", ("s1",), "post"),
    ("document", ("s1",), "get"),
    ("evaluate", (), "post"),
    ("focus", (), "post"),
    ("addenda", (), "post"),
    *((name, (), method) for method in ("post", "get") for name in ("ask", "begin", "star", "submit", "pause")),
    *((name, (), method) for method in ("post", "get") for name in ("resume", "abandon", "scores", "reveal")),
    *(("addendum", (1,), method) for method in ("post", "get")),
    *((f"critique_{step}", (1,), method) for method in ("post", "get") for step in ("first", "answer", "mark")),
]


def request(client: Client, round_id: object, name: str, args: tuple[object, ...], method: str):  # type: ignore[no-untyped-def]
    return getattr(client, method)(reverse(f"rounds:{name}", args=[round_id, *args]))


def test_the_list_above_names_every_url_of_a_round() -> None:
    assert {name for name, _, _ in OF_A_ROUND} == {pattern.name for pattern in urlpatterns} - {"index", "start"}


@pytest.mark.parametrize(("name", "args", "method"), OF_A_ROUND)
def test_a_stranger_and_another_trainee_get_a_404_everywhere_and_change_nothing(
    sitting: Sitting, bob_client: Client, stranger_client: Client, name: str, args: tuple[object, ...], method: str
) -> None:
    sitting.to("writing")
    before = Round.objects.filter(pk=sitting.id).values().get()
    for client in (bob_client, stranger_client):
        assert request(client, sitting.id, name, args, method).status_code == 404
    assert Round.objects.filter(pk=sitting.id).values().get() == before


@pytest.mark.parametrize(("name", "args", "method"), OF_A_ROUND)
def test_a_round_that_does_not_exist_is_a_404(
    alice_client: Client, name: str, args: tuple[object, ...], method: str
) -> None:
    assert request(alice_client, uuid4(), name, args, method).status_code == 404


@pytest.mark.parametrize(("name", "args", "method"), OF_A_ROUND)
def test_a_browser_that_is_not_logged_in_is_sent_to_the_log_in_or_told_in_json(
    sitting: Sitting, anonymous_client: Client, name: str, args: tuple[object, ...], method: str
) -> None:
    assert request(anonymous_client, sitting.id, name, args, method).status_code in (302, 401)


@pytest.mark.parametrize("state", STATES)
def test_in_every_state_the_owner_gets_an_answer_everywhere_and_never_an_error_of_the_server(
    sitting: Sitting, alice_client: Client, state: str
) -> None:
    browser = sitting.to(state).at(alice_client)
    for name, args, method in OF_A_ROUND:
        with transaction.atomic():
            response = browser.put("s1", {}) if method == "put" else getattr(browser, method)(name, *args)
            assert response.status_code in (200, 303, 404, 409, 422), (name, method, response.status_code)
            transaction.set_rollback(True)


def test_each_sees_their_own_rounds_in_the_list(
    sitting: Sitting, alice_client: Client, bob_client: Client, stranger_client: Client
) -> None:
    assert sitting.url() in alice_client.get("/rounds/").content.decode()
    for client in (bob_client, stranger_client):
        assert str(sitting.id) not in client.get("/rounds/").content.decode()


def test_each_starts_rounds_of_their_own(alice_client: Client, bob_client: Client) -> None:
    for client in (alice_client, bob_client):
        response = client.post("/rounds/start/", {"design": "x01", "mode": "exam"})
        assert response.status_code == 303
        assert client.get(response.url).status_code == 200
    assert Round.objects.count() == 2


def test_b046_another_persons_log_in_in_the_same_browser_leaves_the_first_ones_round_final(
    sitting: Sitting, alice_client: Client, bob_client: Client
) -> None:
    sitting.to("scoring")
    assert sitting.at(bob_client).post("submit").status_code == 404
    assert sitting.at(alice_client).post("submit").status_code == 409
    assert sitting.state == "scoring"
