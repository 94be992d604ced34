"""Every view has an access test: what anyone may see is named here, and so is the test of what is somebody's own."""

from pathlib import Path

import pytest
from django.test import Client

from tests.architecture.urls import address, names

ROOT = Path(__file__).resolve().parents[2]

# Wants no log-in, on purpose.
PUBLIC = {"livez", "healthz", "accounts:log_in"}

# The same for everyone who has logged in; holds nothing that is anybody's own.
SHARED = {
    *(f"calculator:{name}" for name in ("page", "json", "compare", "config", "part", "accuracy", "worksheet")),
    *(f"calculator:{name}" for name in ("topics", "topic", "topic_json")),
    "accounts:log_out",
}

# Somebody's own: the test that another person and a stranger find nothing there.
OWN = {
    "home": "tests/trainer/home/test_today.py",
    "rounds": "tests/trainer/rounds/test_access.py",
    "study": "tests/trainer/study/test_access.py",
    "critic": "tests/grading/test_views_access.py",
    "progress": "tests/grading/test_views_progress.py",
    "review": "tests/trainer/review/test_views.py",
    "drills": "tests/trainer/drills/test_pages.py",
    "designs": "tests/designs/test_pages.py",
    "errata": "tests/designs/test_quoted_pages.py",
}
PEOPLE = ("alice", "bob_client", "stranger_client")


def own(name: str) -> bool:
    return name not in PUBLIC | SHARED


@pytest.mark.parametrize("name", names())
def test_every_address_is_in_the_table(name: str) -> None:
    assert not own(name) or name.partition(":")[0] in OWN, f"say here who may see {name}, and test it"


def test_the_table_names_no_address_that_is_gone() -> None:
    assert set(names()) >= PUBLIC | SHARED
    assert {name.partition(":")[0] for name in names() if own(name)} == set(OWN)


@pytest.mark.parametrize("path", sorted(set(OWN.values())))
def test_the_access_test_of_what_is_ones_own_asks_as_the_owner_another_and_a_stranger(path: str) -> None:
    text = (ROOT / path).read_text()
    assert [person for person in PEOPLE if person not in text] == []
    assert "404" in text or "not in" in text


@pytest.mark.django_db
@pytest.mark.parametrize("name", [name for name in names() if name not in PUBLIC])
@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE"])
def test_whoever_has_not_logged_in_gets_no_page_by_any_method(name: str, method: str, anonymous_client: Client) -> None:
    response = anonymous_client.generic(method, address(name), "{}", content_type="text/plain")
    assert response.status_code == 302
    assert response.headers["Location"].startswith("/log-in/?next=")


@pytest.mark.django_db
@pytest.mark.parametrize("name", [name for name in names() if name not in PUBLIC])
def test_a_script_that_has_not_logged_in_is_told_in_json(name: str, anonymous_client: Client) -> None:
    response = anonymous_client.post(address(name), data="{}", content_type="application/json")
    assert (response.status_code, response.json()["reason"]) == (401, "logged-out")
