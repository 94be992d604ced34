"""A step's formula is shown as MathML."""

import pytest

from designs.markdown import to_html
from designs.mathml import formula_html


@pytest.mark.parametrize(
    ("formula", "mathml"),
    [
        ("2 · layers", "<mn>2</mn><mo>·</mo><mtext>layers</mtext>"),
        ("tickets * tokens per ticket", "<mtext>tickets</mtext><mo>·</mo><mtext>tokens per ticket</mtext>"),
        ("d·L·p^2", "<mi>d</mi><mo>·</mo><mi>L</mi><mo>·</mo><msup><mi>p</mi><mn>2</mn></msup>"),
        ("a - b", "<mi>a</mi><mo>−</mo><mi>b</mi>"),
        (
            "kv_heads / (1,024 + x)",
            "<mtext>kv_heads</mtext><mo>/</mo><mo>(</mo><mn>1,024</mn><mo>+</mo><mi>x</mi><mo>)</mo>",
        ),
        ("half-life", "<mtext>half-life</mtext>"),
        ("<b>", "<mo>&lt;</mo><mi>b</mi><mo>&gt;</mo>"),
    ],
)
def test_a_formula_becomes_a_row(formula: str, mathml: str) -> None:
    assert formula_html(formula) == f"<math>{mathml}</math>"


def test_the_row_is_of_the_kind_that_writers_may_use() -> None:
    html = formula_html("2 · d^2 / kv_heads")
    assert html in to_html(f"x {html} y")
