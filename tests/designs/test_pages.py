"""The designs' pages: the prompt alone until a design is earned, by its own reader and by nobody else's deeds."""

import datetime as dt
import re
from pathlib import Path

import pytest
from django.test import Client
from pytest_django import Settings

from designs.services import design_version_store
from tests.factories import make_user
from trainer.accounts.models import User
from trainer.rounds.models import DesignReading, Mode, Round, State

pytestmark = pytest.mark.django_db

# Words that stand in each part of x01 that is not the prompt's.
SECRETS = {
    "a section": "Ticket numbers are reused each year",
    "a section's title": "What a second run may repeat",
    "a critique": "A queue with no bound",
    "a critique's title": "The log is the leak",
    "a revision": "Put the year in the key",
    "partial credit": "Masks names only",
    "the deciding number": "3.4 h",
    "a step": "One figure for the fleet",
    "a formula": "tokens per ticket",
    "an answer": "They stay in the region",
    "an interjection": "A worker dies with a hundred tickets",
    "an anchor": "bounds the queue",
    "the drawing": "summary store",
    "altitude 2": "Inside one worker",
}
UNEARNED = [state for state in State if state != State.DONE]


def round_of(user: User, state: State, now: dt.datetime) -> Round:
    version = design_version_store(slug="x01", now=now)
    clocked = state in (State.ARITHMETIC, State.WRITING)
    return Round.objects.create(
        user=user,
        design_version=version,
        slug="x01",
        mode=Mode.EXAM,
        rubric_version="1",
        seed=1,
        state=state,
        created_at=now,
        deadline_at=dt.datetime(2100, 1, 1, tzinfo=dt.UTC) if clocked else None,
        sealed_at=None if clocked or state == State.PROMPT else now,
    )


def page(client: Client, path: str, status: int = 200) -> str:
    response = client.get(path)
    assert response.status_code == status
    return response.content.decode()


def assert_nothing_is_given_away(html: str) -> None:
    for part, words in SECRETS.items():
        assert words not in html, part


def test_before_anything_the_prompt_stands_alone(pack: Path, alice_client: Client) -> None:
    html = page(alice_client, "/designs/x01/")
    assert "support tickets" in html
    assert_nothing_is_given_away(html)


@pytest.mark.parametrize("state", UNEARNED)
def test_a_round_that_is_not_done_opens_nothing(
    pack: Path, alice: User, alice_client: Client, now: dt.datetime, state: State
) -> None:
    round_of(alice, state, now)
    for path in ("/designs/", "/designs/x01/", "/designs/x01/read/"):
        assert_nothing_is_given_away(page(alice_client, path))


def test_a_round_done_opens_the_whole_design(pack: Path, alice: User, alice_client: Client, now: dt.datetime) -> None:
    round_of(alice, State.DONE, now)
    html = page(alice_client, "/designs/x01/")
    for part, words in SECRETS.items():
        assert words in html, part


def test_reading_without_attempting_asks_once_and_is_on_record(pack: Path, alice: User, alice_client: Client) -> None:
    assert_nothing_is_given_away(page(alice_client, "/designs/x01/read/"))
    assert not DesignReading.objects.exists()
    response = alice_client.post("/designs/x01/read/")
    assert (response.status_code, response["Location"]) == (302, "/designs/x01/")
    reading = DesignReading.objects.get()
    assert (reading.user, reading.slug) == (alice, "x01")
    assert SECRETS["a revision"] in page(alice_client, "/designs/x01/")
    assert alice_client.get("/designs/x01/read/")["Location"] == "/designs/x01/"
    alice_client.post("/designs/x01/read/")
    assert DesignReading.objects.get().at == reading.at


@pytest.mark.parametrize("state", [State.ARITHMETIC, State.WRITING])
def test_a_design_cannot_be_read_while_a_clock_runs_on_it(
    pack: Path, alice: User, alice_client: Client, now: dt.datetime, state: State
) -> None:
    round_of(alice, state, now)
    response = alice_client.post("/designs/x01/read/")
    assert response.status_code == 409
    assert "Finish it or abandon it" in response.content.decode()
    assert not DesignReading.objects.exists()
    assert_nothing_is_given_away(page(alice_client, "/designs/x01/"))


def test_what_alice_has_earned_opens_nothing_for_bob(
    pack: Path, alice: User, alice_client: Client, bob_client: Client, stranger_client: Client, now: dt.datetime
) -> None:
    round_of(alice, State.DONE, now)
    alice_client.post("/designs/x01/read/")
    for client in (bob_client, stranger_client):
        for path in ("/designs/", "/designs/x01/", "/designs/x01/read/"):
            assert_nothing_is_given_away(page(client, path))
    assert "Your rounds (1)" in page(alice_client, "/designs/")
    assert "Your rounds" not in page(bob_client, "/designs/")


def test_what_alice_has_read_opens_nothing_for_bob(pack: Path, alice_client: Client, bob_client: Client) -> None:
    alice_client.post("/designs/x01/read/")
    assert SECRETS["a revision"] in page(alice_client, "/designs/x01/")
    assert_nothing_is_given_away(page(bob_client, "/designs/x01/"))
    assert "read, not attempted" in page(alice_client, "/designs/")
    assert "read, not attempted" not in page(bob_client, "/designs/")


def test_a_step_opens_in_the_worksheet_with_what_it_is_worked_out_from(
    pack: Path, alice: User, alice_client: Client, now: dt.datetime
) -> None:
    round_of(alice, State.DONE, now)
    html = page(alice_client, "/designs/x01/")
    links = set(re.findall(r'href="(/designs/x01/steps/[^"]+)"', html))
    assert links == {
        f"/designs/x01/steps/{id}/"
        for id in ("total_tokens", "token_rate", "run_time", "run_time_at_peak", "second_run_cost")
    }
    opened = page(alice_client, "/designs/x01/steps/run_time/")
    assert "run_time = total_tokens / token_rate" in opened
    assert "tickets = 2000000" in opened
    assert "rent" not in opened[opened.index("<textarea") : opened.index("</textarea>")]
    assert "3.369 h" in opened
    assert 'href="/designs/x01/#step-run_time"' in opened


@pytest.mark.parametrize("state", UNEARNED)
def test_no_step_opens_before_the_design_is_earned(
    pack: Path, alice: User, alice_client: Client, now: dt.datetime, state: State
) -> None:
    round_of(alice, state, now)
    missing = alice_client.get("/designs/x01/steps/no_such_step/")
    for step in ("run_time", "total_tokens", "second_run_cost"):
        response = alice_client.get(f"/designs/x01/steps/{step}/")
        assert (response.status_code, missing.status_code) == (404, 404)
        assert_nothing_is_given_away(response.content.decode())


def test_the_steps_that_alice_has_earned_open_for_nobody_else(
    pack: Path, alice: User, alice_client: Client, bob_client: Client, stranger_client: Client, now: dt.datetime
) -> None:
    round_of(alice, State.DONE, now)
    assert alice_client.get("/designs/x01/steps/run_time/").status_code == 200
    assert alice_client.get("/designs/x01/steps/no_such_step/").status_code == 404
    for client in (bob_client, stranger_client):
        assert client.get("/designs/x01/steps/run_time/").status_code == 404


@pytest.mark.parametrize("path", ["/designs/", "/designs/x01/", "/designs/x01/read/", "/designs/x01/steps/run_time/"])
def test_whoever_is_not_logged_in_is_asked_to(pack: Path, anonymous_client: Client, path: str) -> None:
    for response in (anonymous_client.get(path), anonymous_client.post(path)):
        assert response.status_code in (302, 405)
        assert_nothing_is_given_away(response.content.decode())
    assert "/log" in anonymous_client.get(path)["Location"]
    assert not DesignReading.objects.exists()


@pytest.mark.parametrize("path", ["/designs/m99/", "/designs/m99/read/", "/designs/X%20/", "/designs/..%2fx01/"])
def test_a_design_that_is_not_there_is_404(pack: Path, alice_client: Client, path: str) -> None:
    assert alice_client.get(path).status_code == 404
    assert alice_client.post(path).status_code in (404, 405)


def test_the_index_says_why_and_which_two_hard_parts_and_nothing_else(pack: Path, alice_client: Client) -> None:
    html = page(alice_client, "/designs/")
    for words in (
        "A nightly summary job",
        "it shows the form",
        "will it finish by six",
        "what a second run may repeat",
    ):
        assert words in html
    assert_nothing_is_given_away(html)


def test_a_refused_pack_is_told_to_the_one_who_runs_the_site(pack: Path, client: Client) -> None:
    (pack / "x01/derivation.toml").write_text("[[step")
    html = page(client, "/designs/")
    assert "x01" in html
    assert "derivation.toml:1" in html
    assert "not valid TOML" in html


def test_a_refused_pack_is_not_told_to_a_guest_of_a_hosted_site(pack: Path, alice_client: Client) -> None:
    (pack / "x01/derivation.toml").write_text("[[step")
    assert "not valid TOML" not in page(alice_client, "/designs/")
    make_user("staff", is_staff=True)
    staff = Client()
    assert staff.login(username="staff", password="correct horse battery staple")
    assert "not valid TOML" in page(staff, "/designs/")


def test_a_broken_file_of_one_pack_leaves_the_other_s_page_standing(
    pack: Path, alice_client: Client, settings: Settings, tmp_path: Path
) -> None:
    broken = tmp_path / "more/a02"
    broken.mkdir(parents=True)
    (broken / "design.toml").write_text("slug = ")
    settings.CONTENT_DIRS = [tmp_path / "more", pack]
    assert "A nightly summary job" in page(alice_client, "/designs/")
    assert alice_client.get("/designs/a02/").status_code == 404


def test_the_reading_view_marks_the_deciding_step_and_leads_to_every_part(
    pack: Path, alice: User, alice_client: Client, now: dt.datetime
) -> None:
    round_of(alice, State.DONE, now)
    html = page(alice_client, "/designs/x01/")
    assert re.search(r'id="step-run_time" class="step-row step-deciding">\s*<details open>', html)
    assert (html.count("step-deciding"), html.count("<details open>")) == (1, 1)
    assert 'id="step-second_run_cost"' in html[html.index('id="r2"') : html.index('id="r3"')]
    ids = set(re.findall(r'\sid="([^"]+)"', html))
    assert set(re.findall(r'href="#([^"]+)"', html)) - ids == set()
    assert len(ids) == len(re.findall(r'\sid="([^"]+)"', html))


def test_a_revision_is_folded_behind_an_answer_box(
    pack: Path, alice: User, alice_client: Client, now: dt.datetime
) -> None:
    round_of(alice, State.DONE, now)
    html = page(alice_client, "/designs/x01/")
    critique = html[html.index('id="r1"') : html.index('id="r2"')]
    assert critique.index("<textarea") < critique.index("<details") < critique.index("Bound it to what")


def test_the_pages_hold_nothing_that_the_policy_forbids(
    pack: Path, alice: User, alice_client: Client, now: dt.datetime
) -> None:
    round_of(alice, State.DONE, now)
    response = alice_client.get("/designs/x01/")
    html = response.content.decode()
    assert "default-src 'none'" in response["Content-Security-Policy"]
    assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)", html)


def test_a_drawing_that_cannot_be_made_is_said_and_its_words_are_shown(
    pack: Path, alice: User, alice_client: Client, now: dt.datetime
) -> None:
    round_of(alice, State.DONE, now)
    (pack / "x01/diagram.dot").write_text("digraph { a -> ")
    html = page(alice_client, "/designs/x01/")
    assert "The drawing could not be made here" in html
    assert "fills a queue" in html


def test_hostile_markdown_of_a_pack_is_shown_as_text(pack: Path, alice_client: Client) -> None:
    head = pack / "x01/design.toml"
    head.write_text(head.read_text().replace("A nightly summary job", "<script>alert(1)</script>"))
    (pack / "x01/prompt.md").write_text("<script>alert(2)</script> and <img src=x onerror=alert(3)>")
    for path in ("/designs/", "/designs/x01/"):
        html = page(alice_client, path)
        assert "<script>alert" not in html
        assert "<img" not in html
