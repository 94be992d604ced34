"""The arithmetic of a design runs, and what does not is told by line."""

import pytest

from calculator.facts import catalogue_facts
from designs.core.derivation import derive
from designs.core.parser import DesignRefused, parse_design
from tests.designs.pack_files import edited, example, line_of


def test_steps_run_in_order_and_are_shown_in_their_unit() -> None:
    derivation = derive(parse_design(example()), facts=catalogue_facts())
    total, rate, run, _floor, cost = derivation.steps
    assert total.quantity.value == 2_000_000 * 1500
    assert rate.quantity.value == pytest.approx(8 * 989.5e12 * 0.5 / (2 * 8e9))
    assert run.quantity.value == pytest.approx(total.quantity.value / rate.quantity.value)
    assert (run.quantity.unit, run.text) == ("h", "3.4 h")
    assert run.quantity.magnitude == pytest.approx(run.quantity.value / 3600)
    assert cost.quantity.value == pytest.approx(8 * 2.5 * run.quantity.value / 3600)


def test_the_numbers_put_in_replace_every_name() -> None:
    run = derive(parse_design(example()), facts=catalogue_facts()).steps[2]
    assert run.expression == "total_tokens / token_rate"
    assert "total_tokens" not in run.with_numbers
    assert "3e9" in run.with_numbers


def test_the_deciding_step_is_found() -> None:
    deciding = derive(parse_design(example()), facts=catalogue_facts()).deciding
    assert (deciding.id, deciding.also, deciding.part) == ("run_time", ("run_time_at_peak",), "s2")


def test_arithmetic_of_a_critique_is_no_part_of_section_2() -> None:
    derivation = derive(parse_design(example()), facts=catalogue_facts())
    assert "second_run_cost" not in [step.id for step in derivation.steps_of("s2")]
    assert [step.id for step in derivation.steps_of("r2")] == ["second_run_cost"]


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("2000000", "2e6"),
        ("1500 tokens", "1,500 tokens"),
        ("989.5 TFLOP/s/GPU", "989.5 TFLOP/s/GPU"),
        ("2.50 USD/GPU-hour", "2.50 USD/GPU-hour"),
        ("95 %", "95%"),
        ("131072 tokens", "131,072 tokens"),
    ],
)
def test_a_given_is_shown_with_the_digits_it_was_typed_with(value: str, shown: str) -> None:
    files = edited("derivation.toml", 'value = "6 h"', f'value = "{value}"')
    files["derivation.toml"] = files["derivation.toml"].split("[[step]]")[0] + LAST_STEP
    derivation = derive(parse_design(files), facts=catalogue_facts())
    assert derivation.shown["window"] == shown


LAST_STEP = """
[[step]]
id = "only"
title = "one"
expression = "2 * 3"
decides = "Nothing."
deciding = true
"""


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('"tickets * ticket_tokens"', '"tickets * ticket_tokns"', "ticket_tokns"),
        ('"total_tokens / token_rate"', '"total_tokens + window"', "`run_time`"),
        ('"total_tokens / token_rate"', '"total_tokens / (window - window)"', "zero"),
        ('"total_tokens / token_rate"', '"total_tokens / "', "`run_time`"),
        ('unit = "h"', 'unit = "GiB"', "GiB"),
    ],
)
def test_a_step_that_does_not_evaluate_is_named_at_its_line(old: str, new: str, says: str) -> None:
    files = edited("derivation.toml", old, new)
    with pytest.raises(DesignRefused) as refused:
        derive(parse_design(files), facts=catalogue_facts())
    problem = refused.value.problems[0]
    key = old if old.startswith('"') else '"total_tokens / token_rate"'
    wanted = line_of(example(), "derivation.toml", key)
    assert (problem.file, problem.line) == ("derivation.toml", wanted)
    assert says in problem.message


def test_a_step_that_fails_because_an_earlier_one_did_is_not_told_twice() -> None:
    with pytest.raises(DesignRefused) as refused:
        derive(parse_design(edited("derivation.toml", "* ticket_tokens", "* ticket_tokns")), facts=catalogue_facts())
    assert ["`total_tokens`" in problem.message for problem in refused.value.problems] == [True]
