"""A step opened in the worksheet comes to the value that the design has: every step of every design."""

from pathlib import Path

import pytest
from django.conf import settings

from calculator.expressions import Quantity, evaluate_worksheet
from calculator.facts import catalogue_facts
from designs.core.derivation import Derivation, derive
from designs.core.opened import MOST_LINES, literal, opened
from designs.core.parser import parse_design
from designs.loader import design_folders, read_files
from tests.designs.pack_files import edited

FOLDERS = design_folders([Path(settings.BASE_DIR, "designs", "content")])
FACTS = catalogue_facts()


class ChangedFacts:
    """The catalogue after one fact was changed and the models were taken out."""

    def fact(self, path: str) -> Quantity | None:
        return Quantity.of(1, "GiB") if path == "h100.memory" else FACTS.fact(path)

    def language_model(self, key: str) -> None:
        return None

    def accelerator(self, key: str) -> None:
        return None

    def suggest(self, name: str) -> list[str]:
        return []


def derivation_with(*steps: tuple[str, str]) -> Derivation:
    """x01's derivation with steps (id and expression) behind its own."""
    old = "# Givens are what the prompt states"
    files = edited("derivation.toml", old, old)
    for id, expression in steps:
        step = f'id = "{id}"\ntitle = "t"\nexpression = "{expression}"\nunit = ""\ndigits = 3\ndecides = "d"\n'
        files["derivation.toml"] += f"\n[[step]]\n{step}"
    return derive(parse_design(files), facts=FACTS)


def last_value(text: str, facts: object = FACTS) -> Quantity:
    """What the last line comes to; no line may have an error."""
    lines = evaluate_worksheet(text, facts=facts)  # type: ignore[arg-type]
    assert [line.error for line in lines if line.error] == []
    last = [line for line in lines if line.evaluated][-1]
    assert last.evaluated is not None
    return last.evaluated.quantity


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_every_step_of_a_design_opens_to_the_value_that_the_design_has(folder: Path) -> None:
    derivation = derive(parse_design(read_files(folder)[0]), facts=FACTS)
    for step in derivation.steps:
        text = opened(derivation, step.id, facts=FACTS)
        found = last_value(text)
        assert (found.value, found.unit) == (step.quantity.value, step.quantity.unit), step.id
        own = text.rstrip().split("\n")[-1]
        assert own.split(" = ")[0].rstrip("_") == step.id
        assert step.expression.split()[0] in own, "the step is given by its value"


def test_only_what_a_step_is_worked_out_from_stands_above_it_in_order() -> None:
    text = opened(derivation_with(), "token_rate", facts=FACTS)
    assert [line.split(" = ")[0] for line in text.splitlines()] == [
        "gpus",
        "params",
        "flops_per_gpu",
        "mfu",
        "token_rate",
    ]


def test_a_name_that_a_worksheet_refuses_gets_an_underscore_wherever_it_stands() -> None:
    derivation = derivation_with(("recompute_tax", "2"), ("recompute_tax_", "3"), ("both", "recompute_tax * 5"))
    text = opened(derivation, "both", facts=FACTS)
    assert text == "recompute_tax__ = 2\nboth = recompute_tax__ * 5\n"
    assert last_value(text).value == 10


def test_a_line_says_its_unit_only_where_another_would_be_shown() -> None:
    lines = opened(derivation_with(), "second_run_cost", facts=FACTS).splitlines()
    assert "ticket_tokens = 1500 tokens" in lines
    derivation = derivation_with(("in_minutes", "run_time -> min"))
    assert opened(derivation, "in_minutes", facts=FACTS).splitlines()[-1] == "in_minutes = run_time -> min"


def test_a_name_that_is_a_unit_s_leaves_the_unit_alone() -> None:
    derivation = derivation_with(("day", "tickets * 1/day"), ("later", "window / 1 day"))
    assert opened(derivation, "day", facts=FACTS).splitlines()[-1] == "day_ = tickets * 1/day"
    assert opened(derivation, "later", facts=FACTS).splitlines() == ["window = 6 h", "later = window / 1 day"]


def test_a_function_and_its_arguments_keep_their_names() -> None:
    derivation = derivation_with(
        ("max_", "kv_pool_bytes(140 GB, gpus=gpus, memory_bytes_per_gpu=h100.memory, usable_share=mfu)")
    )
    text = opened(derivation, "max_", facts=FACTS)
    assert "gpus=gpus" in text
    assert last_value(text) == derivation.names["max_"]


def test_a_word_that_is_defined_later_is_no_line_of_an_earlier_step() -> None:
    derivation = derivation_with(("first", "3 layers"), ("layers", "5"))
    assert opened(derivation, "first", facts=FACTS) == "first = 3 layers\n"


def test_what_is_hidden_is_given_by_its_value_alone() -> None:
    derivation = derivation_with(("secret", "2 * tickets"), ("told", "secret * 2"))
    text = opened(derivation, "told", facts=FACTS, hidden={"secret"})
    assert text == "secret = 4000000\ntold = secret * 2\n"
    assert last_value(text) == derivation.names["told"]


def test_a_fact_that_was_changed_since_is_replaced_by_the_value_that_it_led_to() -> None:
    derivation = derivation_with(
        ("pool", "h100.memory * 2"), ("token", "kv_cache_bytes_per_token(llama70b)"), ("n", "pool / token")
    )
    facts = ChangedFacts()
    text = opened(derivation, "n", facts=facts)
    assert "h100.memory" not in text
    assert last_value(text, facts) == derivation.names["n"]


def test_a_step_with_more_behind_it_than_a_worksheet_has_lines_starts_from_values() -> None:
    chain = [("c0", "1 / 3")] + [(f"c{n}", f"c{n - 1} + 1 / {n}") for n in range(1, 250)]
    derivation = derivation_with(*chain)
    text = opened(derivation, "c249", facts=FACTS)
    assert len(text.splitlines()) == MOST_LINES
    assert last_value(text) == derivation.names["c249"]


@pytest.mark.parametrize("value", [1 / 3, 1e-12, 7.25e20, -2.5])
def test_a_literal_has_all_the_digits(value: float) -> None:
    text = f"a = {literal(Quantity.of(value, 'GiB'))}"
    assert last_value(text).value == Quantity.of(value, "GiB").value


def test_an_id_that_the_design_lacks_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        opened(derivation_with(), "no_such_step", facts=FACTS)
