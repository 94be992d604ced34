"""A plan with an engine's budget: the keys of the whiteboard's, parts that sum, refusals that say what is short."""

import pytest

from calculator.core.inputs import InputErrors, Inputs
from calculator.core.kv_groups import max_concurrency
from calculator.core.plan import Plan, evaluate
from calculator.parsing import read_inputs
from tests.calculator.helpers import plan_for

QUESTION = {"model": "llama-70b", "gpu": "h100", "gpus": "4", "seq_len": "8192", "batch": "8", "budget": "engine"}


def plan(**typed: str) -> Plan:
    return evaluate(read_inputs(QUESTION | {"engine": "vllm", "engine_version": "0.11.0"} | typed))


def inputs(**typed: str) -> Inputs:
    return plan(**typed).inputs


def test_both_budgets_give_the_same_keys_and_the_engine_leaves_less() -> None:
    simple, engine = evaluate(read_inputs({k: v for k, v in QUESTION.items() if k != "budget"})), plan()
    assert engine.results.keys() == simple.results.keys()
    assert 0 < engine.budget.kv_pool_bytes < simple.budget.kv_pool_bytes  # type: ignore[operator]


def test_the_parts_of_one_gpu_sum_to_what_the_framework_sees_of_it() -> None:
    made = plan()
    total = sum(part.bytes_per_gpu for part in made.budget.parts)
    assert total == pytest.approx(made.inputs.gpu.memory_framework_bytes)
    assert made.budget.usable_bytes == pytest.approx(4 * 0.9 * total)
    pool = next(part for part in made.budget.parts if part.key == "kv_pool")
    assert made.budget.kv_pool_bytes == pytest.approx(4 * pool.bytes_per_gpu)


def test_every_step_has_a_formula_and_says_why() -> None:
    for step in plan().steps:
        if step.path.startswith("memory/"):
            assert step.formula
            assert step.why.endswith(".")
            assert len(step.source) > 10


def test_the_largest_batch_is_whole_blocks_of_whole_sequences() -> None:
    made = plan()
    assert made.budget.max_batch == made.budget.kv_pool_tokens // 8192  # type: ignore[operator]
    capped = plan(max_num_seqs="16")
    assert capped.budget.max_batch == 16


def test_windows_let_more_sequences_in_than_the_tokens_per_layer_say() -> None:
    made = plan(model="gpt-oss-120b", gpus="4", seq_len="16384", max_num_seqs="1024", max_num_batched_tokens="2048")
    pool = made.budget.kv_pool_bytes / 4  # type: ignore[operator]
    assert made.budget.max_batch == int(max_concurrency(made.inputs.model, pool, 16_384, 4))
    assert made.budget.max_batch > 1.5 * pool / (16_384 * 18_432)


def test_what_does_not_fit_says_how_much_is_short_and_what_would_do() -> None:
    made = plan(gpus="1")
    assert made.budget.kv_pool_bytes is None
    assert made.budget.max_batch == 0
    assert made.budget.gpus_needed == 4
    assert "GiB per GPU short of a KV pool; needs at least 4 GPUs" in made.verdict


def test_a_batch_that_the_pool_does_not_hold_is_refused() -> None:
    assert "at most 52 fit" in plan(batch="60").verdict


def test_a_part_without_a_logged_memory_is_refused_at_the_gpu() -> None:
    with pytest.raises(InputErrors) as refused:
        plan(gpu="b300")
    assert refused.value.errors[0].field == "gpu"


def test_the_weights_are_those_of_the_checkpoint_with_its_embeddings_in_16_bits() -> None:
    made = plan(dtype="fp8")
    assert made.budget.weights_bytes / 2**30 == pytest.approx(67.76, rel=0.002)
    assert inputs(dtype="fp8").dtype == "fp8"


def test_a_pool_below_the_longest_sequence_says_that_the_engine_does_not_start() -> None:
    asked = {"model": "llama-8b", "gpu": "l4", "seq_len": 4096, "engine": "vllm"}
    said = "the engine starts only with a max_model_len that fits"
    assert said in plan_for(**asked).step("memory/kv_pool_tokens").why
    assert said not in plan_for(**asked, max_model_len=8192).step("memory/kv_pool_tokens").why
    assert said not in plan_for(**asked | {"engine": "sglang"}).step("memory/kv_pool_tokens").why
