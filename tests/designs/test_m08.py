"""m08: its figures against an independent derivation, and the claims of its critiques as inequalities."""

import math
import re
from functools import partial

import pytest

from designs.core.prose import PLACEHOLDER
from tests.designs.worked import derivation_of, design_of, problems_of, value_of

_design = partial(design_of, "m08")
_derivation = partial(derivation_of, "m08")
_value = partial(value_of, "m08")
HOUR_S = 3600.0


def test_the_content_of_m08_has_no_problem_and_no_warning() -> None:
    assert problems_of("m08") == []


# Quoted by the track, in base units, with the tolerance of its own rounding.
TRACK = [
    ("in_month", 233, 0.002),
    ("mtbf", 3.09 * HOUR_S, 0.002),
    ("mtbf", 3.1 * HOUR_S, 0.005),
    ("restart_share", 0.054, 0.003),
]


@pytest.mark.parametrize(("name", "quoted", "tolerance"), TRACK)
def test_a_figure_that_the_track_quotes_comes_out_of_the_derivation(name: str, quoted: float, tolerance: float) -> None:
    assert _value(name) == pytest.approx(quoted, rel=tolerance)


# Worked out apart from the project in plain Python, in base units.
GOLDEN = {
    "per_day": 7.759259,
    "mtbf": 11_135.0835,
    "mtbf_error": 0.0957523,
    "restart_share": 0.0538837,
    "run_usd": 53_084_160,
    "restart_usd": 2_860_373.3,
    "point_usd": 530_841.6,
    "minute_off": 0.00538837,
    "tau": 211.04581,
    "overhead": 0.01895323,
    "tau_sync": 817.37691,
    "overhead_sync": 0.07340555,
    "goodput": 0.92716302,
    "goodput_sync": 0.87271071,
    "double": 0.02369154,
    "one_minute": 0.03602753,
    "habit": 0.08193673,
    "goodput_exact": 0.92969655,
    "restart_exact": 0.05245774,
    "restart_calm": 0.05112874,
    "step_time": 6.2208,
    "steps_day": 13_888.889,
    "restart_steps": 96.45062,
    "restart_gpu_hours": 2_730.6667 * HOUR_S,
    "one_restart_usd": 6_826.6667,
    "state": 5.67e12,
    "shard": 296_630_859.375,
    "rank_weights": 6.328125e9,
    "rank_holds": 6.6247559e9,
    "node_holds": 52.998047e9,
    "all_hold": 108.54e12,
    "copy_time": 0.26499023,
    "write_fast": 56.7,
    "write_slow": 283.5,
    "read_storm": 1_085.4,
    "broken": 18.156667,
    "spares_repair": 33,
    "warming": 0.12608796,
    "spares_warm": 2,
    "mtbf_64k": 2_783.7709,
    "first_64k": 0.74655856,
    "exact_64k": 0.77593817,
    "mtbf_128k": 1_391.8854,
    "first_128k": 0.51532221,
    "exact_128k": 0.61559804,
    "mtbf_rsc": 6_490.3846,
    "mtbf_all": 10_012.0172,
    "restart_today": 600,
    "restart_plan": 300,
    "quarter_overhead": 0.00670098,
    "quarter_tau": 74.615862,
    "timeout_share": 0.00916024,
    "mean_r": 1_002,
    "mean_share": 0.08998585,
    "mean_goodput": 0.89106092,
    "tail": 522,
    "tail_share": 0.04687886,
    "plan_mean": 762,
    "plan_goodput": 0.91261441,
    "gap_usd": 1_916_450.1,
    "hang_new": 420,
    "new_mean": 365.4,
    "new_goodput": 0.94823157,
    "gain": 0.05717065,
    "gain_usd": 3_034_856.1,
    "group": 16,
    "group_usd": 414_720,
    "hours_to_bound": 9.6057749,
    "goodput_bound": 0.87196967,
    "tau_8": 1_257.93106,
    "low_root": 90.7362137,
    "high_root": 490.877151,
    "bad_here": 0.77493165,
    "bad_8": 0.64621583,
    "bad_tau": 107.331263,
    "bad_best": 0.78204975,
    "bad_restart": 0.20833333,
    "noise_cost": 0.0606602 * 0.0189532,
    "day_noise": 0.41453312,
    "twelve": 11,
    "twelve_bad": 15,
    "in_flight": 0.26866206,
    "generation": 105.99609e9,
    "pinned": 0.10599609,
    "backlog_rate": 0.25557033,
    "guard_time": 1.9346987 * HOUR_S,
    "guard_age": 1_991.0716,
    "guard_failure": 0.46500233,
    "hsdp_generation": 708.75e9,
    "hsdp_pinned": 0.70875,
    "unique": 2.37304688e9,
    "pool": 14.2382813e9,
    "durable_fast": 0.0945,
    "durable_slow": 0.4725,
    "pages_week": 54.314815,
    "quiet": 0.07528911,
    "pages_new": 1.62944444,
    "loss_mean": 0.05176843,
    "loss_sd": 0.01004373,
    "six_chance": 0.13218333,
    "false_step": 22.1167292,
    "false_day": 307_176.797,
    "strict_day": 1.01539213,
    "swap_even": 0.0215535,
    "hash_cover": 1.98682e-7,
    "sdc_every": 9 * 24 * HOUR_S,
    "replay_flop": 0.000625,
    "replay_pipelined": 0.00032258,
    "replay_drained": 0.00516129,
    "check_time": 622.08,
    "one_by_one": 22.1184 * HOUR_S,
    "catchable": 0.02133832,
    "kept_bytes": 249.48e12,
    "kept_usd": 4_989.6,
    "day_usd": 983_040,
    "allowed_here": 679.761,
    "allowed_64k": 117.1774,
    "drop_cost": 3.515625,
    "shard_64k": 74_157_714.8,
}


@pytest.mark.parametrize("name", GOLDEN)
def test_a_step_agrees_with_the_independent_derivation(name: str) -> None:
    assert _value(name) == pytest.approx(GOLDEN[name], rel=2e-5)


def test_the_deciding_number_is_the_share_that_restarts_take() -> None:
    assert _derivation().deciding.id == "restart_share"
    assert _derivation().deciding.text == "5.4%"


def _exact_goodput(interval_s: float, stall_s: float, restart_s: float, mtbf_s: float) -> float:
    return interval_s * math.exp(-restart_s / mtbf_s) / (mtbf_s * (math.exp((interval_s + stall_s) / mtbf_s) - 1))


@pytest.mark.parametrize("restart_s", [60, 600, 3_600])
def test_no_restart_time_moves_the_best_interval_of_the_exact_equation(restart_s: float) -> None:
    stall_s, mtbf_s = _value("block"), _value("mtbf")
    best = max(range(100, 400), key=lambda interval_s: _exact_goodput(interval_s, stall_s, restart_s, mtbf_s))
    assert best == round(_value("tau_exact")) == 210
    assert abs(best - _value("tau")) < 2


def test_the_optimum_is_flat_and_no_tuning_is_worth_two_minutes_of_restart() -> None:
    assert _value("double") - _value("overhead") < 2 * _value("minute_off") / 2
    assert _value("one_minute") > _value("overhead")
    assert _value("habit") > 4 * _value("overhead")


def test_a_durable_write_fits_into_an_interval_only_while_storage_is_free() -> None:
    assert _value("write_fast") < _value("tau") < _value("write_slow")
    assert _value("read_storm") > _value("r_median")


def test_the_draft_meets_the_objective_with_the_median_only() -> None:
    assert _value("goodput") > _value("slo") > _value("mean_goodput")
    assert _value("r_median") < _value("allowed_here") < _value("mean_r")


def test_critique_1_the_plan_for_dead_processes_alone_misses_the_objective_and_the_revision_meets_it() -> None:
    assert _value("plan_goodput") < _value("slo") < _value("new_goodput")
    assert _value("tail") > _value("mean_r") / 2
    assert _value("gain_usd") > 7 * _value("group_usd")
    assert sum(_value(f"share_{kind}") for kind in ("died", "hang", "person")) == pytest.approx(1)
    phases = ("notice", "choose", "start", "meet", "load", "warm")
    assert sum(_value(f"phase_{phase}") for phase in phases) == pytest.approx(_value("r_died"))


def test_critique_2_the_target_is_out_of_reach_on_a_healthy_fleet() -> None:
    stall_s, restart_s, mtbf_s = _value("block"), _value("r_median"), _value("mtbf")
    best = max(_exact_goodput(interval_s, stall_s, restart_s, mtbf_s) for interval_s in range(60, 1_800))
    assert _value("goodput") < best < _value("target")
    assert _value("goodput_bound") < _value("slo")


def test_critique_2_a_raise_helps_below_the_optimum_and_hurts_above_it() -> None:
    def goodput(interval_s: float) -> float:
        loss = _value("block") / interval_s + interval_s / (2 * _value("mtbf"))
        return 1 - loss - _value("restart_share")

    low, high = _value("low_root"), _value("high_root")
    assert low < _value("tau") < high
    assert goodput(low) == pytest.approx(_value("slo"))
    assert goodput(high) == pytest.approx(_value("slo"))
    assert goodput(0.9 * low) < goodput(low * 0.9 * 1.25)
    assert goodput(1.1 * high) > goodput(1.1 * high * 1.25)
    assert _value("bound") > high


def test_critique_2_hourly_moves_on_a_seven_day_average_run_away_even_where_nothing_fails_more_often() -> None:
    def last_interval(window_h: int) -> float:
        floor, bound, interval = 10 * _value("step_time"), _value("bound"), _value("tau")
        seen = [_value("goodput")] * window_h
        for _ in range(24 * 54):
            loss = _value("block") / interval + interval / (2 * _value("mtbf"))
            seen = [*seen[1:], 1 - loss - _value("restart_share")]
            below = sum(seen) / window_h < _value("slo")
            interval = min(bound, interval * 1.25) if below else max(floor, interval / 1.25)
        return interval

    assert last_interval(7 * 24) == _value("bound")
    assert last_interval(1) == pytest.approx(_value("low_root"), rel=0.25)
    assert 9 < _value("hours_over") < 10


def test_critique_2_the_loop_loses_many_times_what_it_could_gain_in_the_bad_week() -> None:
    assert _value("bad_here") - _value("bad_8") > 10 * (_value("bad_best") - _value("bad_here")) > 0
    assert _value("bad_lost_8") > 100 * _value("bad_stall_8")
    assert _value("bad_tau") < _value("tau") < _value("tau_8") < _value("bound")
    assert _value("twelve_bad") > _value("twelve")


def test_critique_3_the_guard_never_fires_in_normal_times_late_in_slow_ones_and_always_on_the_other_layout() -> None:
    assert _value("pinned") < _value("guard") / 4
    assert _value("guard_age") > _value("durable_age")
    assert _value("hsdp_pinned") > _value("guard") > _value("hsdp_pinned") / 2
    assert _value("pool_share") < 0.01
    assert _value("durable_slow") < 0.5
    assert _value("durable_every") > 2 * _value("write_slow")


def test_critique_4_short_windows_page_by_chance_and_long_ones_seldom() -> None:
    assert _value("quiet") < 0.1
    assert 3 < _value("six_alarm") < 4
    assert _value("six_chance") > 0.1
    assert _value("burn_z") > 2.5
    assert _value("pages_new") < _value("pages_week") / 30
    assert _value("hang_new") < _value("page_stuck") < _value("person_new")


def test_critique_5_chance_accuses_ranks_in_every_step_and_a_small_slowdown_is_not_worth_a_stop() -> None:
    assert _value("false_step") > 1
    assert _value("strict_day") == pytest.approx(1, abs=0.05)
    assert _value("day_alarm") < _value("swap_even") < _value("swap_even_today")
    assert _value("swap_even") * _value("median_time") < _value("swap_planned") / 4


def test_critique_6_the_kept_history_is_shorter_than_detection_may_take_and_the_revised_one_is_longer() -> None:
    assert _value("history") < _value("history_new") < _value("corrupt_found")
    assert _value("keep_hours") * HOUR_S >= _value("corrupt_found")
    assert _value("kept_usd") < _value("day_usd") / 100
    assert 1 - (1 - _value("catchable")) ** _value("checks_day") == pytest.approx(0.95)


def test_critique_6_the_check_costs_less_than_a_point_even_with_the_pipeline_drained_and_without_bubbles() -> None:
    slots = _value("microbatches") + _value("stages") - 1
    steps = _value("check_every")
    assert _value("replay_pipelined") == pytest.approx(1 / slots / steps)
    assert _value("replay_pipelined") < _value("replay_flop") < 2 * _value("replay_pipelined")
    assert 2 * _value("replay_drained") < 0.011
    assert _value("hash_cover") < 1e-6


def test_a_group_is_too_small_to_judge_a_release_and_a_quarter_of_the_job_is_not() -> None:
    assert _value("canary_stops") == pytest.approx(16 / 2048 * 419 / 54)
    assert _value("canary_quiet") > 0.75
    limit, expected = int(_value("quarter_limit")), 4 * _value("quarter_stops")
    missed = sum(math.exp(-expected) * expected**count / math.factorial(count) for count in range(limit + 1))
    assert _value("quarter_stops") < limit < expected
    assert missed < 0.2


def test_nothing_that_is_shown_before_the_critiques_uses_their_arithmetic() -> None:
    late = {step.id for step in _design().steps if step.part.startswith("r")}
    early = [step.expression.source for step in _design().steps if not step.part.startswith("r")]
    for section in _design().sections:
        early += PLACEHOLDER.findall(section.body.source)
    assert len(early) > 200
    assert len(late) > 50
    assert [text for text in early if late & set(re.findall(r"[a-z_0-9]+", text))] == []


def test_the_changed_requirement_leaves_less_than_the_revised_restart_takes() -> None:
    assert _value("allowed_64k") < _value("new_mean") / 3
    assert _value("new_goodput_64k") < _value("slo")
    assert _value("drop_cost") < _value("allowed_64k") / 30


def test_the_interjections_change_exactly_one_requirement_and_the_defects_are_of_the_classes_named() -> None:
    assert [one.id for one in _design().interjections if one.changes_requirement] == ["four-times"]
    assert [one.defect_class for one in _design().critiques] == [
        "arithmetic-never-done",
        "control-loop-wrong-sign",
        "threshold-on-unsized-resource",
        "alerting-that-will-be-muted",
        "alerting-that-will-be-muted",
        "other",
    ]
    assert _design().critiques[5].class_name == "a detector downstream of the mixer"
