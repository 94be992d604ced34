"""Numbers with units are read out of prose as people write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculator.expressions import Quantity
from grading.core.figures import figures_in, near, same


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("40 GiB", 40 * 2**30, "GiB"),
        ("40GiB of KV", 40 * 2**30, "GiB"),
        ("a 40-GiB pool", 40 * 2**30, "GiB"),
        ("forty gigabytes", 40e9, "GB"),
        ("thirty-one gigabytes", 31e9, "GB"),
        ("two hundred and fifty", None, ""),
        ("41.8ms", 0.0418, "ms"),
        ("41.8 milliseconds", 0.0418, "ms"),
        ("~1.75 GB/s", 1.75e9, "GB/s"),
        ("1.75 GB per second", 1.75e9, "GB/s"),
        ("1.75 GBps", 1.75e9, "GB/s"),
        ("9.26 GB/s per replica", 9.26e9, "GB/s/replica"),
        ("23 %", 0.23, "%"),
        ("23%", 0.23, "%"),
        ("23 percent", 0.23, "%"),
        ("5.4 percentage points", 0.054, "pp"),
        ("$2.50/h", 2.5 / 3600, "USD/h"),
        ("$2 per GPU-hour", 2 / 3600, "USD/GPU-hour"),
        ("$53 million", 53e6, "USD"),
        ("$53M", 53e6, "USD"),
        ("131,072 tokens", 131072, "tok"),
        ("128k tokens", 128e3, "tok"),
        ("1.5 million tokens/s", 1.5e6, "tok/s"),
        ("70.6e9 parameters", 70.6e9, ""),
        ("10 × 10^9 of them", 10e9, ""),
        ("734x", 734, ""),
        ("734 times", 734, ""),
        ("0.294 GPU·s", 0.294, "GPU·s"),
        ("60/s", 60, "/s"),
        ("8 per day", 8 / 86400, "/day"),
        ("320 KiB/token", 320 * 1024, "KiB/tok"),
        ("a quarter of it", 0.25, ""),
        ("three quarters", 0.75, ""),
        ("**40 GiB**", 40 * 2**30, "GiB"),
        ("**40** GiB", 40 * 2**30, "GiB"),
        ("`40` GiB", 40 * 2**30, "GiB"),
        ("<b>40</b> GiB", 40 * 2**30, "GiB"),
        ("4\u200b0\u00a0GiB", 40 * 2**30, "GiB"),
        ("４０ GiB", 40 * 2**30, "GiB"),
    ],
)
def test_a_number_is_read_with_its_unit(text, value, unit):
    found = [(figure.quantity.value, figure.quantity.unit) for figure in figures_in(text)]
    if value is None:
        assert found == []
    else:
        assert (pytest.approx(value), unit) in found


@pytest.mark.parametrize("text", ["H100", "TP4 and p95", "m01, s5", "v1.2.3", "Llama3", "x86_64"])
def test_numbers_inside_of_names_are_none(text):
    assert [figure.text for figure in figures_in(text)] == []


def test_a_range_holds_what_lies_in_it():
    figures = figures_in("It takes 3–5 min to start.")
    assert near(figures, 240.0, "second", 0.0)
    assert not near(figures, 400.0, "second", 0.1)
    assert not near(figures_in("from 1 to 500 min"), 240.0 * 60, "second", 0.1)


def test_billions_and_bytes_are_both_read_where_b_may_be_either():
    values = {(figure.quantity.value, figure.quantity.unit) for figure in figures_in("70B")}
    assert values == {(70e9, ""), (70.0, "B")}


def test_a_value_is_the_same_only_as_exactly_as_it_was_written():
    figures = figures_in("41.8 ms")
    assert same(figures, 0.0418, "second")
    assert not same(figures, 0.042, "second")
    assert not same(figures, 0.0418, "byte")


@given(
    st.decimals(min_value="0.001", max_value="99999", places=3, allow_nan=False),
    st.sampled_from(["GiB", "ms", "GB/s", "%", "tok/s", "USD/h", "TFLOP/s", "tok"]),
)
def test_what_the_product_shows_is_read_back(number, unit):
    quantity = Quantity.of(float(number), unit)
    read = figures_in(f"so it is {quantity.text(6)}, which decides")
    assert near(read, quantity.value, quantity.dimension, 1e-4)


@given(st.text(max_size=200))
def test_any_text_is_read_without_an_error(text):
    assert all(figure.quantity.value == figure.quantity.value for figure in figures_in(text))
