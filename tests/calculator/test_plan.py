"""A whole question worked out: keys, sums, steps that agree with results, and answers where nothing fits."""

import json
import math

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from calculator import catalogue
from calculator.core.heads import head_counts
from calculator.core.inputs import InputErrors, Inputs
from calculator.core.mathml import to_mathml
from calculator.core.plan import RESULT_KEYS, Plan
from calculator.core.script import spoken
from calculator.core.text import show
from tests.calculator.helpers import plan_for

KEYS = [
    "inputs",
    "weights_bytes",
    "kv_cache_bytes_per_token",
    "kv_pool_bytes",
    "kv_pool_tokens",
    "max_batch",
    "decode_step_floor_s",
    "decode_step_expected_s",
    "prefill_s",
    "tokens_per_s",
    "ridge_flops_per_byte",
    "intensity_flops_per_byte",
    "verdict",
    "usd_per_million_output_tokens",
    "steps",
]


def value(plan: Plan, path: str) -> float:
    found = plan.step(path).value
    assert found is not None
    return found


def test_the_answer_has_exactly_the_keys_that_were_promised() -> None:
    answer = plan_for(gpus=4, batch=64).as_dict()
    assert list(answer) == KEYS
    assert list(RESULT_KEYS) == KEYS[1:-1]


def test_the_reference_question_gives_the_golden_answer() -> None:
    answer = plan_for(gpus=4, seq_len=8192, batch=64, params="70e9").results
    assert answer["weights_bytes"] == 140e9
    assert answer["kv_cache_bytes_per_token"] == 327_680
    assert answer["kv_pool_tokens"] == 568_901
    assert answer["max_batch"] == 69
    # (140e9 B + 64 x 2.5 GiB) / (4 x 3.35 TB/s), and that over 0.7
    assert answer["decode_step_floor_s"] == pytest.approx((140e9 + 64 * 2.5 * 2**30) / 13.4e12)
    assert answer["decode_step_expected_s"] == pytest.approx((140e9 + 64 * 2.5 * 2**30) / 13.4e12 / 0.7)
    linear, attention = 2 * 70e9 * 7680, 2 * 80 * 8192 * 7680**2
    assert answer["prefill_s"] == pytest.approx((linear + attention) / (4 * 989.5e12 * 0.5))
    assert answer["ridge_flops_per_byte"] == pytest.approx(295.4, abs=0.05)
    assert str(answer["verdict"]).startswith("memory-bound")
    rate = 64 * 512 / (512 * answer["decode_step_expected_s"] + 64 * answer["prefill_s"])  # type: ignore[operator]
    assert answer["tokens_per_s"] == pytest.approx(rate)
    assert answer["usd_per_million_output_tokens"] == pytest.approx(10e6 / 3600 / rate)


def test_the_steps_carry_the_results() -> None:
    plan = plan_for(gpus=4, batch=32)
    paths = {
        "weights_bytes": "memory/weights",
        "kv_cache_bytes_per_token": "memory/kv_cache/per_token",
        "kv_pool_bytes": "memory/kv_pool",
        "kv_pool_tokens": "memory/kv_pool_tokens",
        "max_batch": "memory/max_batch",
        "decode_step_floor_s": "time/decode/floor",
        "decode_step_expected_s": "time/decode/expected",
        "prefill_s": "time/prefill/expected",
        "tokens_per_s": "throughput/tokens_per_s",
        "ridge_flops_per_byte": "roofline/ridge",
        "intensity_flops_per_byte": "roofline/intensity",
        "usd_per_million_output_tokens": "cost/per_million_output_tokens",
    }
    for key, path in paths.items():
        assert plan.step(path).value == plan.results[key]
    with pytest.raises(KeyError):
        plan.step("memory/nothing")


def test_one_gpu_too_few_is_an_answer_and_not_a_negative_pool() -> None:
    plan = plan_for(gpus=1)
    answer = plan.as_dict()
    assert answer["kv_pool_bytes"] is answer["kv_pool_tokens"] is answer["tokens_per_s"] is None
    assert answer["max_batch"] == 0
    assert "needs at least 2 GPUs" in plan.verdict
    assert plan.timing.floor_s > 0
    assert any("thought experiment" in line for line in spoken(plan))


def test_a_count_that_does_not_split_the_heads_is_raised_to_one_that_does() -> None:
    plan = plan_for(model="llama-405b", gpus=8, seq_len=8192)
    assert plan.budget.gpus_needed == 10
    assert "needs at least 10 GPUs by memory, so 16 to split its heads evenly" in plan.verdict
    assert "more than its heads" in plan_for(model="kimi-k2", gpu="l4", gpus=1, dtype="bf16").verdict


def test_a_batch_that_does_not_fit_is_told_the_largest_that_does() -> None:
    plan = plan_for(gpus=4, batch=70)
    assert plan.verdict == "does not fit: a batch of 70 at 8,192 tokens; at most 69 fit"
    assert plan.results["tokens_per_s"] is None
    assert plan.results["usd_per_million_output_tokens"] is None
    assert plan_for(gpus=4, batch=69).results["tokens_per_s"]


def test_a_length_that_does_not_fit_is_told_how_many_tokens_do() -> None:
    plan = plan_for(gpus=2, seq_len=131_072)
    assert plan.budget.max_batch == 0
    assert "not one sequence of 131,072 tokens" in plan.verdict
    assert f"{plan.budget.kv_pool_tokens:,} tokens" in plan.verdict


def test_a_gpu_without_a_price_has_no_cost_and_says_why() -> None:
    plan = plan_for(model="llama-8b", gpu="gaudi3")
    assert plan.results["tokens_per_s"]
    assert plan.results["usd_per_million_output_tokens"] is None
    assert "give one" in plan.step("cost/per_hour").why
    assert plan_for(model="llama-8b", gpu="gaudi3", price="3").results["usd_per_million_output_tokens"]


def test_the_price_given_is_the_price_used() -> None:
    cheap, dear = plan_for(gpus=4, price="1"), plan_for(gpus=4, price="2")
    assert dear.money.usd_per_million == pytest.approx(2 * (cheap.money.usd_per_million or 0))
    assert cheap.step("cost/per_hour").source == "given"
    assert "planning value" in plan_for(gpus=4).step("cost/per_hour").source


def test_sixteen_gpus_cross_nodes_and_pay_for_it() -> None:
    within, across = plan_for(gpus=8), plan_for(gpus=16, link="infiniband")
    assert within.timing.decode.communication.across_s == 0
    assert across.timing.decode.communication.across_s == pytest.approx(160 * 17e-6, rel=0.01)
    assert across.step("time/decode/network").value == across.timing.decode.communication.across_s
    assert across.results["kv_cache_bytes_per_token"] == 2 * 327_680


def test_fp8_halves_the_weights_and_nothing_at_295_moves() -> None:
    bf16, fp8 = plan_for(gpus=4), plan_for(gpus=4, dtype="fp8", kv_dtype="fp8")
    assert fp8.budget.weights_bytes * 2 == bf16.budget.weights_bytes
    assert fp8.timing.ridge / fp8.timing.intensity == pytest.approx(bf16.timing.ridge / bf16.timing.intensity)


def test_a_compute_bound_step_says_so() -> None:
    plan = plan_for(gpus=8, seq_len=64, batch=4096, output_len=32)
    assert plan.verdict.startswith("compute-bound")
    assert plan.timing.floor_s == plan.timing.decode.compute_floor_s


def test_the_script_says_the_numbers_of_the_results() -> None:
    plan = plan_for(gpus=4, batch=32)
    script = " ".join(spoken(plan))
    assert "320 KiB" in script
    assert f"{plan.budget.kv_pool_tokens:,} tokens" in script
    assert show(plan.timing.expected_s, "s") in script
    assert "2.50 USD per GPU-hour" in script


MODELS, GPUS = sorted(catalogue.models()), sorted(catalogue.accelerators())


BUDGETS = (
    {"mem_util": "0.5"},
    {"mem_util": "0.95"},
    {"mem_util": "1"},
    {"budget": "engine", "engine": "vllm"},
    {"budget": "engine", "engine": "sglang"},
)
EXTRAS: tuple[dict[str, str], ...] = (
    {},
    {"draft": "llama-8b", "draft_len": "3"},
    {"max_num_batched_tokens": "512"},
)


@st.composite
def questions(draw: st.DrawFn) -> Plan:
    model = catalogue.model(draw(st.sampled_from(MODELS)))
    seq_len = draw(st.integers(2, min(model.max_context_tokens, 200_000)))
    gpu, budget = draw(st.sampled_from(GPUS)), draw(st.sampled_from(BUDGETS))
    row = catalogue.accelerator(gpu)
    assume("budget" not in budget or row.memory_framework_bytes or row.memory_reported_bytes)
    return plan_for(
        model=model.key,
        gpu=gpu,
        gpus=draw(st.sampled_from(head_counts(model))),
        link="ndr",
        seq_len=seq_len,
        batch=draw(st.integers(1, 2000)),
        output_len=draw(st.integers(1, seq_len - 1)),
        dtype=draw(st.sampled_from(["bf16", "fp8", "int4", "mxfp4"])),
        kv_dtype=draw(st.sampled_from(["bf16", "fp8"])),
        price="2.5",
        **budget,
        **draw(st.sampled_from(EXTRAS)),
    )


@settings(deadline=None)
@given(plan=questions())
def test_parts_sum_to_totals(plan: Plan) -> None:
    budget, timing = plan.budget, plan.timing
    if budget.parts:
        seen = plan.inputs.gpu.memory_framework_bytes or plan.inputs.gpu.memory_reported_bytes
        if budget.kv_pool_bytes is not None:
            assert sum(part.bytes_per_gpu for part in budget.parts) == pytest.approx(seen)
    elif budget.kv_pool_bytes is not None:
        assert budget.weights_bytes + budget.kv_pool_bytes == pytest.approx(budget.usable_bytes)
    if budget.kv_pool_bytes is not None:
        assert budget.max_batch * budget.kv_bytes_per_sequence <= budget.kv_pool_bytes * (1 + 1e-9)
    reads = value(plan, "time/decode/weights_read") + value(plan, "time/decode/kv_read")
    assert reads == pytest.approx(timing.bytes_read)
    flops = value(plan, "time/prefill/linear_flops") + value(plan, "time/prefill/attention_flops")
    assert flops == pytest.approx(timing.prefill.flops)
    assert value(plan, "time/decode/floor") == max(
        value(plan, "time/decode/memory_floor"), value(plan, "time/decode/compute_floor")
    )


@settings(deadline=None)
@given(plan=questions())
def test_every_answer_is_finite_and_can_be_shown(plan: Plan) -> None:
    text = json.dumps(plan.as_dict(), allow_nan=False)
    assert json.loads(text)["inputs"]["model"] == plan.inputs.model.key
    for step in plan.steps:
        assert step.value is None or (math.isfinite(step.value) and step.value >= 0)
        assert step.title
        assert step.why
        assert step.source
        assert to_mathml(step.formula).startswith("<math")
    assert all(spoken(plan))
    assert len({step.path for step in plan.steps}) == len(plan.steps)


@settings(deadline=None)
@given(plan=questions())
def test_the_floor_is_never_above_what_is_expected(plan: Plan) -> None:
    assert 0 < plan.timing.floor_s < plan.timing.expected_s


@given(batch=st.integers(1, 4000))
def test_a_larger_batch_never_makes_a_step_shorter_or_a_token_slower_to_come_by(batch: int) -> None:
    one, more = plan_for(gpus=8, seq_len=512, batch=batch), plan_for(gpus=8, seq_len=512, batch=batch + 1)
    assert more.timing.floor_s >= one.timing.floor_s
    assert (batch + 1) / more.timing.floor_s >= batch / one.timing.floor_s * (1 - 1e-9)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"gpus": 0}, "gpus"),
        ({"gpus": 1025}, "gpus"),
        ({"gpus": 3}, "gpus"),
        ({"batch": -1}, "batch"),
        ({"seq_len": 200_000}, "seq_len"),
        ({"prompt_len": 8192}, "seq_len"),
        ({"mem_util": 1.5}, "mem_util"),
        ({"mem_util": float("nan")}, "mem_util"),
        ({"mfu": 0.0}, "mfu"),
        ({"mbu": float("inf")}, "mbu"),
        ({"price": -2.5}, "price"),
        ({"dtype": "fp7"}, "dtype"),
        ({"kv_dtype": "int4"}, "kv_dtype"),
        ({"budget": "wished"}, "budget"),
    ],
)
def test_inputs_out_of_range_name_the_field_the_range_and_an_example(change: dict[str, object], field: str) -> None:
    good = vars(plan_for(gpus=4).inputs)
    with pytest.raises(InputErrors) as refused:
        Inputs(**{**good, **change})
    (error,) = refused.value.errors
    assert error.field == field
    assert error.allowed in error.message
    assert error.example in error.message
    assert str(error).startswith(field)
