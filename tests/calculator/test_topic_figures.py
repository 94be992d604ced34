"""The topics' figures: what the track quotes, a second derivation of each, simulations, and limits."""

import math
import random
from statistics import NormalDist, median

import pytest
from scipy import stats

from calculator.core.evaluation import paired_power, wilson_high, wilson_low
from calculator.core.placement import whole_free_nodes, whole_free_nodes_exact
from calculator.core.significance import sign_test_p_value
from calculator.topic_answers import TopicAnswer, work_out
from calculator.topic_plots import Curves, curves
from calculator.topics import topic

LAYERS, HIDDEN, KV_HEADS, HEAD_DIM, FFN = 80, 8192, 8, 128, 28672
KV_BYTES = 2 * LAYERS * KV_HEADS * HEAD_DIM * 2
PEAK = 4 * 989.5e12


def answer(slug: str, **typed: str) -> TopicAnswer:
    return work_out(topic(slug), typed)


def value(slug: str, step: str, **typed: str) -> float:
    """A result in base units."""
    return next(one.quantity.value for one in answer(slug, **typed).steps if one.step.id == step)


def plot(slug: str, id: str, **typed: str) -> Curves:
    return next(one for one in curves(answer(slug, **typed)) if one.plot.id == id)


QUOTED = [
    ("kv-seconds", "kv_token", {}, 327_680, 1e-9),
    ("kv-seconds", "heavy_size", {"heavy_out": "1"}, 40 * 2**30, 1e-4),
    ("kv-seconds", "heavy_share", {"heavy_out": "1"}, 0.230, 0.01),
    ("kv-seconds", "ratio", {}, 735, 0.01),
    ("kv-fetch", "break_even_plain", {}, 9.26e9, 0.01),
    ("kv-fetch", "break_even_peak", {"prefix": "2048"}, 9.0e9, 0.01),
    ("kv-fetch", "break_even_peak", {"prefix": "32768"}, 7.0e9, 0.01),
    ("kv-fetch", "break_even_peak", {"prefix": "131072"}, 4.1e9, 0.012),
    ("kv-fetch", "break_even", {"prefix": "256"}, 4.6e9, 0.01),
    ("free-nodes", "independent", {}, 0.5, 1e-12),
    ("free-nodes", "exact", {}, 0.486, 0.001),
    ("near-duplicates", "all_pairs", {}, 1.125e20, 1e-6),
    ("near-duplicates", "core_years", {}, 3.56e6 * 365.25 * 86400, 0.002),
    ("near-duplicates", "caught_threshold", {}, 1 - 1 / math.e, 0.03),
    ("eval-statistics", "se", {}, 0.0172, 0.002),
    ("eval-statistics", "apart", {}, 0.067, 0.006),
    ("eval-statistics", "unpaired", {}, 0.048, 0.01),
    ("eval-statistics", "unpaired_found", {}, 0.068, 0.002),
    ("eval-statistics", "pair_gain", {}, 2.43, 0.001),
    ("eval-statistics", "pair_items_gain", {}, 5.9, 0.001),
    ("eval-statistics", "pair_gain", {"discordant": "0.2"}, 1.2, 0.02),
    ("retrieval-budget", "chunk_peak", {}, 0.0178, 0.002),
    ("retrieval-budget", "chunk_kv", {}, 0.153 * 2**30, 0.003),
    ("retrieval-budget", "prompt_peak", {}, 0.207, 0.002),
    ("retrieval-budget", "found_peak", {}, 0.178, 0.002),
    ("retrieval-budget", "inflation", {}, 7.25, 1e-9),
    ("retrieval-budget", "retrieval", {}, 0.085, 1e-9),
    ("adapters", "narrow_share", {}, 0.06, 0.01),
    ("adapters", "wide_share", {}, 1.51, 0.01),
    ("adapters", "knob", {}, 25.3, 0.001),
    ("adapters", "narrow", {}, 65.5e6, 0.001),
    ("adapters", "wide", {}, 1.657e9, 0.001),
    ("adapters", "wide_held", {}, 212e9, 0.001),
    ("goodput", "in_month", {}, 233, 0.002),
    ("goodput", "mtbf", {}, 3.09 * 3600, 0.002),
    ("goodput", "restart_share", {}, 0.054, 0.003),
]


@pytest.mark.parametrize(("slug", "step", "typed", "quoted", "tolerance"), QUOTED)
def test_the_quoted_figures_come_out(
    slug: str, step: str, typed: dict[str, str], quoted: float, tolerance: float
) -> None:
    assert value(slug, step, **typed) == pytest.approx(quoted, rel=tolerance)


def test_requests_differ_by_the_unit_that_one_counts_in() -> None:
    typed = {"heavy_in": "100000", "heavy_out": "4000", "light_in": "20", "light_out": "5"}
    tokens, flops, held = (
        math.log10(value("kv-seconds", id, **typed)) for id in ("ratio_tokens", "ratio_flops", "ratio")
    )
    assert (round(tokens, 1), round(flops, 1), round(held, 1)) == (3.6, 3.9, 6.5)


def test_a_fetch_is_worth_it_where_the_two_times_written_out_say_so() -> None:
    tokens, bandwidth, mfu = 16_384, 7e9, 0.5
    fetch = tokens * KV_BYTES / bandwidth
    again = (2 * 70.5537e9 * tokens + 2 * LAYERS * HIDDEN * tokens**2) / (PEAK * mfu)
    assert value("kv-fetch", "fetch", prefix="16384") == pytest.approx(fetch)
    assert value("kv-fetch", "recompute", prefix="16384") == pytest.approx(again, rel=1e-5)
    assert value("kv-fetch", "gain", prefix="16384") == pytest.approx(again / fetch, rel=1e-5)


def test_the_flip_of_the_plot_is_where_the_closed_form_has_it() -> None:
    """bandwidth = kv * peak / (2 params + 2 layers hidden n), solved for n."""
    expected = (KV_BYTES * PEAK / 7e9 - 2 * 70.5537e9) / (2 * LAYERS * HIDDEN)
    flips = {(one.first, one.second): one.x for one in plot("kv-fetch", "over-prefix").flips}
    assert flips == {("break_even_peak", "bandwidth"): pytest.approx(expected, rel=1e-3)}
    assert plot("kv-fetch", "over-prefix", bandwidth="100").flips == ()
    (flip,) = plot("kv-fetch", "over-mfu").flips
    assert value("kv-fetch", "break_even", mfu=f"{flip.x:.9f}") == pytest.approx(7e9, rel=1e-5)


def test_the_exact_mean_of_free_nodes_is_what_shuffled_gpus_give() -> None:
    chance = random.Random(7)
    nodes, size, free = 12, 4, 30
    fleet = [True] * free + [False] * (nodes * size - free)
    counts = []
    for _ in range(20_000):
        chance.shuffle(fleet)
        counts.append(sum(all(fleet[at : at + size]) for at in range(0, nodes * size, size)))
    assert sum(counts) / len(counts) == pytest.approx(whole_free_nodes_exact(nodes, size, free), abs=0.03)


def test_the_exact_mean_of_free_nodes_at_its_limits() -> None:
    assert whole_free_nodes_exact(128, 8, 1024) == 128
    assert whole_free_nodes_exact(128, 8, 7) == 0
    assert whole_free_nodes_exact(10_000, 8, 40_000) == pytest.approx(whole_free_nodes(10_000, 8, 0.5), rel=1e-3)
    for wrong in ((0, 8, 0), (128, 0, 0), (128, 8, 1025), (128, 8, -1), (100_000, 8, 1)):
        with pytest.raises(ValueError, match="must be"):
            whole_free_nodes_exact(*wrong)


def test_signatures_catch_what_the_curve_says() -> None:
    chance = random.Random(11)
    bands, rows, similarity, tries = 14, 8, 0.7, 4_000
    caught = sum(
        any(all(chance.random() < similarity for _ in range(rows)) for _ in range(bands)) for _ in range(tries)
    )
    expected = value("near-duplicates", "caught", similarity="0.7")
    assert caught / tries == pytest.approx(expected, abs=4 * math.sqrt(expected * (1 - expected) / tries))


def test_half_are_caught_where_the_curve_crosses() -> None:
    (flip,) = plot("near-duplicates", "s-curve").flips
    assert flip.x == pytest.approx(value("near-duplicates", "half_point"), rel=1e-4)
    assert value("near-duplicates", "caught", similarity=f"{flip.x:.9f}") == pytest.approx(0.5, abs=1e-5)


@pytest.mark.parametrize(("successes", "items"), [(410, 500), (0, 10), (10, 10), (1, 30)])
def test_wilsons_interval_is_the_closed_form(successes: int, items: int) -> None:
    z, p = NormalDist().inv_cdf(0.975), successes / items
    middle = (p + z**2 / (2 * items)) / (1 + z**2 / items)
    reach = z * math.sqrt(p * (1 - p) / items + z**2 / (4 * items**2)) / (1 + z**2 / items)
    assert wilson_low(successes, items) == pytest.approx(middle - reach, abs=1e-9)
    assert wilson_high(successes, items) == pytest.approx(middle + reach, abs=1e-9)


def test_wilsons_interval_covers_about_as_often_as_it_says() -> None:
    """Over all outcomes of 40 items at a true share of 0.9, weighted by their chance."""
    covered = sum(
        math.comb(40, wins) * 0.9**wins * 0.1 ** (40 - wins)
        for wins in range(41)
        if wilson_low(wins, 40) <= 0.9 <= wilson_high(wins, 40)
    )
    assert 0.93 < covered < 0.98


def test_intervals_refuse_what_they_cannot_be_of() -> None:
    for wrong in ((1, 0, 0.95), (11, 10, 0.95), (-1, 10, 0.95), (5, 10, 1.0)):
        with pytest.raises(ValueError, match="must be"):
            wilson_low(*wrong)
        with pytest.raises(ValueError, match="must be"):
            wilson_high(*wrong)
    for refused in ((0, 0.1, 0.01, 0.95), (10, 0.0, 0.0, 0.95), (10, 0.1, 0.2, 0.95), (10, 0.1, 0.01, 0.0)):
        with pytest.raises(ValueError, match="must be"):
            paired_power(*refused)


@pytest.mark.parametrize(("items", "discordant", "gain"), [(14, 0.5, 0.3), (30, 0.2, 0.1), (9, 0.9, 0.9)])
def test_the_power_of_the_paired_test_is_the_sum_over_all_outcomes(items: int, discordant: float, gain: float) -> None:
    wins_share = (1 + gain / discordant) / 2
    expected = 0.0
    for pairs in range(1, items + 1):
        of_pairs = math.comb(items, pairs) * discordant**pairs * (1 - discordant) ** (items - pairs)
        for wins in range(pairs + 1):
            if sign_test_p_value(pairs, wins) <= 0.05:
                lost = pairs - wins
                expected += of_pairs * math.comb(pairs, wins) * wins_share**wins * (1 - wins_share) ** lost
    assert paired_power(items, discordant, gain) == pytest.approx(expected, abs=1e-9)


def test_without_a_gain_the_paired_test_keeps_its_level() -> None:
    assert 0.02 < paired_power(5_000, 0.05, 0.0) <= 0.05


def test_the_items_needed_give_about_the_power_asked_for() -> None:
    needed = value("eval-statistics", "needed_paired", gain="0.02")
    assert paired_power(round(needed), 0.05, 0.02) == pytest.approx(0.8, abs=0.04)


def test_the_power_meets_what_is_asked_at_the_first_count_that_has_it() -> None:
    (flip,) = plot("eval-statistics", "power").flips
    assert flip.x == round(flip.x)
    assert paired_power(round(flip.x), 0.05, 0.01) > 0.8 >= paired_power(round(flip.x) - 1, 0.05, 0.01)


def test_the_p_value_is_the_one_of_scipys_binomial_test() -> None:
    assert value("eval-statistics", "mcnemar") == pytest.approx(stats.binomtest(18, 25).pvalue)
    assert value("eval-statistics", "mcnemar", wins="7", losses="18") == pytest.approx(stats.binomtest(7, 25).pvalue)


def test_unpaired_differences_are_found_as_often_as_the_power_says() -> None:
    chance = random.Random(5)
    items, first = 500, 0.82
    gain = value("eval-statistics", "unpaired_found")
    found, tries = 0, 1_500
    for _ in range(tries):
        one = sum(chance.random() < first for _ in range(items)) / items
        other = sum(chance.random() < first - gain for _ in range(items)) / items
        error = math.sqrt((one * (1 - one) + other * (1 - other)) / items)
        found += abs(one - other) > 1.96 * error
    assert found / tries == pytest.approx(0.8, abs=0.07)


def test_the_slowest_shard_is_the_maximum_of_as_many_draws() -> None:
    chance = random.Random(3)
    spread = math.log(60 / 12) / NormalDist().inv_cdf(0.99)
    slowest = sorted(max(12 * math.exp(spread * chance.gauss(0, 1)) for _ in range(16)) for _ in range(6_000))
    assert value("retrieval-budget", "fan_out") * 1e3 == pytest.approx(median(slowest), rel=0.03)
    assert value("retrieval-budget", "fan_out_95") * 1e3 == pytest.approx(slowest[5_700], rel=0.06)
    assert value("retrieval-budget", "fan_out", shards_asked="1") == pytest.approx(0.012)
    one_tail = value("retrieval-budget", "fan_out_95", shards_asked="1")
    assert one_tail < value("retrieval-budget", "fan_out_95")


def test_an_adapter_is_the_sum_of_its_matrices() -> None:
    shapes = [(HIDDEN, HIDDEN), (HIDDEN, 1024), (HIDDEN, 1024), (HIDDEN, HIDDEN)]
    mlp = [(HIDDEN, FFN), (HIDDEN, FFN), (FFN, HIDDEN)]
    attention_values = LAYERS * sum(8 * one + 8 * other for one, other in shapes)
    all_values = LAYERS * sum(64 * one + 64 * other for one, other in shapes + mlp)
    assert value("adapters", "narrow") == pytest.approx(2 * attention_values)
    assert value("adapters", "wide") == pytest.approx(2 * all_values)
    flips = {one.first: one.x for one in plot("adapters", "over-batch").flips}
    assert flips["wide_held"] == math.ceil(value("adapters", "pool") / (2 * all_values))


def test_youngs_interval_is_the_least_of_what_is_lost_and_where_the_two_cross() -> None:
    best = value("goodput", "tau") / 60
    lost = {share: value("goodput", "lost", interval=f"{best * share:.9f}") for share in (0.9, 1, 1.1)}
    assert min(lost, key=lost.__getitem__) == 1
    assert lost[1] == pytest.approx(value("goodput", "overhead") + value("goodput", "restart_share"))
    (flip,) = plot("goodput", "over-interval").flips
    assert flip.x == pytest.approx(best, rel=1e-3)


def test_goodput_is_what_a_simulated_job_reaches() -> None:
    """Exponential failures at any moment: in work, in a save, in a restart."""
    chance = random.Random(19)
    mtbf, save, interval, restart = 54 * 1440 / 419, 0.5, 30.0, 10.0
    clock = done = 0.0
    fails_at = chance.expovariate(1 / mtbf)
    while clock < 2_000_000:
        if clock + interval + save <= fails_at:
            clock += interval + save
            done += interval
            continue
        clock = fails_at
        while True:
            fails_at = clock + chance.expovariate(1 / mtbf)
            if fails_at >= clock + restart:
                clock += restart
                break
            clock = fails_at
    assert value("goodput", "goodput_exact") == pytest.approx(done / clock, abs=0.004)


def test_the_restart_term_is_the_same_at_every_interval() -> None:
    assert value("goodput", "restart_share", interval="5") == value("goodput", "restart_share", interval="60")
    assert value("goodput", "restart_share", job_gpus="32768") == pytest.approx(2 * value("goodput", "restart_share"))


def test_the_wait_is_the_one_of_the_textbooks_sum() -> None:
    offered, slots = 40.0, 48
    below = sum(offered**count / math.factorial(count) for count in range(slots))
    full = offered**slots / math.factorial(slots) / (1 - offered / slots)
    queued = full / (below + full)
    assert value("littles-law", "queued") == pytest.approx(queued)
    assert value("littles-law", "wait") == pytest.approx(queued * 2 / (slots - offered))


def test_with_one_place_the_wait_is_that_of_a_single_server() -> None:
    typed = {"arrivals": "0.3", "slots": "1"}
    assert value("littles-law", "wait", **typed) == pytest.approx(value("littles-law", "wait_of_one", **typed))
    assert value("littles-law", "queued", **typed) == pytest.approx(0.6)


def test_the_knee_is_where_the_wait_equals_the_stay() -> None:
    (pooled,) = plot("littles-law", "knee").flips
    assert value("littles-law", "wait", arrivals=f"{pooled.x:.9f}") == pytest.approx(2, rel=1e-3)
    (single,) = plot("littles-law", "knee", slots="1", arrivals="0.1").flips
    assert single.x * 2 == pytest.approx(0.5, rel=1e-4)  # one place: at half of its time
    assert pooled.x * 2 / 48 > 1.9 * 0.5


def test_queues_behave_as_littles_law_says_when_simulated() -> None:
    chance = random.Random(23)
    slots, arrivals, service = 4, 1.7, 2.0
    free_at = [0.0] * slots
    clock, waits = 0.0, []
    for _ in range(200_000):
        clock += chance.expovariate(arrivals)
        place = min(range(slots), key=free_at.__getitem__)
        start = max(clock, free_at[place])
        waits.append(start - clock)
        free_at[place] = start + chance.expovariate(1 / service)
    typed = {"arrivals": "1.7", "slots": "4"}
    mean = sum(waits) / len(waits)
    assert value("littles-law", "wait", **typed) == pytest.approx(mean, rel=0.1)
    assert value("littles-law", "waiting", **typed) == pytest.approx(arrivals * mean, rel=0.1)


def test_a_pool_is_short_as_often_and_by_as_much_as_it_says() -> None:
    chance = random.Random(29)
    typed = {"level": "0.9", "growth": "0"}
    spread, buffer = value("warm-pool", "spread", **typed), value("warm-pool", "error_part", **typed)
    short = [max(0.0, chance.gauss(0, spread) - buffer) for _ in range(200_000)]
    assert sum(one > 0 for one in short) / len(short) == pytest.approx(0.1, abs=0.004)
    assert value("warm-pool", "short_mean", **typed) == pytest.approx(sum(short) / len(short), rel=0.05)


def test_a_pool_is_empty_without_errors_and_growth_and_grows_with_the_cold_start() -> None:
    assert value("warm-pool", "pool", forecast_error="0", growth="0") == 0
    slower = value("warm-pool", "growth_part", image_time="600") - value("warm-pool", "growth_part", image_time="0")
    assert slower == pytest.approx(10 / 6)
    assert value("warm-pool", "cold", load_rate="1e5") == pytest.approx(180 + 141.1 / 1e5, rel=1e-3)


def test_a_million_tokens_cost_what_the_hour_says() -> None:
    step = (70.5537e9 * 2 + 32 * 2048 * KV_BYTES) / (4 * 3.35e12 * 0.7)
    per_hour = 32 / step * 3600
    assert value("cost", "output_price") * 1e6 == pytest.approx(10 / per_hour * 1e6, rel=1e-5)
    assert value("cost", "real_price") == pytest.approx(2 * value("cost", "output_price"))
    assert value("cost", "input_price") * 1e6 == pytest.approx(
        10 / (PEAK * 0.5 / (2 * 70.5537e9) * 3600) * 1e6, rel=1e-5
    )


def test_curves_agree_with_the_results_where_one_is_asked() -> None:
    for slug, typed in (("goodput", {"interval": "17"}), ("kv-fetch", {"prefix": "5000"}), ("cost", {"batch": "48"})):
        found = answer(slug, **typed)
        for drawn in curves(found):
            at = drawn.x.index(found.setting.names[drawn.plot.x].magnitude)
            for curve in drawn.curves:
                step = next((one for one in found.steps if one.step.id == curve.id), None)
                if step is not None:
                    assert curve.values[at] == pytest.approx(step.quantity.magnitude)
