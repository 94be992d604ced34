"""The health pages' answers with parts missing; `tests/processes` has them with real processes."""

import pytest
from django.test import Client


def test_livez_answers_without_a_database(client: Client) -> None:
    response = client.get("/livez")  # no database mark: a query would fail the test
    assert (response.status_code, response.content) == (200, b"ok\n")


@pytest.mark.django_db
def test_healthz_is_503_and_names_the_broker_when_none_runs(client: Client) -> None:
    response = client.get("/healthz")
    assert response.status_code == 503
    assert response.json() == {
        "status": "down",
        "parts": {"database": "ok", "broker": "down", "worker": "down", "scheduler": "down"},
    }


@pytest.mark.django_db
def test_health_pages_want_no_log_in_when_hosted(anonymous_client: Client) -> None:
    assert anonymous_client.get("/livez").status_code == 200
    assert anonymous_client.get("/healthz").status_code == 503
