"""Placeholders in prose are filled with the derivation's own figures."""

import pytest

from calculator.expressions import ExpressionError
from calculator.facts import catalogue_facts
from designs.core.derivation import Derivation, derive
from designs.core.document import Text
from designs.core.parser import parse_design
from designs.core.prose import fill, placeholder_problems, withheld
from tests.designs.pack_files import example

FACTS = catalogue_facts()


@pytest.fixture(scope="module")
def derivation() -> Derivation:
    return derive(parse_design(example()), facts=FACTS)


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("{{ run_time }}", "3.4 h"),
        ("{{run_time}}", "3.4 h"),
        ("{{ run_time -> min }}", "202 min"),
        ("{{ run_time -> min, 4 }}", "202.1 min"),
        ("{{ run_time -> , 4 }}", "3.369 h"),
        ("{{ run_time -> min, 4, number }}", "202.1"),
        ("{{ run_time -> , number }}", "3.37"),
        ("{{ total_tokens -> , 3, number }}", "3.00 billion"),
        ("{{ 2 * run_time -> h, 2 }}", "6.7 h"),
        ("{{ run_time / window -> %, 2 }}", "56%"),
        ("{{ tickets }} tickets", "2 million tickets"),
        ("{{ 3 * 10^20 -> , 2 }}", "3.0 × 10²⁰"),
        ("{{ h100.hbm_bandwidth }}", "3.35 TB/s"),
        ("**{{ window }}**, `{{ gpus }}`", "**6 h**, `8 GPUs`"),
        ("no placeholder", "no placeholder"),
    ],
)
def test_a_placeholder_shows(derivation: Derivation, written: str, shown: str) -> None:
    assert fill(written, derivation, facts=FACTS) == shown


@pytest.mark.parametrize(
    "written",
    [
        "{{ }}",
        "{{ nothing_of_the_kind }}",
        "{{ run_time -> GiB }}",
        "{{ run_time -> h, 0 }}",
        "{{ run_time -> h, 3, x }}",
    ],
)
def test_a_placeholder_without_a_value_is_an_error_that_is_told_by_line(derivation: Derivation, written: str) -> None:
    with pytest.raises(ExpressionError):
        fill(written, derivation, facts=FACTS)
    text = Text(f"first\nthen {written} words", "sections/05-finish.md", 7)
    (problem,) = placeholder_problems(text, derivation, facts=FACTS)
    assert (problem.file, problem.line) == ("sections/05-finish.md", 8)


@pytest.mark.parametrize("written", ["{{ run_time", "run_time }}", "{{ run_time }", "{{ a {{ run_time }}"])
def test_braces_that_do_not_pair_are_told(derivation: Derivation, written: str) -> None:
    problems = list(placeholder_problems(Text(written, "prompt.md"), derivation, facts=FACTS))
    assert any("one pair of braces too few" in problem.message for problem in problems)


def test_anchors_withhold_their_figures() -> None:
    assert withheld("derives {{ kv -> KiB, 3 }} a token, {{ share }} of it") == "derives … a token, … of it"
