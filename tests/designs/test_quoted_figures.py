"""The thirty figures: each against its quotation, against plain arithmetic, and against its design."""

import json
import math
from io import StringIO
from statistics import NormalDist

import pytest
from django.core.management import call_command

from designs.loader import load_designs
from designs.quoted.figures import Figure, figures, is_within
from designs.quoted.sheets import SheetBroken, work_out

KV = 2 * 80 * 8 * 128 * 2
PEAK, BANDWIDTH = 989.5e12, 3.35e12
GIB = 2**30
POOL = 4 * 80 * GIB * 0.95 - 140e9
SE = math.sqrt(0.82 * 0.18 / 500)
ATTENTION, MLP = 2 * (8192 + 8192) + 2 * (8192 + 1024), 3 * (8192 + 28672)
SMALL, LARGE = 8 * ATTENTION * 80 * 2, 64 * (ATTENTION + MLP) * 80 * 2
CORE_YEAR = 365.25 * 86400
TOKEN_MS = 2 * 70.6e9 / (4 * PEAK) * 1e3

PLAIN_ARITHMETIC = {
    1: KV,
    2: 140e9 / BANDWIDTH * 1e3,
    3: 140e9 / PEAK * 1e3,
    4: PEAK / BANDWIDTH,
    5: (4.8 / 3.35 - 1) * 100,
    6: 131072 * KV / GIB,
    7: 131072 * KV / POOL * 100,
    8: 132072 * 1000 / (600 * 300),
    9: 160 * 17e-6 / (140e9 / (8 * BANDWIDTH)) * 100,
    10: KV * 4 * PEAK / 140e9 / 1e9,
    11: KV * 4 * PEAK / 140e9 / 1e9,
    12: 128 / 2**8,
    13: 15e9 * 15e9 / 2,
    14: 1.1e20 / 1e6 / CORE_YEAR,
    15: 14 ** (-1 / 8),
    16: SE * 100,
    17: 2 * NormalDist().inv_cdf(0.975) * SE * 100,
    18: math.sqrt(2 * 0.82 * 0.18 / 0.05),
    19: 500 * TOKEN_MS,
    20: 500 * KV / GIB,
    21: 5800 * TOKEN_MS,
    22: 5800 / 800,
    23: 5 + 10 + 20 + 8 + 40 + 2,
    24: 128 * SMALL / 140e9 * 100,
    25: 128 * LARGE / 140e9 * 100,
    26: LARGE / SMALL,
    27: 419 * 30 / 54,
    28: 54 * 24 / 419,
    29: 10 / 60 / (54 * 24 / 419) * 100,
    30: math.log10(104000 / 25),
}
STEPS = {
    6: ("m01", "heavy_kv"),
    7: ("m01", "heavy_share"),
    8: ("m01", "heavy_over_light"),
    9: ("m03", "tp_cross"),
    10: ("m02", "break_even"),
    12: ("m03", "whole_free"),
    13: ("m04", "all_pairs"),
    15: ("m04", "threshold"),
    16: ("m05", "score_se"),
    17: ("m05", "apart"),
    18: ("m05", "pair_gain"),
    19: ("m06", "chunk_prefill"),
    20: ("m06", "chunk_kv"),
    21: ("m06", "prompt_prefill"),
    23: ("m06", "retrieval"),
    24: ("m07", "narrow_share"),
    25: ("m07", "wide_share"),
    26: ("m07", "knob"),
    28: ("m08", "mtbf"),
    29: ("m08", "restart_share"),
}
DIFFERS = {3}
FORMULAS = {15}


def figure(id: int) -> Figure:
    return next(row for row in figures() if row.id == id)


def test_there_are_thirty_figures_each_once() -> None:
    assert [row.id for row in figures()] == list(range(1, 31))


@pytest.mark.parametrize("id", range(1, 31))
def test_a_figure_is_within_its_tolerance_or_named_in_the_errata(id: int) -> None:
    row = figure(id)
    if id in FORMULAS:
        assert (row.quoted, row.within) == (None, None)
    else:
        assert row.within == (id not in DIFFERS)
    assert row.within or row.erratum


@pytest.mark.parametrize("id", range(1, 31))
def test_a_figure_is_what_plain_arithmetic_gives(id: int) -> None:
    assert figure(id).ours == pytest.approx(PLAIN_ARITHMETIC[id], rel=1e-6)


@pytest.mark.parametrize("id", STEPS)
def test_a_figure_is_what_its_design_derives(id: int) -> None:
    slug, name = STEPS[id]
    step = load_designs().designs[slug].derivation.step(name)
    assert step is not None
    row = figure(id)
    assert step.quantity.to(row.unit).magnitude == pytest.approx(row.ours, rel=1e-6)


@pytest.mark.parametrize(
    ("quoted", "ours", "tolerance", "relation", "within"),
    [
        (7.2, 7.25, 0.05, "equals", True),
        (7.2, 7.26, 0.05, "equals", False),
        (7.2, 7.14, 0.05, "equals", False),
        (7.0, 9.3, 0.0, "below", True),
        (7.0, 7.0, 0.0, "below", False),
    ],
)
def test_within_counts_the_edge_of_the_tolerance(
    quoted: float, ours: float, tolerance: float, relation: str, within: bool
) -> None:
    assert is_within(quoted, ours, tolerance, relation) is within


@pytest.mark.parametrize("text", ["x = 1 / 0", "x = y + 1", "x = 5 GB + 3 ms"])
def test_a_sheet_with_a_line_that_does_not_evaluate_is_refused_with_the_line(text: str) -> None:
    with pytest.raises(SheetBroken, match="line 1"):
        work_out(text)


def test_a_sheet_asked_for_a_line_that_it_has_not_says_so() -> None:
    with pytest.raises(SheetBroken, match="'y'"):
        work_out("x = 1").quantity("y")


def test_the_command_prints_json_with_the_agreed_keys() -> None:
    out = StringIO()
    call_command("figures", "--json", stdout=out)
    rows = json.loads(out.getvalue())
    assert len(rows) == 30
    assert {tuple(row) for row in rows} == {("id", "seed", "ours", "unit", "tolerance", "within", "assumption")}
    assert rows[2] | {"ours": 0, "assumption": ""} == {
        "id": 3,
        "seed": 0.07,
        "ours": 0,
        "unit": "ms",
        "tolerance": 0.005,
        "within": False,
        "assumption": "",
    }
    assert rows[14]["seed"] == "(1/b)^(1/r)"
    assert all("{{" not in row["assumption"] for row in rows)


def test_the_command_prints_a_table_that_says_which_differ() -> None:
    out = StringIO()
    call_command("figures", stdout=out)
    differing = [line for line in out.getvalue().splitlines() if "DIFFERS" in line]
    assert [line.split()[0] for line in differing] == ["3"]
    assert "see E1" in differing[0]
