"""The page and its JSON: the same answer as the command line, refusals that keep what was typed, and who may look."""

import json
import re
from urllib.parse import urlencode

import pytest
from django.test import Client

from calculator.charts import BAR_WIDTH, memory_bar, roofline_chart
from calculator.core.text import show
from calculator.gpu_math import main
from tests.calculator.helpers import plan_for

QUESTION = {"model": "llama-70b", "gpu": "h100", "gpus": "4", "seq_len": "8192", "batch": "64"}


def page(client: Client, **typed: str) -> str:
    response = client.get("/calculator/", typed)
    assert response.status_code == 200
    return response.content.decode()


@pytest.mark.parametrize(
    "typed",
    [
        QUESTION,
        QUESTION | {"params": "70e9", "price": "3.1", "dtype": "fp8", "kv_dtype": "fp8", "mfu": "0.4"},
        QUESTION | {"gpus": "1"},
        {"model": "gemma-3-27b", "gpu": "mi300x", "prompt_len": "30000"},
    ],
)
def test_page_json_and_command_line_give_the_same_results(
    typed: dict[str, str], client: Client, db: None, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = client.get("/calculator.json", typed).json()
    arguments = [part for name, value in typed.items() for part in ("--" + name.replace("_", "-"), value)]
    assert main([*arguments, "--json"]) == 0
    assert answer == json.loads(capsys.readouterr().out)
    text = page(client, **typed)
    for step in answer["steps"]:
        shown = "–" if step["value"] is None else show(step["value"], step["unit"])
        assert f'<summary><span>{step["title"]}</span><span class="num">{shown}</span></summary>' in text
    assert answer["verdict"][1:] in text


def test_an_empty_page_shows_an_example_that_its_form_holds(client: Client, db: None) -> None:
    text = page(client)
    assert 'name="model" value="llama70b"' in text
    assert "Memory-bound" in text


def test_every_result_opens_to_formula_numbers_and_source(client: Client, db: None) -> None:
    text = page(client, **QUESTION)
    for step in plan_for(gpus=4, batch=64).steps:
        assert f'id="step-{step.path.replace("/", "-")}"' in text
    assert text.count("<math") == text.count('class="calculator-step"') >= 20
    assert "2 × 80 × 8 × 128 × 2 B = 327,680 B" in text
    assert "NVIDIA H100 datasheet" in text


def test_the_page_has_neither_inline_style_nor_inline_script(client: Client, db: None) -> None:
    text = page(client, **QUESTION)
    assert not re.search(r"\sstyle\s*=|<style|\son[a-z]+\s*=|hx-on", text)
    assert all("src=" in tag for tag in re.findall(r"<script[^>]*>", text))


def test_htmx_gets_the_answer_alone_and_the_url_of_what_was_typed(client: Client, db: None) -> None:
    response = client.get("/calculator/", QUESTION | {"price": ""}, headers={"HX-Request": "true"})
    text = response.content.decode()
    assert text.strip().startswith('<div id="answer"')
    assert "<form" not in text
    assert response.headers["HX-Replace-Url"] == f"/calculator/?{urlencode(QUESTION)}"
    assert "field-error" not in text
    assert '<p id="answer-status" hx-swap-oob="innerHTML">Memory-bound' in text


def test_going_back_in_the_browser_gets_the_whole_page(client: Client, db: None) -> None:
    headers = {"HX-Request": "true", "HX-History-Restore-Request": "true"}
    assert "<form" in client.get("/calculator/", QUESTION, headers=headers).content.decode()


@pytest.mark.parametrize("htmx", [False, True])
def test_a_refused_field_is_422_with_its_message_and_what_was_typed(htmx: bool, client: Client, db: None) -> None:
    headers = {"HX-Request": "true"} if htmx else {}
    typed = QUESTION | {"gpus": "0", "price": "free"}
    response = client.get("/calculator/", typed, headers=headers)
    text = response.content.decode()
    assert response.status_code == 422
    assert "1 to 1,024 GPUs" in text
    assert "What you typed is kept" in text
    if htmx:
        assert 'id="field-gpus-error" hx-swap-oob="true">0 is out of range' in text
    else:
        assert 'name="gpus" value="0"' in text
        assert 'name="price" value="free"' in text
        assert text.count('aria-invalid="true"') == 2
        assert re.search(r"<details[^>]* open>", text)


BAD = [
    {"gpus": "-1"},
    {"gpus": "1e9"},
    {"batch": "99999999999999999999999"},
    {"seq_len": "NaN"},
    {"mem_util": "2"},
    {"model": "<script>alert(1)</script>"},
    {"model": "x" * 5000},
    {"gpu": "\x00"},
    {"gpu": "é" * 100},
    {"tp": "3"},
    {"dtype": "../../etc"},
    {"params": "1e-5"},
    {"gpus": "7"},
]


@pytest.mark.parametrize("typed", BAD)
def test_bad_input_is_422_by_name_on_the_page_and_in_json(typed: dict[str, str], client: Client, db: None) -> None:
    response = client.get("/calculator/", QUESTION | typed)
    assert response.status_code == 422
    assert "<script>alert" not in response.content.decode()
    refused = client.get("/calculator.json", QUESTION | typed)
    assert refused.status_code == 422
    errors = refused.json()["errors"]
    assert [error["field"] for error in errors] == list(typed)
    assert all(error["allowed"] and error["example"] for error in errors)


def test_a_field_given_twice_is_refused_and_not_chosen_for_you(client: Client, db: None) -> None:
    url = "/calculator.json?" + urlencode([*QUESTION.items(), ("gpus", "8")])
    response = client.get(url)
    assert response.status_code == 422
    assert response.json()["errors"][0]["field"] == "gpus"
    assert client.get(url.replace(".json", "/")).status_code == 422


def test_json_without_a_question_names_what_is_missing(client: Client, db: None) -> None:
    response = client.get("/calculator.json")
    assert response.status_code == 422
    assert [error["field"] for error in response.json()["errors"]] == ["model", "gpu"]


def test_only_reading_is_possible(client: Client, db: None) -> None:
    for path in ("/calculator/", "/calculator.json"):
        assert client.post(path, QUESTION).status_code == 405
        assert client.head(path, QUESTION).status_code == 200


@pytest.mark.parametrize("path", ["/calculator/", "/calculator.json"])
def test_alice_bob_and_a_stranger_see_the_same_and_nobody_without_log_in(
    path: str, alice_client: Client, bob_client: Client, stranger_client: Client, anonymous_client: Client
) -> None:
    # There is nothing of anyone's on it: the question is in the URL, and no row is read or written.
    for client in (alice_client, bob_client, stranger_client):
        response = client.get(path, QUESTION)
        assert response.status_code == 200
    turned_away = anonymous_client.get(path, QUESTION)
    assert turned_away.status_code in (302, 401)


def test_the_roofline_has_its_points_on_the_roof() -> None:
    chart = roofline_chart(plan_for(gpus=4, batch=32))
    start, ridge, end = (tuple(map(float, pair.split(","))) for pair in chart.roof.split())
    assert start[0] == chart.left
    assert end[0] == chart.right
    assert ridge[1] == end[1] == chart.ridge.y
    assert [point.kind for point in chart.points] == ["other", "asked", "most", "prefill"]
    for point in chart.points:
        assert chart.left <= point.x <= chart.right
        assert chart.top <= point.y <= chart.bottom
        if point.x <= ridge[0]:
            slope = (start[1] - ridge[1]) / (ridge[0] - start[0])
            assert start[1] - point.y == pytest.approx(slope * (point.x - start[0]), abs=0.3)
        else:
            assert point.y == ridge[1]


def test_the_memory_bar_is_full_and_absent_when_nothing_fits() -> None:
    parts = memory_bar(plan_for(gpus=4, batch=32))
    assert sum(part.share for part in parts) == pytest.approx(1)
    assert sum(part.width for part in parts) == pytest.approx(BAR_WIDTH, abs=0.05)
    assert memory_bar(plan_for(gpus=1)) == ()
    assert all(part.size_bytes >= 0 for part in memory_bar(plan_for(gpus=4, batch=1000)))


def test_the_chart_has_a_table_with_the_same_points(client: Client, db: None) -> None:
    text = page(client, **QUESTION)
    table = text[text.index('id="roofline-table"') :]
    for point in roofline_chart(plan_for(gpus=4, batch=64)).points:
        assert point.name in table
        assert point.intensity_text in table


def test_a_refused_question_does_not_say_that_there_are_no_weights(client: Client, db: None) -> None:
    text = client.get("/calculator/", QUESTION | {"gpus": "0"}).content.decode()
    assert [one.strip() for one in re.findall(r'<option value=""[^>]*>([^<]*)', text)] == ["as assumed"] * 3 + ["none"]
