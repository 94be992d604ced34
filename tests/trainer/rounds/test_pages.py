"""How the pages of a round write times, shares and help."""

import datetime as dt
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from calculator.expressions import evaluate
from calculator.facts import catalogue_facts
from calculator.worksheet_help import worksheet_help
from tests.trainer.rounds.sitting import Sitting
from trainer.accounts.models import User
from trainer.rounds.templatetags.round_format import factor, minutes, percent, signed, state_number


@pytest.mark.parametrize(
    ("duration", "written"),
    [
        (timedelta(seconds=5), "0:05"),
        (timedelta(minutes=45), "45:00"),
        (timedelta(hours=1, seconds=1), "1:00:01"),
        (90.4, "1:30"),
        (timedelta(seconds=-3), "0:00"),
        (None, ""),
    ],
)
def test_durations_are_written_as_on_a_clock(duration: timedelta | float | None, written: str) -> None:
    assert minutes(duration) == written


def test_shares_and_changes_are_written_with_their_sign() -> None:
    assert percent(0.256) == "26"
    assert [signed(change) for change in (2, 0, -1)] == ["+2", "±0", "−1"]


def test_a_factor_is_written_with_the_three_digits_that_count() -> None:
    ratios = (2469241.857, 734.2, 99.96, 1.3849, 0.0204, 0.0000004)
    assert [factor(ratio) for ratio in ratios] == ["2,470,000", "734", "100", "1.38", "0.0204", "less than 0.001"]


def test_rounds_are_offered_as_practice_until_one_is_handed_in_and_then_as_exam(
    alice: User, alice_client: Client, now: dt.datetime
) -> None:
    address = reverse("rounds:index")
    first = alice_client.get(address).content.decode()
    assert 'value="practice" checked' in first
    assert 'value="exam" checked' not in first
    Sitting(alice, now).to("abandoned")
    assert 'value="practice" checked' in alice_client.get(address).content.decode()
    Sitting(alice, now).to("scoring")
    later = alice_client.get(address).content.decode()
    assert 'value="practice" checked' not in later
    assert 'value="exam" checked' in later


def test_states_are_numbered_from_one_and_an_abandoned_round_is_at_none() -> None:
    assert [state_number(state) for state in ("prompt", "done", "abandoned")] == [1, 7, 0]


def test_every_fact_that_the_help_panel_lists_can_be_typed() -> None:
    facts = [entry.name for group in worksheet_help() for entry in group.entries if "." in entry.name.partition("(")[0]]
    assert "planning.decode_mbu" in facts
    for path in facts:
        evaluate(path, facts=catalogue_facts())


def test_times_are_shown_in_the_trainees_own_zone(sitting: Sitting, alice_client: Client) -> None:
    sitting.to("scoring")
    sitting.user.time_zone = "Asia/Tokyo"
    sitting.user.save()
    assert b">03:00:0" in sitting.at(alice_client).get().content  # 18:00 UTC


def test_an_abandoned_round_shows_what_was_written_and_says_so_when_nothing_was(
    sitting: Sitting, practice: Sitting, alice_client: Client
) -> None:
    nothing = b"Nothing was written before it was abandoned."
    sitting.to("writing").save("s1", "some words")
    sitting.to("abandoned")
    page = sitting.at(alice_client).get().content
    assert b"some words" in page
    assert nothing not in page
    assert nothing in practice.to("abandoned").at(alice_client).get().content


def test_what_was_posted_stands_in_the_fields_after_a_refusal(sitting: Sitting, alice_client: Client) -> None:
    sitting.to("scoring")
    response = sitting.at(alice_client).post("scores", data={"level_1": "9", "quote_1": "half a quote", "level_2": "4"})
    page = response.content.decode()
    assert response.status_code == 422
    assert "half a quote</textarea>" in page
    assert 'name="level_2" value="4" checked' in page


def test_a_round_page_is_never_kept_by_a_cache(sitting: Sitting, alice_client: Client) -> None:
    assert "no-store" in sitting.at(alice_client).get().headers["Cache-Control"]
