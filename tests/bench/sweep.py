"""Ten thousand configurations in one process: microseconds for each."""

import itertools
import time

from calculator import catalogue
from calculator.core.inputs import InputErrors, Inputs
from calculator.core.records import replace
from calculator.core.sweep import sweep
from calculator.parsing import read_inputs

COUNT = 10_000
BATCHES = (1, 2, 4, 8, 16, 32, 64, 128, 256)
LENGTHS = (512, 1024, 2048, 4096)
FORMATS = ("bf16", "fp8", "int4")


class Swept:
    """How long the sweep took."""

    def __init__(self, count: int, took_s: float, fitting: int) -> None:
        self.count, self.took_s, self.fitting = count, took_s, fitting

    def line(self) -> str:
        each_us = self.took_s / self.count * 1e6
        return (
            f"           a sweep of {self.count:,} configurations: {self.took_s:.2f} s, {each_us:.0f} µs each "
            f"({self.fitting:,} fit)"
        )


def questions() -> list[Inputs]:
    """The first ten thousand that are valid, over models, accelerators, counts, batches, lengths and formats."""
    found: list[Inputs] = []
    for model, gpu in itertools.product(catalogue.models(), catalogue.accelerators()):
        base = read_inputs({"model": model, "gpu": gpu, "seq_len": "512"})
        for gpus, batch, length, form in itertools.product((1, 2, 4, 8), BATCHES, LENGTHS, FORMATS):
            try:
                found.append(replace(base, gpus=gpus, batch=batch, seq_len=length, prompt_len=length - 256, dtype=form))
            except InputErrors:
                continue
            if len(found) == COUNT:
                return found
    raise AssertionError("the catalogue is too small for this sweep")


def measure() -> Swept:
    asked = questions()
    started = time.perf_counter()
    fitting = sum(plan.results["tokens_per_s"] is not None for plan in sweep(asked))
    return Swept(len(asked), time.perf_counter() - started, fitting)
