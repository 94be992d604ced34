"""m02: its figures against an independent derivation, and the claims of its critiques as inequalities."""

from functools import partial
from itertools import pairwise

import pytest

from tests.designs.worked import derivation_of, design_of, problems_of, value_of

_design = partial(design_of, "m02")
_derivation = partial(derivation_of, "m02")
_value = partial(value_of, "m02")


def test_the_content_of_m02_has_no_problem_and_no_warning() -> None:
    assert problems_of("m02") == []


# Quoted by the track and its errata, in base units, with the tolerance of their own rounding.
TRACK = [
    ("kv_per_token", 327_680, 1e-9),
    ("break_even", 9.26e9, 0.0006),
    ("drive_share", 7 / 9.26, 0.001),
    ("flip_mfu", 0.76, 0.01),
    ("real_rule", 4.6e9, 0.01),
    ("peak_2k", 9.0e9, 0.006),
    ("peak_32k", 7.0e9, 0.008),
    ("peak_128k", 4.1e9, 0.012),
    ("four_drives", 28e9, 1e-9),
]


@pytest.mark.parametrize(("name", "quoted", "tolerance"), TRACK)
def test_a_figure_that_the_track_quotes_comes_out_of_the_derivation(name: str, quoted: float, tolerance: float) -> None:
    assert _value(name) == pytest.approx(quoted, rel=tolerance)


# Worked out apart from the project in plain Python, in base units.
GOLDEN = {
    "break_even_a800": 5.84207e9,
    "break_even_h800": 18.52796e9,
    "fetch_dram": 0.0134218,
    "fetch_rdma": 0.0536871,
    "fetch_drive": 0.383479,
    "fetch_object": 0.858993,
    "recompute_peak": 0.289763,
    "arrivals": 417_792,
    "mean_in": 12_288,
    "seen": 152_576,
    "ideal": 0.365196,
    "cold_first": 0.303358,
    "cold_later": 0.976745,
    "warm_later": 0.219983,
    "cold_agent": 0.628940,
    "warm_agent": 0.124697,
    "cold_document": 3.530271,
    "need_cold": 35.83170,
    "need_warm": 24.07291,
    "saving": 0.328167,
    "util_before": 0.853136,
    "util_warm": 0.859747,
    "removed_usd": 1_227_240,
    "later_dram": 0.0159384,
    "later_rdma": 0.0637534,
    "hbm_pool": 185.217514e9,
    "queued_kv": 60 * 2**30,
    "queued_share": 0.347832,
    "preamble_cold": 0.467538,
    "preamble_dram": 0.0100663,
    "salt_copies": 0.603980e12,
    "keys_year": 1.634679e10,
    "collide_64": 7.24299,
    "wrong_hits_64": 3.494651e-5,
    "collide_128": 3.92643e-19,
    "peak_8k": 8.536129e9,
    "real_8k": 4.268065e9,
    "real_128k": 2.071826e9,
    "flip_length": 33_630.09,
    "flip_object": 50_592.95,
    "published_a800": 5.383067e9,
    "published_h800": 17.072258e9,
    "two_front": 3188.424,
    "recompute_real": 0.628940,
    "fetch_four": 0.0958698,
    "two_ended": 0.2342245,
    "four_later": 0.113845,
    "heads": 41_984,
    "tails": 110_592,
    "heads_saved": 3.118100,
    "tails_saved": 8.640693,
    "older_turns": 0.149474,
    "util_scattered": 1.122216,
    "residence": 31.01001,
    "returned": 0.0689111,
    "util_dram": 1.147077,
    "residence_all": 74.93866,
    "returned_all": 0.2330607,
    "util_all": 1.096421,
    "bound_work": 0.253658,
    "util_cold": 1.279704,
    "util_heads": 1.168343,
    "crossing": 163.3994,
    "backlog_peak": 13.8993,
    "late": 367.579,
    "late_month": 3308.21,
    "gives_up_at": 71.078,
    "util_retries": 1.719493,
    "cold_replicas": 38,
    "shed_uniform": 0.186883,
    "shed_documents": 1.74996,
    "shed_until": 264.502,
    "roll_util": 1.003038,
    "load_util": 0.925881,
    "lost_util": 0.949619,
    "roll_time": 7434,
    "head_rate": 1.870152,
    "value_ratio": 528.23,
    "value_ratio_all": 37.731,
    "residence_declared": 29.07082,
    "copies": 116.28329,
    "util_declared": 0.926538,
    "declared_usd": 163_937,
    "ttl_pool": 325.8966e12,
    "pool_50": 15.56456e12,
    "pool_90": 53.62132e12,
    "document_share": 0.685328,
    "first_share": 0.335556,
    "residence_second": 118.72823,
    "second_sight": 0.2841703,
    "recency_wins": 237.613,
    "disk_all": 4798.806,
    "disk_chat": 16_462.13,
    "alarm_util": 0.890606,
    "median_util": 1.014045,
    "wear_all": 17.45879 / 86_400,
    "wear_chat": 5.089339 / 86_400,
    "wear_second": 2.442883 / 86_400,
    "life_fp8": 1.964892 * 31_557_600,
    "drive_worth": 13_288.3,
    "residence_chat": 64.34323,
    "mla_kv": 70_272,
    "mla_break_even": 7.40665e9,
    "mla_gpus": 8.22292,
    "mla_residence": 154.7379,
    "mla_returned": 0.531631,
}


@pytest.mark.parametrize("name", GOLDEN)
def test_a_step_agrees_with_the_independent_derivation(name: str) -> None:
    assert _value(name) == pytest.approx(GOLDEN[name], rel=2e-4)


def test_the_deciding_number_is_the_break_even_bandwidth() -> None:
    assert _derivation().deciding.id == "break_even"
    assert _derivation().deciding.text == "9.26 GB/s"


def _returned(age_s: float) -> float:
    """The share of returns that come within an age, straight between the quantiles of the prompt."""
    points = [(0.0, 0.0)]
    points += [(_value(f"gap_{name}"), share) for name, share in (("10", 0.1), ("50", 0.5), ("75", 0.75), ("90", 0.9))]
    points += [(_value("gap_all"), 1.0)]
    for (start, low), (end, high) in pairwise(points):
        if age_s <= end:
            return low + (high - low) * (age_s - start) / (end - start)
    return 1.0


def _settled(tokens: float, touched_per_s: float, returning_per_s: float) -> float:
    """The age T at which a pool is full of what was touched within T and not touched again since, by stepping on."""
    age_s, held, step_s = 0.0, 0.0, 0.01
    while held < tokens:
        held += step_s * (touched_per_s - returning_per_s * _returned(age_s + step_s / 2))
        age_s += step_s
    return age_s


def test_the_closed_forms_of_the_residences_are_what_filling_the_pool_step_by_step_gives() -> None:
    tails, written, pool = _value("tails"), _value("written"), _value("pool_tokens")
    first, chat, kv = _value("first_returns"), _value("chat_new"), _value("kv_per_token")
    declared = written + _value("rate_agent") * _value("preamble")
    settled = {
        "residence": _settled(pool, written, tails),
        "residence_all": _settled(_value("all_tokens"), written, tails),
        "residence_declared": _settled(pool, declared, tails),
        "residence_second": _settled(pool, tails, tails - first),
        "residence_chat": _settled(pool, chat + tails, tails),
        "mla_residence": _settled(_value("mla_tokens"), written, tails),
        "disk_all": _settled(_value("disk") / kv, written, tails),
        "gap_50": _settled(_value("pool_50") / kv, written, tails),
        "gap_90": _settled(_value("pool_90") / kv, written, tails),
        "draft_ttl": _settled(_value("ttl_pool") / kv, written, tails),
    }
    for name, age_s in settled.items():
        assert _value(name) == pytest.approx(age_s, rel=1e-3), name
    for name in ("", "_all"):
        assert _value(f"returned{name}") == pytest.approx(_returned(_value(f"residence{name}")))
    assert _value("mla_returned") == pytest.approx(_returned(_value("mla_residence")))


def test_the_heads_and_the_tails_are_all_that_was_sent_before() -> None:
    assert _value("heads") + _value("tails") == pytest.approx(_value("seen"))


def test_the_leads_arithmetic_holds_as_far_as_it_goes() -> None:
    assert _value("util_warm") == pytest.approx(_value("util_before"), abs=0.01)
    assert _value("saving") == pytest.approx(1 / 3, abs=0.01)
    assert _value("saving") < _value("ideal")


def test_critique_1_the_drive_loses_at_the_peak_and_wins_at_the_measured_rate_at_every_length() -> None:
    drive = _value("drive")
    assert drive < _value("break_even")
    assert all(drive > _value(f"real_{length}") for length in ("rule", "2k", "8k", "32k", "128k"))
    assert _value("recompute_peak") < _value("fetch_drive") < _value("recompute_real")
    assert _value("four_drives") > _value("break_even")
    assert _value("mfu") < _value("flip_mfu") < 1
    assert _value("two_ended") < min(_value("fetch_drive"), _value("recompute_real"))
    assert _value("break_even_fp8") == pytest.approx(_value("break_even"))


def test_critique_1_the_length_at_which_a_drive_wins_at_the_peak_is_where_both_take_equal_time() -> None:
    length = _value("flip_length")
    compute_s = (_value("flop_per_token") * length + _value("flop_per_pair") * length**2) / _value("peak")
    assert length * _value("kv_per_token") / _value("drive") == pytest.approx(compute_s)


def test_critique_1_both_ends_meet_when_the_front_is_computed_and_the_back_is_loaded() -> None:
    front = _value("two_front")
    compute_s = (_value("flop_per_token") * front + _value("flop_per_pair") * front**2) / _value("rate")
    assert _value("two_ended") == pytest.approx(compute_s)
    assert _value("block") / _value("four_drives") < _value("opening_cold")


def test_critique_2_no_memory_mends_the_scattered_fleet_and_affinity_needs_capacity_besides() -> None:
    assert _value("util_scattered") > 1
    assert _value("util_dram") > _value("util_all") > 1
    assert _value("util_warm") < 0.9
    assert _value("tails_saved") / (_value("tails_saved") + _value("heads_saved")) == pytest.approx(0.75, abs=0.02)
    assert _value("older_turns") > _value("last_turn")


def _waits() -> list[tuple[float, float]]:
    """The wait in front of a request after a loss, by steps of a tenth of a second: (time, wait)."""
    wait, step, seen = 0.0, 0.1, []
    for index in range(12_000):
        time = index * step
        wait = max(0.0, wait + step * (_value("util_heads") - 1 - _value("tails_util") * _returned(time)))
        seen.append((time, wait))
    return seen


def test_critique_3_the_closed_form_of_the_cold_start_is_what_the_fluid_does() -> None:
    waits = _waits()
    at, peak = max(waits, key=lambda one: one[1])
    assert _value("backlog_peak") == pytest.approx(peak, rel=0.01)
    assert _value("crossing") == pytest.approx(at, rel=0.01)
    over = [time for time, wait in waits if wait > _value("ttft")]
    assert _value("late_from") == pytest.approx(over[0], rel=0.02)
    assert _value("late_until") == pytest.approx(over[-1], rel=0.01)
    assert _value("gives_up_at") == pytest.approx(next(t for t, wait in waits if wait > _value("gives_up")), rel=0.02)


def test_critique_3_a_cold_fleet_cannot_refill_itself_and_retries_keep_it_down_when_warm() -> None:
    assert _value("util_cold") > _value("util_heads") > 1
    assert _value("need_cold") > 32
    assert _value("backlog_peak") > _value("gives_up") > _value("ttft")
    assert _value("util_retries") > 1
    assert _value("need_cold") / _value("cold_replicas") <= 0.95


def test_critique_3_one_host_at_a_time_can_be_deployed_or_lost_and_two_cannot() -> None:
    assert _value("step_util") < _value("load_util") < _value("lost_util") < 0.95
    assert _value("roll_util") > 1


def test_critique_3_deferring_documents_relieves_as_much_as_refusing_everyone() -> None:
    left = _value("util_heads") - _value("shed_documents") * _value("warm_document") / _value("replicas")
    assert left == pytest.approx(0.95)
    assert _value("util_heads") * (1 - _value("shed_uniform")) == pytest.approx(0.95)
    assert _value("shed_documents") < _value("rate_document")
    assert _value("shed_share") < _value("shed_uniform") / 3


def test_critique_4_the_opening_block_never_grows_as_old_as_the_time_to_live() -> None:
    assert _value("touch_gap") < _value("draft_ttl") / 100_000


def test_critique_5_the_preamble_is_worth_hundreds_of_tails_and_the_declaration_loses_it() -> None:
    assert _value("value_ratio") > 500
    assert _value("value_ratio_all") > 30
    assert _value("util_declared") > _value("util_warm") + 0.06
    assert _value("copies_ttl") > 6 * _value("pool")


def test_critique_6_the_time_to_live_never_fires_and_wear_decides_the_drives() -> None:
    assert _value("residence") < _value("gap_10") < _value("draft_ttl")
    assert _value("ttl_pool") > 70 * _value("pool")
    assert _value("pool") < _value("pool_50") < _value("pool_90") < _value("disk")
    assert _value("wear_all") > _value("wear_chat") > _value("wear_fp8") > _value("drive_rating")
    assert _value("wear_fp8") < 3 * _value("drive_rating")
    assert _value("disk_chat") > 2 * _value("gap_all")
    assert _value("alarm_util") < 0.95 < 1 < _value("median_util")


def test_critique_6_second_sight_wins_on_the_small_pool_and_loses_on_a_sized_one() -> None:
    assert _value("second_sight") > 4 * _value("returned")
    assert _value("util_second") > 1
    assert _returned(_value("recency_wins")) == pytest.approx(1 - _value("first_share"))
    assert _returned(_value("disk_chat")) > 1 - _value("first_share")


def test_the_changed_requirement_lets_host_memory_outlast_the_median_return() -> None:
    assert _value("residence") < _value("gap_50") < _value("mla_residence")
    assert _value("mla_gpus") > _value("gpus_per_host")
    assert _value("mla_per_gpu") < _value("now_per_gpu")


def test_the_hard_parts_are_the_tiers_and_the_keys() -> None:
    assert tuple(_design().hard_parts) == (5, 7)


def test_the_interjections_change_exactly_one_requirement_and_the_defects_are_of_six_classes() -> None:
    assert [one.id for one in _design().interjections if one.changes_requirement] == ["latent-attention"]
    assert [one.defect_class for one in _design().critiques] == [
        "other",
        "arithmetic-never-done",
        "mechanism-needs-what-it-provides",
        "identity-reused",
        "policy-caller-must-declare",
        "threshold-on-unsized-resource",
    ]
    assert _design().critiques[0].class_name == "a bound used outside its domain"
