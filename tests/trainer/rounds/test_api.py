"""The endpoints that the round's scripts talk to."""

import datetime as dt
import json

import pytest
from django.test import Client

from tests.trainer.rounds.sitting import WORKSHEET, Sitting
from trainer.rounds import services
from trainer.rounds.models import DocumentRevision, Focus, LateAddendum

pytestmark = pytest.mark.django_db


def body(text: object = "a", base: object = 0, save_id: object = "x") -> dict[str, object]:
    return {"text": text, "base_revision": base, "save_id": save_id}


def test_a_save_answers_with_its_revision_and_moment(sitting: Sitting, alice_client: Client) -> None:
    response = sitting.to("writing").at(alice_client).put("s1", body())
    assert (response.status_code, response.json()) == (200, {"revision": 1, "saved_at": sitting.now.isoformat()})


def test_a_save_posted_twice_answers_the_same(sitting: Sitting, alice_client: Client) -> None:
    browser = sitting.to("writing").at(alice_client)
    first = browser.put("s1", body()).json()
    sitting.after(30)
    assert browser.put("s1", body()).json() == first
    assert DocumentRevision.objects.filter(document__key="s1").count() == 1


def test_a_stale_save_answers_what_stands(sitting: Sitting, alice_client: Client) -> None:
    sitting.to("writing").save("s1", "theirs", save_id="their-id")
    response = sitting.at(alice_client).put("s1", body("mine"))
    answer = response.json()
    assert (response.status_code, answer["reason"], answer["revision"], answer["text"]) == (409, "stale", 1, "theirs")
    assert answer["save_id"] == "their-id"  # a browser knows by it a text of its own whose answer was lost
    assert answer["message"]


@pytest.mark.parametrize(("state", "reason"), [("prompt", "locked"), ("arithmetic", "locked"), ("scoring", "sealed")])
def test_a_save_out_of_its_state_is_a_409_with_its_reason(
    sitting: Sitting, alice_client: Client, state: str, reason: str
) -> None:
    response = sitting.to(state).at(alice_client).put("s1", body())
    assert (response.status_code, response.json()["reason"]) == (409, reason)


def test_a_save_while_paused_is_a_409_paused(practice: Sitting, alice_client: Client) -> None:
    services.round_pause(round=practice.to("writing").round, now=practice.now)
    assert practice.at(alice_client).put("s1", body()).json()["reason"] == "paused"


@pytest.mark.parametrize("length", [200_001, 1_000_000])
def test_a_megabyte_pasted_into_a_section_is_a_413_with_the_limit(
    sitting: Sitting, alice_client: Client, length: int
) -> None:
    browser = sitting.to("writing").at(alice_client)
    response = browser.put("s1", body("x" * length))
    assert (response.status_code, response.json()["reason"]) == (413, "too_long")
    assert "200,000" in response.json()["message"]
    assert sitting.text("s1") == ""


def test_a_megabyte_posted_by_a_form_is_a_413_that_keeps_it_in_the_page(sitting: Sitting, alice_client: Client) -> None:
    browser = sitting.to("writing").at(alice_client)
    for text in ("x" * 1_000_000, "字" * 1_000_000):
        response = browser.post("document", "s1", data={"text": text, "base_revision": "0"})
        assert response.status_code == 413
        assert text in response.content.decode()


def test_a_body_beyond_what_is_read_at_all_is_a_413_too(sitting: Sitting, alice_client: Client) -> None:
    response = sitting.to("writing").at(alice_client).put("s1", body("x" * 20_000_000))
    assert response.status_code == 413


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"{",
        b"[]",
        b'"text"',
        b"null",
        b"\xff\xfe",
        b"[" * 100_000,
        json.dumps(body(text=None)).encode(),
        json.dumps(body(text=["a"])).encode(),
        json.dumps(body(base="one")).encode(),
        json.dumps(body(base=1e400)).encode(),
        json.dumps(body(save_id=None)).encode(),
        json.dumps(body(text="a\x00b")).encode(),
        b'{"text": "\\ud83e", "base_revision": 0, "save_id": "x"}',
        b'{"text": "a", "base_revision": 0, "save_id": "\\udd99"}',
        b'{"text": "a", "base_revision": 1' + b"0" * 5000 + b', "save_id": "x"}',
    ],
)
def test_a_body_that_is_no_save_is_a_422_with_a_sentence(sitting: Sitting, alice_client: Client, raw: bytes) -> None:
    response = sitting.to("writing").at(alice_client).put("s1", raw)
    assert (response.status_code, response.json()["reason"]) == (422, "invalid")
    assert response.json()["message"]
    assert sitting.text("s1") == ""


def test_an_unknown_document_is_a_404_in_json(sitting: Sitting, alice_client: Client) -> None:
    response = sitting.to("writing").at(alice_client).put("s11", body())
    assert (response.status_code, response.json()["reason"]) == (404, "unknown")


def test_without_scripts_a_form_saves_the_same_text_once(sitting: Sitting, alice_client: Client) -> None:
    browser = sitting.to("writing").at(alice_client)
    for _ in range(2):
        response = browser.post("document", "s1", data={"text": "a\r\nb", "base_revision": "0"})
        assert (response.status_code, response.url) == (303, f"{sitting.url()}#s1")
    assert sitting.text("s1") == "a\nb"
    assert DocumentRevision.objects.filter(document__key="s1").count() == 1


def test_without_scripts_a_stale_form_is_a_409_that_keeps_both_texts_in_the_page(
    sitting: Sitting, alice_client: Client
) -> None:
    sitting.to("writing").save("s1", "the text that stands")
    response = sitting.at(alice_client).post("document", "s1", data={"text": "the one typed", "base_revision": "0"})
    assert response.status_code == 409
    assert "the text that stands" in response.content.decode()
    assert "the one typed" in response.content.decode()


def test_b004_the_clock_is_the_servers_and_says_its_own_time(sitting: Sitting, alice_client: Client) -> None:
    sitting.begin()
    began = sitting.now
    answer = sitting.after(10).at(alice_client).get("clock", headers={"Date": "Mon, 01 Jan 2001 00:00:00 GMT"}).json()
    assert answer == {
        "state": "arithmetic",
        "mode": "exam",
        "server_now": sitting.now.isoformat(),
        "deadline_at": (began + dt.timedelta(seconds=300)).isoformat(),
        "seal_at": None,
        "paused": False,
        "paused_seconds_left": None,
    }


def test_b001_the_clock_tells_the_time_left_from_the_stored_deadline(sitting: Sitting, alice_client: Client) -> None:
    browser = sitting.begin().write().at(alice_client)
    first = browser.get("clock").json()
    sitting.after(120)
    second = browser.get("clock").json()
    assert second["deadline_at"] == first["deadline_at"]
    assert second["seal_at"] == (dt.datetime.fromisoformat(first["deadline_at"]) + dt.timedelta(seconds=10)).isoformat()
    passed = dt.datetime.fromisoformat(second["server_now"]) - dt.datetime.fromisoformat(first["server_now"])
    assert passed == dt.timedelta(seconds=120)


@pytest.mark.parametrize("state", ["prompt", "scoring", "done"])
def test_b006_where_no_clock_runs_the_clock_is_unknown_and_not_zero(
    sitting: Sitting, alice_client: Client, state: str
) -> None:
    answer = sitting.to(state).at(alice_client).get("clock").json()
    assert (answer["deadline_at"], answer["seal_at"], answer["paused_seconds_left"]) == (None, None, None)


def test_a_look_at_the_clock_alone_is_enough_to_submit_as_of_the_bell(sitting: Sitting, alice_client: Client) -> None:
    sitting.begin().after(7200)
    assert sitting.at(alice_client).get("clock").json()["state"] == "scoring"
    assert sitting.state == "scoring"


def test_no_answer_about_a_round_may_be_cached(sitting: Sitting, alice_client: Client) -> None:
    browser = sitting.to("writing").at(alice_client)
    for response in (browser.get("round"), browser.get("clock"), browser.put("s1", body()), browser.post("submit")):
        assert "no-store" in response.headers["Cache-Control"]


def test_b026_text_journalled_past_the_bell_is_offered_as_a_late_addendum(
    sitting: Sitting, alice_client: Client
) -> None:
    sitting.begin().write().save("s1", "saved by the server")
    browser = sitting.after(2740).at(alice_client)
    refused = browser.put("s1", body("kept in the browser", 1, "late"))
    assert (refused.status_code, refused.json()["reason"]) == (409, "sealed")
    posted = {"key": "s1", "text": "kept in the browser", "save_id": "late"}
    answer = browser.post("addenda", data=posted, content_type="application/json")
    assert (answer.status_code, answer.json()["decision"]) == (201, "offered")
    page = browser.get("round").content.decode()
    assert "Late addendum" in page
    assert "kept in the browser" in page
    assert LateAddendum.objects.count() == 1
    assert sitting.text("s1") == "saved by the server"


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({}, 422),
        ({"key": "s99", "text": "a", "save_id": "x"}, 404),
        ({"key": "s1", "text": "x" * 200_001, "save_id": "x"}, 413),
        ({"key": "s1", "text": "a\x00", "save_id": "x"}, 422),
        ({"key": ["s1"], "text": "a", "save_id": "x"}, 422),
        ({"key": "s1", "text": "a", "save_id": ""}, 422),
    ],
)
def test_a_late_addendum_that_cannot_be_kept_is_refused_with_a_sentence(
    sitting: Sitting, alice_client: Client, fields: dict[str, object], status: int
) -> None:
    response = sitting.to("scoring").at(alice_client).post("addenda", data=fields, content_type="application/json")
    assert response.status_code == status
    assert response.json()["message"]


def test_the_worksheet_is_evaluated_beside_its_lines_without_being_saved(
    sitting: Sitting, alice_client: Client
) -> None:
    browser = sitting.begin().at(alice_client)
    for response in (
        browser.post("evaluate", data={"text": WORKSHEET}),
        browser.post("evaluate", data={"text": WORKSHEET}, content_type="application/json"),
    ):
        assert response.status_code == 200
        assert response.content.decode().count("sheet-value") == 3
    assert sitting.text("worksheet") == ""


@pytest.mark.parametrize(
    "line", ["a = ", "a = 9**9**9", "a = 1 GiB + 1 s", "a = nothing.known", "a = __import__('os')"]
)
def test_a_worksheet_line_that_has_no_value_says_why_beside_it(
    sitting: Sitting, alice_client: Client, line: str
) -> None:
    response = sitting.begin().at(alice_client).post("evaluate", data={"text": f"ok = 1 + 1\n{line}"})
    page = response.content.decode()
    assert response.status_code == 200
    assert 'data-line="2"' in page
    assert "sheet-error" in page
    assert page.count("sheet-value") == 1


@pytest.mark.parametrize(
    ("text", "status"), [("x" * 20_001, 413), ("a\x00", 422), (None, 422), (7, 422), ({"a": 1}, 422)]
)
def test_a_worksheet_that_cannot_be_read_is_refused_at_its_field(
    sitting: Sitting, alice_client: Client, text: object, status: int
) -> None:
    response = sitting.begin().at(alice_client).post("evaluate", data={"text": text}, content_type="application/json")
    assert (response.status_code, response.json()["field"]) == (status, "text")


@pytest.mark.parametrize("state", ["prompt", "scoring", "done", "abandoned"])
def test_the_worksheet_is_evaluated_while_it_is_open_only(sitting: Sitting, alice_client: Client, state: str) -> None:
    assert sitting.to(state).at(alice_client).post("evaluate", data={"text": "a = 1"}).status_code == 409


def test_turning_to_a_section_is_recorded(sitting: Sitting, alice_client: Client) -> None:
    browser = sitting.to("writing").at(alice_client)
    assert browser.post("focus", data={"key": "s3"}, content_type="application/json").json() == {"key": "s3"}
    assert browser.post("focus", data={"key": "s99"}).status_code == 422
    assert browser.post("focus", data={"key": 3}, content_type="application/json").status_code == 422
    assert list(Focus.objects.values_list("key", flat=True)) == ["s3"]


def test_b037_a_save_after_the_log_in_ran_out_is_a_401_in_json_and_lands_when_sent_again(
    sitting: Sitting, alice_client: Client, anonymous_client: Client
) -> None:
    sitting.to("writing")
    refused = sitting.at(anonymous_client).put("s1", body("typed"), headers={"Accept": "application/json"})
    assert (refused.status_code, refused.json()["reason"]) == (401, "logged-out")
    assert sitting.at(alice_client).put("s1", body("typed")).status_code == 200
    assert sitting.text("s1") == "typed"


def test_b037_a_form_posted_after_the_log_in_ran_out_leads_back_to_the_round(
    sitting: Sitting, alice_client: Client, anonymous_client: Client
) -> None:
    sitting.to("writing")
    sent_away = sitting.at(anonymous_client).post("submit")
    assert sent_away.status_code == 302
    back = sitting.at(alice_client).get("submit")
    assert (back.status_code, back.url) == (303, sitting.url())
    assert sitting.state == "writing"


def test_b037_a_save_with_a_rotated_token_is_a_403_and_lands_with_the_new_one(sitting: Sitting, hosted: None) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(sitting.to("writing").user)
    browser = sitting.at(client)
    browser.get("round")
    assert browser.put("s1", body("typed"), headers={"X-CSRFToken": "0" * 64}).status_code == 403
    token = client.cookies["csrftoken"].value
    assert browser.put("s1", body("typed"), headers={"X-CSRFToken": token}).status_code == 200
