"""`critic_check` and `critic_eval` against the endpoint on loopback."""

import datetime as dt
import shutil
from decimal import Decimal
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from tests import endpoint as server
from tests.endpoint import KEY, MODEL, Behaviour, Endpoint
from tests.grading.cases import FOLDER


def said(*command: str) -> tuple[str, str]:
    """What the command said, and its error."""
    out = StringIO()
    try:
        call_command(*command, stdout=out)
    except CommandError as error:
        return out.getvalue(), str(error)
    return out.getvalue(), ""


def test_a_good_endpoint_passes_with_what_it_does(endpoint: Endpoint) -> None:
    text, error = said("critic_check")
    assert error == ""
    for words in ("key accepted", MODEL, "JSON schema: honoured", "1,000 in, 500 out", "as of 2026-03-01", "$0.006"):
        assert words in " ".join(text.split())
    assert KEY not in text
    assert len(endpoint.asked) == 1


def test_an_old_price_and_a_missing_one_are_noted(endpoint: Endpoint, settings: Settings) -> None:
    settings.CRITIC_PRICE_AS_OF = dt.date(2020, 1, 1)
    assert "look whether it still holds" in said("critic_check")[0]
    settings.CRITIC_PRICE_AS_OF = None
    text, error = said("critic_check")
    assert "no budget holds" in text
    assert error == ""


@pytest.mark.parametrize(
    ("behaviour", "words"),
    [(server.ignores_the_schema, "not kept to"), (server.refuses_the_schema, "refused: the form")],
)
def test_a_server_without_schemas_can_be_used_and_is_said_to_be_one(
    endpoint: Endpoint, behaviour: Behaviour, words: str
) -> None:
    endpoint.otherwise = behaviour
    text, error = said("critic_check")
    assert words in text
    assert error == ""


@pytest.mark.parametrize(
    ("behaviour", "words"),
    [
        (server.status(401), "CRITIC_API_KEY"),
        (server.status(404), MODEL),
        (server.status(500), "500"),
        (server.cuts, "connection"),
        (server.prose, "no JSON"),
        (server.wrong_schema, "wrong schema"),
    ],
)
def test_an_endpoint_that_cannot_be_used_fails_and_says_why(
    endpoint: Endpoint, behaviour: Behaviour, words: str
) -> None:
    endpoint.otherwise = behaviour
    text, error = said("critic_check")
    assert words in text
    assert "cannot use this endpoint" in error


@pytest.mark.parametrize("command", ["critic_check", "critic_eval"])
def test_without_an_endpoint_each_says_how_to_set_one(command: str) -> None:
    assert "CRITIC_BASE_URL" in said(command)[1]


def test_an_evaluation_prints_agreement_drops_tokens_and_cost(endpoint: Endpoint) -> None:
    text, error = said("critic_eval", "--designs", "m01")
    assert error == ""
    for words in ("m01 middling", "m01 strong", "m01 weak", "agreed", "line 1 (", "bias", "critiques stood"):
        assert words in text
    assert "Cost: $0.04 (6,000 tokens in, 3,000 out; prices as of 2026-03-01)" in text
    assert len(endpoint.asked) == 6


def test_an_evaluation_counts_a_model_that_says_no_to_everything(endpoint: Endpoint) -> None:
    endpoint.otherwise = server.lies
    text, error = said("critic_eval", "--designs", "m01")
    assert error == ""
    assert "quote not found" in text
    assert "1:0/" in text


def test_an_evaluation_stops_before_it_costs_more_than_its_cap(endpoint: Endpoint, settings: Settings) -> None:
    settings.CRITIC_USD_PER_MILLION_OUTPUT = Decimal(1000)
    settings.CRITIC_MAX_OUTPUT_TOKENS = 1000
    text, error = said("critic_eval", "--designs", "m01", "--cap-usd", "1.9")
    assert "The cap of 1.9 USD" in error
    assert "Cost: $" in text
    assert 0 < len(endpoint.asked) < 6


def test_an_evaluation_of_an_endpoint_that_fails_says_so_for_each(endpoint: Endpoint) -> None:
    endpoint.otherwise = server.status(500)
    text, error = said("critic_eval", "--designs", "m01")
    assert text.count("not judged") == 3
    assert "No submission was judged" in error


@pytest.mark.parametrize("cap", ["-1", "much", "nan"])
def test_a_cap_that_is_none_is_refused(endpoint: Endpoint, cap: str) -> None:
    assert "0 or more" in said("critic_eval", "--cap-usd", cap)[1]


def test_a_folder_that_holds_no_submissions_is_refused_by_name(endpoint: Endpoint, tmp_path: Path) -> None:
    assert "no folder" in said("critic_eval", "--folder", str(tmp_path / "none"))[1]
    assert "no submission of any design" in said("critic_eval", "--folder", str(tmp_path))[1]
    shutil.copytree(FOLDER / "m01" / "weak", tmp_path / "m01" / "weak")
    (tmp_path / "m01" / "weak" / "expected.toml").write_text("[anchors]\nunknown = true\n")
    assert "anchors differ" in said("critic_eval", "--folder", str(tmp_path))[1]
