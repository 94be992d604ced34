"""m07: its figures against an independent derivation, and the claims of its critiques as inequalities."""

import math
from functools import partial

import pytest

from calculator.core.units import GB, MB
from tests.designs.worked import derivation_of, design_of, problems_of, value_of

_design = partial(design_of, "m07")
_derivation = partial(derivation_of, "m07")
_value = partial(value_of, "m07")


def test_the_content_of_m07_has_no_problem_and_no_warning() -> None:
    assert problems_of("m07") == []


# Quoted by the track, in base units, with the tolerance of its own rounding.
TRACK = [
    ("narrow_share", 0.06, 0.005),
    ("wide_share", 1.51, 0.005),
    ("knob", 25, 0.02),
    ("adapter_r8", 65.5 * MB, 0.001),
    ("adapter_r64", 1_657 * MB, 0.001),
]


@pytest.mark.parametrize(("name", "quoted", "tolerance"), TRACK)
def test_a_figure_that_the_track_quotes_comes_out_of_the_derivation(name: str, quoted: float, tolerance: float) -> None:
    assert _value(name) == pytest.approx(quoted, rel=tolerance)


# Worked out apart from the project in plain Python, in base units.
GOLDEN = {
    "adapter_r8": 65_536_000,
    "adapter_r16": 131_072_000,
    "adapter_r64": 1_656_750_080,
    "pool": 186_417_514_496,
    "wide_bytes": 212_064_010_240,
    "wide_fit": 82,
    "wide_batch": 90.9369,
    "base_step": 181_943_040_000,
    "narrow_real": 0.0461057,
    "wide_real": 1.16555,
    "share_r16_attention": 0.119837,
    "share_r8_all": 0.189343,
    "share_r64_attention": 0.479349,
    "distinct_head": 32.089,
    "distinct_tail": 25.5674,
    "distinct": 57.6564,
    "distinct_share": 0.0207679,
    "step_base": 0.0193969,
    "launch_share": 0.103109,
    "prefill": 0.0570793,
    "prefill_r64": 0.0117334,
    "prefill_busy": 0.475661,
    "tpot_none": 0.0366985,
    "tpot_peak": 0.0389434,
    "batch_peak": 131.061,
    "stay": 15.7274,
    "tpot_launch": 0.0416017,
    "kv_peak": 0.276452,
    "rate_none": 9.85828,
    "rate_r8": 9.48304,
    "rate_r64": 4.79495,
    "knob_rate": 1.97772,
    "rate_launch": 9.29615,
    "usd_shared": 8.33333e-07,
    "need_first": 4.26742,
    "need_head": 19.2,
    "merged": 58,
    "merge_rate": 2343.34,
    "merge_gpus": 1124.8,
    "merge_saving": 0.0570213,
    "merge_worth": 8.76866,
    "merge_all": 2192.16,
    "load_store": 0.21384,
    "load_store_r64": 4.19188,
    "load_dram": 0.00032768,
    "load_dram_r64": 0.00828375,
    "ttft_warm": 0.107079,
    "ttft_cold": 0.320919,
    "adapter_mean": 87_346_380.8,
    "catalogue": 873_463_808_000,
    "draft_held": 5724,
    "draft_hit": 0.570251,
    "draft_cold": 0.0859497,
    "slot_bytes": 8_388_608_000,
    "slot_share": 0.044999,
    "loss_tpot": 0.045587,
    "loss_launch": 0.0479376,
    "streams_lost": 262.123,
    "reprefill": 18.7023,
    "real_held": 2289,
    "real_hit": 0.225025,
    "real_cold": 0.154995,
    "allowed_hit": 0.75,
    "allowed_dram": 656_189_685_760,
    "tail_gap": 248.75,
    "seen": 0.0612684,
    "home_count": 1658.33,
    "home_bytes": 149_216_733_866.7,
    "head_placed": 112,
    "prefix_saved": 0.0356746,
    "tail_slots_need": 26.2123,
    "tail_slots_99": 39,
    "floor_rate": 0.508667,
    "floor_share": 0.3052,
    "floor_blocked": 0.709457,
    "most_rate": 0.534101,
    "revised_blocked": 0.00279679,
    "loss_need": 33.4269,
    "loss_need_99": 48,
    "padded_16": 54_693_724_160,
    "padded_16_share": 0.293394,
    "padded_64": 218_774_896_640,
    "padded_more": 0.440091,
    "full_64": 106_032_005_120,
    "wait_budget": 0.183558,
    "load_drive": 0.00936229,
    "load_drive_r64": 0.236679,
    "drive_gain": 22.8406,
    "drive_gain_r64": 17.7113,
    "drive_fill": 0.227465,
    "ttft_drive": 0.116442,
    "ttft_drive_r16": 0.125804,
    "ttft_drive_r64": 0.343758,
    "fill_time": 2683.66,
    "retrain_egress": 10_481_565_696_000,
    "scatter_fetch": 30.999,
    "scatter_bytes": 2_707_650_019.5,
    "wide_mixed": 3.76776,
    "wide_mixed_share": 0.0343088,
    "two_pinned": 82_837_504_000,
    "two_tpot": 0.0302124,
    "two_bytes": 97_270_461_570.9,
    "usd_wide": 2.31481e-06,
    "usd_wide_one": 1.15741e-06,
    "rest_rate": 8.81818,
    "rest_tpot": 0.0429498,
    "rest_loss": 9.7,
    "rest_loss_tpot": 0.0528288,
    "shed": 0.0223668,
    "retrain": 7134.92,
    "retrain_days": 743220,
    "qualify": 2_000_000,
    "qualify_time": 200_000,
    "qualify_head": 1000,
    "resolve": 0.0309903,
}


@pytest.mark.parametrize("name", GOLDEN)
def test_a_step_agrees_with_the_independent_derivation(name: str) -> None:
    assert _value(name) == pytest.approx(GOLDEN[name], rel=2e-4)


def test_the_deciding_number_is_what_rank_and_projections_are_worth() -> None:
    assert _derivation().deciding.id == "knob"
    assert _derivation().deciding.text == "25.3"
    assert _value("knob") == pytest.approx(_value("wide_share") / _value("narrow_share"))


def test_the_famous_batch_does_not_fit_and_every_correction_makes_its_share_smaller() -> None:
    assert _value("wide_bytes") > _value("pool")
    assert _value("wide_fit") < _value("batch")
    assert _value("wide_real") < _value("wide_share")
    assert _value("distinct_share") < _value("narrow_real") < _value("narrow_share") < _value("launch_share")


@pytest.mark.parametrize(
    ("rate", "tpot", "base", "per_request"),
    [
        ("rate_replica", "tpot_none", "weights", "kv_mean"),
        ("rate_replica", "tpot_peak", "weights", "kv_and_r8"),
        ("loss_rate", "loss_tpot", "weights", "kv_and_r8"),
        ("rest_rate", "rest_tpot", "weights", "kv_and_r8"),
        ("rest_loss", "rest_loss_tpot", "weights", "kv_and_r8"),
        ("rate_replica", "tpot_launch", "weights_and_launch", "kv_mean"),
        ("loss_rate", "loss_launch", "weights_and_launch", "kv_mean"),
    ],
)
def test_batch_and_step_agree_at_the_fixed_point(rate: str, tpot: str, base: str, per_request: str) -> None:
    known = {
        "weights": _value("weights"),
        "weights_and_launch": _value("weights") + _value("launch") * _value("bandwidth"),
        "kv_mean": _value("kv_mean"),
        "kv_and_r8": _value("kv_mean") + _value("adapter_r8"),
    }
    batch = _value(rate) * (_value("tokens_out") * _value(tpot) + _value("lead"))
    step_s = (known[base] + batch * known[per_request]) / _value("bandwidth")
    assert step_s / (1 - _value(rate) * _value("prefill")) == pytest.approx(_value(tpot))


def test_at_the_rate_of_rank_64_the_batch_is_what_memory_holds() -> None:
    batch, rate = _value("wide_batch"), _value("rate_r64")
    bytes_read = _value("weights") + batch * (_value("kv_mean") + _value("adapter_r64"))
    tpot_s = bytes_read / _value("bandwidth") / (1 - rate * _value("prefill"))
    assert rate * (_value("tokens_out") * tpot_s + _value("lead")) == pytest.approx(batch)
    assert tpot_s < _value("tpot")
    assert batch * (_value("kv_final") + _value("adapter_r64")) == pytest.approx(_value("pool"))


def test_merging_the_head_needs_more_replicas_than_there_are_and_no_adapter_is_worth_it() -> None:
    needs = [_value("need_first") / rank for rank in range(1, 51)]
    assert sum(needs) == pytest.approx(_value("need_head"))
    assert sum(math.ceil(need) for need in needs) == _value("merged")
    assert _value("merged") > 2 * _value("replicas")
    assert _value("need_first") < 0.5 / _value("launch_share") < _value("merge_worth")


def test_merging_all_fifty_does_not_pay_yet_when_the_fiftieth_fills_a_replica_and_pays_at_the_size_given() -> None:
    def merged_against_mixed(gpus: float) -> float:
        fleet = gpus / _value("gpus_per_replica")
        needs = [_value("need_first") / rank * fleet / _value("replicas") for rank in range(1, 51)]
        return sum(math.ceil(need * (1 - _value("merge_saving"))) for need in needs) - sum(needs)

    assert merged_against_mixed(_value("merge_gpus")) > 0
    assert merged_against_mixed(_value("merge_all")) < 0


def test_a_cold_start_breaks_the_first_token_and_a_warm_one_does_not() -> None:
    assert _value("ttft_cold") > _value("ttft") > _value("ttft_warm")


def test_critique_1_no_size_of_the_scattered_cache_keeps_the_allowance_and_placement_fits_what_is_left() -> None:
    assert _value("draft_cold") > _value("cold_allowed")
    assert _value("real_cold") > 3 * _value("cold_allowed")
    assert _value("allowed_dram") > _value("dram") > _value("real_dram") > _value("home_bytes")


def test_critique_2_the_router_hardly_ever_sees_a_tail_adapter_even_with_every_slot_for_the_tail() -> None:
    assert _value("seen") < 1 / 16
    longest = _value("slots") / _value("tail_rate")
    assert 1 - math.exp(-longest / _value("tail_gap")) < 0.15
    homes = [max(2, math.ceil(2 * _value("need_first") / rank)) for rank in range(1, 51)]
    assert sum(homes) == _value("head_placed")
    assert _value("head_each") < _value("head_slots")
    assert _value("prefix_saved") > _value("load_drive")


def test_critique_3_the_floor_is_too_small_and_the_alarm_is_on_at_rest() -> None:
    assert _value("tail_floor") + _value("floating") < _value("tail_slots_need")
    assert _value("at_rest") < _value("alarm") < _value("at_two")
    assert _value("head") + _value("tail_floor") + _value("floating") == _value("slots")
    assert _value("tail_slots_99") <= _value("tail_slots")
    assert _value("loss_need_99") <= _value("tail_slots") + _value("slots_left")
    assert _value("padded_16") > 6 * _value("slot_bytes")


def test_critique_4_the_drive_beats_the_store_holds_everything_and_only_rank_64_is_late_from_it() -> None:
    assert min(_value("drive_gain"), _value("drive_gain_r64")) > 17
    assert _value("catalogue") < _value("drive_size") / 4
    assert _value("ttft_drive") < _value("ttft_drive_r16") < _value("ttft") < _value("ttft_drive_r64")
    assert _value("retrain_writes") * 86_400 < 1


def test_critique_5_one_replica_carries_rank_64_and_two_hold_all_of_it_for_good() -> None:
    assert _value("padded_64") > _value("pool")
    assert _value("one_try") < _value("tpot")
    assert _value("one_tpot") == pytest.approx(0.0470522, rel=5e-3)
    assert _value("one_bytes") == pytest.approx(157.657 * GB, rel=1e-2)
    assert _value("one_bytes") < _value("pool")
    assert _value("one_distinct") == pytest.approx(68.15, rel=5e-3)
    assert _value("wide_slots") > 1.15 * _value("one_distinct")
    assert _value("wide_room") > 1.15 * _value("one_settled")
    assert _value("wide_slots_bytes") + _value("wide_room") * _value("kv_final") <= _value("pool")
    assert _value("adapters") * _value("share_r64") * _value("adapter_r64") + 100 * _value("kv_final") > _value("pool")
    assert _value("two_tpot") < _value("one_tpot")
    assert _value("two_bytes") < 0.6 * _value("pool")
    assert _value("rest_rate") < _value("rate_r8") < _value("rest_loss")
    assert _value("rest_loss_tpot") > _value("tpot") > _value("rest_tpot")


def test_critique_6_qualifying_takes_hours_where_training_again_takes_the_fleet_for_days() -> None:
    assert _value("retrain_days") > 3 * _value("qualify_time")
    assert _value("qualify_head") < _value("qualify_time") / 100
    assert _value("resolve") < _value("discordant")


def test_a_lost_host_leaves_the_promise_kept_by_bytes_and_by_measured_launches() -> None:
    assert _value("tpot_peak") < _value("loss_tpot") < _value("loss_launch") < _value("tpot")


def test_the_interjections_change_exactly_one_requirement_and_the_defects_are_of_five_classes() -> None:
    assert [one.id for one in _design().interjections if one.changes_requirement] == ["fp8-base"]
    assert [one.defect_class for one in _design().critiques] == [
        "arithmetic-never-done",
        "mechanism-needs-what-it-provides",
        "threshold-on-unsized-resource",
        "other",
        "rule-with-no-path-to-yes",
        "rule-with-no-path-to-yes",
    ]
    assert _design().critiques[3].class_name == "a conclusion carried over without its premise"
