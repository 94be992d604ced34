"""chatgpt: its figures against an independent derivation, and the claims of its critiques as inequalities."""

import cmath
import math
from functools import partial

import pytest

from tests.designs.worked import derivation_of, design_of, problems_of, value_of

_design = partial(design_of, "chatgpt")
_derivation = partial(derivation_of, "chatgpt")
_value = partial(value_of, "chatgpt")
PIB = 2**50


def test_the_content_of_chatgpt_has_no_problem_and_no_warning() -> None:
    assert problems_of("chatgpt") == []


# Quoted by the track and its errata, in base units, with the tolerance of their own rounding.
TRACK = [
    ("kv_per_token", 327_680, 1e-9),
    ("ridge", 295, 0.002),
    ("h200_gain", 1.43, 0.003),
    ("flop_ratio", 10**3.6, 0.05),
    ("flop_ratio_attention", 10**3.9, 0.04),
    ("kv_ratio", 10**6.5, 0.06),
    ("ridge_context", 1450, 0.01),
]


@pytest.mark.parametrize(("name", "quoted", "tolerance"), TRACK)
def test_a_figure_that_the_track_quotes_comes_out_of_the_derivation(name: str, quoted: float, tolerance: float) -> None:
    assert _value(name) == pytest.approx(quoted, rel=tolerance)


# Worked out apart from the project in plain Python, in base units.
GOLDEN = {
    "rate": 30_092.5926,
    "out_mean": 632.5,
    "think_tokens": 0.474308,
    "pool": 565_238.997,
    "floor": 0.0150533,
    "prefill_token": 71.349166e-6,
    "context_mix": 3514.92095,
    "batch": 162.393832,
    "step_full": 0.0349936,
    "gpu_s_mix": 0.6026226,
    "global_swing": 0.1573155,
    "gpus_pooled": 20_987.3105,
    "gpus_apart": 29_015.1620,
    "headroom": 0.0863707,
    "history_worth": 9_926.7531,
    "tpot_peak": 0.0343893,
    "in_flight": 757_523.722,
    "batch_peak": 132.898723,
    "tpot_mean": 0.0292774,
    "bill": 1_368_000,
    "tier": 3.4173 * PIB,
    "cold": 355.6,
    "queue_late": 71.12,
    "shed": 1 / 6,
    "offered": 2.0,
    "lost_share": 0.5518,
    "deploy_lost": 214.328,
    "gpu_s_more": 1.3487836,
    "gpus_more": 46_973.5809,
    "meter": 0.8458982,
    "gpus_six": 23_585.9375,
    "gpus_offer": 20_538.8978,
    "rate_capped": 9.4632946,
    "gpus_capped": 14_720.7186,
    "batch_capped": 204.643745,
    "sigma": 0.0626657,
    "short_share": 0.2124,
    "z_best": 1.335178,
    "samples": 2994.2341,
    "tier_half": 2.200932 * PIB,
    "asks": 0.8881931,
    "again": 5.6894,
    "directory_rows": 21_653_498.1,
}


@pytest.mark.parametrize("name", GOLDEN)
def test_a_step_agrees_with_the_independent_derivation(name: str) -> None:
    assert _value(name) == pytest.approx(GOLDEN[name], rel=1e-3)


def test_the_deciding_step_is_the_gpu_seconds_of_a_message_and_gpus_at_peak_are_as_good() -> None:
    deciding = _derivation().deciding
    assert deciding.id == "gpu_s_mix"
    assert _value("peak_rate") * _value("gpu_s_mix") == pytest.approx(_value("gpus_pooled"), rel=1e-9)


def test_the_worlds_swing_is_the_length_of_three_arrows() -> None:
    arrows = ((_value("americas"), -6), (_value("emea"), 1), (_value("apac"), 7))
    assert sum(share for share, _ in arrows) == pytest.approx(1)
    length = abs(sum(share * cmath.exp(2j * math.pi * hours / 24) for share, hours in arrows))
    assert _value("global_swing") == pytest.approx(_value("swing") * length, rel=1e-9)


def test_classes_add_up_to_the_mix_and_so_do_prefill_and_decode() -> None:
    think = _value("think_share")
    together = 4 * (
        _value("uncached") * _value("prefill_token") + _value("out_mean") * _value("step_full") / _value("batch")
    )
    assert (1 - think) * _value("gpu_s_instant") + think * _value("gpu_s_think") == pytest.approx(together, rel=1e-9)


def test_batch_and_step_at_the_peak_set_each_other() -> None:
    rate = _value("peak_rate") * 4 / _value("gpus")
    read = _value("context_mix") * _value("kv_per_token") / _value("bandwidth")
    step = _value("floor") + _value("batch_peak") * read
    turns = step / (1 - rate * _value("uncached") * _value("prefill_token"))
    assert turns == pytest.approx(_value("tpot_peak"), rel=1e-9)
    assert _value("batch_peak") < _value("batch") < _value("time_batch")
    assert _value("tpot_peak") < _value("gap_promise")


def test_the_fleet_suffices_only_if_regions_lend_and_histories_are_kept() -> None:
    assert _value("gpus_pooled") < _value("gpus") < _value("gpus_apart")
    assert _value("gpus_pooled") + _value("history_worth") > _value("gpus")
    assert _value("history_worth") > 5 * (_value("gpus") - _value("gpus_pooled"))
    assert _value("gpus") == 8 * _value("nodes")


def test_the_cache_decides_which_resource_binds() -> None:
    assert _value("prefill_cold") > 0.7
    assert _value("prefill_warm") < 0.1
    assert _value("prefill_cold_mix") == pytest.approx(0.512, abs=0.005)


def test_ten_minutes_of_histories_fit_in_host_memory_and_a_fetch_beats_computing() -> None:
    assert _value("tier") < _value("tier_room")
    assert _value("fetch") < _value("fetch_peer") < _value("recompute") / 10
    two_regions = _value("tier_room") * 2 / 3
    assert _value("tier_half") < two_regions < _value("tier")


def test_residents_fit_at_home_at_their_regions_peak() -> None:
    region = _value("americas") * _value("rate") * (1 + _value("swing")) * _value("gpu_s_mix")
    assert _value("resident") * region < _value("gpus") / _value("regions") < region


def test_no_batch_reaches_the_ridge_at_this_context() -> None:
    assert _value("limit_intensity") < _value("ridge") / 2
    assert _value("context_mix") > 2 * _value("ridge_context")


def test_one_step_carries_the_mean_prefill_but_not_a_large_chunk() -> None:
    assert _value("chunk_need") * 4 < _value("chunk")
    assert _value("chunk_2k") > 2.5 * _value("gap_promise")
    cold = _value("shared") + _value("past") + _value("fresh")
    assert math.ceil(cold / _value("chunk")) * _value("gap_promise") < _value("ttft")


def test_critique_1_the_meter_falls_below_target_while_the_need_doubles() -> None:
    assert _value("meter") < _value("draft_target")
    assert _value("asks") < 0.9 < 1 < 2 < _value("needs")  # outside the default dead band of a tenth
    assert _value("batch_more") < _value("batch")
    assert _value("gpus_more") > 2 * _value("gpus")


def test_critique_2_the_warm_pool_is_many_times_the_ramp_and_does_not_fit_the_peak() -> None:
    omega = 2 * math.pi / 86_400
    assert _value("ramp") == pytest.approx(0.6 * omega / 0.8, rel=1e-6)
    assert _value("draft_warm") > 7 * _value("ramp_cold") > 7 * _value("ramp_world")
    assert _value("warm_sum") > _value("gpus")
    assert _value("step_full") < _value("cold_dram") / 100


def test_critique_3_two_regions_cannot_carry_the_peak_and_can_with_thinking_capped() -> None:
    assert _value("left") < _value("gpus_pooled") < _value("gpus_lost")
    assert _value("short") < _value("short_cold")
    assert _value("gpus_capped_warm") < _value("gpus_capped") < _value("left")
    assert _value("batch_capped") < _value("fits_capped")
    assert _value("load_time") > _value("cold")
    assert _value("gpus_capped_warm") > _value("gpus") / _value("regions")


def test_critique_4_one_hour_of_shedding_uses_a_fifth_of_the_budget_and_attempts_overstate_it() -> None:
    assert _value("budget") == pytest.approx(43.2 * 60, rel=1e-9)
    assert _value("budget_share") > 0.2
    assert _value("attempts") > 2 * _value("shed")


def test_critique_5_every_running_stream_has_an_id_that_the_next_life_gives_out_again() -> None:
    assert _value("live_at_crash") < _value("ids_life")
    assert _value("back_by") < 120
    assert _value("directory_rows") > 20 * _value("in_flight")


def test_critique_6_the_mean_error_is_a_thin_margin_and_the_quantile_just_fits() -> None:
    assert _value("draft_headroom") < _value("sigma") < _value("best") < _value("headroom") < _value("strict")
    assert _value("short_region") > _value("short_share") > 2 * _value("best_short")
    assert _value("sampled") < _value("samples") / 4


def test_one_point_more_of_thinking_does_not_fit_and_the_offer_does() -> None:
    assert _value("gpus_six") > _value("gpus") > _value("gpus_offer")


def test_a_deployment_without_drain_loses_hundreds_of_times_a_day_of_failures() -> None:
    assert 300 < _value("deploy_ratio") < 500
    assert _value("overflow") < 1e-3 < 0.1 < _value("overflow_95")


def test_what_the_draft_chooses_is_not_among_the_givens_of_the_prompt() -> None:
    assert not [one.id for one in _design().givens if one.id.startswith("draft_")]
    assert _value("draft_target") * (1 + _value("draft_headroom")) == pytest.approx(1)


def test_the_design_is_opened_with_the_moment_of_the_switch_first() -> None:
    assert [(part.number, part.opens) for part in _design().opened] == [(0, 0), (1, 2), (2, 5), (3, 6), (4, 8)]


def test_the_interjections_change_exactly_one_requirement_and_the_defects_are_of_six_classes() -> None:
    assert [one.id for one in _design().interjections if one.changes_requirement] == ["thinking-for-all"]
    assert [one.defect_class for one in _design().critiques] == [
        "control-loop-wrong-sign",
        "arithmetic-never-done",
        "mechanism-needs-what-it-provides",
        "guarantee-not-the-one-sold",
        "identity-reused",
        "statistic-without-interval",
    ]
