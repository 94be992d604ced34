"""Units that fit and do not fit, labels, and decimal and binary bytes side by side."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calculator.expressions import NO_FACTS, ExpressionError, Quantity, agrees, evaluate, unit_names
from calculator.expressions.words import WORDS
from tests.calculator.expressions.sample import attempt, run, shown, value

BY_HAND = {
    "B": (Fraction(1), "byte"),
    "KB": (Fraction(10**3), "byte"),
    "MiB": (Fraction(2**20), "byte"),
    "GB": (Fraction(10**9), "byte"),
    "GiB": (Fraction(2**30), "byte"),
    "TB": (Fraction(10**12), "byte"),
    "Mb": (Fraction(10**6, 8), "byte"),
    "GFLOP": (Fraction(10**9), "FLOP"),
    "TFLOP": (Fraction(10**12), "FLOP"),
    "us": (Fraction(1, 10**6), "second"),
    "ms": (Fraction(1, 10**3), "second"),
    "s": (Fraction(1), "second"),
    "h": (Fraction(3600), "second"),
    "USD": (Fraction(1), "USD"),
    "tok": (Fraction(1), ""),
    "%": (Fraction(1, 100), ""),
}
Worked = tuple[str, Fraction, dict[str, int]]


def by_hand(number: int, unit: str) -> Worked:
    factor, dimension = BY_HAND[unit]
    return f"{number} {unit}", number * factor, {dimension: 1} if dimension else {}


def timesed(left: Worked, right: Worked, sign: str) -> Worked:
    power = 1 if sign == "*" else -1
    dimensions = dict(left[2])
    for name, exponent in right[2].items():
        dimensions[name] = dimensions.get(name, 0) + power * exponent
    number = left[1] * right[1] if sign == "*" else left[1] / right[1]
    return f"({left[0]} {sign} {right[0]})", number, {name: power for name, power in dimensions.items() if power}


def summed(left: Worked, unit: str, number: int, sign: str) -> Worked:
    """``left`` and ``number`` times ``left``, written in the same units: a sum that fits by construction."""
    more = f"({number} * {left[0]})"
    total = left[1] + (number if sign == "+" else -number) * left[1]
    return f"({left[0]} {sign} {more})", total, left[2]


LEAVES = st.builds(by_hand, st.integers(1, 999), st.sampled_from(sorted(BY_HAND)))
TREES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.builds(timesed, inner, inner, st.sampled_from("*/")),
        st.builds(summed, inner, st.just(""), st.integers(2, 9), st.sampled_from("+-")),
    ),
    max_leaves=6,
)


@settings(deadline=None, max_examples=150)
@given(TREES)
def test_values_and_dimensions_agree_with_exact_fractions_worked_by_hand(worked: Worked) -> None:
    expression, number, dimensions = worked
    if any(abs(power) > 6 for power in dimensions.values()):
        return
    quantity = evaluate(expression, facts=NO_FACTS).quantity
    assert quantity.value == pytest.approx(float(number), rel=1e-12)
    by_name = dict.fromkeys(("byte", "FLOP", "second", "USD"), 0)
    over, *under = quantity.dimension.split("/")
    for part, sign in [*((one, 1) for one in over.split("·")), *((one, -1) for one in under)]:
        name, _, power = part.partition("^")
        if name not in ("", "1"):
            by_name[name] += sign * int(power or 1)
    assert {name: power for name, power in by_name.items() if power} == dimensions


@settings(deadline=None, max_examples=150)
@given(LEAVES, LEAVES)
def test_a_sum_exists_exactly_where_the_dimensions_are_equal(left: Worked, right: Worked) -> None:
    found = attempt(f"{left[0]} + {right[0]}")
    if left[2] == right[2]:
        assert isinstance(found, Quantity)
        assert found.value == pytest.approx(float(left[1] + right[1]), rel=1e-12)
    else:
        assert isinstance(found, ExpressionError)
        assert found.kind == "unit"


@settings(deadline=None, max_examples=150)
@given(TREES)
def test_a_result_typed_again_as_it_is_shown_is_the_same_result(worked: Worked) -> None:
    quantity = attempt(worked[0])
    if isinstance(quantity, ExpressionError):
        assert quantity.kind == "limit"
        return
    again = evaluate(quantity.text(15).replace(",", ""), facts=NO_FACTS).quantity
    assert again.value == pytest.approx(quantity.value, rel=1e-12)
    assert again.dimension == quantity.dimension
    assert Quantity.of(quantity.magnitude, quantity.unit).value == pytest.approx(quantity.value, rel=1e-12)


@settings(deadline=None, max_examples=100)
@given(st.sampled_from(sorted(WORDS)), st.sampled_from(sorted(WORDS)), st.integers(1, 3))
def test_every_unit_that_can_be_shown_can_be_read(over: str, under: str, power: int) -> None:
    quantity = Quantity.of(1, f"{over}/{under}^{power}")
    assert Quantity.of(1, quantity.unit) == quantity


def test_gb_and_gib_may_meet_and_the_result_says_so() -> None:
    together = run("1 GiB + 1 GB").quantity
    assert together.value == 2**30 + 10**9
    assert together.mixed
    share = run("40 GiB / (4 * 80 GiB * 0.95 - 140 GB) -> %").quantity
    assert share.text() == "23.0%"
    assert share.mixed
    assert run("h100.memory / h100.hbm_bandwidth").quantity.mixed
    assert run("max(1 GB, 1 GiB)").quantity.mixed
    assert run("400 Gb/s * 1 s + 1 GiB").quantity.mixed


@pytest.mark.parametrize(
    "expression",
    [
        "140 GB / 3.35 TB/s",
        "131072 * 320 KiB",
        "40 GiB + 300 MiB",
        "8 B * 3 GiB / 1 B",
        "400 Gb/s + 50 GB/s",
        "40 GB -> GiB",
    ],
)
def test_one_family_of_bytes_is_not_mixed(expression: str) -> None:
    assert not run(expression).quantity.mixed


def test_a_mixed_line_makes_the_lines_that_build_on_it_mixed() -> None:
    assert run("share * 2", share=run("1 GiB / 1 GB").quantity).quantity.mixed
    assert run("pool / 2", pool=run("1 GiB + 1 GB").quantity).quantity.mixed


def test_labels_count_as_one_and_multiply_and_divide_freely() -> None:
    assert shown("131072 tokens * 320 KiB/token") == "40.0 GiB"
    assert shown("173 GiB / (320 KiB/token)") == "566,886 tokens"
    assert shown("173 GiB / 320 KiB/token") == "566,886 tokens"
    assert shown("1000 tok/s / 4 GPU") == "250 tok/s/GPU"
    assert value("8 GPU * 80 GiB") == 640 * 2**30
    assert shown("2.5 USD/GPU-hour * 8 GPU * 24 h") == "480 USD"


def test_a_label_that_multiplies_bytes_is_not_shown_and_one_that_multiplies_time_is() -> None:
    assert run("8 GPU * 80 GiB").quantity.unit == "GiB"
    assert run("70.6e9 params * 2 FLOP * 131072 tokens").quantity.unit == "PFLOP"
    assert shown("8 GPU * 3 h") == "24.0 GPU-hour"
    assert shown("131072 tokens * 1000 * 20 ms") == "2.62e6 tok·s"


def test_a_plain_number_may_join_a_label_and_two_labels_may_not() -> None:
    assert shown("5 tokens + 3") == "8 tokens"
    assert shown("3 + 5 tokens") == "8 tokens"
    assert shown("4 GPU * 80 GiB * 0.95 - 140 GB") == "174 GiB"
    for expression in ("5 tokens + 3 requests", "3 tok/s - 1 req/s", "max(1 token, 2 GPUs)", "1 tok/s + 1 tok/s/GPU"):
        with pytest.raises(ExpressionError, match="count different things") as refused:
            run(expression)
        assert refused.value.kind == "unit"


def test_roots_of_labels_and_of_units() -> None:
    assert shown("sqrt(0.82 * 0.18 / (500 items)) -> pp") == "1.72 pp"
    assert run("sqrt(16 s^2)").quantity == Quantity(4, "s")
    with pytest.raises(ExpressionError, match="no unit"):
        run("sqrt(2 GB)")


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("320 KiB", "320 KiB"),
        ("0.153 GiB", "0.153 GiB"),
        ("4096 MiB", "4,096 MiB"),
        ("2 * 4096 MiB", "8.00 GiB"),
        ("500 * 320 KiB", "156 MiB"),
        ("2 * 80 * 8 * 128 * 2 B", "327,680 B"),
        ("4 * 989.5 TFLOP/s", "3.96 PFLOP/s"),
        ("140 GFLOP / 989.5 TFLOP/s", "141 µs"),
        ("3 * 41.8 ms", "125 ms"),
        ("300 * 41.8 ms", "12.5 s"),
        ("54 day / 419", "0.129 day"),
        ("1e-9 s / 2", "0.500 ns"),
        ("2000 s * 1", "33.3 min"),
        ("1e6 s * 1", "11.6 day"),
        ("1e9 s * 1", "31.7 year"),
        ("1 - 5%", "95.0%"),
        ("400 * 5%", "20"),
        ("1 / 5%", "20"),
        ("15e9^2/2", "1.12e20"),
        ("80 * 1", "80"),
        ("1 / 3", "0.333"),
        ("0 GiB", "0.00 GiB"),
        ("1 GB - 1 GB", "0.00 GB"),
        ("1 request", "1 req"),
        ("999999.7 * 1 B", "1.00e6 B"),
        ("-41.8 ms", "-41.8 ms"),
    ],
)
def test_a_result_is_shown_in_a_unit_that_reads_well(expression: str, expected: str) -> None:
    assert shown(expression) == expected


def test_text_takes_the_digits_that_are_asked_for() -> None:
    quantity = run("140 GB / 3.35 TB/s").quantity
    assert [quantity.text(digits) for digits in (1, 2, 4, 6)] == ["42 ms", "42 ms", "41.79 ms", "41.7910 ms"]
    assert Quantity(327680, "B").text(1) == "327,680 B"
    with pytest.raises(ValueError, match="from 1 to 15"):
        quantity.text(0)


def test_a_quantity_converts_to_what_fits() -> None:
    quantity = Quantity.of(40, "GiB")
    assert quantity.to("MiB").magnitude == 40 * 1024
    assert quantity.to("MiB").value == quantity.value
    assert Quantity.of(2, "").to("GPU").text() == "2 GPUs"
    assert Quantity.of(3, "GiB").to("GiB/tok").unit == "GiB/tok"
    for unit in ("s", "", "nonsense", "GiB GiB"):
        with pytest.raises(ExpressionError):
            quantity.to(unit)


def test_a_quantity_of_a_tiny_unit_reads_better_in_another() -> None:
    assert Quantity(17e-6, "s").readable().text() == "17.0 µs"
    assert Quantity(80 * 2**30, "GiB").readable().unit == "GiB"


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf"), 1e200, 1e-305])
def test_a_quantity_is_never_infinite_or_not_a_number(value: float) -> None:
    with pytest.raises(ExpressionError):
        Quantity(value, "GB")


def test_a_claim_agrees_within_its_tolerance_and_in_the_same_dimension_only() -> None:
    exact = Quantity.of(41.79, "ms")
    assert agrees(exact, Quantity.of(0.042, "s"), 0.01)
    assert not agrees(exact, Quantity.of(0.0424, "s"), 0.01)
    assert not agrees(exact, Quantity(0.04179, "GB"), 0.01)
    assert not agrees(exact, Quantity(0.04179), 1.0)
    assert agrees(Quantity.of(233, "interruption"), Quantity(233), 0)
    assert agrees(Quantity(0), Quantity(0), 0.1)
    assert not agrees(Quantity(0), Quantity(0.001), 0.1)
    for tolerance in (-0.1, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="tolerance_share"):
            agrees(exact, exact, tolerance)


def test_the_help_lists_every_symbol_once_and_each_can_be_typed() -> None:
    listed = unit_names()
    assert len({unit.symbol for unit in listed}) == len(listed)
    for unit in listed:
        for spelling in (unit.symbol, *unit.spellings):
            assert Quantity.of(1, spelling).unit == unit.symbol
