"""m06: its figures against an independent derivation, and the claims of its critiques as inequalities."""

import math
import random
from functools import partial
from itertools import pairwise

import pytest

from calculator.core.queueing import RequestClass, steady_state
from tests.designs.worked import derivation_of, design_of, problems_of, value_of
from trainer.rounds.core.agreement import agreement

_design = partial(design_of, "m06")
_derivation = partial(derivation_of, "m06")
_value = partial(value_of, "m06")


def test_the_content_of_m06_has_no_problem_and_no_warning() -> None:
    assert problems_of("m06") == []


# Quoted by the track and its errata, in base units, with the tolerance of their own rounding.
TRACK = [
    ("kv_per_token", 327_680, 1e-9),
    ("chunk_prefill", 17.8e-3, 0.003),
    ("chunk_kv", 0.153 * 2**30, 0.003),
    ("prompt_prefill", 0.207, 0.001),
    ("found_prefill", 0.178, 0.003),
    ("inflation", 7.25, 1e-9),
    ("retrieval", 0.085, 1e-9),
]


@pytest.mark.parametrize(("name", "quoted", "tolerance"), TRACK)
def test_a_figure_that_the_track_quotes_comes_out_of_the_derivation(name: str, quoted: float, tolerance: float) -> None:
    assert _value(name) == pytest.approx(quoted, rel=tolerance)


def test_the_deciding_number_is_the_prefill_of_what_was_retrieved() -> None:
    assert _derivation().deciding.id == "prompt_prefill"
    assert _derivation().deciding.text == "207 ms"


@pytest.mark.parametrize("own_s", [0.207, 0.414, 0.436, 0.178, 0.357, 0.379], ids=lambda own_s: f"{own_s * 1e3:.0f} ms")
def test_the_prefill_at_the_planned_mfu_or_of_the_chunks_alone_is_as_good_an_answer(own_s: float) -> None:
    assert _accepts(own_s, "second")


@pytest.mark.parametrize("ratio", [2.4, 4.9, 5.1])
def test_the_prefill_may_be_said_as_a_multiple_of_retrieval(ratio: float) -> None:
    assert _accepts(ratio, "")


@pytest.mark.parametrize(
    "own_s", [0.085, 0.0178, 0.0285, 0.848], ids=["retrieval", "one chunk", "own tokens", "twenty chunks"]
)
def test_retrieval_or_one_chunk_or_another_prompt_is_no_answer(own_s: float) -> None:
    assert not _accepts(own_s, "second")


def _accepts(own: float, dimension: str) -> bool:
    """Whether a starred number agrees with the deciding step or one that is as good."""
    verdicts = [
        agreement(
            own=own,
            own_dimension=dimension,
            design=step.quantity.value,
            design_dimension=step.quantity.dimension,
        )
        for step in _derivation().accepted
    ]
    return any(not verdict.is_miss for verdict in verdicts)


# Worked out apart from the project in plain Python, in base units.
GOLDEN = {
    "own_prefill": 0.0285397,
    "prompt_real": 0.413826,
    "found_planned": 0.356746,
    "planned_over_retrieval": 4.86854,
    "prefill_over_retrieval": 2.43427,
    "ann_chunks": 1.12125,
    "pool": 186_418_000_000.0,
    "pool_tokens": 568_901.0,
    "fit_with": 93.2625,
    "fit_without": 517.183,
    "nim_mfu": 0.458863,
    "prefill_3": 0.167607,
    "need_3": 10.6283,
    "prefill_4": 0.20497,
    "need_4": 12.9553,
    "prefill_5": 0.242665,
    "need_5": 15.2988,
    "prefill_10": 0.436105,
    "need_10": 27.2646,
    "prefill_20": 0.847823,
    "need_20": 52.4382,
    "load_5": 0.318724,
    "load_10": 0.568013,
    "load_20": 1.09246,
    "prefill_part": 0.799764,
    "freed": 21.0662,
    "freed_usd": 0.0585172,
    "occupancy": 0.104094,
    "tpot": 0.0311406,
    "streams": 467.108,
    "busy_999": 38,
    "chunk_real": 0.0356746,
    "chunk_attention": 0.00218564,
    "chunk_decode": 0.00524009,
    "chunk_decode_floor": 0.00366806,
    "chunk_cost": 0.0431003,
    "chunk_usd": 1.19723e-04,
    "chunk_month": 7_871.19,
    "attention_10": 0.0538398,
    "attention_40": 0.193081,
    "rr_mfu": 0.419656,
    "exchange_peak": 212.523,
    "exchange": 178.373,
    "prefix_share": 0.0517241,
    "answer_usd": 0.00266667,
    "vector": 2_404,
    "corpus": 240_400_000_000.0,
    "shard_bytes": 15_025_000_000.0,
    "index_bytes": 721_200_000_000.0,
    "node_live": 45_075_000_000.0,
    "index_usd": 0.0333333,
    "change_rate": 23.1481,
    "buffer": 5_208.33,
    "buffer_bytes": 10_666_700.0,
    "buffer_scan": 0.00106667,
    "reembed": 72_727.3,
    "reembed_day": 1_454.55,
    "rebuild": 150_000.0,
    "after_draft": 0.857921,
    "text_kv_ratio": 81_920.0,
    "corpus_kv": 1.63840e16,
    "kv_drives": 2_133.33,
    "kv_drives_host": 88.8889,
    "corpus_fill": 74_322.0,
    "saved_most": 18.9301,
    "kv_over_index": 68_153.1,
    "load_ten": 0.234057,
    "found_real": 0.378602,
    "break_even": 9_185_250_000.0,
    "break_even_real": 4_592_630_000.0,
    "ingest_kv": 327_680_000_000_000.0,
    "held_chunks": 73_242.2,
    "held_share": 7.32422e-04,
    "mixed_prefill": 0.116545,
    "hit_worth": 0.0621481,
    "replica_year": 87_660.0,
    "load_true": 0.60968,
    "rr_peak": 0.10248,
    "trip_rate": 54.6735,
    "trip_over": 0.09347,
    "back_rate": 30.5121,
    "back_under": 0.389758,
    "queue_5": 1_269.56,
    "rr_erlang": 0.173913,
    "rr_wait": 0.00347826,
    "load_moved": 0.580099,
    "load_4": 0.275644,
    "rate_3": 221.108,
    "rate_10": 86.1922,
    "dead_share": 0.206877,
    "dead_days": 893_710.0,
    "node_free": 9_600_000_000.0,
    "full_days": 920_067.0,
    "start_before": 0.765234,
    "fit_days": 373_777.0,
    "growth_left": 0.0648918,
    "segment_vectors": 415_973.0,
    "segments": 16,
    "hops": 13.1651,
    "search_cores": 0.6,
    "search_cores_segments": 7.89904,
    "steady_dead": 0.813802,
    "leak_rate": 0.05,
    "checks": 600.0,
    "leaked": 22.5,
    "streams_cite": 2.33554,
    "narrow_none": 0.366032,
    "empty_rate": 1.83016,
    "recall_half": 0.0236422,
    "exact_100k": 0.02048,
    "exact_median": 0.004096,
    "narrow_largest": 200_000.0,
    "sigma": 0.69183,
    "slow_all": 0.851458,
    "fan_50_1": 0.012,
    "fan_95_1": 0.0374447,
    "fan_50_4": 0.0239377,
    "fan_95_4": 0.0562866,
    "fan_50_16": 0.0395393,
    "fan_95_16": 0.079136,
    "p50_1_idle": 0.0836674,
    "p95_1_idle": 0.121592,
    "p50_4_idle": 0.0956468,
    "p95_4_idle": 0.137584,
    "p50_16_idle": 0.111234,
    "p95_16_idle": 0.158375,
    "above_85": 0.894757,
    "p50_16_peak": 0.175062,
    "p95_16_peak": 0.249238,
    "hedge_load": 0.144366,
    "hedged_56": 0.955752,
    "plain_56": 0.728953,
    "partial": 0.789047,
    "partial_shards": 1.48284,
    "largest_shards": 3.2,
    "budget_left": 0.391692,
    "need_20_safe": 92.3187,
    "deep": 8,
    "resolves": 0.0438269,
    "three_prefill": 1.29266,
    "three_need": 79.2676,
    "three_anew": 2.57659,
    "three_lean": 24.8383,
    "three_writing": 1.86843,
    "three_search": 0.28694,
    "three_ttft": 2.55213,
    "three_pause": 26_013_500_000.0,
}


@pytest.mark.parametrize("name", GOLDEN)
def test_a_step_agrees_with_the_independent_derivation(name: str) -> None:
    assert _value(name) == pytest.approx(GOLDEN[name], rel=2e-4)


def test_the_closed_form_of_the_fixed_point_is_what_iteration_settles_at() -> None:
    classes = [RequestClass(_value("rate"), 5_800, 300, _value("prefill_10"))]
    settled = steady_state(
        classes,
        replicas=48,
        pool_tokens=_value("pool_tokens"),
        step_empty_s=_value("step_empty"),
        step_full_s=_value("step_full"),
    )
    assert settled.stable
    assert _value("occupancy") == pytest.approx(settled.occupancy, rel=1e-6)
    assert _value("tpot") == pytest.approx(settled.tpot_s, rel=1e-6)


@pytest.mark.parametrize(("chunks", "stable"), [(5, True), (10, True), (20, False)])
def test_the_fleet_has_a_steady_state_where_the_load_is_below_one_and_none_above(chunks: int, stable: bool) -> None:
    assert (_value(f"load_{chunks}") < 1) is stable
    classes = [RequestClass(_value("rate"), 800 + 500 * chunks, 300, _value(f"prefill_{chunks}"))]
    settled = steady_state(
        classes,
        replicas=48,
        pool_tokens=_value("pool_tokens"),
        step_empty_s=_value("step_empty"),
        step_full_s=_value("step_full"),
    )
    assert settled.stable is stable


def test_prefill_binds_before_memory_and_an_idle_replica_is_nearly_always_there() -> None:
    assert _value("prefill_part") > 0.75
    assert _value("occupancy") < 0.15
    assert _value("busy_999") < _value("replicas") - 1


def test_the_measured_rerank_time_is_an_ordinary_share_of_the_peak() -> None:
    assert 0.3 < _value("rr_mfu") < 0.6
    assert _value("exchange") < _value("exchange_peak")


def test_critique_1_the_kv_of_the_corpus_dwarfs_the_drives_and_one_drive_wins_only_below_the_peak() -> None:
    assert _value("corpus_kv") > 40 * _value("replicas") * _value("drive_size")
    assert 2 < _value("saved_most") < _value("replicas")
    assert _value("found_prefill") < _value("load_ten") < _value("found_real")
    assert _value("break_even_real") < _value("drive") < _value("break_even")
    assert _value("mixed_prefill") < _value("prefill_10") / 3


@pytest.mark.parametrize(("name", "power"), [("hit_06", 0.6), ("hit_08", 0.8), ("hit_10", 1.0)])
def test_critique_1_the_hit_rates_are_those_of_sums_over_the_ranks(name: str, power: float) -> None:
    held, total = round(_value("held_chunks")), round(_value("chunks"))
    head = math.fsum(rank**-power for rank in range(1, held + 1))
    # Beyond the head each term is the integral around it, near enough.
    first, last = held + 0.5, total + 0.5
    tail = math.log(last / first) if power == 1 else (last ** (1 - power) - first ** (1 - power)) / (1 - power)
    assert _value(name) == pytest.approx(head / (head + tail), rel=1e-4)


def test_critique_2_the_fallback_keeps_itself_alive_at_the_traffic_that_the_fleet_had_served() -> None:
    assert _value("load_10") < _value("load_true") < _value("deadline_load") < 1 < _value("load_20")
    assert _value("rr_peak") < _value("deadline")
    assert _value("back_rate") < _value("rate") < _value("trip_rate")
    late = _value("rerank") / (1 - (_value("need_10") + _value("rr_replicas")) * _value("trip_rate") / 50 / 48)
    assert late == pytest.approx(_value("deadline"))


def test_critique_2_the_revision_lowers_the_load_although_it_gives_a_replica_away() -> None:
    assert _value("load_moved") < _value("load_true")
    assert _value("load_4") < _value("load_moved") / 2
    assert _value("rate_3") > 2 * _value("rate_10")
    assert _value("rr_load") < 0.6
    assert _value("rr_wait") < 0.1 * _value("rerank")


def test_critique_3_the_copy_of_a_shard_does_not_fit_at_the_threshold_and_a_reserve_of_segments_does() -> None:
    assert _value("node_free") < _value("shard_bytes")
    assert _value("start_before") < _value("compact_at")
    assert _value("node_live") + _value("shard_bytes") < _value("node_memory")
    grown = _value("node_live") * (1 + _value("growth_left"))
    assert grown * 4 / 3 == pytest.approx(_value("node_memory"))
    assert _value("steady_dead") < _value("compact_at")
    assert _value("search_cores_segments") < _value("node_cores") / 2


def test_critique_4_answers_go_out_after_the_clause_and_a_shorter_life_leaves_some() -> None:
    assert _value("ttl") > 100 * _value("gone")
    assert _value("leaked") > 20
    assert 1 < _value("leaked_1min") < _value("leaked")
    assert _value("leaked_most") == pytest.approx(2 * _value("leaked"))


def test_critique_5_the_survivors_of_the_filter_are_binomial_and_oversampling_to_the_mean_is_not_enough() -> None:
    def short(candidates: int, share: float) -> float:
        terms = (math.comb(candidates, i) * share**i * (1 - share) ** (candidates - i) for i in range(10))
        return math.fsum(terms)

    assert _value("narrow_ten") == pytest.approx(
        math.fsum(math.comb(100, i) * 0.01**i * 0.99 ** (100 - i) for i in range(10, 101)), rel=1e-4
    )
    assert _value("oversample_10") == pytest.approx(short(1_000, 0.01), abs=0.005)
    assert _value("oversample_16") == pytest.approx(short(1_600, 0.01), abs=0.005)
    assert _value("empty_rate") > 1
    assert _value("average_left") < _value("candidates")
    assert _value("exact_median") < _value("ann")


def _drawn(fan_out: int, rerank_s: float, requests: int = 20_000) -> list[float]:
    """Times of retrieval, drawn stage by stage, in order."""
    draw = random.Random(6)
    z = 2.3263478740408408

    def stage(p50_s: float, p99_s: float) -> float:
        return p50_s * math.exp(math.log(p99_s / p50_s) / z * draw.gauss(0, 1))

    rest = [(_value(name), _value(f"{name}_99")) for name in ("acl", "embed", "fetch", "assemble")]
    return sorted(
        max(stage(0.012, 0.060) for _ in range(fan_out))
        + stage(rerank_s, 2 * rerank_s)
        + sum(stage(*times) for times in rest)
        for _ in range(requests)
    )


@pytest.mark.parametrize("fan_out", [1, 4, 16])
def test_critique_6_the_fitted_percentiles_are_those_of_drawn_requests(fan_out: int) -> None:
    drawn = _drawn(fan_out, _value("rerank"))
    assert _value(f"p50_{fan_out}_idle") == pytest.approx(drawn[len(drawn) // 2], rel=0.02)
    assert _value(f"p95_{fan_out}_idle") == pytest.approx(drawn[len(drawn) * 95 // 100], rel=0.03)


def test_critique_6_the_fitted_percentiles_hold_for_the_reranker_at_peak_too() -> None:
    drawn = _drawn(16, _value("rr_peak"))
    assert _value("p50_16_peak") == pytest.approx(drawn[len(drawn) // 2], rel=0.02)
    assert _value("p95_16_peak") == pytest.approx(drawn[len(drawn) * 95 // 100], rel=0.03)
    late = sum(one > 0.085 for one in _drawn(16, _value("rerank"))) / len(drawn)
    assert late - 0.04 < _value("above_85") <= late


def test_critique_6_every_step_away_from_the_sum_of_medians_makes_it_worse_and_less_fan_out_better() -> None:
    rows = ["retrieval", "p50_16_idle", "p95_16_idle", "p95_16_peak"]
    assert all(_value(before) < _value(after) for before, after in pairwise(rows))
    assert _value("p95_1_idle") < _value("p95_4_idle") < _value("p95_16_idle")
    assert abs(_value("p50_1_idle") - _value("retrieval")) < 0.002
    assert _value("fan_50_16") > 1.9 * _value("ann")
    assert _value("plain_56") < _value("hedged_56")


def test_critique_6_the_clause_holds_with_far_less_to_spare_than_the_draft_says() -> None:
    left = _value("ttft") - _value("p95_16_peak") - _value("prefill_10")
    assert 0 < left < _value("after_draft") / 2
    assert left < _value("budget_left") < _value("ttft")
    assert 1 / 3 < _value("budget_left") < 1 / 2, "a third of a second may wait before refusal, half a second may not"


def test_the_changed_requirement_breaks_fleet_and_clause_unless_chunks_are_shared_out_over_the_searches() -> None:
    assert _value("three_need") > _value("replicas") > _value("need_10") > _value("three_lean")
    assert _value("three_writing") > _value("ttft")
    assert _value("three_ttft") > 2 * _value("ttft")
    assert _value("three_anew") > 1.9 * _value("three_prefill")


def test_the_interjections_change_exactly_one_requirement_and_the_defects_are_of_their_classes() -> None:
    assert [one.id for one in _design().interjections if one.changes_requirement] == ["three-searches"]
    assert [one.defect_class for one in _design().critiques] == [
        "arithmetic-never-done",
        "control-loop-wrong-sign",
        "mechanism-needs-what-it-provides",
        "guarantee-not-the-one-sold",
        "other",
        "other",
    ]
    assert [one.class_name for one in _design().critiques[4:]] == [
        "a benchmark of a path nobody takes",
        "percentiles added as if they were times",
    ]
