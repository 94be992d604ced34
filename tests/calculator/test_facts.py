"""The catalogue as facts of the expression language, and the track's quoted figures through it."""

import re

import pytest

from calculator import catalogue
from calculator.expressions import ExpressionError, evaluate
from calculator.facts import catalogue_facts, fact_names

FACTS = catalogue_facts()


def shown(expression: str) -> str:
    return evaluate(expression, facts=FACTS).quantity.text()


def test_facts_carry_the_units_they_are_sold_in() -> None:
    assert shown("h100.memory") == "80.0 GiB"
    assert shown("h100.hbm_bandwidth") == "3.35 TB/s"
    assert shown("llama70b.layers") == "80"
    assert shown("llama70b.max_context_tokens").endswith(" tokens")
    assert shown("planning.prefill_mfu") == "0.500"
    assert shown("planning.network_all_reduce_extra_s") == "17.0 µs"
    assert shown("fp8.bytes") == "1.00 B"
    assert shown("links.nvlink4") == "450 GB/s"
    assert shown("prices.h100_planning") == "2.50 USD/GPU-hour"


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("2 * llama70b.layers * llama70b.kv_heads * llama70b.head_dim * bf16.bytes -> KiB", "320 KiB"),
        ("2 B * 70e9 / h100.hbm_bandwidth", "41.8 ms"),
        ("140e9 FLOP / h100.bf16_dense", "141 µs"),
        ("h100.bf16_dense / h100.hbm_bandwidth", "295 FLOP/B"),
        ("h200.hbm_bandwidth / h100.hbm_bandwidth", "1.43"),
        ("131072 * kv_cache_bytes_per_token(llama70b) -> GiB", "40.0 GiB"),
        ("131072 tokens * kv_cache_bytes_per_token(llama70b)", "40.0 GiB"),
        ("40 GiB / (4 * h100.memory * planning.hbm_usable_share - 140 GB) -> %", "23.0%"),
        ("kv_cache_bytes_per_token(llama70b) * 4 * h100.bf16_dense / (2 FLOP * 70e9) -> GB/s", "9.26 GB/s"),
        ("128 nodes * 0.5^8", "0.500 nodes"),
        ("15e9^2 / 2 / 1e6 comparisons/core-second -> core-years", "3.56e6 core-year"),
        ("sqrt(0.82 * 0.18 / 500) -> pp", "1.72 pp"),
        ("500 * 2 FLOP * 70.6e9 / (4 * h100.bf16_dense)", "17.8 ms"),
        ("500 * 320 KiB -> GiB", "0.153 GiB"),
        ("5800 * 2 FLOP * 70.6e9 / (4 * h100.bf16_dense)", "207 ms"),
        ("419 interruptions / 54 day * 30 day", "233 interruptions"),
        ("54 day / 419 -> h", "3.09 h"),
        ("10 min / (54 day / 419) -> %", "5.39%"),
    ],
)
def test_the_tracks_quoted_figures_come_out_of_expressions(expression: str, expected: str) -> None:
    assert shown(expression) == expected


def test_every_fact_can_be_typed_and_has_a_source() -> None:
    names = fact_names()
    assert len(names) == len(set(names))
    for name in names:
        assert re.fullmatch(r"[A-Za-z_]\w*\.\w+", name), name
        assert evaluate(name, facts=FACTS).names == (name,)
        described = FACTS.described(name)
        assert described is not None
        assert described.source
    assert FACTS.described("nothing.here") is None


def test_every_model_and_accelerator_of_the_catalogue_has_facts_and_can_be_an_argument() -> None:
    owners = {name.partition(".")[0] for name in fact_names()}
    assert set(catalogue.models()) | set(catalogue.accelerators()) <= owners
    for key in catalogue.models():
        assert evaluate(f"kv_cache_bytes_per_token({key})", facts=FACTS).quantity.value > 0
        assert FACTS.language_model(key) is catalogue.models()[key]
    for key in catalogue.accelerators():
        assert FACTS.accelerator(key) is catalogue.accelerators()[key]
    assert FACTS.language_model("h100") is None
    assert FACTS.accelerator("llama70b") is None


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("hbm_bandwith", "h100.hbm_bandwidth"),
        ("h100.hbm_bandwith", "h100.hbm_bandwidth"),
        ("h1000.hbm_bandwidth", "h100.hbm_bandwidth"),
        ("H100.memory", "h100.memory"),
        ("llama70.layers", "llama70b.layers"),
        ("llama70b.layer", "llama70b.layers"),
        ("llama70", "llama70b"),
        ("planning.mfu", "planning.prefill_mfu"),
        ("prefill_mfu", "planning.prefill_mfu"),
    ],
)
def test_a_name_that_is_nearly_one_is_suggested(name: str, meant: str) -> None:
    with pytest.raises(ExpressionError) as refused:
        evaluate(name, facts=FACTS)
    assert meant in refused.value.message
