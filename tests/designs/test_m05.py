"""m05: its figures against an independent derivation, and the claims of its critiques as inequalities."""

import math
from functools import partial
from statistics import NormalDist

import pytest

from tests.designs.worked import derivation_of, design_of, problems_of, value_of

_design = partial(design_of, "m05")
_derivation = partial(derivation_of, "m05")
_value = partial(value_of, "m05")


def test_the_content_of_m05_has_no_problem_and_no_warning() -> None:
    assert problems_of("m05") == []


# Quoted by the track, with the tolerance of its own rounding.
TRACK = [("score_se", 0.0172, 0.003), ("apart", 0.067, 0.008), ("pair_gain", 2.43, 0.002)]


@pytest.mark.parametrize(("name", "quoted", "tolerance"), TRACK)
def test_a_figure_that_the_track_quotes_comes_out_of_the_derivation(name: str, quoted: float, tolerance: float) -> None:
    assert _value(name) == pytest.approx(quoted, rel=tolerance)


# Worked out apart from the project in plain Python, in base units.
GOLDEN = {
    "score_half": 0.0336749,
    "unpaired_95": 0.0476235,
    "unpaired_80": 0.06807333,
    "paired_se": 0.01,
    "pair_items_gain": 5.904,
    "paired_95": 0.01959964,
    "paired_80": 0.02801585,
    "pair_gain_far": 1.214907,
    "fades": 0.2952,
    "rho": 0.8306233,
    "n_unpaired": 23169.89,
    "n_paired": 3924.44,
    "n_far": 15697.76,
    "n_half": 15697.76,
    "step_one": 0.01510221,
    "step_short": 0.02131346,
    "decode_cost": 15985.1,
    "prefill_rate": 14015.58,
    "prefill_cost": 20548.56,
    "suite_cost": 36533.65,
    "suite_share": 1.321385,
    "draft_share": 0.04476618,
    "draft_cost": 1635.472,
    "wins_p": 0.04328525,
    "wins_net": 0.022,
    "effect": 3,
    "effect_se": 1.732051,
    "seed_se": 0.002683282,
    "batch_one": 90.69776,
    "batch_one_cost": 1449812,
    "aa_sd": 0.007745967,
    "aa_95": 0.01518182,
    "aa_beyond": 0.1967056,
    "aa_tier": 0.005367582,
    "reason_batch": 46,
    "reason_step": 0.02501645,
    "reason_cost": 50119.92,
    "reason_share": 1.812787,
    "real_cost": 151942.9,
    "real_ratio": 92.90459,
    "real_share": 5.49562,
    "real_minutes": 2374.108,
    "reason_se": 0.07107801,
    "reason_se_one": 0.09128709,
    "reason_se_night": 0.07216878,
    "reason_paired": 0.01020621,
    "tier_cost": 2435.577,
    "tier_minutes": 608.8942,
    "tier_se": 0.003535534,
    "tier_95": 0.006929519,
    "tier_80": 0.0099051,
    "tier_score": 0.006074537,
    "point_reason": 2532100,
    "point_short": 898.7279,
    "point_ratio": 2817.427,
    "paired_reason": 52208.25,
    "paired_short": 304.4471,
    "paired_ratio": 171.4854,
    "night_paired": 0.01178511,
    "night_80": 0.033017,
    "family_floor": 0.1617496,
    "bill": 1376599,
    "bill_share": 0.2489508,
    "bill_usd": 955.9712,
    "one_draw": 0.005477226,
    "one_draw_95": 0.01073516,
    "same_items": 2354.664,
    "equal_items": 2569.154,
    "pass_cost": 186893.4,
    "two_se": 0.003872983,
    "digest_time": 4.4125,
    "labels": 20,
    "stale": 800,
    "stale_all": 9600,
    "sd_low": 0.5991331,
    "sd_high": 2.873556,
    "seed_half": 0.007449984,
    "mean_se": 0.01632176,
    "mean_half": 0.03199007,
    "seed_part": 0.02702703,
    "twin_half": 0.02217446,
    "max20": 1.867475,
    "luck_free": 0.03208581,
    "luck": 0.01320504,
    "best_beyond": 0.3973123,
    "red_all": 0.8714878,
    "red_tier": 0.512325,
    "red_day": 164,
    "red_day_all": 400,
    "bonferroni": 3.227218,
    "gate_false": 0.1586553,
    "gate_false_unpaired": 0.3403332,
    "gate_power": 0.881709,
    "alarms": 5,
    "alarms_left": 0.125,
    "confirm_cost": 24355.77,
    "confirm_power": 0.6519425,
    "as_wrong": -0.012,
    "as_dropped": 0.004489796,
    "sample_time": 300.1974,
    "timeout_tokens": 35976.32,
    "half_power": 0.4087972,
    "half_cost": 9742.308,
    "half_minutes": 2435.577,
    "half_share": 0.3523694,
    "half_far": 64000,
    "judge_95": 0.0247918,
    "judge_items": 6279.104,
    "twice_sd": 1.032796,
}


@pytest.mark.parametrize("name", GOLDEN)
def test_a_step_agrees_with_the_independent_derivation(name: str) -> None:
    assert _value(name) == pytest.approx(GOLDEN[name], rel=2e-4)


def test_the_deciding_number_is_the_standard_error_of_one_score() -> None:
    assert _derivation().deciding.id == "score_se"
    assert _derivation().deciding.text == "1.72 pp"


def test_a_yardstick_made_of_the_deciding_number_is_as_good_an_answer_and_a_paired_one_is_not() -> None:
    assert [step.id for step in _derivation().accepted] == [
        "score_se",
        "score_half",
        "apart",
        "unpaired_95",
        "unpaired_80",
    ]


def test_the_three_yardsticks_differ_and_two_of_them_meet_by_coincidence() -> None:
    assert _value("unpaired_95") < _value("apart") < _value("unpaired_80")
    assert _value("unpaired_80") / _value("apart") == pytest.approx(1.0108, abs=0.0005)
    assert _value("unpaired_95") == pytest.approx(0.048, abs=0.0005)


def test_pairing_gains_the_square_in_items_and_fades_between_families() -> None:
    assert _value("pair_items_gain") == pytest.approx(5.9, abs=0.01)
    assert _value("pair_gain_far") == pytest.approx(1.2, abs=0.02)
    assert _value("n_unpaired") / _value("n_paired") == pytest.approx(_value("pair_items_gain"))


def test_the_short_suite_does_not_fit_on_every_checkpoint_and_one_benchmark_cannot_carry_the_gate() -> None:
    assert _value("suite_share") > 1
    assert _value("prefill_cost") > _value("decode_cost")
    assert _value("n_paired") > 5 * _value("table_items")


def test_the_exact_test_passes_eighteen_to_seven_and_asks_for_more_than_the_formula() -> None:
    seventeen = 2 * sum(math.comb(25, wins) for wins in range(17, 26)) / 2**25
    assert _value("pairs") == pytest.approx(25)
    assert _value("wins_p") < 0.05 < seventeen
    assert _value("wins_net") > _value("paired_95")


def test_the_engine_alone_moves_a_checkpoint_by_more_than_the_gate_and_batch_one_is_no_cure() -> None:
    assert _value("aa_95") > _value("gate")
    assert _value("batch_one") > 50 * (1 + _value("token_price_high"))


def test_critique_1_the_drafts_tier_0_fits_neither_the_fleet_nor_the_half_hour_and_the_revised_one_both() -> None:
    assert _value("draft_day") < 0.1 * _value("fleet_day")
    assert _value("reason_share") > _value("mean_share") > 1
    assert _value("real_minutes") > _value("slo") > 2 * _value("tier_minutes")
    assert _value("tier_items") > _value("n_paired")
    assert _value("tier_80") < _value("gate")
    assert _value("bill_share") < 0.5


def test_critique_1_samples_do_nothing_for_a_score_and_cost_the_same_at_every_number_for_a_paired_difference() -> None:
    assert _value("reason_se_night") < 1.02 * _value("reason_se")
    assert _value("reason_se") > 0.75 * _value("reason_se_one")
    quarter = _value("reason_paired") * 2
    assert _value("reason_cost") / 4 * quarter**2 == pytest.approx(_value("reason_cost") * _value("reason_paired") ** 2)
    assert 100 < _value("paired_ratio") < _value("point_ratio") / 10


def test_critique_2_a_frozen_draw_hides_more_than_the_gate_and_a_second_pass_is_mostly_reasoning() -> None:
    assert _value("one_draw_95") > _value("gate")
    assert 3 * _value("reason_cost") / _value("pass_cost") == pytest.approx(0.8, abs=0.01)
    assert _value("same_items") < _value("equal_items") < _value("tier_items")


def test_critique_3_a_digest_takes_seconds_beside_a_run_of_minutes() -> None:
    assert _value("labels") == pytest.approx(20)
    assert _value("digest_time") < 0.01 * _value("tier_minutes")


def test_critique_4_the_reported_part_is_a_small_share_and_the_engine_alone_nearly_explains_it() -> None:
    assert _value("seed_part") < 0.03
    assert 0.9 * _value("seed_sd") < _value("one_draw") < _value("seed_sd")
    assert _value("seed_half") > 2.5 * _value("seed_se")
    assert _value("mean_se") > 0.9 * _value("score_se")


def test_critique_5_luck_alone_passes_the_gate_and_a_threshold_at_the_effect_has_a_power_of_one_half() -> None:
    assert _value("luck") > _value("gate")
    assert _value("gate_false") > 0.1
    for items in (_value("table_items"), _value("tier_items")):
        error = math.sqrt(_value("d_near") / items)
        assert NormalDist(-_value("gate"), error).cdf(-_value("gate")) == pytest.approx(0.5)
    assert _value("gate_power") > _value("gate_power_two") > 0.8
    assert _value("alarms_left") < 0.2 < _value("alarms")


def test_critique_5_the_report_half_holds_the_items_that_a_distant_release_needs() -> None:
    distant = _value("tier_items") * _value("d_far") / _value("d_near")
    assert distant < _value("short_items") / 2
    assert _value("half_far") > _value("short_items")


def test_critique_6_one_sign_passes_the_gate_and_the_other_is_seen_only_by_the_better_harness() -> None:
    assert -_value("as_wrong") > _value("gate")
    assert 0 < _value("as_dropped") < _value("paired_95") / 4
    assert _value("as_dropped") == pytest.approx(_value("tier_95") * 2 / 3, rel=0.05)
    assert _value("timeout") == pytest.approx(3 * _value("sample_time"), rel=0.01)


def test_the_changed_requirement_breaks_the_half_hour_and_the_power() -> None:
    assert _value("half_power") < 0.5
    assert _value("half_minutes") > _value("slo")
    assert _value("aa_95") > _value("gate") / 2


def test_the_interjections_change_exactly_one_requirement_and_the_defects_are_of_five_classes() -> None:
    assert [one.id for one in _design().interjections if one.changes_requirement] == ["half-a-point"]
    assert [one.defect_class for one in _design().critiques] == [
        "arithmetic-never-done",
        "guarantee-not-the-one-sold",
        "identity-reused",
        "statistic-without-interval",
        "statistic-without-interval",
        "other",
    ]
    assert _design().critiques[5].class_name == "missing not at random"
