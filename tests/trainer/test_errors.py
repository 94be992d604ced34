"""Requests that no view can take are refused, never a broken server."""

import pytest
from django.db import OperationalError
from django.test import Client
from pytest_django import Settings

pytestmark = pytest.mark.django_db

SCRIPT = {"Accept": "application/json"}
FORM = "application/x-www-form-urlencoded"
UNREADABLE = {
    "another character set": ("text=a", f"{FORM}; charset=utf-7"),
    "no boundary": ("text=a", "multipart/form-data"),
    "too many fields": ("&".join(f"f{number}=1" for number in range(1001)), FORM),
}


@pytest.fixture
def checking_client() -> Client:
    """A browser whose forms are held to their token, and which is shown what a visitor is."""
    client = Client(enforce_csrf_checks=True, raise_request_exception=False)
    client.cookies["csrftoken"] = "a" * 32
    return client


@pytest.mark.parametrize("path", ["/rounds/start/", "/review/undo/", "/log-in/", "/nowhere/"])
@pytest.mark.parametrize("form", UNREADABLE.values(), ids=UNREADABLE)
def test_a_form_that_cannot_be_read_is_refused(checking_client: Client, path: str, form: tuple[str, str]) -> None:
    body, content_type = form
    response = checking_client.post(path, body, content_type=content_type)
    assert response.status_code == (404 if path == "/nowhere/" else 400)
    assert "Roofline" in response.content.decode()


def test_a_script_is_told_so_in_json(checking_client: Client) -> None:
    body, content_type = UNREADABLE["another character set"]
    response = checking_client.post("/rounds/start/", body, content_type=content_type, headers=SCRIPT)
    assert (response.status_code, response.json()["reason"]) == (400, "unreadable")
    response = checking_client.get("/nowhere/", headers=SCRIPT)
    assert (response.status_code, response.json()["reason"]) == (404, "unknown")


def test_a_form_that_is_too_big_to_read_is_413(checking_client: Client, settings: Settings) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000
    response = checking_client.post("/rounds/start/", "text=" + "x" * 1_000, content_type=FORM)
    assert response.status_code == 413
    assert "more than the server reads at once" in response.content.decode()


def test_a_database_that_does_not_answer_is_503_and_says_to_send_again(
    checking_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def locked(*args: object, **kwargs: object) -> None:
        raise OperationalError("database is locked")

    monkeypatch.setattr("trainer.rounds.selectors.rounds_index", locked)
    response = checking_client.get("/rounds/")
    assert (response.status_code, response.headers["Retry-After"]) == (503, "5")
    assert "The server is busy" in response.content.decode()
    assert checking_client.get("/rounds/", headers=SCRIPT).json()["reason"] == "busy"


def test_any_other_fault_is_500(checking_client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: object, **kwargs: object) -> None:
        raise LookupError("no such thing")

    monkeypatch.setattr("trainer.rounds.selectors.rounds_index", broken)
    response = checking_client.get("/rounds/")
    assert response.status_code == 500
    assert "Something broke on the server" in response.content.decode()


@pytest.mark.parametrize("path", ["/", "/rounds/", "/review/", "/review/cards/", "/designs/", "/calculator/", "/livez"])
def test_every_page_that_can_be_read_answers_head(client: Client, path: str) -> None:
    assert client.head(path).status_code == 200
