"""The forms of a round: taken with 303, refused in the page with the message and what was typed."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.trainer.rounds.sitting import EVIDENCE, WORKSHEET, Sitting, scores_form
from trainer.rounds import services
from trainer.rounds.models import CritiqueAnswer, LateAddendum, Round

pytestmark = pytest.mark.django_db


def test_a_whole_round_by_forms_alone(alice_client: Client, sitting: Sitting) -> None:
    """No script anywhere: every step is a form, and every form leads back to the round."""
    browser = sitting.at(alice_client)
    steps: list[tuple[str, tuple[object, ...], dict[str, str]]] = [
        ("ask", (), {"text": "What if it is late?"}),
        ("begin", (), {"from": "prompt"}),
        ("document", ("worksheet",), {"text": WORKSHEET, "base_revision": "0"}),
        ("star", (), {"line": "run"}),
        ("begin", (), {"from": "arithmetic"}),
        ("document", ("s1",), {"text": EVIDENCE, "base_revision": "0"}),
        ("submit", (), {}),
        ("scores", (), scores_form()),
        *(("reveal", (), {"position": str(position)}) for position in range(11)),
    ]
    for number in range(1, 7):
        steps += [
            ("critique_answer", (number,), {"answer": "Mine."}),
            ("critique_mark", (number,), {"mark": "hit"}),
        ]
    for name, args, data in steps:
        sitting.tick()
        response = browser.post(name, *args, data=data)
        assert response.status_code == 303, (name, response.status_code)
        assert response.url.partition("#")[0] == sitting.url()
        assert browser.get("round").status_code == 200
    assert sitting.state == "done"


def test_a_start_leads_to_the_round_and_twice_to_the_same(alice_client: Client) -> None:
    posted = {"design": "x01", "mode": "practice"}
    first, second = (alice_client.post("/rounds/start/", posted) for _ in range(2))
    assert (first.status_code, first.url) == (303, second.url)
    assert Round.objects.get().mode == "practice"


@pytest.mark.parametrize(
    ("posted", "status"),
    [
        ({"design": "z99", "mode": "exam"}, 404),
        ({"design": "x01", "mode": "free"}, 422),
        ({}, 422),
        ({"mode": "exam"}, 404),
    ],
)
def test_a_start_of_nothing_is_refused_in_the_list(alice_client: Client, posted: dict[str, str], status: int) -> None:
    response = alice_client.post("/rounds/start/", posted)
    assert response.status_code == status
    assert "A nightly summary job" in response.content.decode()
    assert 'role="alert"' in response.content.decode()
    assert not Round.objects.exists()


def test_a_design_with_a_strange_name_is_refused_without_echoing_markup(alice_client: Client) -> None:
    response = alice_client.post("/rounds/start/", {"design": "<script>alert(1)</script>", "mode": "exam"})
    assert response.status_code == 404
    assert "<script>alert" not in response.content.decode()


def test_the_clock_started_twice_is_a_409_with_the_running_round(alice_client: Client, sitting: Sitting) -> None:
    browser = sitting.at(alice_client)
    assert browser.post("begin", data={"from": "prompt"}).status_code == 303
    deadline = sitting.round.deadline_at
    sitting.tick()
    again = browser.post("begin", data={"from": "prompt"})
    assert again.status_code == 409
    assert "in the arithmetic" in again.content.decode()
    assert sitting.round.deadline_at == deadline


def test_begin_names_where_it_comes_from(alice_client: Client, sitting: Sitting) -> None:
    for from_ in ("", "writing", "prompt "):
        assert sitting.at(alice_client).post("begin", data={"from": from_}).status_code == 422
    assert sitting.state == "prompt"


def test_another_running_clock_is_a_409_that_links_to_its_round(
    alice_client: Client, sitting: Sitting, practice: Sitting
) -> None:
    practice.begin()
    response = sitting.at(alice_client).post("begin", data={"from": "prompt"})
    assert response.status_code == 409
    assert practice.url() in response.content.decode()


def test_b051_a_submission_posted_twice_is_a_409_on_the_page_of_the_first(
    alice_client: Client, sitting: Sitting
) -> None:
    browser = sitting.to("writing").at(alice_client)
    assert browser.post("submit").status_code == 303
    submitted_at = sitting.round.submitted_at
    sitting.tick()
    again = browser.post("submit")
    assert again.status_code == 409
    assert "at scoring" in again.content.decode()
    assert sitting.round.submitted_at == submitted_at


def test_a_question_refused_stays_in_its_field(alice_client: Client, sitting: Sitting) -> None:
    question = "why " * 200
    response = sitting.at(alice_client).post("ask", data={"text": question})
    assert response.status_code == 422
    assert question in response.content.decode()
    assert "at most 500" in response.content.decode()


def test_a_score_refused_keeps_the_whole_form_and_says_what_is_wrong_at_its_field(
    alice_client: Client, sitting: Sitting
) -> None:
    posted = scores_form() | {"quote_5": "words that were never written", "confidence_6": "many", "quote_7": ""}
    response = sitting.to("scoring").at(alice_client).post("scores", data=posted)
    page = response.content.decode()
    assert response.status_code == 422
    assert "words that were never written" in page
    assert "do not stand in your submission" in page
    assert "from 0 to 100" in page
    assert 'value="many"' in page
    assert page.count(EVIDENCE) >= 6
    kept = sitting.at(alice_client).get("round").content.decode()
    assert kept.count(EVIDENCE) >= 6


def test_b049_a_second_tab_that_scores_sees_the_scores_that_stand(alice_client: Client, sitting: Sitting) -> None:
    browser = sitting.to("scoring").at(alice_client)
    assert browser.post("scores", data=scores_form(3)).status_code == 303
    response = browser.post("scores", data=scores_form(1))
    assert response.status_code == 409
    assert "already scored" in response.content.decode()


def test_an_answer_refused_stays_in_its_field(alice_client: Client, sitting: Sitting) -> None:
    answer = "long " * 4100
    response = sitting.to("critique").at(alice_client).post("critique_answer", 1, data={"answer": answer})
    assert response.status_code == 422
    assert answer in response.content.decode()
    assert CritiqueAnswer.objects.get().answered_at is None


def test_a_script_is_refused_in_json_and_told_where_to_go_on(alice_client: Client, sitting: Sitting) -> None:
    browser = sitting.to("critique").at(alice_client)
    accepts = {"Accept": "application/json"}
    assert browser.post("critique_first", 1, headers=accepts).json() == {"url": sitting.url()}
    refused = browser.post("critique_first", 2, headers=accepts)
    assert (refused.status_code, refused.json()["reason"]) == (404, "unknown")


def test_a_pause_and_a_resume_by_forms(alice_client: Client, practice: Sitting) -> None:
    browser = practice.to("writing").at(alice_client)
    assert browser.post("pause").status_code == 303
    assert practice.round.paused_seconds_left is not None
    assert browser.post("pause").status_code == 409
    assert browser.post("resume").status_code == 303
    assert browser.post("resume").status_code == 409
    assert practice.round.deadline_at is not None


def test_an_exam_has_no_pause(alice_client: Client, sitting: Sitting) -> None:
    response = sitting.to("writing").at(alice_client).post("pause")
    assert response.status_code == 409
    assert "exam round cannot be paused" in response.content.decode()


def test_abandoning_twice_is_a_409_and_the_first_stands(alice_client: Client, sitting: Sitting) -> None:
    browser = sitting.to("writing").at(alice_client)
    assert browser.post("abandon").status_code == 303
    assert browser.post("abandon").status_code == 409
    assert sitting.state == "abandoned"


def test_a_writing_page_left_open_past_the_bell_cannot_abandon_the_submission(
    alice_client: Client, sitting: Sitting
) -> None:
    sitting.to("writing").after(3000)
    assert sitting.at(alice_client).post("abandon", data={"from": "writing"}).status_code == 409
    assert sitting.state == "scoring"


def test_a_late_addendum_is_decided_by_a_form(alice_client: Client, sitting: Sitting) -> None:
    late = services.addendum_offer(
        round=sitting.to("scoring").round, key="s1", text="late", save_id="x", now=sitting.now
    )
    assert late is not None
    browser = sitting.at(alice_client)
    assert browser.post("addendum", late.pk, data={"decision": "perhaps"}).status_code == 422
    assert browser.post("addendum", late.pk, data={"decision": "kept"}).status_code == 303
    assert browser.post("addendum", late.pk, data={"decision": "discarded"}).status_code == 409
    assert LateAddendum.objects.get().decision == "kept"


def test_a_form_asked_for_by_get_leads_to_the_round(alice_client: Client, sitting: Sitting) -> None:
    browser = sitting.at(alice_client)
    for name in ("ask", "begin", "submit", "scores"):
        response = browser.get(name)
        assert (response.status_code, response.url) == (303, sitting.url())
    assert alice_client.get("/rounds/start/").url == reverse("rounds:index")


def test_b041_going_back_and_forward_lands_on_the_present_state(alice_client: Client, sitting: Sitting) -> None:
    browser = sitting.to("writing").at(alice_client)
    sitting.save("s2", "Kept.")
    for _ in range(3):
        page = browser.get("round").content.decode()
        assert 'data-state="writing"' in page
        assert "Kept." in page


def test_the_time_line_opens_with_the_seal(alice_client: Client, sitting: Sitting) -> None:
    browser = sitting.to("writing").at(alice_client)
    sitting.save("s2", "An early draft.")
    sitting.save("s2", "The last draft.")
    assert browser.get("timeline").status_code == 409
    services.round_submit(round=sitting.round, now=sitting.tick())
    page = browser.get("timeline").content.decode()
    assert "An early draft." in page
    assert "The last draft." in page
