"""m03: its figures against an independent derivation, and the claims of its critiques as inequalities."""

import random
from functools import partial
from heapq import heappop, heappush
from itertools import pairwise
from math import exp
from statistics import fmean

import pytest

from tests.designs.worked import derivation_of, design_of, problems_of, value_of

_design = partial(design_of, "m03")
_derivation = partial(derivation_of, "m03")
_value = partial(value_of, "m03")


def test_the_content_of_m03_has_no_problem_and_no_warning() -> None:
    assert problems_of("m03") == []


def test_half_of_the_fleet_free_is_half_a_node_free_as_the_track_quotes_it() -> None:
    assert _value("whole_free") == 0.5
    assert _value("whole_exact") == pytest.approx(0.486, abs=0.0005)
    assert _derivation().deciding.id == "whole_free"
    assert _derivation().deciding.text == "0.50"


def test_tensor_parallelism_across_nodes_costs_52_per_cent_of_the_floor_within_a_point() -> None:
    assert _value("tp_step") == pytest.approx(5.22e-3, rel=0.001)
    assert _value("tp_cross") == pytest.approx(0.52, abs=0.01)


# Worked out apart from the project in plain Python, in base units.
GOLDEN = {
    "whole_exact": 0.4864151,
    "any_whole": 0.3940629,
    "gang_chance": 5.111356e-08,
    "need_8": 724.0773,
    "need_16": 789.6119,
    "need_32": 861.0779,
    "ordered_whole": 57.0303,
    "domains_16": 0.0009765625,
    "ends_ones": 0.09375,
    "ends_halves": 2.5,
    "ends_mixed": 0.6796875,
    "ends_whole": 47.0,
    "wait_22": 0.1463789,
    "wait_ones": 0.008539579,
    "wait_26": 0.0001676641,
    "wait_day": 5.465331,
    "wait_mean": 675.0,
    "wait_halves": 0.003731126,
    "wait_halves_8": 0.05734033,
    "zone_idle": 72.0,
    "zone_idle_usd": 1576800.0,
    "allocated": 0.9296875,
    "point_usd": 224256.0,
    "preempt_price": 1500.0,
    "preempt_notice": 720.0,
    "preempt_flagship": 384000.0,
    "gradient": 17650000000.0,
    "ring": 0.6839375,
    "train_step": 17.53477,
    "uplink": 1600000000000.0,
    "slow_8": 0.09385099,
    "over_2": 2.064516,
    "slow_2": 0.03996235,
    "alone_8": 0.9032258,
    "wait_flagship": 24326.18,
    "wait_short": 675.7271,
    "tp_cross_loaded": 0.07816247,
    "placements": 0.00787037,
    "loss_rate": 14.54861,
    "fleet_mtbf": 178161.3,
    "flagship_hit": 0.3049109,
    "lent_night": 8640000.0,
    "warm_usd": 86400.0,
    "drain": 87663.5,
    "drain_idle": 16912260.0,
    "drain_ratio": 44.04233,
    "drain_share": 0.1884008,
    "drain_fixed": 41890.91,
    "drain_fixed_ratio": 13.52727,
    "drain_eight": 132285.9,
    "drain_any": 14804.55,
    "drain_any_idle": 2050328.0,
    "budget": 1450.209,
    "budget_cost": 371253.5,
    "budget_notice": 708.2602,
    "notice_flagship": 184320.0,
    "need_1": 33.0,
    "need_2": 25.0,
    "need_3": 19.0,
    "need_4": 15.0,
    "need_true": 63.0,
    "overload": 1.145455,
    "nodes_at_trigger": 10.24,
    "works_below": 0.875,
    "works_below_8": 0.9375,
    "hole_half": 0.2820225,
    "hole_half_30": 24.84536,
    "move_cost": 92160.0,
    "move_pays": 7671.736,
    "reserve_usd": 28800.0,
    "reserve_allocated": 0.9140625,
    "victims": 344.0,
    "floor_whole": 6.697674,
    "floor_needed": 305.7778,
    "loose_whole": 2.980232,
    "other_leaves": 4.0,
    "spread_alone": 0.8,
    "alltoall_2": 2.0,
    "alltoall_other": 3.0,
    "loose_chance": 5.889753e-08,
    "loose_reclaim": 277.6119,
    "reuses": 8.729167,
    "reuse_none": 0.0001617972,
    "hang_month": 335200.0,
    "hang_usd": 232.7778,
    "retry_cost": 192000.0,
    "retry_day": 9216000.0,
    "retry_share": 0.1041667,
    "victim_share": 0.2083333,
    "hoard_cost": 451200.0,
    "big_whole": 6.746238e20,
    "big_quarter": 0.640467,
}


@pytest.mark.parametrize("name", GOLDEN)
def test_a_step_agrees_with_the_independent_derivation(name: str) -> None:
    assert _value(name) == pytest.approx(GOLDEN[name], rel=2e-5)


def _whole_nodes_after_departures(jobs_of_nodes: list[int], draw: random.Random) -> int:
    """Whole nodes once each job, of so many on each full node, has ended with an even chance."""
    return sum(all(draw.random() < 0.5 for _ in range(jobs)) for jobs in jobs_of_nodes)


def test_departures_leave_what_the_zones_are_said_to_leave() -> None:
    draw = random.Random(11)
    mean = {
        name: fmean(_whole_nodes_after_departures(jobs, draw) for _ in range(3_000))
        for name, jobs in {
            "whole_free": [8] * 128,
            "ends_zoned": [8] * 24 + [2] * 10,
            "ends_mixed": [5] * 20 + [8] * 14,
        }.items()
    }
    for name, simulated in mean.items():
        assert _value(name) == pytest.approx(simulated, rel=0.1)


def test_placing_in_order_keeps_a_hundred_times_as_many_nodes_as_independence() -> None:
    assert 100 * _value("whole_free") < _value("ordered_whole") < _value("most_whole")


def test_the_zones_hold_their_loads_and_keep_the_allocation_target() -> None:
    assert _late("wait_ones", 192, 160) < 0.01 < 0.05 < _late("wait_22", 176, 160)
    assert _late("wait_halves", 20, 10) < 0.01 < 0.05 < _late("wait_halves_8", 16, 10)
    assert _value("wait_mean") < _value("stay") / 10
    assert _value("day_whole") <= _value("whole_zone")
    assert _value("ends_zoned") > 3 * _value("ends_mixed")
    assert _value("allocated") > _value("reserve_allocated") > _value("slo_allocated")


def _late(name: str, places: int, load: int) -> float:
    """Share of jobs that start later than the promise: they wait, and longer than that."""
    return _value(name) * exp(-(places - load) * _value("slo_small") / _value("stay"))


def test_as_many_small_jobs_wait_as_a_queue_of_drawn_jobs_has_waiting() -> None:
    draw = random.Random(3)
    ends, clock_h, waited, jobs = [0.0] * 20, 0.0, 0, 60_000
    for _ in range(jobs):
        clock_h += draw.expovariate(10 / 6)
        free_at = heappop(ends)
        waited += free_at > clock_h
        heappush(ends, max(free_at, clock_h) + draw.expovariate(1 / 6))
    assert waited / jobs == pytest.approx(_value("wait_halves"), rel=0.3)


def test_one_zone_for_both_small_shapes_would_need_about_two_nodes_fewer() -> None:
    zones = int(_value("ones_nodes") + _value("halves_nodes"))
    assert _halves_that_find_no_place(zones - 2) < 0.01 < _halves_that_find_no_place(zones - 5)


def _halves_that_find_no_place(nodes: int) -> float:
    """Share of half-node jobs turned away when they and single GPUs fill the same nodes, best fit."""
    draw = random.Random(7)
    free, ends, clock_h = [8] * nodes, [], 0.0
    halves = refused = 0
    for _ in range(80_000):
        clock_h += draw.expovariate(680 / 24)
        while ends and ends[0][0] <= clock_h:
            _, node, gpus = heappop(ends)
            free[node] += gpus
        gpus = 4 if draw.random() < 40 / 680 else 1
        fits = min(((room, node) for node, room in enumerate(free) if room >= gpus), default=None)
        halves += gpus == 4
        if fits is None:
            refused += gpus == 4
            continue
        free[fits[1]] -= gpus
        heappush(ends, (clock_h + draw.expovariate(1 / 6), fits[1], gpus))
    return refused / halves


def test_the_small_zones_leave_five_whole_leaves_of_six() -> None:
    assert 5 * _value("leaf_nodes") <= _value("whole_zone") < 6 * _value("leaf_nodes")


def test_compact_and_out_of_order_overloads_an_uplink_that_scattered_alone_does_not() -> None:
    assert _value("in_order") < _value("alone_8") < 1 < _value("over_2") < _value("over_8")


def test_critique_1_draining_is_dearer_than_preempting_whatever_the_lengths() -> None:
    assert _value("drain") > 4 * _value("stay")
    assert _value("drain_ratio") > _value("drain_fixed_ratio") > _value("drain_any_ratio") > 1
    assert _value("drain_share") + _value("zone_idle_share") > 1 - _value("slo_allocated")


@pytest.mark.parametrize("factor", [0.5, 0.9, 1.1, 2.0])
def test_critique_1_no_other_drain_is_cheaper_than_the_budget(factor: float) -> None:
    assert _drain_cost_s(_value("budget")) == pytest.approx(_value("budget_cost") / 256)
    assert _drain_cost_s(factor * _value("budget")) > _drain_cost_s(_value("budget"))
    assert _value("budget_cost") < _value("preempt_flagship")


def _drain_cost_s(until_s: float) -> float:
    """GPU-seconds a GPU: idle from its job's end, or lost when the drain is cut; summed in small steps."""
    steps = 20_000
    stay, price = _value("stay"), _value("preempt_price")
    runs_on = [exp(-(k + 0.5) / steps * until_s / stay) for k in range(steps)]
    return sum(1 - share for share in runs_on) * until_s / steps + price * exp(-until_s / stay)


def test_critique_1_the_kinder_drain_agrees_with_drawn_jobs() -> None:
    draw = random.Random(5)
    times, idles = [], []
    for _ in range(4_000):
        ends = sorted(draw.expovariate(1 / _value("stay")) for _ in range(64))[:32]
        times.append(ends[-1])
        idles.append(8 * sum(ends[-1] - end for end in ends))
    assert fmean(times) == pytest.approx(_value("drain_any"), rel=0.03)
    assert fmean(idles) == pytest.approx(_value("drain_any_idle"), rel=0.03)


def test_critique_2_each_round_of_an_overload_asks_for_fewer_replicas_while_more_are_needed() -> None:
    rounds = [_value("peak_replicas"), *(_value(f"need_{k}") for k in range(1, 5))]
    assert all(later < earlier for earlier, later in pairwise(rounds))
    assert rounds[-1] > _value("trough_replicas")
    assert _value("need_true") > _value("peak_replicas")
    assert _value("goodput") < _value("target")


def test_critique_3_where_the_trigger_fires_sixteen_nodes_cannot_be_made() -> None:
    assert _value("works_below") < _value("trigger") < _value("works_below_8")
    assert _value("nodes_at_trigger") < _value("floor_nodes")
    assert _value("allocated") > _value("trigger")
    assert _value("hole_half") < 1 < _value("hole_half_30")
    assert _value("day_whole") + 2 == _value("whole_zone")


def test_critique_4_the_floor_is_met_and_the_gang_does_not_start() -> None:
    assert _value("floor_whole") < _value("floor_nodes") / 2
    assert _value("floor_needed") <= _value("victims")
    assert _value("floor_excess") > 2
    assert _value("loose_excess") > 2
    assert _value("lent_day") >= _value("floor_nodes")
    assert _value("spread_alone") < 1 < _value("alltoall_2") < _value("alltoall_other")


def test_critique_5_reuse_is_routine_and_cheap_enough_to_go_unseen() -> None:
    assert _value("reuse_none") < 0.001
    assert _value("hang_usd") < _value("point_usd") / 100


def test_critique_6_the_retries_reach_every_borrower_within_their_protection() -> None:
    assert _value("rotation") == pytest.approx(_value("night_borrowers"))
    assert _value("retry_share") > 0.1
    assert _value("test_cost") < _value("retry_cost") / 4
    assert _value("fails_after") < _value("interval")


def test_a_reclaimed_node_serves_within_the_promise_and_without_slack() -> None:
    assert _value("reclaim") == pytest.approx(_value("inference_back"))
    assert _value("back_time") == 300


def test_the_interjections_change_exactly_one_requirement_and_the_defects_are_of_six_classes() -> None:
    assert [one.id for one in _design().interjections if one.changes_requirement] == ["large-domains"]
    assert [one.defect_class for one in _design().critiques] == [
        "arithmetic-never-done",
        "control-loop-wrong-sign",
        "mechanism-needs-what-it-provides",
        "guarantee-not-the-one-sold",
        "identity-reused",
        "other",
    ]
    assert _design().critiques[5].class_name == "amplified retry"
