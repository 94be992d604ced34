"""Logging in to the hosted form, and what happens to those who have not."""

import io

import pytest
from django.contrib.auth import get_user_model
from django.core.management import CommandError, call_command
from django.test import Client

from tests.factories import PASSWORD
from trainer.accounts.models import User

pytestmark = pytest.mark.django_db


def test_a_page_without_a_log_in_sends_to_the_log_in_page_and_back(anonymous_client: Client, alice: User) -> None:
    response = anonymous_client.get("/review/")
    assert response.status_code == 302
    assert response.headers["Location"] == "/log-in/?next=/review/"
    there = anonymous_client.post(response.headers["Location"], {"username": "alice", "password": PASSWORD})
    assert (there.status_code, there.headers["Location"]) == (302, "/review/")
    assert anonymous_client.get("/review/").status_code == 200


def test_the_log_in_page_is_shown_and_a_wrong_password_is_told_there(anonymous_client: Client, alice: User) -> None:
    assert anonymous_client.get("/log-in/").status_code == 200
    response = anonymous_client.post("/log-in/", {"username": "alice", "password": "wrong"})
    assert "correct username and password" in response.content.decode()
    assert "_auth_user_id" not in anonymous_client.session


def test_logging_out_ends_the_session(alice_client: Client) -> None:
    assert alice_client.get("/review/").status_code == 200
    assert alice_client.post("/log-out/").status_code == 302
    assert alice_client.get("/review/").status_code == 302


def test_a_script_without_a_log_in_gets_401_and_a_reason_not_a_page(anonymous_client: Client) -> None:
    response = anonymous_client.put("/review/", data="{}", content_type="application/json")
    assert response.status_code == 401
    assert response.json()["reason"] == "logged-out"


def test_a_fragment_without_a_log_in_sends_the_whole_page_to_the_log_in(anonymous_client: Client) -> None:
    headers = {"HX-Request": "true", "HX-Current-URL": "http://testserver/review/"}
    response = anonymous_client.get("/review/", headers=headers)
    assert response.headers["HX-Redirect"] == "/log-in/?next=/review/"


def test_a_fragment_does_not_send_back_to_another_site(anonymous_client: Client) -> None:
    headers = {"HX-Request": "true", "HX-Current-URL": "https://elsewhere.example/review/"}
    response = anonymous_client.get("/review/", headers=headers)
    assert response.headers["HX-Redirect"] == "/log-in/?next=/"


def test_at_home_there_is_one_trainee_and_no_log_in(client: Client) -> None:
    assert client.get("/review/").status_code == 200
    assert client.get("/log-in/").headers["Location"] == "/"
    assert get_user_model().objects.get().username == "local"


def test_user_add_makes_an_account_that_can_log_in(monkeypatch: pytest.MonkeyPatch, anonymous_client: Client) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("a long enough password\n"))
    call_command("user_add", "carol", stdout=io.StringIO())
    assert anonymous_client.login(username="carol", password="a long enough password")


@pytest.mark.parametrize(
    ("username", "password", "reason"),
    [
        ("alice", "a long enough password", "already exists"),
        ("carol", "short", "too short"),
        ("carol", "", "too short"),
        ("not a name!", "a long enough password", "valid username"),
    ],
)
def test_user_add_refuses_what_will_not_do_and_says_why(
    username: str, password: str, reason: str, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{password}\n"))
    with pytest.raises(CommandError, match=reason):
        call_command("user_add", username, stdout=io.StringIO())
    assert get_user_model().objects.count() == 1
