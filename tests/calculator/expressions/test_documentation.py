"""The page about the language says what the language does."""

import re
from pathlib import Path

import pytest

from calculator.expressions import ExpressionError, Quantity, agrees, evaluate, limits
from calculator.expressions.grammar import GRAMMAR
from calculator.facts import catalogue_facts

PAGE = (Path(__file__).parents[3] / "docs" / "expressions.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| `(.+)` \| (.+) \|$", PAGE.split("## Examples")[1].split("## Numbers")[0], re.MULTILINE)


def test_the_page_has_examples() -> None:
    assert len(ROWS) > 20


@pytest.mark.parametrize(("expression", "result"), ROWS)
def test_every_example_of_the_page_gives_what_it_says(expression: str, result: str) -> None:
    try:
        shown = evaluate(expression, facts=catalogue_facts()).quantity.text()
    except ExpressionError as error:
        shown = f"{error.kind} error"
    assert shown == result


def test_the_example_in_python_gives_what_it_says() -> None:
    found = evaluate("131072 tokens * kv", names={"kv": Quantity.of(320, "KiB/tok")}, facts=catalogue_facts())
    assert f"# the number and its unit: {found.quantity.text()}" in PAGE
    assert f"# {found.with_numbers}\n" in PAGE
    assert agrees(found.quantity, Quantity.of(40, "GiB"), 0)


def test_the_grammar_of_the_page_is_the_grammar() -> None:
    rules = [line for line in GRAMMAR.strip().splitlines() if not line.startswith("%")]
    assert "```\n" + "\n".join(rules) + "\n```" in PAGE
    for terminal in re.findall(r"[A-Z_]{4,}", " ".join(line for line in GRAMMAR.splitlines() if line.startswith("%"))):
        assert terminal in PAGE.split("## Grammar")[1]


def test_the_bounds_of_the_page_are_the_bounds() -> None:
    bounds = " ".join(PAGE.split("## Bounds")[1].split("## Grammar")[0].split())
    for number, unit in [
        (limits.EXPRESSION_CHARACTERS, "characters"),
        (limits.TOKENS, "parts"),
        (limits.DEPTH, "levels"),
        (limits.ARGUMENTS, "arguments"),
        (limits.WORKSHEET_LINES, "lines"),
    ]:
        assert f"{number:,} {unit}" in bounds
    assert f"{limits.SMALLEST:.0e} to {limits.LARGEST:.0e}".replace("+", "") in bounds
    assert f"up to {limits.UNIT_EXPONENT}," in bounds
