"""The steps of a round's design open in the worksheet as they are revealed, and not a moment before."""

import re

import pytest
from django.test import Client

from tests.trainer.rounds.sitting import Sitting
from trainer.rounds import services
from trainer.rounds.core import machine

pytestmark = pytest.mark.django_db
BEFORE = machine.ORDER[: machine.ORDER.index(machine.REVEAL)]


def sheet(browser, step: str) -> str:  # type: ignore[no-untyped-def]
    """The text of the worksheet that a step opens in."""
    response = browser.get("step", step)
    assert response.status_code == 200
    return response.content.decode().partition('wrap="off"')[2].partition(">")[2].partition("</textarea>")[0]


@pytest.mark.parametrize("state", [*BEFORE, machine.ABANDONED])
def test_before_the_reveal_no_step_opens(sitting: Sitting, alice_client: Client, state: str) -> None:
    browser = sitting.to(state).at(alice_client)
    for step in ("run_time", "total_tokens", "second_run_cost"):
        assert browser.get("step", step).status_code == 404


def test_the_deciding_step_opens_when_the_reveal_begins_and_the_others_with_their_section(
    sitting: Sitting, alice_client: Client
) -> None:
    browser = sitting.to("reveal").at(alice_client)
    assert f'href="{sitting.url("step", "run_time")}"' in browser.get().content.decode()
    assert "run_time = total_tokens / token_rate" in sheet(browser, "run_time")
    assert browser.get("step", "total_tokens").status_code == 404
    for position in (0, 1):
        services.reveal_advance(round=sitting.round, position=position, now=sitting.tick())
    assert "total_tokens = tickets * ticket_tokens" in sheet(browser, "total_tokens")
    assert browser.get("step", "second_run_cost").status_code == 404


def test_section_2_shows_every_step_with_its_link_and_none_of_a_critique_s(
    sitting: Sitting, alice_client: Client
) -> None:
    browser = sitting.to("reveal").at(alice_client)
    services.reveal_advance(round=sitting.round, position=0, now=sitting.tick())
    assert "step-total_tokens" not in browser.get().content.decode()
    services.reveal_advance(round=sitting.round, position=1, now=sitting.tick())
    html = browser.get().content.decode()
    for step in ("total_tokens", "token_rate", "run_time", "run_time_at_peak"):
        assert f'id="step-{step}"' in html
        assert f'href="{sitting.url("step", step)}"' in html
    assert "second_run_cost" not in html
    assert re.search(r'id="step-run_time" class="step-row step-deciding">\s*<details open>', html)
    ids = re.findall(r'\sid="([^"]+)"', html)
    assert len(ids) == len(set(ids))


def test_a_critique_s_step_opens_once_it_was_answered(sitting: Sitting, alice_client: Client) -> None:
    browser = sitting.to("critique").at(alice_client)
    for number in (1, 2):
        assert browser.get("step", "second_run_cost").status_code == 404
        services.critique_answer(round=sitting.round, number=number, text="My answer.", now=sitting.tick())
        services.critique_mark(round=sitting.round, number=number, mark="hit", now=sitting.tick())
    assert "second_run_cost = gpus * rent * run_time" in sheet(browser, "second_run_cost")


def test_the_steps_are_those_of_the_owner_alone(
    sitting: Sitting, alice_client: Client, bob_client: Client, stranger_client: Client
) -> None:
    sitting.to("done")
    assert sitting.at(alice_client).get("step", "run_time").status_code == 200
    assert sitting.at(alice_client).get("step", "no_such_step").status_code == 404
    for client in (bob_client, stranger_client):
        assert sitting.at(client).get("step", "run_time").status_code == 404
