"""m04: its figures against an independent derivation, and the claims of its critiques as inequalities."""

import math
import random
from functools import partial

import pytest

from tests.designs.worked import derivation_of, design_of, problems_of, value_of

_design = partial(design_of, "m04")
_derivation = partial(derivation_of, "m04")
_value = partial(value_of, "m04")
CORE_HOUR = 3600
CORE_YEAR = 365.25 * 86_400


def test_the_content_of_m04_has_no_problem_and_no_warning() -> None:
    assert problems_of("m04") == []


# Quoted by the track and its errata, in base units, with the tolerance of their own rounding.
TRACK = [
    ("all_pairs", 1.125e20, 1e-9),
    ("all_pairs", 1.1e20, 0.025),
    ("core_years", 3.56e6 * CORE_YEAR, 0.002),
    ("core_years", 3.5e6 * CORE_YEAR, 0.02),
    ("threshold", (1 / 14) ** (1 / 8), 1e-9),
    ("caught_threshold", 0.646, 0.001),
    ("bytes_ratio", 1.61, 0.002),
]


@pytest.mark.parametrize(("name", "quoted", "tolerance"), TRACK)
def test_a_figure_that_the_track_quotes_comes_out_of_the_derivation(name: str, quoted: float, tolerance: float) -> None:
    assert _value(name) == pytest.approx(quoted, rel=tolerance)


# Worked out apart from the project in plain Python, in base units.
GOLDEN = {
    "fleet_years": 1.125e10,
    "hash_ops": 1.26e15,
    "hash_time": 2520000,
    "hash_wall": 252,
    "lsh_gain": 4.464286e07,
    "extract_time": 3e08,
    "half_point": 0.6846977,
    "caught_target": 0.9235476,
    "gemm_rate": 3.865234e12,
    "gemm_time": 2.910561e07,
    "gemm_wall": 1776.465,
    "gemm_usd": 20212.23,
    "hash_usd": 28,
    "text": 5.91e13,
    "band_index": 3.36e12,
    "sort_wall": 33.6,
    "band_keys": 1.68e12,
    "signatures": 6.72e12,
    "split_time": 2955000,
    "collide_64": 85.38092,
    "collide_32": 3.667083e11,
    "parent": 1.2e11,
    "unique": 9e12,
    "removed": 6e09,
    "passes": 1.666667,
    "token_rate": 2668637,
    "step_time": 6.286812,
    "run": 5620848,
    "mtbf": 11135.08,
    "failures": 504.7872,
    "steps": 894069.7,
    "trainer_hour": 40960,
    "sequences": 1.831055e09,
    "text_feed_cores": 7.009619,
    "dict_memory": 1.5e12,
    "retok_time": 2.364e07,
    "retok_wall": 2364,
    "retok_usd": 262.6667,
    "tokens_kept": 3.6e13,
    "bytes_ratio": 1.609137,
    "wrapped": 0.489022,
    "scan_errors": 0.288,
    "pair_caught": 0.05332042,
    "family_caught": 0.4271898,
    "family_60": 0.7716336,
    "pair_60": 0.2111219,
    "closed_threshold": 0.5612906,
    "sketch_error": 0.03779645,
    "candidates": 8.4e10,
    "candidate_bytes": 3.7632e13,
    "candidate_wall": 376.32,
    "verify_time": 1680000,
    "rows_family": 0.09789968,
    "rows_target": 0.6772542,
    "exact_bytes": 6.6192e13,
    "exact_time": 3309600,
    "revised_time": 34104600,
    "revised_usd": 378.94,
    "replay_factor": 191.8583,
    "replay_half": 14648.44,
    "arrive_half": 0.2683345,
    "resume_half": 30361.95,
    "replay_end": 29296.87,
    "arrive_end": 0.07200338,
    "resume_end": 143511.6,
    "resume_mean": 43410.45,
    "replay_total": 2.191304e07,
    "replay_goodput": 0.2041429,
    "fast_mean": 1602.2277,
    "fast_total": 808784.01,
    "replay_limit": 2136358,
    "spike_replay": 13500.42,
    "permutation": 1.464844e10,
    "cipher_tries": 2.345625,
    "physical": 1.098633e09,
    "buffers": 8.388608e10,
    "twice_tokens": 3.75e12,
    "source_pairs": 7140,
    "policy_passes": 2.584963,
    "feed": 1.067455e07,
    "feed_node": 5212.181,
    "tier_ratio": 18736.16,
    "nvme": 7.86432e15,
    "nvme_ratio": 218.4533,
    "feed_each": 6.83171e08,
    "feed_8b": 5.403989e08,
    "gets": 325.7613,
    "gets_usd": 732.4219,
    "slow_steps": 0.8711395,
    "ahead_time": 12.57362,
    "ahead_bytes": 1.342177e08,
    "day": 9.222808e11,
    "crc": 4.394531e09,
    "audit_docs": 6e07,
    "giants": 1.5e-05,
    "giants_unseen": 0.99551,
    "more_docs": 6000000,
    "more_time": 360000,
    "triples_seen": 0.009966667,
    "tens_seen": 0.04382075,
    "skipped_share": 0.0001118481,
    "touched": 3366211,
    "touched_share": 0.003064,
    "masked_share": 0.0003333333,
    "bitmap": 1.373291e08,
}


@pytest.mark.parametrize("name", GOLDEN)
def test_a_step_agrees_with_the_independent_derivation(name: str) -> None:
    assert _value(name) == pytest.approx(GOLDEN[name], rel=1e-5)


def _swallowed(template: float, *, pages: int, bands: int, rows: int, rng: random.Random) -> float:
    """The share of a family's pages that have a band whose minima all fall on the template, with one draw of hashes."""
    shared = [[rng.expovariate(template) for _ in range(rows)] for _ in range(bands)]
    own = 1 - template
    joined = sum(any(all(rng.expovariate(own) > minimum for minimum in band) for band in shared) for _ in range(pages))
    return joined / pages


def test_critique_1_drawing_minima_swallows_the_share_of_the_family_that_the_formula_gives() -> None:
    rng = random.Random(20261130)
    bands, rows, template = int(_value("bands")), int(_value("rows")), _value("template")
    drawn = [_swallowed(template, pages=60, bands=bands, rows=rows, rng=rng) for _ in range(400)]
    assert sum(drawn) / len(drawn) == pytest.approx(_value("family_caught"), abs=0.02)
    assert max(drawn) - min(drawn) > 0.3


def test_critique_1_closure_lowers_the_threshold_and_more_rows_pay_with_recall() -> None:
    assert _value("closed_threshold") < _value("half_point") < _value("threshold") < _value("target")
    assert _value("family_caught") > 8 * _value("pair_caught")
    assert _value("template") / (2 - _value("template")) == pytest.approx(_value("family"))
    closed = _value("closed_threshold")
    assert 2 * closed / (1 + closed) == pytest.approx(_value("threshold"))
    assert _value("rows_family") < _value("family_caught") / 4
    assert _value("rows_target") < _value("caught_target") - 0.2


def test_critique_1_verifying_costs_less_cpu_than_the_signatures_and_more_shuffle_than_the_sort() -> None:
    assert _value("verify_time") < _value("hash_time")
    assert _value("candidate_bytes") > 10 * _value("band_index")
    assert _value("revised_usd") < _value("trainer_hour") / 100


def test_the_first_line_proves_wrong_and_not_impossible() -> None:
    assert _value("fleet_years") > 100 * CORE_YEAR
    assert _value("gemm_wall") < CORE_HOUR
    assert _value("gemm_ratio") > 700
    assert _value("half_point") < _value("threshold")
    assert _value("caught_threshold") == pytest.approx(1 - 1 / math.e, abs=0.02)
    assert 1 - (1 - _value("half_point") ** 8) ** 14 == pytest.approx(0.5)


def _mean_resume_s(progress_s: float, factor: float, mtbf_s: float) -> float:
    """The mean of MTBF (e^(R/MTBF) - 1) over progress, by the midpoints of ten thousand slices."""
    slices = 10_000
    replays = (progress_s * (index + 0.5) / slices / factor for index in range(slices))
    return sum(mtbf_s * math.expm1(replay / mtbf_s) for replay in replays) / slices


def test_critique_2_the_mean_resume_is_the_average_over_progress_and_replay_outlasts_the_run() -> None:
    mean = _mean_resume_s(_value("run"), _value("replay_factor"), _value("mtbf"))
    assert _value("resume_mean") == pytest.approx(mean, rel=1e-4)
    assert _value("replay_half") > _value("mtbf")
    assert _value("replay_total") > 3 * _value("run")
    assert _value("replay_limit_share") < 0.5
    assert _value("spike_replay") > 100 * _value("whereis")


def test_critique_2_a_loader_ten_times_as_fast_moves_the_wall_past_the_run_and_still_costs_days() -> None:
    fast = _mean_resume_s(_value("run"), 10 * _value("replay_factor"), _value("mtbf"))
    assert _value("fast_mean") == pytest.approx(fast, rel=1e-4)
    assert 10 * _value("replay_limit") > _value("run")
    assert _value("run") / 10 < _value("fast_total") < _value("run") / 5


def _feistel(index: int, *, key: int, size: int) -> int:
    """A keyed permutation of range(size): four rounds on twice eight bits, walked until it lands inside."""
    while True:
        left, right = index >> 8, index & 255
        for turn in range(4):
            left, right = right, left ^ (random.Random(f"{key}/{turn}/{right}").getrandbits(8))
        index = left << 8 | right
        if index < size:
            return index


def test_critique_2_a_walked_cipher_is_a_permutation_and_tries_as_often_as_the_derivation_says() -> None:
    size = 1500
    assert sorted(_feistel(index, key=7, size=size) for index in range(size)) == list(range(size))
    assert 2**32 / _value("sequences") == pytest.approx(_value("cipher_tries"))
    assert 2**30 < _value("sequences") < 2**31


def test_critique_3_reading_the_first_half_of_another_order_repeats_a_quarter_and_leaves_a_quarter() -> None:
    rng = random.Random(3)
    data = list(range(20_000))
    before = set(rng.sample(data, 10_000))
    skipped = set(rng.sample(data, 10_000))
    twice = len(before - skipped) / len(data)
    never = len(skipped - before) / len(data)
    assert twice == never == pytest.approx(_value("twice"), abs=0.01)
    assert _value("batch") % _value("ranks") == 0
    assert _value("batch") % 255 != 0


def test_critique_4_the_copies_break_the_limit_of_passes_and_the_policy_keeps_it() -> None:
    assert _value("weight") < _value("max_passes") < _value("real_passes")
    assert 1 < _value("policy_passes") < _value("max_passes")


def test_critique_5_the_tier_is_four_orders_above_the_feed_and_random_reads_cost_a_minute_of_the_trainer() -> None:
    assert _value("tier") > 1e4 * _value("feed")
    assert _value("feed_each") < _value("nic")
    assert _value("gets_usd") < _value("trainer_hour") / 50
    assert _value("slow_steps") > 0.8


def test_critique_6_the_clean_audit_is_compatible_with_tens_of_millions_of_wrong_removals() -> None:
    assert _value("audit_exact") == pytest.approx(_value("audit_bound"), rel=0.01)
    assert _value("audit_docs") > 50e6
    assert _value("giants_unseen") > 0.95
    assert _value("more_bound") == pytest.approx(_value("audit_bound") / 10)


def test_a_sample_of_documents_hides_the_copies_that_a_count_of_survivors_would_show() -> None:
    share = _value("sample")
    seen = 1 - (1 - (1 - share) ** 3) / (3 * share)
    assert _value("triples_seen") == pytest.approx(seen)
    assert _value("triples_seen") < _value("triples_true") / 60


def test_a_mask_touches_few_sequences_and_a_skip_almost_nothing() -> None:
    assert _value("touched_share") < 0.005
    assert _value("masked_share") < _value("touched_share") / 5
    assert _value("skipped_share") < 0.001


def test_the_deciding_step_is_the_core_years_and_the_comparisons_are_as_good() -> None:
    assert _derivation().deciding.id == "core_years"
    assert tuple(_design().hard_parts) == (5, 6)


def test_the_interjections_change_exactly_one_requirement_and_the_defects_are_of_their_classes() -> None:
    assert [one.id for one in _design().interjections if one.changes_requirement] == ["vocabulary"]
    assert [one.defect_class for one in _design().critiques] == [
        "arithmetic-never-done",
        "mechanism-needs-what-it-provides",
        "other",
        "policy-caller-must-declare",
        "arithmetic-never-done",
        "statistic-without-interval",
    ]
    assert _design().critiques[2].class_name == "order that is a property of the fleet"
