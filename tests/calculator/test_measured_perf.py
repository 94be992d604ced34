"""Published times: no floor is slower than a measurement, and the expected value is compared without flattery."""

import pytest

from calculator.core.measured_time import compared
from calculator.measured_perf import METRICS, MeasuredTime, accuracy_time, distribution, measured_times, question

ROWS = measured_times()


@pytest.mark.parametrize("one", ROWS, ids=lambda one: one.key)
def test_the_floor_is_never_slower_than_a_measurement(one: MeasuredTime) -> None:
    assert 0 < one.compared.floor_s <= one.compared.measured_s
    assert one.compared.floor_s <= one.compared.expected_s


@pytest.mark.parametrize("one", ROWS, ids=lambda one: one.key)
def test_every_row_states_its_batch_its_source_and_a_figure_known_here(one: MeasuredTime) -> None:
    assert one.row["batch"] >= 1
    assert one.row["metric"] in METRICS
    assert len(one.row["source"]) > 10
    assert one.row["tier"] in {"A", "P"}


def test_the_distribution_is_the_one_that_the_rows_have() -> None:
    whole = distribution(ROWS)
    ratios = sorted(one.compared.expected_ratio for one in ROWS)
    assert whole.count == len(ROWS) >= 38
    assert (whole.least, whole.most) == (ratios[0], ratios[-1])
    assert sum(ratio <= whole.median for ratio in ratios) == pytest.approx(len(ratios) / 2, abs=1)
    assert 0.75 < whole.median < 1.25
    assert whole.near >= len(ROWS) * 0.45


def test_the_kinds_of_figure_are_all_the_rows() -> None:
    shown = accuracy_time()
    assert sum(kind.count for _, kind in shown["kinds_of_time"]) == len(ROWS)  # type: ignore[attr-defined]


def test_a_prompt_that_beat_the_peak_is_told_and_not_left_out() -> None:
    odd = [
        one
        for one in ROWS
        if compared(one.inputs, one.row["metric"], one.row["value"], one.row["unit"]).floor_share > 1
    ]
    assert {one.key for one in odd} == {"row_69", "row_72"}
    assert all("faster than its arithmetic" in one.row["note"] and one.row["prefix_cache"] for one in odd)


def test_the_embedding_counted_would_be_slower_than_a_measurement() -> None:
    # Qwen2.5-7B on an RTX 4090: 15.85 ms a token, less than reading all weights and the cache takes.
    (row,) = (one for one in ROWS if one.key == "row_85")
    table_s = row.inputs.model.vocab * row.inputs.model.hidden * 2 / row.inputs.gpu.hbm_bandwidth_bytes_per_s
    assert row.compared.floor_s < row.compared.measured_s < row.compared.floor_s + table_s


def test_a_figure_that_is_unknown_is_refused() -> None:
    with pytest.raises(ValueError, match="not a metric"):
        compared(question(ROWS[0].row), "goodput", 1, "s")
