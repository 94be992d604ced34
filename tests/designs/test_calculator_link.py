"""Section 2 leads to the calculator with the inputs of the design's replica; inputs that it refuses are refused."""

import datetime as dt
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.utils.html import escape

from calculator.expressions import evaluate
from calculator.facts import catalogue_facts
from calculator.topics import topics
from designs.calculator_inputs import calculator_problems
from designs.core.derivation import derive
from designs.core.document import Design
from designs.core.parser import DesignRefused, parse_design
from designs.loader import build, design_folders, load_designs, read_files
from designs.reading import topics_of
from tests.designs.pack_files import edited, example, line_of
from tests.designs.test_pages import page, round_of
from trainer.accounts.models import User
from trainer.rounds.models import State

FOLDERS = design_folders([Path(settings.BASE_DIR, "designs", "content")])
ORDER = "order = "


def with_inputs(inputs: str) -> dict[str, str]:
    return edited("design.toml", ORDER, f"calculator = {inputs}\n{ORDER}")


def design_named(slug: str) -> Design:
    return parse_design(read_files(Path(settings.BASE_DIR, "designs", "content", slug))[0])


@pytest.mark.django_db
def test_section_2_links_to_the_calculator_with_the_inputs_and_the_link_is_answered(
    pack: Path, alice: User, alice_client: Client, now: dt.datetime
) -> None:
    files = with_inputs('{ model = "llama70b", gpu = "h100", gpus = 4, params = 70e9 }')
    (pack / "x01/design.toml").write_text(files["design.toml"])
    address = load_designs().designs["x01"].calculator_address
    assert address == "/calculator/?model=llama70b&gpu=h100&gpus=4&params=70000000000"
    assert escape(address) not in page(alice_client, "/designs/x01/")
    round_of(alice, State.DONE, now)
    html = page(alice_client, "/designs/x01/")
    assert html.count(escape(address)) == 1
    assert html.index('id="s2"') < html.index(escape(address)) < html.index('id="s3"')
    assert alice_client.get(address).status_code == 200


def test_a_design_without_a_replica_has_no_link() -> None:
    assert build(example()).calculator_address == ""


@pytest.mark.parametrize(
    ("inputs", "words"),
    [
        ('{ model = "llama71b", gpu = "h100" }', "model: 'llama71b' is unknown"),
        ('{ model = "llama70b", gpu = "h100", gpus = 0 }', "gpus: 0 is out of range"),
        ('{ model = "llama70b" }', "gpu: it is missing"),
        ('{ model = "llama70b", gpu = "h100", colour = "green" }', "colour: there is no such field"),
    ],
)
def test_inputs_that_the_calculator_refuses_make_the_design_refused(inputs: str, words: str) -> None:
    files = with_inputs(inputs)
    assert any(words in problem.message for problem in calculator_problems(parse_design(files)))
    with pytest.raises(DesignRefused, match=r"design\.toml: `calculator`"):
        build(files)


@pytest.mark.parametrize("inputs", ["[1]", '"llama70b"', "{ gpus = [4] }", "{ gpus = true }", "{ a = { b = 1 } }"])
def test_a_table_of_another_form_is_refused_at_its_line(inputs: str) -> None:
    files = with_inputs(inputs)
    with pytest.raises(DesignRefused) as refused:
        parse_design(files)
    (problem,) = refused.value.problems
    assert (problem.file, problem.line) == ("design.toml", line_of(files, "design.toml", "calculator ="))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_the_calculator_takes_what_the_designs_ask_of_it(folder: Path) -> None:
    assert calculator_problems(parse_design(read_files(folder)[0])) == []


@pytest.mark.parametrize(
    ("slug", "field", "expression"),
    [
        ("m01", "seq_len", "max_context"),
        ("m01", "gpus", "gpus_per_replica"),
        ("m02", "gpus", "gpus_per_replica"),
        ("m02", "prompt_len", "in_later"),
        ("m05", "gpus", "gpus_per_replica"),
        ("m05", "prompt_len", "short_in"),
        ("m05", "output_len", "short_out"),
        ("m05", "batch", "batch_short"),
        ("chatgpt", "gpus", "gpus_per_replica"),
        ("chatgpt", "prompt_len", "shared + past + fresh"),
        ("chatgpt", "output_len", "out_instant"),
        ("m06", "gpus", "gpus_per_replica"),
        ("m06", "prompt_len", "own + k * chunk"),
        ("m06", "output_len", "out"),
        ("m07", "gpus", "gpus_per_replica"),
        ("m07", "prompt_len", "tokens_in"),
        ("m07", "output_len", "tokens_out"),
        ("m07", "batch", "batch"),
    ],
)
def test_the_inputs_are_what_the_design_gives(slug: str, field: str, expression: str) -> None:
    design = design_named(slug)
    names = derive(design, facts=catalogue_facts()).names
    assert float(design.calculator[field]) == evaluate(expression, names=names, facts=catalogue_facts()).quantity.value


def test_every_topic_is_found_from_the_designs_that_turn_on_it() -> None:
    linked = {(slug, topic.slug) for topic in topics().values() for slug, _title in topic.designs}
    assert {(slug, found) for slug in load_designs().designs for found, _title in topics_of(slug)} == linked
    assert {topic for _design, topic in linked} >= {"kv-fetch", "kv-seconds", "goodput"}
