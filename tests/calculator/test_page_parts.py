"""The page's parts, charts with their tables, two side by side, and a config.json by paste or file."""

import io
import json
from pathlib import Path
from urllib.parse import urlencode

import pytest
from django.template.loader import render_to_string
from django.test import Client

from calculator.answers import PARTS
from calculator.charts import memory_bar
from calculator.config_files import LARGEST_BYTES
from calculator.core import prefix
from calculator.line_charts import break_even_chart, load_chart, prefix_lengths
from tests.calculator.helpers import plan_for

QUESTION = {"model": "llama-70b", "gpu": "h100", "gpus": "4", "seq_len": "8192", "batch": "64"}
HTMX = {"HX-Request": "true"}
PUBLISHED = json.loads((Path(__file__).parent / "configs" / "published.json").read_text())
CONFIG = json.dumps(PUBLISHED["qwen3_8b"]["config"])


@pytest.mark.parametrize("name", PARTS)
@pytest.mark.parametrize(
    "change", [{}, {"gpus": "1"}, {"budget": "engine"}, {"draft": "llama-8b", "cached_len": "512"}]
)
def test_a_part_alone_is_the_part_of_the_page(name: str, change: dict[str, str], client: Client, db: None) -> None:
    typed = QUESTION | change
    alone = client.get(f"/calculator/parts/{name}/", typed, headers=HTMX)
    assert alone.status_code == 200
    text = alone.content.decode()
    assert text.strip() in client.get("/calculator/", typed).content.decode()
    assert text.startswith(f"<h2>{PARTS[name][0]}</h2>")


def test_a_part_of_a_refused_question_says_why(client: Client, db: None) -> None:
    response = client.get("/calculator/parts/load/", QUESTION | {"batch": "0"}, headers=HTMX)
    assert response.status_code == 422
    assert "1 to 100,000" in response.content.decode()


def test_a_part_that_does_not_exist_is_not_found(client: Client, db: None) -> None:
    assert client.get("/calculator/parts/nothing/", QUESTION).status_code == 404


def test_an_answer_tells_the_parts_to_ask_for_theirs_and_a_refusal_does_not(client: Client, db: None) -> None:
    assert "calculator:answered" in client.get("/calculator/", QUESTION, headers=HTMX).headers["HX-Trigger"]
    refused = client.get("/calculator/", QUESTION | {"batch": "0"}, headers=HTMX)
    assert "HX-Trigger" not in refused.headers
    text = client.get("/calculator/", QUESTION).content.decode()
    assert text.count('hx-trigger="calculator:answered from:body"') == len(PARTS)


def test_what_does_not_fit_offers_questions_that_do(client: Client, db: None) -> None:
    text = client.get("/calculator/", QUESTION | {"gpus": "1"}).content.decode()
    offered = "/calculator/?" + urlencode(QUESTION | {"gpus": "4"}).replace("&", "&amp;")
    assert f'<a href="{offered}">4 GPUs in place of 1</a>' in text
    assert "does not fit" not in client.get(offered.replace("&amp;", "&")).content.decode()


def test_the_load_chart_ends_at_the_largest_batch_and_is_absent_without_one() -> None:
    plan = plan_for(gpus=4, batch=64)
    chart = load_chart(plan)
    assert chart is not None
    assert [row[0] for row in chart.rows][-1] == "69"
    assert "64" in [row[0] for row in chart.rows]
    assert {name for _, _, name in chart.lines[0].dots} == {"batch 1", "batch 64", "batch 69"}
    for pair in chart.lines[0].points.split():
        x, y = map(float, pair.split(","))
        assert chart.left <= x <= chart.right
        assert chart.top <= y <= chart.bottom
    assert load_chart(plan_for(gpus=1)) is None


def test_every_curve_is_named_in_the_colour_of_its_line_beside_it_and_below_the_chart() -> None:
    chart = break_even_chart(plan_for(gpus=4))
    page = render_to_string("calculator/parts/line_chart.html", {"chart": chart})
    key = page[page.index('class="chart-key') :].partition("</ul>")[0]
    named = [line for line in chart.lines if line.name]
    assert len(named) > 1
    for line in named:
        assert f'<text class="chart-label chart-label-{line.kind}"' in page
        assert f"</svg>{line.name}</li>" in key


def test_the_break_even_chart_has_the_formulas_values_and_says_what_each_link_makes_best() -> None:
    plan = plan_for(gpus=4, params="70e9")
    chart = break_even_chart(plan)
    assert prefix_lengths(131_072)[-1] == 131_072
    for length, row in zip(prefix_lengths(131_072), chart.rows, strict=True):
        even = prefix.prefix_break_even_bytes_per_s(plan.inputs.model, length, 4, 989.5e12, 1.0) / 1e9
        assert float(row[2].removesuffix(" GB/s")) == pytest.approx(even, abs=0.01)
    nvme = [row[3] for row in chart.rows]
    assert nvme[0] == "fetch unless at the peak"
    assert nvme[-1] == "fetch"


def test_an_engines_memory_is_drawn_in_its_parts() -> None:
    parts = memory_bar(plan_for(gpus=4, batch=8, budget="engine"))
    assert "CUDA graphs" in {part.name for part in parts}
    assert sum(part.share for part in parts) == pytest.approx(1)
    assert sum(part.size_bytes for part in parts) == pytest.approx(4 * 79.19 * 2**30, rel=1e-3)


def test_two_configurations_differ_where_the_second_says_so(client: Client, db: None) -> None:
    response = client.get("/calculator/compare/", QUESTION | {"b.gpu": "h200"})
    text = response.content.decode()
    assert response.status_code == 200
    assert "H100 SXM5" in text
    assert "H200 SXM" in text
    assert '<td class="num">0.698×</td>' in text
    assert 'name="b.gpu" value="h200"' in text
    live = client.get("/calculator/compare/", QUESTION | {"b.gpu": "h200"}, headers=HTMX)
    assert live.content.decode().startswith('<div id="compared"')
    assert live.headers["HX-Replace-Url"] == "/calculator/compare/?" + urlencode(QUESTION | {"b.gpu": "h200"})


def test_a_side_that_is_refused_leaves_the_other_standing(client: Client, db: None) -> None:
    response = client.get("/calculator/compare/", QUESTION | {"b.gpus": "3", "b.nothing": "1"})
    text = response.content.decode()
    assert response.status_code == 422
    assert "B: no answer yet" in text
    assert "A: no answer yet" not in text
    assert 'name="b.gpus" value="3"' in text
    assert client.get("/calculator/compare/").status_code == 200
    assert client.get("/calculator/compare/?batch=1&batch=2").status_code == 422


def test_a_pasted_config_is_answered_and_stays_in_the_form_alone(client: Client, db: None) -> None:
    response = client.post("/calculator/config/", {"config": CONFIG, "gpu": "h100", "batch": "8"})
    text = response.content.decode()
    assert response.status_code == 200
    assert "Memory-bound" in text
    assert "num_hidden_layers" in text
    assert "hx-get=" not in text
    assert 'name="model"' not in text
    named = client.get("/calculator.json", {"model": "qwen3-8b", "gpu": "h100", "batch": "8"}).json()
    assert f"{named['kv_cache_bytes_per_token']:,.0f} B" in text


def test_an_uploaded_config_goes_before_what_is_pasted(client: Client, db: None) -> None:
    file = io.BytesIO(CONFIG.encode())
    file.name = "mine.json"
    response = client.post("/calculator/config/", {"config": "{}", "file": file, "gpu": "h100"}, headers=HTMX)
    text = response.content.decode()
    assert response.status_code == 200
    assert text.startswith('<div id="answers"')
    assert "mine.json" in text


def large_file() -> io.BytesIO:
    file = io.BytesIO(b" " * (LARGEST_BYTES + 1))
    file.name = "config.json"
    return file


@pytest.mark.parametrize(
    "posted",
    [
        {"config": ""},
        {"config": "not JSON"},
        {"config": "[]"},
        {"config": "{}"},
        {"config": json.dumps(PUBLISHED["qwen3_8b"]["config"] | {"num_key_value_heads": 64})},
        {"config": "x" * 4_000_000},
        {"config": "\x00" * 10},
        {"config": "[" * 100_000},
        {"file": large_file},
        {"config": CONFIG, "model": "llama-70b"},
    ],
)
def test_a_config_that_will_not_do_is_422_with_what_it_may_be(
    posted: dict[str, object], client: Client, db: None
) -> None:
    fields = {name: value() if callable(value) else value for name, value in posted.items()}
    response = client.post("/calculator/config/", {"gpu": "h100", **fields})
    assert response.status_code == 422
    assert "it must be" in response.content.decode()


def test_a_config_is_asked_for_by_get_and_posted_without_a_token(db: None) -> None:
    # It changes nothing, so that no token is needed; anything but these methods is refused.
    strict = Client(enforce_csrf_checks=True)
    assert strict.get("/calculator/config/").status_code == 200
    assert strict.post("/calculator/config/", {"config": CONFIG, "gpu": "h100"}).status_code == 200
    assert strict.put("/calculator/config/").status_code == 405


@pytest.mark.parametrize("path", ["/calculator/compare/", "/calculator/config/", "/calculator/parts/load/"])
def test_alice_bob_and_a_stranger_see_the_same_and_nobody_without_log_in(
    path: str, alice_client: Client, bob_client: Client, stranger_client: Client, anonymous_client: Client
) -> None:
    # There is nothing of anyone's on it: the question is in the URL or the post, and no row is read or written.
    for client in (alice_client, bob_client, stranger_client):
        assert client.get(path, QUESTION).status_code == 200
    assert anonymous_client.get(path, QUESTION).status_code in (302, 401)


BAD = [
    {"tp": "3"},
    {"tp": "8"},
    {"pp": "3"},
    {"gpus": "64"},
    {"link": "a string"},
    {"engine": "tgi"},
    {"engine_version": "newest"},
    {"max_num_seqs": "-1"},
    {"max_num_batched_tokens": "0"},
    {"cached_len": "8000"},
    {"acceptance": "1.5", "draft": "llama-8b"},
    {"draft": "gpt-9"},
    {"draft_len": "4"},
    {"budget": "wished"},
]


@pytest.mark.parametrize("typed", BAD)
def test_bad_options_are_422_everywhere_with_field_range_and_example(
    typed: dict[str, str], client: Client, db: None
) -> None:
    wanted = next(iter(typed)) if "gpus" not in typed else "link"
    errors = client.get("/calculator.json", QUESTION | typed).json()["errors"]
    assert [error["field"] for error in errors] == [wanted]
    assert all(error["allowed"] and error["example"] for error in errors)
    assert client.get("/calculator/", QUESTION | typed).status_code == 422
    assert (
        client.get("/calculator/compare/", QUESTION | {f"b.{name}": value for name, value in typed.items()}).status_code
        == 422
    )
