"""What a step puts into its formula gives the step's value: the numbers are read back and worked out again."""

import math
import re

import pytest

from calculator import catalogue
from calculator.core.inputs import InputErrors
from calculator.core.plan import Plan
from tests.calculator.helpers import plan_for

UNITS = {"B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40, "GB": 1e9, "TB": 1e12}
UNITS |= {"s": 1, "ms": 1e-3, "µs": 1e-6, "FLOP": 1, "GFLOP": 1e9, "TFLOP": 1e12, "PFLOP": 1e15}
UNITS |= dict.fromkeys(("tok", "tokens", "sequence", "sequences", "USD"), 1)
TOKEN = re.compile(
    r"\s*(?:(?P<number>\d[\d,]*\.?\d*(?:e\d+)?)|(?P<unit>[A-Zµ]?[a-zA-Z]+)(?:/[sB])?(?![a-zA-Z])|(?P<sign>[()×/+−²,]))"
)
CALLS = {"max": max, "floor": math.floor}
SIGNS = {"×": "*", "−": "-", "²": "**2"}
LOADS: list[dict[str, object]] = [
    {"gpus": 1},
    {"gpus": 8, "batch": 33, "tp": 2},
    {"gpus": 8, "batch": 64, "seq_len": 100_000},
    {"gpus": 8, "batch": 16, "pp": 2},
    {"gpus": 4, "batch": 2, "pp": 4, "cached_len": 100},
    {"gpus": 8, "batch": 3, "cached_len": 2000, "max_num_batched_tokens": 512},
    {"gpus": 8, "batch": 8, "dtype": "mxfp4", "kv_dtype": "fp8"},
    {"gpus": 8, "batch": 16, "budget": "engine"},
]
WORKED_OUT = ("memory", "time/decode", "time/prefill", "time/ttft", "roofline", "throughput", "reuse")


def value_of(text: str) -> float:
    """The value of numbers, units and signs as a step writes them."""
    found, at = "", 0
    while at < len(text.rstrip()):
        match = TOKEN.match(text, at)
        assert match is not None, f"{text!r} at {text[at:]!r}"
        at = match.end()
        if match["number"]:
            found += f"({match['number'].replace(',', '')})"
        elif match["unit"] and match["unit"] not in CALLS:
            found = f"{found[:-1]}*{UNITS[match['unit']]})"  # binds closer than a division before it
        else:
            sign = match["unit"] or match["sign"]
            found += SIGNS.get(sign, sign)
    return float(eval(found, dict(CALLS)))


def checked(plan: Plan) -> int:
    """How many expressions of the plan were worked out again; each gives what stands behind its equals sign."""
    count = 0
    for step in plan.steps:
        if step.value is None or not step.path.startswith(WORKED_OUT) or step.unit == "%":
            continue
        for side in filter(None, re.split(r" = |: ", step.with_numbers)):
            if re.search(r"(?!tokens|sequence|floor)\b[a-z]{4,}|per GPU| in |sent|\b(?:at|of|a)\b", side):
                continue
            if step.path == "time/prefill/expected" and "in all" in step.with_numbers:
                continue  # its parts add up: see the test below
            rounded = 1 if step.unit in {"tokens", "sequences"} else 0
            assert math.isclose(value_of(side), float(step.value), rel_tol=0.012, abs_tol=rounded), step
            count += 1
    return count


@pytest.mark.parametrize("model", sorted(catalogue.models()))
def test_the_numbers_put_in_give_the_value(model: str) -> None:
    count = 0
    for load in LOADS:
        for gpu in ("h100", "l40s"):
            try:
                plan = plan_for(model=model, gpu=gpu, **load)
            except InputErrors:  # a length or a split that this model does not take
                continue
            count += checked(plan)
    assert count > 30


def test_a_first_token_behind_a_pipeline_waits_for_the_bubble_but_sends_once() -> None:
    plan = plan_for(model="llama-8b", gpu="l40s", gpus=8, pp=2, batch=16)
    work = plan.timing.prefill
    assert work.communication_s > 0.1 * work.busy_s
    own = work.busy_s - work.communication_s
    assert plan.step("time/ttft").value == pytest.approx(own / (1 - work.bubble) + work.communication_s)


def test_a_prefill_that_reading_limits_says_what_it_comes_to() -> None:
    numbers = plan_for(model="llama-8b", gpu="l40s", gpus=1, prompt_len=2048, max_num_batched_tokens=64).step(
        "time/prefill/expected"
    )
    assert "reading weights and cache 32 times is the limit" in numbers.with_numbers
    assert numbers.with_numbers.endswith("in all")


def test_wider_heads_of_full_layers_cost_their_width_in_attention() -> None:
    model = catalogue.model("gemma4_26b_a4b")
    assert model.full_head_dim == 2 * model.head_dim
    plan = plan_for(model=model.key, prompt_len=2048, output_len=1)
    pairs = sum(min(query, model.sliding_window_tokens) for query in range(1, 2049))
    counted = 2 * model.heads * 2 * model.head_dim * pairs * model.sliding_layers
    counted += 2 * model.heads * 2 * model.full_head_dim * sum(range(1, 2049)) * model.full_layers
    assert plan.timing.prefill.attention_flops == pytest.approx(counted, rel=2e-3)


@pytest.mark.parametrize("model", ["llama-8b", "gpt-oss-120b", "deepseek-v3"])
def test_a_step_at_the_batch_that_reaches_the_ridge_has_the_intensity_of_the_ridge(model: str) -> None:
    asked = {"model": model, "gpu": "b200", "gpus": 8, "seq_len": 128}
    batch = plan_for(**asked).timing.critical_batch
    assert 100 < batch < 100_000
    at_ridge = plan_for(**asked, batch=round(batch)).timing
    assert at_ridge.intensity == pytest.approx(at_ridge.ridge, rel=0.01)
    assert at_ridge.critical_batch == pytest.approx(batch, rel=0.01)
    text = plan_for(**asked).step("roofline/critical_batch").with_numbers
    assert value_of(text.split(" = ")[0]) == pytest.approx(batch, rel=0.02)


def test_stages_say_over_which_link_and_with_what_latency_they_hand_over() -> None:
    step = plan_for(gpus=8, pp=2, batch=16).step("time/decode/stages")
    assert value_of(step.with_numbers.split(" = ")[0]) == pytest.approx(step.value, rel=0.01)
