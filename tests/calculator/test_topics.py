"""The topics: page, JSON and command line say the same; files are sound; what is wrong is refused."""

import json
import re
import subprocess
import sys
from html import escape, unescape
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client

from calculator.core.inputs import InputErrors
from calculator.core.mathml import to_mathml
from calculator.expressions import evaluate, evaluate_worksheet
from calculator.facts import catalogue_facts
from calculator.gpu_math import main
from calculator.topic_answers import Setting, filled, work_out
from calculator.topics import Topic, topic, topic_slugs, topics
from calculator.views_worksheet import address_of

TOPICS = [topic(slug) for slug in topic_slugs()]
OTHER = {
    "adapters": {"rank": "16", "model": "llama-8b"},
    "cost": {"batch": "8", "gpu": "h200"},
    "eval-statistics": {"items": "1000", "wins": "9"},
    "free-nodes": {"free_share": "0.7"},
    "goodput": {"save": "2", "interval": "5"},
    "kv-fetch": {"prefix": "65536", "mfu": "1"},
    "kv-seconds": {"heavy_out": "4000"},
    "littles-law": {"arrivals": "23.5"},
    "near-duplicates": {"bands": "20", "rows": "5", "signature": "100"},
    "retrieval-budget": {"found": "3"},
    "warm-pool": {"level": "0.999"},
}


@pytest.mark.parametrize("slug", topic_slugs())
@pytest.mark.parametrize("changed", [False, True])
def test_page_json_and_command_line_give_the_same_results(
    slug: str, changed: bool, client: Client, db: None, capsys: pytest.CaptureFixture[str]
) -> None:
    typed = OTHER[slug] if changed else {}
    found = client.get(f"/calculator/{slug}.json", typed).json()
    options = [word for name, value in typed.items() for word in ("--" + name.replace("_", "-"), value)]
    assert main([slug, *options, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == found
    response = client.get(f"/calculator/topics/{slug}/", typed)
    assert response.status_code == 200
    text = response.content.decode()
    for step in found["steps"]:
        shown = f'<span>{escape(step["title"])}</span><span class="num">{escape(step["text"])}</span></summary>'
        assert f'id="step-{step["id"]}"><summary>{shown}' in text
        assert escape(step["with_numbers"]) in text
        assert escape(step["source"]) in text
    for line in found["script"]:
        assert f"<li>{escape(line)}</li>" in text
    assert text.count("<polyline") >= sum(len(plot["curves"]) for plot in found["plots"])
    assert main([slug, *options]) == 0
    out = capsys.readouterr().out
    assert [step["text"] for step in found["steps"] if step["text"] not in out] == []


@pytest.mark.parametrize("one", TOPICS, ids=lambda one: one.slug)
def test_a_topic_says_everything_and_leaves_no_placeholder(one: Topic) -> None:
    answer = work_out(one, {})
    assert len({step.id for step in one.steps}) == len(one.steps)
    for step in answer.steps:
        assert to_mathml(step.step.formula).startswith("<math")
        assert step.step.source
        assert step.decides
        assert "{" not in step.decides
    assert answer.script
    assert not any("{" in line for line in answer.script)
    assert 1 <= len(one.plots) <= 2
    assert answer.headline


@pytest.mark.parametrize("one", TOPICS, ids=lambda one: one.slug)
def test_the_worksheet_of_a_topic_gives_its_results(one: Topic, client: Client, db: None) -> None:
    answer = work_out(one, OTHER[one.slug])
    lines = evaluate_worksheet(answer.worksheet(), facts=catalogue_facts())
    assert [(line.source, line.error) for line in lines if line.error] == []
    values = {line.name: line.evaluated.quantity for line in lines if line.evaluated}
    for step in answer.steps:
        assert values[step.step.id].value == pytest.approx(step.quantity.value)
        assert values[step.step.id].unit == step.quantity.unit
    assert address_of(answer.worksheet())
    page = client.get(f"/calculator/topics/{one.slug}/", OTHER[one.slug]).content.decode()
    found = re.search(r'href="(/calculator/worksheet/\?[^"]+)"', page)
    assert found
    assert parse_qs(urlsplit(unescape(found[1])).query)["text"] == [answer.worksheet()]


def test_the_topics_are_listed_and_found_from_the_calculator(client: Client, db: None) -> None:
    assert 'href="/calculator/topics/"' in client.get("/calculator/").content.decode()
    listed = re.findall(r'href="/calculator/topics/([\w-]+)/"', client.get("/calculator/topics/").content.decode())
    assert listed == list(topics())
    assert set(listed) == set(topic_slugs())


@pytest.mark.parametrize("one", TOPICS, ids=lambda one: one.slug)
@pytest.mark.parametrize("end", ["low", "high", "name"])
def test_the_ends_of_every_range_are_answered_or_refused_with_a_reason(one: Topic, end: str) -> None:
    for asked in one.inputs:
        if asked.kind != "number":
            typed = {"low": "llama8b", "high": "deepseek-v3", "name": "gemma-3-27b"}[end]
            typed = typed if asked.kind == "model" else {"low": "a100", "high": "rtx4090", "name": "mi300x"}[end]
        else:
            number = asked.high if end == "high" else asked.low
            typed = str(int(number)) if asked.whole else f"{number:.15g}"
        try:
            work_out(one, {asked.name: typed})
        except InputErrors as refused:
            for error in refused.errors:
                assert one.input(error.field)
                assert error.example
                assert "{" not in error.message


REFUSED = [
    ("kv-seconds", {"heavy_in": "0"}, "heavy_in", "from 1 to 10,000,000 tokens"),
    ("kv-seconds", {"heavy_in": "1.5"}, "heavy_in", "not a whole number"),
    ("kv-seconds", {"gpus": "1"}, "gpus", "for example 2"),
    ("kv-fetch", {"mfu": "0"}, "mfu", "from 0.01 to 1"),
    ("kv-fetch", {"bandwidth": "fast"}, "bandwidth", "'fast' is not a number"),
    ("kv-fetch", {"model": "lama70b"}, "model", "llama"),
    ("kv-fetch", {"gpu": "h" * 300}, "gpu", "too many"),
    ("kv-fetch", {"mbu": "0.7"}, "mbu", "no such field"),
    ("free-nodes", {"free_share": "1.2"}, "free_share", "out of range"),
    ("free-nodes", {"wanted": "129"}, "wanted", "at most 128 nodes"),
    ("near-duplicates", {"bands": "16"}, "signature", "16 bands of 8 rows are 128 hashes, not 112"),
    ("near-duplicates", {"similarity": "-0.1"}, "similarity", "out of range"),
    ("eval-statistics", {"accuracy": "1.01"}, "accuracy", "from 0.001 to 0.999"),
    ("eval-statistics", {"items": "20"}, "items", "fewer than 5 wrong"),
    ("eval-statistics", {"gain": "0.06"}, "gain", "at most the share"),
    ("eval-statistics", {"wins": "0", "losses": "0"}, "wins", "no disagreement"),
    ("eval-statistics", {"items": "50", "wins": "40", "losses": "20"}, "items", "do not fit into 50 items"),
    ("eval-statistics", {"confidence": "1"}, "confidence", "out of range"),
    ("retrieval-budget", {"shard_99": "12"}, "shard_99", "not above the median"),
    ("adapters", {"model": "deepseek-v3", "gpus": "32"}, "model", "mixture of experts"),
    ("goodput", {"restart": "600"}, "restart", "no progress"),
    ("littles-law", {"slots": "40"}, "slots", "no steady state"),
    ("littles-law", {"target": "1"}, "target", "no steady state"),
    ("warm-pool", {"level": "1"}, "level", "out of range"),
    ("cost", {"batch": "10000"}, "batch", "a batch that fits"),
]


@pytest.mark.parametrize(("slug", "typed", "field", "words"), REFUSED)
def test_bad_input_is_refused_at_its_field_and_kept(
    slug: str,
    typed: dict[str, str],
    field: str,
    words: str,
    client: Client,
    db: None,
    capsys: pytest.CaptureFixture[str],
) -> None:
    response = client.get(f"/calculator/topics/{slug}/", typed)
    assert response.status_code == 422
    text = unescape(response.content.decode())
    assert words in text
    assert "What you typed is kept" in text
    for name, value in typed.items():
        if topic(slug).input(name):
            assert f'name="{name}" value="{value}"' in text
    live = client.get(f"/calculator/topics/{slug}/", typed, headers={"HX-Request": "true"})
    assert live.status_code == 422
    assert "<h1>" not in live.content.decode()
    as_json = client.get(f"/calculator/{slug}.json", typed)
    assert as_json.status_code == 422
    errors = as_json.json()["errors"]
    assert [error["field"] for error in errors] == [field]
    assert words in errors[0]["message"]
    assert errors[0]["example"] in errors[0]["message"]
    options = [f"--{name.replace('_', '-')}={value}" for name, value in typed.items()]
    assert main([slug, *options]) == 2
    assert f"--{field.replace('_', '-')}" in (said := capsys.readouterr().err)
    assert words in said or words == "no such field"


def test_the_example_of_a_refusal_is_accepted_in_its_place() -> None:
    for slug, typed, field, _ in REFUSED:
        one = topic(slug).input(field)
        if one is None or (slug == "eval-statistics" and typed == {"wins": "0", "losses": "0"}) or "h" * 300 in typed:
            continue
        with pytest.raises(InputErrors) as refused:
            work_out(topic(slug), typed)
        example = refused.value.errors[0].example.split(", ")[0]
        work_out(topic(slug), typed | {field: example})


def test_a_field_given_twice_is_refused(client: Client, db: None) -> None:
    response = client.get("/calculator/goodput.json?save=2&save=3")
    assert response.status_code == 422
    assert response.json()["errors"][0]["field"] == "save"


@pytest.mark.parametrize("path", ["/calculator/topics/nothing/", "/calculator/nothing.json"])
def test_there_is_nothing_where_there_is_no_topic(path: str, client: Client, db: None) -> None:
    assert client.get(path).status_code == 404


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nothing"], "there is no topic 'nothing'"),
        (["goodput", "--sav", "2"], "'--sav' is no option"),
        (["goodput", "--save"], "--save needs a value"),
        (["goodput", "--save", "2", "--save=3"], "more than once"),
    ],
)
def test_the_command_line_says_what_is_wrong(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    assert said in capsys.readouterr().err


def test_the_command_line_lists_topics_and_their_options(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["topics"]) == 0
    out = capsys.readouterr().out
    assert [slug for slug in topic_slugs() if slug not in out] == []
    assert main(["littles-law", "--help"]) == 0
    assert "--arrivals" in capsys.readouterr().out


def test_the_plain_command_line_loads_no_library() -> None:
    asked = "from calculator.gpu_math import main; main(['--model', 'llama70b', '--gpu', 'h100', '--gpus', '4'])"
    listed = f"import sys, io; sys.stdout = io.StringIO(); {asked}; sys.stdout = sys.__stdout__; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", listed], capture_output=True, text=True, check=True).stdout.split()
    assert "calculator.core.cost" in loaded
    assert {"pint", "lark", "numpy", "scipy", "django", "calculator.topics"}.isdisjoint(loaded)


def test_a_topic_finds_its_libraries_where_the_command_starts_without_packages() -> None:
    """The console command is started with ``-S``."""
    script = Path(__file__).resolve().parents[2] / "calculator" / "gpu_math.py"
    command = [sys.executable, "-S", str(script), "goodput", "--save", "2", "--json"]
    said = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(said.stdout)["results"] == work_out(topic("goodput"), {"save": "2"}).as_dict()["results"]


def test_live_answers_come_alone_and_move_into_the_address(client: Client, db: None) -> None:
    response = client.get("/calculator/topics/goodput/", {"save": "2"}, headers={"HX-Request": "true"})
    assert response.headers["HX-Replace-Url"] == "/calculator/topics/goodput/?save=2"
    assert "<h1>" not in response.content.decode()


def test_the_designs_that_a_topic_names_are_called_what_it_calls_them() -> None:
    from designs.loader import load_designs

    titles = {slug: loaded.design.title.source for slug, loaded in load_designs().designs.items()}
    for one in TOPICS:
        for slug, title in one.designs:
            assert titles[slug] == title


@pytest.mark.parametrize(
    ("typed", "shown"), [("4 %", "4%"), ("12.5 %", "12.5%"), ("15e9 documents", "15e9 documents"), ("270 s", "270 s")]
)
def test_an_input_in_a_sentence_has_no_zeros_that_nobody_typed(typed: str, shown: str) -> None:
    value = evaluate(typed, facts=catalogue_facts()).quantity
    setting = Setting(names={"given": value}, keys={})
    assert filled("It is {{ given }}.", setting, setting.names, {}) == f"It is {shown}."
