"""A step's formula is shown as MathML."""

import re

import pytest

from designs.markdown import MATHML, to_html
from designs.mathml import formula_html


@pytest.mark.parametrize(
    ("formula", "mathml"),
    [
        ("tickets * tokens per ticket", "<mtext>tickets</mtext><mo>·</mo><mtext>tokens per ticket</mtext>"),
        ("total d·L·p^2", "<mtext>total d</mtext><mo>·</mo><mi>L</mi><mo>·</mo><msup><mi>p</mi><mn>2</mn></msup>"),
        ("in flight - 1,024", "<mtext>in flight</mtext><mo>−</mo><mn>1,024</mn>"),
        ("half-life of a", "<mtext>half-life of a</mtext>"),
        ("<b>", "<mo>&lt;</mo><mi>b</mi><mo>&gt;</mo>"),
    ],
)
def test_a_formula_in_words_becomes_a_row(formula: str, mathml: str) -> None:
    html = formula_html(formula)
    assert html.replace("</math><wbr><math>", "").replace(' form="infix"', "") == f"<math>{mathml}</math>"


def test_a_formula_in_symbols_is_set_as_mathematics() -> None:
    assert "<mfrac>" in formula_html("weights / (bandwidth * mbu)")


def test_a_formula_in_words_may_break_before_an_operator() -> None:
    assert formula_html("a of b + c").count("<math>") == 2


HOSTILE = ["<script>alert(1)</script>", "a<img src=x>", "(" * 3000, '"<b>"', "__import__('os')", ""]


@pytest.mark.parametrize("formula", HOSTILE)
def test_no_formula_is_more_than_mathml(formula: str) -> None:
    tags = set(re.findall(r"<(\w+)", formula_html(formula)))
    assert tags <= MATHML | {"wbr"}


def test_the_row_is_of_the_kind_that_writers_may_use() -> None:
    html = formula_html("half a^2")
    assert html in to_html(f"x {html} y")
