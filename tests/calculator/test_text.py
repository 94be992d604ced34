"""Numbers and formulas as people read them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculator.core.mathml import to_mathml
from calculator.core.text import digits, show
from calculator.core.units import GIB, KIB


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (327_680, "B", "320 KiB"),
        (40 * GIB, "B", "40.0 GiB"),
        (KIB / 2, "B", "512 B"),
        (3.35e12, "B/s", "3.35 TB/s"),
        (989.5e12, "FLOP/s", "990 TFLOP/s"),
        (0.0418, "s", "41.8 ms"),
        (0.000017, "s", "17.0 µs"),
        (2.5, "s", "2.50 s"),
        (1, "GPUs", "1 GPU"),
        (2, "GPUs", "2 GPUs"),
        (568_901, "tokens", "568,901 tokens"),
        (4.6, "USD", "4.60 USD"),
        (0.23, "%", "23.0%"),
        (0, "s", "0 s"),
        (None, "B", "no answer"),
    ],
)
def test_a_value_has_the_prefix_that_reads_best(value: float | None, unit: str, text: str) -> None:
    assert show(value, unit) == text


@given(st.floats(1e-9, 1e15))
def test_digits_keep_three_significant_figures(value: float) -> None:
    assert float(digits(value).replace(",", "")) == pytest.approx(value, rel=0.0051)
    assert "e" not in digits(value)


def test_a_formula_becomes_mathml() -> None:
    assert to_mathml("2 * layers * kv_heads").count("<mo>·</mo>") == 2
    assert "<mi>kv heads</mi>" in to_mathml("2 · layers · kv_heads")
    assert "<mfrac><mrow><mi>a</mi></mrow><mrow><mi>b</mi></mrow></mfrac>" in to_mathml("a / b")
    assert "<msup>" in to_mathml("prompt^2")
    assert "<mo>(</mo><mi>a</mi><mo>+</mo><mi>b</mi><mo>)</mo><mo>·</mo>" in to_mathml("(a + b) * c")
    assert "<mo>−</mo><mo>(</mo>" in to_mathml("a - (b - c)")
    assert "<mi>max</mi><mo>(</mo>" in to_mathml("max(a, b)")
    assert "<msup><mn>10</mn><mn>6</mn></msup>" in to_mathml("1e6 * x")
    assert "<mn>2.5</mn><mo>·</mo><msup><mn>10</mn><mn>9</mn></msup>" in to_mathml("2.5e9")


@pytest.mark.parametrize("text", ["a +", "a.b", "f(x)(y)", "'<script>'", "a if b else c", "f(x=1)", "[1]", "True"])
def test_anything_else_is_not_a_formula(text: str) -> None:
    with pytest.raises(ValueError, match="formula"):
        to_mathml(text)
