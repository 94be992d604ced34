"""The measured times of ``data/measured/perf.toml`` beside the calculator's, and the distribution of their ratio."""

from collections.abc import Mapping
from functools import cache
from statistics import quantiles
from typing import Any

from calculator import catalogue
from calculator.core.inputs import Inputs
from calculator.core.measured_time import Compared, compared
from calculator.core.records import record
from calculator.parsing import read_inputs

NEAR = 0.25
"""How far from 1 a ratio may be and still be called near."""


@record
class MeasuredTime:
    """One row: what was measured, on what, and what the calculator makes of it."""

    key: str
    row: Mapping[str, Any]
    inputs: Inputs
    compared: Compared


@record
class Distribution:
    """The ratios of expected to measured time, of ``count`` rows."""

    count: int
    least: float
    lower_quartile: float
    median: float
    upper_quartile: float
    most: float
    near: int
    highest_floor_share: float


def question(row: Mapping[str, Any]) -> Inputs:
    """The row as a question to the calculator, as an engine does it: no embedding read, all-reduces counted."""
    typed = {name: row[name] for name in ("model", "gpu", "gpus", "dtype", "kv_dtype", "batch")}
    length = row["prompt_tokens"] + row["output_tokens"]
    lengths = {"prompt_len": row["prompt_tokens"], "output_len": row["output_tokens"], "seq_len": max(2, length)}
    return read_inputs({name: str(value) for name, value in (typed | lengths | {"budget": "engine"}).items()})


@cache
def measured_times() -> tuple[MeasuredTime, ...]:
    """Every row of the table, in its order."""
    table = catalogue.Rows("measured/perf", lambda key, row: row)
    found = []
    for key, row in table.items():
        inputs = question(row)
        found.append(MeasuredTime(key, row, inputs, _compared(inputs, row)))
    return tuple(found)


def _compared(inputs: Inputs, row: Mapping[str, Any]) -> Compared:
    return compared(inputs, row["metric"], row["value"], row["unit"], prefix_cache=row["prefix_cache"])


def distribution(rows: tuple[MeasuredTime, ...]) -> Distribution:
    """How the expected times compare with the measured ones."""
    ratios = sorted(one.compared.expected_ratio for one in rows)
    lower, median, upper = quantiles(ratios, n=4, method="inclusive")
    return Distribution(
        count=len(ratios),
        least=ratios[0],
        lower_quartile=lower,
        median=median,
        upper_quartile=upper,
        most=ratios[-1],
        near=sum(abs(ratio - 1) <= NEAR for ratio in ratios),
        highest_floor_share=max(one.compared.floor_share for one in rows),
    )


METRICS = {
    "tpot_s": "Time per output token",
    "ttft_s": "Time to first token",
    "output_tokens_per_s": "Output tokens per second",
    "total_tokens_per_s": "Tokens per second, prompts counted",
    "decode_tokens_per_s": "Tokens per second of decode alone",
}


def accuracy_time() -> dict[str, object]:
    """What the page of measured tables shows of time: rows, the distribution of all, and of each kind of figure."""
    rows = measured_times()
    kinds = []
    for metric, title in METRICS.items():
        own = tuple(one for one in rows if one.row["metric"] == metric)
        kinds.append((title, distribution(own)))
    return {"times": rows, "all_times": distribution(rows), "kinds_of_time": kinds, "near_percent": round(100 * NEAR)}
