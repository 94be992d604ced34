"""The worksheet that stands by itself: its text in the URL, its values from the server, its refusals at the line."""

import re
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from django.test import Client

from calculator.views_worksheet import EXAMPLE, LIMIT_CHARACTERS, LONGEST_ADDRESS, address_of

pytestmark = pytest.mark.django_db
URL = "/calculator/worksheet/"
HTMX = {"HX-Request": "true"}


def row(html: str, number: int) -> str:
    """One line's row, without its tags."""
    found = re.search(rf'<li data-line="{number}".*?</li>', html, re.DOTALL)
    assert found, number
    return " ".join(re.sub(r"<[^>]+>", " ", found[0]).split())


def test_the_text_of_the_url_is_worked_out_with_the_catalogue_s_facts(client: Client) -> None:
    html = client.get(URL, {"text": "n = 131072 tokens\nn * 320 KiB/tok -> GiB\nh100.memory / 2"}).content.decode()
    assert "n = 131,072 tokens" in row(html, 1)
    assert "40.00 GiB" in row(html, 2)
    assert "40.00 GiB" in row(html, 3)
    assert "n = 131072 tokens\nn * 320 KiB/tok -&gt; GiB" in html


def test_an_error_stands_at_its_line_with_its_column_and_the_others_have_their_values(client: Client) -> None:
    html = client.get(URL, {"text": "a = 2 GiB\nb = a + 3 ms\nc = a * 2"}).content.decode()
    assert re.search(r"line 2 .*\(column \d+\)", row(html, 2))
    assert 'data-line="2" class="is-error"' in html
    assert "c = 4.000 GiB" in row(html, 3)


def test_the_page_begins_with_an_example_that_has_no_error(client: Client) -> None:
    html = client.get(URL).content.decode()
    assert "is-error" not in html
    assert "320.0 KiB" in html
    assert EXAMPLE.splitlines()[0] in html


def test_the_help_lists_units_functions_and_facts(client: Client) -> None:
    html = client.get(URL).content.decode()
    for name in ("GiB", "kv_cache_bytes_per_token", "h100", "planning.prefill_mfu"):
        assert f"<dt><code>{name}" in html


def test_without_scripts_a_posted_text_moves_into_the_url(client: Client) -> None:
    text = "a = 2 GiB & 1\r\nb = a"
    response = client.post(URL, {"text": text})
    assert response.status_code == 303
    assert parse_qs(urlsplit(response["Location"]).query)["text"] == [text.replace("\r\n", "\n")]
    assert client.get(response["Location"]).status_code == 200


def test_a_text_that_is_too_long_for_a_url_is_worked_out_all_the_same(client: Client) -> None:
    text = "# " + "ä" * LONGEST_ADDRESS + "\na = 2 + 3"
    response = client.post(URL, {"text": text})
    assert response.status_code == 200
    html = response.content.decode()
    assert "a = 5" in row(html, 2)
    assert "too long for an address" in html


def test_htmx_gets_the_lines_alone_and_the_url_that_holds_them(client: Client) -> None:
    response = client.post(URL, {"text": "a = 2 + 3"}, headers=HTMX)
    html = response.content.decode()
    assert "<html" not in html
    assert "a = 5" in row(html, 1)
    assert response["HX-Replace-Url"] == URL + "?text=" + quote("a = 2 + 3").replace("%20", "+")
    long = client.post(URL, {"text": "#" * LONGEST_ADDRESS}, headers=HTMX)
    assert long["HX-Replace-Url"] == URL


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_a_text_over_the_limit_is_refused_with_both_figures(client: Client, headers: dict[str, str]) -> None:
    response = client.post(URL, {"text": "1" * (LIMIT_CHARACTERS + 1)}, headers=headers)
    assert response.status_code == 422
    assert f"{LIMIT_CHARACTERS + 1:,} characters; at most {LIMIT_CHARACTERS:,}" in response.content.decode()
    assert client.post(URL, {"text": "#" * LIMIT_CHARACTERS}, headers=headers).status_code == 200


@pytest.mark.parametrize("text", ["\x00", "a = \u202e1", "= = =", "a" * 5000, "\n" * 500, "9**9**9", "(" * 1000, "💥"])
def test_no_text_is_an_error_of_the_server(client: Client, text: str) -> None:
    for response in (client.get(URL, {"text": text}), client.post(URL, {"text": text}, headers=HTMX)):
        assert response.status_code == 200


def test_script_in_a_line_is_shown_as_text(client: Client) -> None:
    html = client.get(URL, {"text": "</textarea><script>alert(1)</script> = 1"}).content.decode()
    assert "<script>alert" not in html
    assert "</textarea>&lt;script" not in html


def test_an_address_is_given_only_when_it_fits() -> None:
    room = LONGEST_ADDRESS - len(f"{URL}?text=")
    assert len(address_of("1" * room)) == LONGEST_ADDRESS
    assert address_of("1" * (room + 1)) == ""


def test_every_page_of_the_calculator_leads_to_it(client: Client) -> None:
    for path in ("/calculator/", "/calculator/config/", "/calculator/compare/", URL):
        assert f'href="{URL}"' in client.get(path).content.decode()


def test_it_is_the_same_for_all_who_are_logged_in_and_for_nobody_else(
    alice_client: Client, bob_client: Client, anonymous_client: Client
) -> None:
    pages = [client.get(URL, {"text": "a = 41 + 1"}).content.decode() for client in (alice_client, bob_client)]
    assert all("a = 42" in row(html, 1) for html in pages)
    assert anonymous_client.get(URL, {"text": "a = 41 + 1"}).status_code == 302
