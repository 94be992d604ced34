"""m01: its figures against an independent derivation, and the claims of its critiques as inequalities."""

from functools import partial

import pytest

from calculator.core.queueing import RequestClass, SteadyState, steady_state
from tests.designs.worked import derivation_of, design_of, problems_of, value_of

_design = partial(design_of, "m01")
_derivation = partial(derivation_of, "m01")
_value = partial(value_of, "m01")


def test_the_content_of_m01_has_no_problem_and_no_warning() -> None:
    assert problems_of("m01") == []


# Quoted by the track, in base units, with the tolerance of its own rounding.
TRACK = [
    ("kv_per_token", 327_680, 1e-9),
    ("decode_floor", 0.0418, 0.002),
    ("decode_compute", 0.141e-3, 0.005),
    ("ridge", 295, 0.002),
    ("h200_gain", 1.433, 0.0005),
    ("heavy_kv", 40.0 * 2**30, 1e-9),
    ("heavy_share", 0.230, 0.002),
    ("heavy_over_light", 735, 0.01),
]


@pytest.mark.parametrize(("name", "quoted", "tolerance"), TRACK)
def test_a_figure_that_the_track_quotes_comes_out_of_the_derivation(name: str, quoted: float, tolerance: float) -> None:
    assert _value(name) == pytest.approx(quoted, rel=tolerance)


def test_tensor_parallelism_across_hosts_costs_52_per_cent_of_the_floor_within_a_point() -> None:
    assert _value("tp8_step") == pytest.approx(5.22e-3, rel=0.001)
    assert _value("tp_cross") == pytest.approx(0.52, abs=0.01)
    assert _value("tp_cross_loaded") == pytest.approx(0.0972639, rel=1e-5)


# Worked out apart from the project in plain Python, in base units.
GOLDEN = {
    "pool": 186_417_514_905.6,
    "pool_tokens": 568_901.106,
    "heavy_over_light_mean": 974.607,
    "framework_share": 0.234553,
    "honest_pool": 144_631_966_924.8,
    "honest_share": 0.296959,
    "step_empty": 0.0149254,
    "step_75": 0.0298308,
    "step_90": 0.0328119,
    "step_full": 0.0347993,
    "prefill_rate": 14_015.58,
    "prefill_chat": 0.108514,
    "prefill_reasoning": 0.145348,
    "prefill_agent": 0.951563,
    "prefill_long": 20.7304,
    "attention_share": 0.548880,
    "kv_chat": 2.78932,
    "kv_reasoning": 44.0419,
    "kv_agent": 6.26374,
    "kv_long": 1.61575,
    "kv_need": 54.7107,
    "prefill_need": 24.5330,
    "decode_need": 39.5346,
    "wall": 64.4356,
    "wall_load": 1.48986,
    "wall_scattered": 79.1583,
    "wall_load_scattered": 1.21276,
    "occ_scattered": 0.585001,
    "tpot_scattered": 0.0356662,
    "occ_128": 0.215564,
    "tpot_128": 0.0237642,
    "occ_96": 0.355884,
    "tpot_96": 0.0295496,
    "occ_80": 0.528094,
    "tpot_80": 0.0366642,
    "occ_72": 0.697026,
    "tpot_72": 0.0436517,
    "occ_66": 0.917461,
    "tpot_66": 0.0527766,
    "headroom": 6.08859,
    "full_rate": 4_087.01,
    "recompute_tax": 0.225770,
    "in_flight": 4_497.46,
    "in_flight_tokens": 26_429_640,
    "mean_held": 4_246.48,
    "intensity_limit": 109.475,
    "fleet_usd": 960 / 3600,
    "usd_per_million": 1.75208,
    "equal_share_wait": 192.69,
    "probe_prefill": 3.04912,
    "probe_kv_ratio": 2.25941,
    "probe_prefill_ratio": 28.0989,
    "estimated": 0.409422,
    "measured_96": 0.483931,
    "measured_80": 0.720533,
    "measured_72": 0.953171,
    "measured_66": 1.25719,
    "gate_closes": 1.83185,
    "gate_scattered": 1.19210,
    "gate_scattered_occ": 0.945319,
    "measured_final": 0.897554,
    "measured_held": 0.578811,
    "gate_held_replicas": 86.7819,
    "gate_held": 1.10622,
    "chunk_time": 0.146123,
    "chunk_step": 0.175954,
    "chunk_deep": 0.177789,
    "chunk_fit": 282.683,
    "chunk_overlap": 600.302,
    "chunk_step_share": 0.0501113,
    "long_shared": 51.3912,
    "memory_ceiling": 0.758512,
    "least_chunk": 122.88,
    "fast_chunk": 0.00910074,
    "fast_ceiling": 0.300589,
    "reclaim_time": 19.6871,
    "lane_fast": 6.27455,
    "lane_plain": 3.79281,
    "lane_standard": 72.0633,
    "lane_split": 5.02813,
    "fast_occ": 0.205919,
    "fast_busy": 0.420026,
    "long_lane": 8.29214,
    "long_ttft": 29.0593,
    "spread": 0.0684646,
    "committed_ceiling": 0.887376,
    "committed_exact": 0.893539,
    "leak_tokens": 2_202_470,
    "deploy_share": 0.483931,
    "beat_share": 0.00821054,
    "default_tokens": 1.83923,
    "default_kvs": 10.2312,
    "chat_kvs": 104.470,
    "default_admits": 0.179046,
    "default_occ": 0.0358305,
    "mean_charge": 5 / 3,
    "gate_prompts": 256.005,
    "gate_committed": 2.7,
    "gate_each": 222.222,
    "gate_time": 7.29154,
    "forty_pools": 9.21580,
    "forty_prefill": 829.214,
    "streams_lost": 46.8485,
    "tokens_lost": 202_463,
    "reprefill": 14.4455,
    "share_512k": 0.921580,
    "honest_512k": 1.18784,
    "prefill_512k": 219.463,
    "wide_share_512k": 0.334998,
}


@pytest.mark.parametrize("name", GOLDEN)
def test_a_step_agrees_with_the_independent_derivation(name: str) -> None:
    assert _value(name) == pytest.approx(GOLDEN[name], rel=2e-4)


def test_the_deciding_number_is_the_share_of_a_replica() -> None:
    assert _derivation().deciding.id == "heavy_share"
    assert _derivation().deciding.text == "23.0%"


@pytest.mark.parametrize("replicas", [128, 96, 80, 72, 66])
def test_the_closed_form_of_the_fixed_point_is_what_iteration_settles_at(replicas: int) -> None:
    settled = _steady(replicas)
    assert settled.stable
    assert _value(f"occ_{replicas}") == pytest.approx(settled.occupancy, rel=1e-6)
    assert _value(f"tpot_{replicas}") == pytest.approx(settled.tpot_s, rel=1e-6)


def test_iteration_settles_just_above_the_wall_and_not_below_it() -> None:
    wall = _value("wall")
    assert _steady(int(wall) + 1).stable
    assert not _steady(int(wall)).stable


def _steady(replicas: int) -> SteadyState:
    classes = [
        RequestClass(_value(f"rate_{kind}"), _value(f"in_{kind}"), _value(f"out_{kind}"), _value(f"prefill_{kind}"))
        for kind in ("chat", "reasoning", "agent", "long")
    ]
    return steady_state(
        classes,
        replicas=replicas,
        pool_tokens=_value("pool_tokens"),
        step_empty_s=_value("step_empty"),
        step_full_s=_value("step_full"),
    )


def test_three_classes_run_out_of_prefill_first_and_reasoning_of_memory() -> None:
    assert all(_value(f"need_{kind}") > _value(f"kv_{kind}") for kind in ("chat", "agent", "long"))
    assert _value("kv_reasoning") > 10 * _value("need_reasoning")


def test_no_batch_reaches_the_ridge_at_the_context_that_streams_hold() -> None:
    assert _value("intensity_limit") < _value("ridge")


def test_critique_1_the_budgets_close_after_the_wall_and_with_the_measured_time_before_it() -> None:
    assert _value("gate_closes") > _value("wall_load")
    loads = {replicas: _value("replicas") / replicas for replicas in (96, 80, 72, 66)}
    gaps = [_value(f"measured_{replicas}") - _value("estimated") * load for replicas, load in loads.items()]
    assert gaps == sorted(gaps)
    assert all(gap > 0 for gap in gaps)
    assert _value("measured_80") < _value("budget_gate") < _value("measured_72")
    assert loads[72] < _value("wall_load")


def test_critique_1_with_scatter_the_draft_closes_on_a_full_fleet_and_the_revision_between_peak_and_wall() -> None:
    assert _value("replica_gate") < _value("gate_scattered_occ") < 1
    assert _value("gate_scattered") > 0.95 * _value("wall_load_scattered")
    assert _value("measured_final") > _value("budget_gate") > _value("measured_held")
    assert 1 < _value("gate_held") < _value("gate_scattered") < _value("wall_load_scattered")


def test_critique_1_the_revised_budgets_read_exactly_the_gate_at_the_load_where_they_close() -> None:
    replicas = _value("gate_held_replicas")
    free = 1 - _value("prefill_need") / replicas
    growth = _value("step_full") - _value("step_empty")
    pools = replicas * _value("pool_tokens")
    rate = _value("scattered_hold")
    occupancy = (rate * _value("step_empty") / free + _value("prompt_held")) / (pools - rate * growth / free)
    tpot_s = (_value("step_empty") + occupancy * growth) / free
    assert rate * tpot_s / pools == pytest.approx(_value("budget_gate"))


def test_critique_2_a_step_with_the_drafts_chunk_breaks_the_contract_more_often_than_a_p99_forgives() -> None:
    assert _value("chunk_step") > 3 * _value("tpot_contract")
    assert _value("chunk_step_share") > 0.01
    assert _value("chunk_fit") < _value("chunk_overlap") < _value("draft_chunk")
    assert _value("step_75") + _value("chunk_fit") / _value("prefill_rate") == pytest.approx(_value("tpot_contract"))


def test_critique_3_the_drafts_gate_lets_occupancy_pass_what_the_fast_contracts_can_bear() -> None:
    assert _value("replica_gate") > _value("memory_ceiling") > _value("fast_ceiling") > 0
    assert _value("step_90") > _value("tpot_fast")
    assert _value("reclaim_time") > 10 * _value("ttft_contract")


def test_critique_3_the_revised_lane_keeps_both_clauses_and_three_lanes_fit_into_the_fleet() -> None:
    step = _value("step_empty") + _value("fast_ceiling") * (_value("step_full") - _value("step_empty"))
    assert step + _value("fast_chunk") == pytest.approx(_value("tpot_fast"))
    assert _value("fast_chunk") > _value("least_chunk") / _value("prefill_rate")
    assert _value("fast_occ") < _value("fast_ceiling")
    assert _value("ttft_prompt") / _value("least_chunk") * _value("tpot_fast") == pytest.approx(_value("ttft_contract"))
    assert _value("lane_fast") < 7
    assert 8 + _value("long_lane") + _value("lane_standard") < _value("replicas")
    assert _value("lane_cost") > 1


def test_critique_4_one_deploy_leaves_more_than_the_floors_and_two_more_than_the_budgets_hand_out() -> None:
    assert _value("deploy_share") > _value("floor_share")
    assert 2 * _value("deploy_share") > _value("budget_gate")
    assert _value("beat_share") < 1 - _value("committed_ceiling")


def test_critique_5_the_default_length_refuses_most_of_the_peak_on_a_fleet_that_is_nearly_empty() -> None:
    assert _value("default_kvs") > _value("default_tokens") > 1
    assert _value("default_admits") < 0.2
    assert _value("default_occ") < 0.05
    assert _value("tail_length") > _value("default_max_tokens")


def test_critique_6_what_passes_the_gate_commits_more_than_the_pool_and_no_scale_up_comes_in_time() -> None:
    assert _value("gate_committed") > 1
    assert _value("gate_80") > 1
    assert _value("gate_time") < _value("ready_soonest") / 10
    assert _value("ceiling_999") < _value("committed_ceiling") < _value("committed_exact") < 1


def test_the_changed_requirement_fits_a_planned_replica_and_not_a_real_one() -> None:
    assert _value("share_512k") < 1 < _value("honest_512k")
    assert 2 * _value("wide_share_512k") < 1


def test_the_interjections_change_exactly_one_requirement_and_the_defects_are_of_six_classes() -> None:
    assert [one.id for one in _design().interjections if one.changes_requirement] == ["longer-context"]
    assert [one.defect_class for one in _design().critiques] == [
        "control-loop-wrong-sign",
        "arithmetic-never-done",
        "guarantee-not-the-one-sold",
        "other",
        "policy-caller-must-declare",
        "threshold-on-unsized-resource",
    ]
    assert _design().critiques[3].class_name == "a release that depends on the holder surviving"
