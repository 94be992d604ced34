"""Functions: mathematics, and the core's documented formulas with arguments checked for their units."""

import importlib
import inspect
import math
import pkgutil

import pytest

import calculator.core
from calculator.core import memory
from calculator.expressions import ExpressionError, Quantity, formulas, function_help
from calculator.expressions.formulas import MODULES, WHOLE_ARGUMENT, unit_of_name
from tests.calculator.expressions.sample import MODEL, run, shown, value

NOT_CALLABLE = {
    "bound": "gives a word, not a number",
    "chunked_prefill_s": "adds up chunk by chunk; prefill_s is for a whole prompt",
    "prefill_replicas": "takes a list of request classes",
    "steady_state": "takes a list of request classes; steady_occupancy and steady_tpot_s are for one",
    "packed_bits": "a detail of an engine's budget",
    "quantized_params": "a detail of an engine's budget",
    "checkpoint_bytes": "a detail of an engine's budget",
    "weights_bytes_per_rank": "of one rank, as an engine logs it",
    "kv_groups": "gives groups of layers, not a number",
    "kv_cache_bytes_per_token_per_rank": "of one rank, as an engine logs it",
    "group_layers": "takes a list of counts",
    "max_concurrency": "of one rank's pool, as an engine logs it",
    "forward_peak_bytes": "a detail of an engine's budget",
    "sampler_peak_bytes": "a detail of an engine's budget",
    "activation_peak_bytes": "a detail of an engine's budget",
    "static_fraction": "an engine's own default",
}


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("min(3, 1, 2)", 1),
        ("max(3 GB, 1 GiB)", 3e9),
        ("sqrt(2)", math.sqrt(2)),
        ("ln(2)", math.log(2)),
        ("log2(131072)", 17),
        ("exp(1)", math.e),
        ("ceil(2.1)", 3),
        ("floor(-2.1)", -3),
        ("round(2.5)", 3),
        ("round(-2.5)", -3),
        ("abs(-3 GB)", 3e9),
        ("abs(3)", 3),
        ("1 - (1 - 0.5^8)^64", 1 - (1 - 0.5**8) ** 64),
        ("(1 / 20) ^ (1 / 5)", (1 / 20) ** (1 / 5)),
    ],
)
def test_mathematics(expression: str, expected: float) -> None:
    assert value(expression) == pytest.approx(expected, rel=1e-12)


def test_rounding_is_of_counts_and_keeps_what_is_counted() -> None:
    assert shown("ceil(140 GB / (80 GiB/GPU * 0.95))") == "2 GPUs"
    assert shown("floor(173 GiB / 40 GiB)") == "4"
    with pytest.raises(ExpressionError, match="plain number or a count"):
        run("ceil(2.3 GiB)")


@pytest.mark.parametrize(
    ("expression", "kind", "words"),
    [
        ("min()", "value", "at least one"),
        ("sqrt(1, 2)", "value", "one argument"),
        ("sqrt(x=1)", "syntax", "by position"),
        ("sqrt(-1)", "value", "negative"),
        ("ln(0)", "value", "above 0"),
        ("ln(2 GB)", "unit", "plain number"),
        ("exp(1 s)", "unit", "plain number"),
        ("max(1 GB, 1 s)", "unit", "cannot compare"),
        ("median(1, 2)", "name", "no function 'median'"),
        ("kv_cache_byte_per_token(llama70b)", "name", "did you mean kv_cache_bytes_per_token"),
        ("kv_cache_bytes_per_token()", "value", "model missing"),
        ("kv_cache_bytes_per_token(llama70)", "name", "a model of the catalogue"),
        ("kv_cache_bytes_per_token(70)", "name", "a model of the catalogue"),
        ("weights_bytes(llama70b, fp7)", "name", "a number format (bf16"),
        ("weights_bytes(llama70b, dtyp=fp8)", "name", "did you mean dtype"),
        ("weights_bytes(llama70b, fp8, fp8)", "value", "too many"),
        ("weights_bytes(llama70b, model=llama70b)", "value", "given twice"),
        ("weights_bytes(model=llama70b, fp8)", "syntax", "by position come before"),
        ("prefill_flops(llama70b, 5 GB)", "unit", "prompt_tokens must be in tok"),
        ("prefill_flops(llama70b, 5 requests)", "unit", "counts tok"),
        ("prefill_flops(llama70b, -5)", "value", "at least 0"),
        ("ridge_flops_per_byte(989.5 TFLOP, 3.35 TB/s)", "unit", "FLOP/s"),
        ("kv_pool_bytes(140 GB, 4.5, 80 GiB, 0.95)", "value", "whole number"),
        ("kv_pool_bytes(140 GB, 1e9, 80 GiB, 0.95)", "limit", "at most 1,000,000"),
        ("kv_pool_bytes(140 GB, 1, 80 GiB, 0.95)", "value", "at least 2 GPUs"),
        ("compute_s(140 GFLOP, 1, 989.5 TFLOP/s, 1.5)", "value", "mfu"),
        ("intensity_flops_per_byte(1 FLOP, 0 B)", "value", "intensity_flops_per_byte"),
        ("causal_pairs(1e99)", "limit", "limit"),
    ],
)
def test_a_bad_call_says_what_is_wrong(expression: str, kind: str, words: str) -> None:
    with pytest.raises(ExpressionError) as refused:
        run(expression)
    assert refused.value.kind == kind
    assert words in refused.value.message
    assert refused.value.column is not None


def test_an_error_in_an_argument_is_placed_at_the_argument() -> None:
    with pytest.raises(ExpressionError) as refused:
        run("kv_pool_bytes(140 GB, 4, 80 s, 0.95)")
    assert refused.value.column == 26


def test_formulas_give_what_the_core_gives() -> None:
    assert value("kv_cache_bytes_per_token(llama70b)") == memory.kv_cache_bytes_per_token(MODEL) == 327680
    assert value("weights_bytes(llama70b, dtype=fp8)") == memory.weights_bytes(MODEL, "fp8")
    assert value("kv_pool_bytes(140 GB, 4 GPUs, h100.memory, usable_share=95%)") == memory.kv_pool_bytes(
        140e9, 4, 80 * 2.0**30, 0.95
    )
    assert value("usd_per_million_output_tokens(4, 2.5 USD/GPU-hour, 1000 tok/s) * 1 Mtok") == pytest.approx(
        4 * 2.5 / 3600 / 1000 * 1e6
    )


def test_results_of_formulas_have_units() -> None:
    assert shown("kv_cache_bytes_per_token(llama70b)") == "320 KiB/tok"
    assert shown("131072 tokens * kv_cache_bytes_per_token(llama70b)") == "40.0 GiB"
    assert shown("weights_bytes(llama70b)") == "141 GB"
    assert shown("ridge_flops_per_byte(h100.bf16_dense, h100.hbm_bandwidth)") == "295 FLOP/B"
    assert shown("usd_per_million_output_tokens(4, 2.5 USD/GPU-hour, 1000 tok/s)") == "2.78 USD/Mtok"
    assert shown("gpus_needed(140 GB, h100.memory, 0.95)") == "2 GPUs"


def test_a_formula_of_mixed_bytes_gives_a_mixed_result() -> None:
    assert run("kv_pool_bytes(140 GB, 4, 80 GiB, 0.95)").quantity.mixed
    assert not run("kv_pool_bytes(130 GiB, 4, 80 GiB, 0.95)").quantity.mixed


def test_occupancy_settles_at_its_fixed_point() -> None:
    arguments = "3 req/s, 2000, 300, 0.3 s, 4, 60000, 20 ms, 60 ms"
    occupancy, tpot_s = value(f"steady_occupancy({arguments})"), value(f"steady_tpot_s({arguments})")
    assert tpot_s == pytest.approx((0.020 + occupancy * 0.040) / (1 - 3 * 0.3 / 4), rel=1e-6)
    held = 3 * ((2000 + 150) * 300 * tpot_s + 1000 * 0.3)
    assert occupancy == pytest.approx(held / (4 * 60000), rel=1e-6)
    with pytest.raises(ExpressionError, match="prefill alone"):
        run("steady_occupancy(30 req/s, 2000, 300, 0.3 s, 4, 20000, 20 ms, 60 ms)")
    with pytest.raises(ExpressionError, match="occupancy would pass 100%"):
        run("steady_occupancy(12 req/s, 2000, 300, 0.3 s, 4, 2000, 20 ms, 60 ms)")


def test_every_documented_formula_of_the_core_can_be_called_or_says_why_not() -> None:
    documented = set()
    for module_info in pkgutil.iter_modules(calculator.core.__path__):
        module = importlib.import_module(f"calculator.core.{module_info.name}")
        for name, function in inspect.getmembers(module, inspect.isfunction):
            if function.__module__ == module.__name__ and "\nFormula: " in (inspect.getdoc(function) or ""):
                documented.add(name)
    assert documented - set(formulas()) == set(NOT_CALLABLE)


def test_no_two_modules_have_a_formula_of_the_same_name() -> None:
    names = [
        name
        for module in MODULES
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__ and name in formulas()
    ]
    assert len(names) == len(set(names))


def test_every_number_that_is_not_a_count_or_share_has_a_unit_in_its_name() -> None:
    plain = {
        parameter.name
        for formula in formulas().values()
        for parameter in formula.parameters
        if parameter.kind == "number" and not parameter.unit.powers
    }
    for name in plain:
        assert not {"bytes", "s", "flops", "usd", "seconds", "hour"} & set(name.split("_")), name


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("kv_cache_bytes_per_token", "B/tok"),
        ("flops_per_s_per_gpu", "FLOP/s"),
        ("bytes_per_s", "B/s"),
        ("usd_per_gpu_hour", "USD/GPU-hour"),
        ("prefill_s", "s"),
        ("prompt_tokens", "tok"),
        ("mfu", ""),
        ("batch", ""),
        ("ridge_flops_per_byte", "FLOP/B"),
    ],
)
def test_a_name_says_its_unit(name: str, unit: str) -> None:
    assert str(unit_of_name(name)) == unit


def test_the_help_lists_every_function_with_its_signature_and_documentation() -> None:
    listed = {one.name: one for one in function_help()}
    assert set(formulas()) <= set(listed)
    assert {"min", "max", "sqrt", "ln", "log2", "exp", "ceil", "floor", "round", "abs"} <= set(listed)
    weights = listed["weights_bytes"]
    assert weights.signature == "weights_bytes(model, dtype=bf16)"
    assert weights.summary == "Bytes of all weights."
    assert set(weights.doc) == {"Formula", "Symbols", "Holds when", "Source", "Raises"}
    for one in listed.values():
        assert one.summary
        assert one.signature.startswith(f"{one.name}(")


def test_a_whole_argument_may_come_out_of_arithmetic() -> None:
    assert value("gpus_needed(0.1 GB * 3, 0.3 GB, 1)") == memory.gpus_needed(0.1e9 * 3, 0.3e9, 1)
    assert value("kv_copies(llama70b, 0.1 * 3 * 10)") == 1
    assert value(f"kv_copies(llama70b, {WHOLE_ARGUMENT})") == WHOLE_ARGUMENT / 8
    assert value("n * 2", n=Quantity(3)) == 6
