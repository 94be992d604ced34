"""What an expression means: numbers, units after numbers, operators, names and facts."""

import math

import pytest

from calculator.expressions import NO_FACTS, ExpressionError, Quantity, evaluate
from tests.calculator.expressions.sample import run, shown, value


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("1 + 2 * 3", 7),
        ("(1 + 2) * 3", 9),
        ("2 - 3 - 4", -5),
        ("64 / 4 / 2", 8),
        ("-2^2", -4),
        ("(-2)^2", 4),
        ("2^3^2", 512),
        ("2**-1", 0.5),
        ("2 * -3", -6),
        ("+5 - -3", 8),
        ("--3", 3),
        ("70.6e9", 70.6e9),
        ("131_072", 131072),
        (".5 + 5.", 5.5),
        ("1E3 + 1e+3 + 1e-3", 2000.001),
        ("10² + 10⁻¹", 100.1),
        ("6 × 7", 42),
        ("6 · 7", 42),
        ("8 ÷ 2 − 1", 3),
        ("1\u00a0+\u202f2", 3),
        ("1 +\n2", 3),
    ],
)
def test_arithmetic_follows_the_usual_precedence(expression: str, expected: float) -> None:
    assert value(expression) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("expression", "expected", "dimension"),
    [
        ("320 KiB", 320 * 1024, "byte"),
        ("140 GB", 140e9, "byte"),
        ("140GB", 140e9, "byte"),
        ("400 Gb/s", 50e9, "byte/second"),
        ("8 bit", 1, "byte"),
        ("3.35 TB/s", 3.35e12, "byte/second"),
        ("989.5 TFLOP/s", 989.5e12, "FLOP/second"),
        ("17 µs", 17e-6, "second"),
        ("17 μs", 17e-6, "second"),
        ("17 us", 17e-6, "second"),
        ("5 ns + 1 ms", 1.000005e-3, "second"),
        ("1 min + 1 h + 1 day", 60 + 3600 + 86400, "second"),
        ("1 year", 365.25 * 86400, "second"),
        ("23%", 0.23, ""),
        ("1.72 pp", 0.0172, ""),
        ("100 tok/s", 100, "1/second"),
        ("100 tokens/second", 100, "1/second"),
        ("419/day", 419 / 86400, "1/second"),
        ("2.5 USD/h", 2.5 / 3600, "USD/second"),
        ("2.5 USD/GPU-hour", 2.5 / 3600, "USD/second"),
        ("8 GPU-hours", 8 * 3600, "second"),
        ("3 GB·s", 3e9, "byte·second"),
        ("3 GB*s", 3e9, "byte·second"),
        ("2 s^2", 2, "second^2"),
        ("2 s²", 2, "second^2"),
        ("9 GB/s^2", 9e9, "byte/second^2"),
        ("1 USD/Mtok", 1e-6, "USD"),
        ("15 Ttok", 15e12, ""),
    ],
)
def test_a_unit_stands_after_its_number(expression: str, expected: float, dimension: str) -> None:
    quantity = run(expression).quantity
    assert quantity.value == pytest.approx(expected, rel=1e-12)
    assert quantity.dimension == dimension


def test_a_unit_after_a_number_takes_in_the_unit_it_is_divided_by() -> None:
    assert shown("140 GB / 3.35 TB/s") == "41.8 ms"
    assert shown("989.5 TFLOP/s / 3.35 TB/s") == "295 FLOP/B"
    assert value("5 GB / s") == value("5 GB/s") == 5e9
    assert value("2 * 5 GB / s") == 10e9
    assert value("140 GB / (3.35 TB / s)") == value("140 GB / 3.35 TB/s")
    assert value("10 / 4/s") == 2.5
    assert run("10 / 4/s").quantity.dimension == "second"


@pytest.mark.parametrize("expression", ["140 GB / 3.35 TB / s", "x / 5 GB /s", "x / 4 / s", "100 USD / 5 h / GPU"])
def test_a_divisor_whose_unit_has_a_spaced_slash_is_refused_since_it_can_be_read_two_ways(expression: str) -> None:
    with pytest.raises(ExpressionError, match="two ways") as refused:
        run(expression, x=Quantity(1))
    assert refused.value.kind == "syntax"


def test_a_power_after_a_unit_belongs_to_the_unit_and_any_other_wants_parentheses() -> None:
    assert run("(2 GB)^2").quantity.value == 4e18
    assert run("2 GB^2").quantity.value == 2e18
    with pytest.raises(ExpressionError, match="parentheses"):
        run("2 GB^n", n=Quantity(2))


def test_an_arrow_at_the_end_chooses_the_unit_to_show() -> None:
    quantity = run("131072 * 320 KiB -> MiB").quantity
    assert (quantity.unit, quantity.magnitude, quantity.value) == ("MiB", 40960, 40 * 2**30)
    assert shown("54 day / 419 -> h") == "3.09 h"
    assert shown("sqrt(0.82 * 0.18 / 500) → pp") == "1.72 pp"
    assert shown("4 / 2 s -> /s") == "2.00 /s"


@pytest.mark.parametrize("expression", ["1 GB -> s", "1 GB ->", "1 -> GB -> s", "3 tokens -> requests", "1 GB -> 2 GB"])
def test_an_arrow_to_what_does_not_fit_is_refused(expression: str) -> None:
    with pytest.raises(ExpressionError) as refused:
        run(expression)
    assert refused.value.kind in ("unit", "syntax")
    assert refused.value.column is not None


def test_names_stand_for_quantities_and_facts_for_the_catalogue() -> None:
    evaluated = run("2 * llama70b.layers * kv_heads * llama70b.head_dim * 2 B -> KiB", kv_heads=Quantity(8))
    assert evaluated.quantity.text() == "320 KiB"
    assert evaluated.names == ("llama70b.layers", "kv_heads", "llama70b.head_dim")
    assert evaluated.with_numbers == "2 * 80 * 8 * 128 * 2 B -> KiB"


def test_the_numbers_put_in_can_be_evaluated_again() -> None:
    names = {
        "weights": Quantity.of(140, "GB"),
        "rate": Quantity.of(3.35, "TB/s"),
        "loss": Quantity.of(-3, "GB"),
        "failures": Quantity.of(419, "/day"),
        "share": Quantity.of(5, "%"),
        "n": Quantity(-2),
    }
    for expression in (
        "weights / rate",
        "1 - -n",
        "3 - loss / weights",
        "30 day * failures",
        "2 / failures",
        "share^2",
    ):
        evaluated = evaluate(expression, names=names, facts=NO_FACTS)
        again = evaluate(evaluated.with_numbers, facts=NO_FACTS)
        assert again.quantity.value == pytest.approx(evaluated.quantity.value, rel=1e-5), evaluated.with_numbers
        assert again.quantity.dimension == evaluated.quantity.dimension
    assert evaluate("n^2", names=names, facts=NO_FACTS).with_numbers == "(-2)^2"
    assert evaluate("weights^2", names=names, facts=NO_FACTS).with_numbers == "(140 GB)^2"
    assert evaluate("2 / failures", names=names, facts=NO_FACTS).with_numbers == "2 / (419 /day)"


@pytest.mark.parametrize(
    ("expression", "kind", "column", "words"),
    [
        ("", "syntax", 1, "nothing"),
        ("   ", "syntax", 1, "nothing"),
        ("1 +", "syntax", 4, "stops after '+'"),
        ("(1 + 2", "syntax", 7, "')' is missing"),
        ("1 + 2)", "syntax", 6, "no '('"),
        ("()", "syntax", 2, "missing before this ')'"),
        ("1 000", "syntax", 3, "without a space"),
        ("1,000", "syntax", 1, "1000 or 1_000"),
        ("min(1,200)", "syntax", 5, "after the comma"),
        ("1__0", "syntax", 1, "underscore"),
        ("2 * * 3", "syntax", 5, "should come before"),
        ("2 h100.memory", "syntax", 3, "operator"),
        ("2 min(3, 4)", "syntax", 3, "operator"),
        ("(2) GB", "syntax", 5, "operator"),
        ("a = 3", "syntax", 1, "names a line"),
        ("1 == 1", "syntax", 3, "names a line"),
        ("$2.50", "syntax", 1, "USD"),
        ("% 5", "syntax", 1, "after a number"),
        ("3!", "syntax", 2, "factorial"),
        ("“three”", "syntax", 1, "text"),
        ("5 foo", "unit", 3, "'foo' is no unit"),
        ("5 Gib", "unit", 3, "did you mean GiB"),
        ("128k", "unit", 4, "128e3"),
        ("989.5 TFLOPS", "unit", 7, "TFLOP/s is a rate"),
        ("100 Gbps", "unit", 5, "Gb/s"),
        ("GiB * 3", "unit", 1, "after a number: write 1 GiB"),
        ("2 * layers", "name", 5, "not defined"),
        ("140 GB / layers", "name", 10, "singular"),
        ("140 GB * layer", "name", 10, "not defined"),
        ("140 GB * s", "unit", 10, "write 1 s"),
        ("größe", "name", 3, "a to z"),
        ("nothing_here", "name", 1, "unknown"),
        ("weight * 2", "name", 1, "did you mean weights?"),
        ("hbm_bandwidt", "name", 1, "did you mean h100.hbm_bandwidth?"),
        ("h100.hbm_bandwith", "name", 1, "did you mean h100.hbm_bandwidth?"),
        ("llama70b", "name", 1, "is a model"),
        ("sqrt", "name", 1, "sqrt(x)"),
        ("kv_pool_bytes", "name", 1, "kv_pool_bytes(weights_bytes"),
        ("h100.", "syntax", 5, "joins the two parts"),
        ("5 GB + 3 ms", "unit", 6, "GB (byte) and ms (second)"),
        ("5 tokens + 3 requests", "unit", 10, "tok and req"),
        ("2 ^ (3 GB)", "unit", 3, "plain number"),
        ("(2 GB) ^ 0.5", "unit", 8, "has no unit"),
        ("1 / 0", "value", 3, "division by zero"),
        ("1 / (2 - 2)", "value", 3, "division by zero"),
        ("0 ^ -1", "value", 3, "division by zero"),
        ("(-8) ^ (1/3)", "value", 6, "no real value"),
    ],
)
def test_a_bad_expression_says_what_is_wrong_and_where(expression: str, kind: str, column: int, words: str) -> None:
    with pytest.raises(ExpressionError) as refused:
        run(expression, weights=Quantity.of(140, "GB"))
    assert (refused.value.kind, refused.value.column) == (kind, column)
    assert words in refused.value.message
    assert str(refused.value) == refused.value.message


def test_columns_count_characters_as_typed_even_where_one_is_read_as_two() -> None:
    with pytest.raises(ExpressionError) as refused:
        run("10² + 10³ + nothing")
    assert refused.value.column == 13


def test_a_label_that_names_a_line_is_that_line_from_then_on() -> None:
    layers = Quantity(80)
    assert value("2 * layers", layers=layers) == 160
    assert value("140 GB / layers", layers=layers) == 140e9 / 80
    assert value("140 GB/layers", layers=layers) == 140e9 / 80
    assert run("140 GB/layer", layers=layers).quantity.unit == "GB/layer"
    with pytest.raises(ExpressionError, match="line of yours") as refused:
        run("10 layers", layers=layers)
    assert refused.value.kind == "unit"
    assert "call the line something else" in refused.value.message


def test_a_name_that_is_a_unit_of_a_dimension_is_never_read_as_a_line() -> None:
    with pytest.raises(ExpressionError, match="is a unit"):
        run("2 * s", s=Quantity(8192))
    assert value("5 GB/s", s=Quantity(8192)) == 5e9


def test_values_keep_full_precision_until_they_are_shown() -> None:
    assert value("1/3") == 1 / 3
    assert value("0.1 + 0.2") == 0.1 + 0.2
    assert math.isclose(value("15e9^2 / 2"), 1.125e20, rel_tol=1e-15)
