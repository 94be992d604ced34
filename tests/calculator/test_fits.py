"""What fits: limits that hold and whose next value does not, and changes that keep their promise."""

from itertools import pairwise

import pytest

from calculator.core.budget import memory_budget
from calculator.core.fits import what_fits, with_gpus, with_length
from calculator.core.inputs import InputErrors
from calculator.core.sweep import batches_up_to, load_curve, sweep
from calculator.parsing import read_inputs
from tests.calculator.helpers import plan_for

ASKED = [
    {"gpus": 4, "batch": 64},
    {"gpus": 1},
    {"gpus": 4, "batch": 500},
    {"gpus": 4, "batch": 64, "budget": "engine"},
    {"model": "gemma-3-27b", "gpu": "l40s", "gpus": 4, "batch": 16, "seq_len": 65536},
    {"model": "kimi-k2", "gpu": "rtx4090", "gpus": 8},
    {"model": "kimi-k2", "gpu": "a100_40gb", "gpus": 2, "batch": 2000},
]


@pytest.mark.parametrize("asked", ASKED)
def test_the_limits_hold_and_the_next_value_does_not(asked: dict[str, object]) -> None:
    inputs = plan_for(**asked).inputs
    found = what_fits(inputs)
    if found.longest_context_tokens is not None:
        assert memory_budget(with_length(inputs, found.longest_context_tokens)).max_batch >= inputs.batch
        if found.longest_context_tokens < inputs.model.max_context_tokens:
            assert memory_budget(with_length(inputs, found.longest_context_tokens + 1)).max_batch < inputs.batch
    else:
        assert memory_budget(with_length(inputs, 2)).max_batch < inputs.batch
    if found.fewest_gpus is not None and found.fewest_gpus_ranks is not None:
        copies = found.fewest_gpus // found.fewest_gpus_ranks
        assert not memory_budget(with_gpus(inputs, found.fewest_gpus_ranks, copies)).refusal
        if copies > 1:
            assert memory_budget(with_gpus(inputs, found.fewest_gpus_ranks, copies - 1)).refusal


@pytest.mark.parametrize("asked", ASKED)
def test_every_change_that_is_offered_makes_it_fit(asked: dict[str, object]) -> None:
    plan = plan_for(**asked)
    found = what_fits(plan.inputs, plan.budget)
    assert bool(found.changes) <= bool(plan.budget.refusal)
    typed = {"model": "llama-70b", "gpu": "h100"} | {name: str(value) for name, value in asked.items()}
    for change in found.changes:
        changed = {name: value for name, value in (typed | dict(change.fields)).items() if value}
        assert not memory_budget(read_inputs(changed)).refusal, change.words


def test_what_fits_already_needs_no_change() -> None:
    assert what_fits(plan_for(gpus=4, batch=64).inputs).changes == ()


def test_what_does_not_fit_on_one_is_offered_two_gpus_and_fewer_bits() -> None:
    words = [change.words for change in what_fits(plan_for(gpus=1).inputs).changes]
    assert words == ["2 GPUs in place of 1", "weights in FP8"]


def test_a_batch_too_large_for_any_split_is_held_by_copies() -> None:
    found = what_fits(plan_for(gpus=4, batch=500).inputs)
    assert found.fewest_gpus is not None
    assert found.fewest_gpus_ranks is not None
    assert found.fewest_gpus > found.fewest_gpus_ranks


def test_a_larger_batch_gives_more_tokens_and_longer_waits() -> None:
    inputs = plan_for(gpus=4).inputs
    points = load_curve(inputs, batches_up_to(69))
    assert [point.batch for point in points][:2] == [1, 2]
    assert points[-1].batch == 69
    assert all(point.fits for point in points)
    for one, more in pairwise(points):
        assert more.tpot_s > one.tpot_s
        assert more.tokens_per_s > one.tokens_per_s
    assert points[-1].tokens_per_s == pytest.approx(plan_for(gpus=4, batch=69).money.tokens_per_s)


def test_a_sweep_gives_the_plans_one_by_one() -> None:
    asked = [plan_for(gpus=4, batch=batch).inputs for batch in (1, 8, 64)]
    assert [plan.results for plan in sweep(asked)] == [plan_for(gpus=4, batch=batch).results for batch in (1, 8, 64)]


def test_an_engine_that_works_out_its_share_does_so_anew_for_other_counts_of_gpus() -> None:
    asked = {"model": "mistral-7b", "gpu": "l40s", "batch": "2000", "seq_len": "30001", "engine": "sglang"}
    found = what_fits(read_inputs(asked))
    assert found.fewest_gpus is not None
    wider = asked | {"gpus": str(found.fewest_gpus), "tp": str(found.fewest_gpus_ranks), "link": "infiniband_ndr"}
    assert not memory_budget(read_inputs(wider)).refusal
    inputs = read_inputs(asked)
    assert with_gpus(inputs, 8).mem_util == read_inputs(asked | {"gpus": "8"}).mem_util < inputs.mem_util


def test_no_context_is_longer_than_the_engine_is_started_for() -> None:
    found = what_fits(plan_for(gpus=4, engine="vllm", max_model_len=16384).inputs)
    assert found.longest_context_tokens == 16384


def test_the_sequences_asked_for_take_their_own_share_of_an_engines_pool_and_no_more() -> None:
    plan = plan_for(model="llama-8b", gpus=1, batch=16, seq_len=1024, engine="vllm", max_num_seqs=16)
    assert plan.budget.max_batch == 16
    assert plan.budget.kv_bytes_per_sequence == pytest.approx(1024 * plan.budget.kv_bytes_per_token, rel=0.01)


def test_counts_of_gpus_for_which_an_engine_keeps_all_memory_to_itself_are_passed_over() -> None:
    asked = {"model": "deepseek-v3", "gpu": "l4", "gpus": "8", "engine": "sglang", "batch": "50"}
    inputs = read_inputs(asked)
    with pytest.raises(InputErrors, match="mem_util"):
        with_gpus(inputs, 128)
    assert what_fits(inputs).fewest_gpus is None


def test_a_batch_that_no_count_of_gpus_holds_is_answered_with_more_gpus_and_a_smaller_batch() -> None:
    plan = plan_for(model="kimi-k2", gpu="a100_40gb", gpus=2, batch=2000)
    found = what_fits(plan.inputs, plan.budget)
    assert found.fewest_gpus is None
    (change,) = found.changes
    assert change.words.startswith("32 GPUs in place of 2, with a batch of ")
