"""The errata: what decides each, against plain arithmetic and against the designs; and that each plot shows a flip."""

import math
import re
from statistics import NormalDist
from typing import Any

import pytest

from calculator.catalogue import rows
from designs.core.document import DEFECT_CLASSES
from designs.loader import load_designs
from designs.quoted.errata import Erratum, class_counts, errata
from designs.quoted.plots import plot_of
from designs.quoted.sheets import work_out

KV = 2 * 80 * 8 * 128 * 2
PEAK, BANDWIDTH = 989.5e12, 3.35e12
GIB = 2**30
POOL = 4 * 80 * GIB * 0.95 - 140e9
SE = math.sqrt(0.82 * 0.18 / 500)
SPREAD = math.log(5) / NormalDist().inv_cdf(0.99)
LARGE = 64 * (2 * (8192 + 8192) + 2 * (8192 + 1024) + 3 * (8192 + 28672)) * 80 * 2
HARMONIC = sum(1 / k for k in range(1, 51))
MERGED = sum(math.ceil(24 * 0.8 / HARMONIC / k) for k in range(1, 51))
STEP_S = (140e9 + 128 * 1000 * KV) / (4 * BANDWIDTH * 0.7)
ARRIVING = 13 * 4096 + 12 * 12288 + 4 * 8192 + 5 * 36864

# Both deciding lines of each erratum, in the unit that they are shown in.
PLAIN_ARITHMETIC = {
    "E01": (140e9 / PEAK * 1e3, PEAK / BANDWIDTH),
    "E02": (KV * 4 * PEAK / 140e9 / 1e9 / 2, KV * 4 * PEAK / (2 * 70.6e9 + 2 * 8192 * 80 * 131072) / 1e9),
    "E03": (
        1.959964 * math.sqrt(2) * SE * 100,
        (1.959964 + 0.841621) * math.sqrt(2) * SE * 100,
    ),
    "E04": (5800 * 2 * 70.6e9 / (4 * PEAK) * 1e3, 5000 * 2 * 70.6e9 / (4 * PEAK) * 1e3),
    "E05": (39, 9),
    "E06": (3, MERGED),
    "E07": (140, 2),
    "E08": (2 * 0.82 * 0.18 / 0.05, math.sqrt(2 * 0.82 * 0.18 / 0.2)),
    "E09": (128 * LARGE / (140e9 + 128 * 1000 * KV) * 100, 128 * LARGE / 1e9),
    "E10": (1804 / 1351, 141 / 80),
    "E11": (
        math.log10((70.554e9 + 80 * 8192 * 104000) * 104000 / (70.554e9 + 80 * 8192 * 25) / 25),
        math.log10(104000 * 4000 / 125),
    ),
    "E12": (
        12 * math.exp(SPREAD * NormalDist().inv_cdf(0.5 ** (1 / 16))),
        12 * math.exp(SPREAD * NormalDist().inv_cdf(0.95 ** (1 / 16))),
    ),
    "E13": (0.5, 57.03),
    "E14": (2, 2 * 3.17 / 3.94),
    "E15": ((1 - (13 / 14) ** 14) * 100, (1 - 0.5 ** (1 / 14)) ** (1 / 8)),
    "E16": (140e9 / (2048 * KV), 140e9 / (KV * PEAK / BANDWIDTH)),
    "E17": (28, KV * 4 * PEAK / 140e9 / 1e9),
    "E18": (14 * 300e9 / (ARRIVING * KV), (135 + 156 * (0.5 - 37109.76 / 110592) / 0.25) / 60),
    "E19": (PEAK / BANDWIDTH, PEAK / BANDWIDTH),
    "E20": (131072 * KV / POOL * 100, 131072 * KV / (4 * (79.19 * GIB * 0.9 - 5 * GIB) - 140e9) * 100),
    "E21": (MERGED, 24 * 0.8 * 2e-3 / STEP_S),
}
STEPS = {
    "E02": {"at_2k": ("m02", "peak_2k"), "at_32k": ("m02", "peak_32k"), "at_128k": ("m02", "peak_128k")},
    "E03": {"unpaired": ("m05", "unpaired_95"), "with_power": ("m05", "unpaired_80")},
    "E04": {"returned": ("m06", "found_prefill")},
    "E08": {"in_items": ("m05", "pair_items_gain"), "between_families": ("m05", "pair_gain_far")},
    "E09": {"large_share": ("m07", "wide_real"), "fits": ("m07", "wide_batch"), "distinct": ("m07", "distinct")},
    "E12": {"median_16": ("m06", "fan_50_16"), "late_16": ("m06", "fan_95_16")},
    "E13": {"ordered": ("m03", "ordered_whole"), "most": ("m03", "most_whole")},
    "E14": {"corpus": ("m04", "bytes_ratio")},
    "E15": {
        "caught": ("m04", "caught_threshold"),
        "half_at": ("m04", "half_point"),
        "at_target": ("m04", "caught_target"),
    },
    "E17": {"drives": ("m02", "four_drives"), "store": ("m07", "load_store"), "from_drive": ("m07", "load_drive")},
    "E18": {"first_share": ("m02", "first_share"), "recency_wins": ("m02", "recency_wins")},
    "E20": {"framework": ("m01", "framework_share"), "engine": ("m01", "honest_share")},
    "E21": {"merged": ("m07", "merged"), "saved_share": ("m07", "launch_share")},
}
PAIRS = [(id, name, *step) for id, lines in STEPS.items() for name, step in lines.items()]
# Of each plot the two lines whose order is the verdict.
FLIPS = {
    "E02": ("MFU 100%", "one drive"),
    "E09": ("rank 64, all modules", "KV pool"),
    "E12": ("median", "budgeted"),
    "E13": ("independent", "a gang of eight"),
    "E16": ("limit", "ridge"),
    "E20": ("fit", "four"),
    "E21": ("stranded", "saved"),
}


def erratum(id: str) -> Erratum:
    return next(row for row in errata() if row.id == id)


def test_there_are_twenty_one_errata_each_once() -> None:
    assert [row.id for row in errata()] == [f"E{number:02}" for number in range(1, 22)]
    assert [row.label for row in errata()][:2] == ["E1", "E2"]


@pytest.mark.parametrize("id", PLAIN_ARITHMETIC)
def test_two_lines_decide_each_and_plain_arithmetic_gives_the_same(id: str) -> None:
    row = erratum(id)
    found = [row.sheet.quantity(line.name).magnitude for line in row.deciding]
    assert found == pytest.approx(list(PLAIN_ARITHMETIC[id]), rel=2e-4)


@pytest.mark.parametrize(("id", "name", "slug", "step"), PAIRS)
def test_a_line_is_what_the_design_derives(id: str, name: str, slug: str, step: str) -> None:
    derived = load_designs().designs[slug].derivation.step(step)
    assert derived is not None
    assert erratum(id).sheet.quantity(name).value == pytest.approx(derived.quantity.value, rel=1e-6)


@pytest.mark.parametrize("id", PLAIN_ARITHMETIC)
def test_every_text_is_filled_and_every_sheet_fits_an_address(id: str) -> None:
    row = erratum(id)
    assert row.sheet.address.startswith("/calculator/worksheet/?text=")
    for html in (row.claim_html, row.finding_html, row.survives_html):
        assert re.sub(r"<[^>]+>", "", html).strip()
        assert "{{" not in html


def test_the_seven_whose_verdict_flips_have_a_plot() -> None:
    assert {row.id for row in errata() if row.plot} == set(FLIPS)


@pytest.mark.parametrize("id", FLIPS)
def test_a_plot_shows_both_sides_of_the_verdict(id: str) -> None:
    chart = erratum(id).plot
    assert chart is not None
    heights = {line.name: [float(point.split(",")[1]) for point in line.points.split()] for line in chart.lines}
    one, other = (heights[name] for name in FLIPS[id])
    above = {a < b for a, b in zip(one, other, strict=True) if a != b}
    assert above == {True, False}


@pytest.mark.parametrize("id", FLIPS)
def test_a_plot_stays_inside_its_frame_and_its_table_has_every_point(id: str) -> None:
    chart = erratum(id).plot
    assert chart is not None
    for line in chart.lines:
        points = [tuple(map(float, point.split(","))) for point in line.points.split()]
        assert len(points) == len(chart.rows)
        assert all(chart.left <= x <= chart.right and chart.top <= y <= chart.bottom for x, y in points)
    assert {len(row) for row in chart.rows} == {len(chart.columns)}
    assert len(chart.x_ticks) >= 2
    assert len(chart.y_ticks) >= 2


def test_a_linear_axis_starts_at_zero_and_marks_even_steps() -> None:
    spec: dict[str, Any] = {
        "title": "t",
        "text": "t",
        "x": "x",
        "x_title": "x",
        "from": 0,
        "to": 10,
        "y_title": "y",
        "y_unit": "",
        "scale": "linear",
        "lines": [{"name": "double", "kind": "peak", "expression": "2 * x"}],
    }
    chart = plot_of("k", spec, work_out("a = 1"))
    assert [tick.label for tick in chart.x_ticks] == ["0", "2", "4", "6", "8", "10"]
    assert [tick.label for tick in chart.y_ticks] == ["0", "5", "10", "15", "20"]
    assert (chart.rows[0][1], chart.rows[-1][1]) == ("0", "20")


def test_the_counts_by_class_are_of_the_earned_designs_alone() -> None:
    row = erratum("E05")
    nothing = class_counts(row, ())
    one = class_counts(row, {"m01"})
    assert nothing is not None
    assert one is not None
    assert (nothing.quoted, nothing.ours, nothing.designs) == (39, 0, 0)
    assert (one.quoted, one.ours, one.designs, one.of) == (39, 6, 1, 8)
    assert [name for name, _, _ in one.rows] == list(DEFECT_CLASSES.values())
    critiques = load_designs().designs["m01"].design.critiques
    assert sum(ours for name, _, ours in one.rows if name == "other") == sum(
        critique.defect_class == "other" for critique in critiques
    )
    assert class_counts(erratum("E01"), {"m01"}) is None


def test_the_measured_pair_of_the_h200_stands_with_its_source() -> None:
    source = erratum("E10").source
    assert "TensorRT-LLM" in source
    assert "read 2026-11-30" in source
    assert rows("errata")["E10"]["lines"].count("tok/s") == 2
