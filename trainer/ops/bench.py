"""`make bench`: runs the small measurements in `tests/bench/` and prints each as a ratio to its own yardstick.

A measurement is a module with `measure() -> Measured`. A ratio means the same on a fast machine as on a slow one, or
on a busy one; seconds do not.
"""

import importlib
import os
import pkgutil
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

REPEATS = 30


@dataclass(frozen=True)
class Measured:
    """How long something takes, and how long its yardstick took at the same time."""

    what: str
    took_s: float
    yardstick: str
    yardstick_s: float

    def line(self) -> str:
        took, other = f"{self.took_s * 1e3:.2f} ms", f"{self.yardstick_s * 1e3:.2f} ms"
        return f"{self.took_s / self.yardstick_s:8.1f} x  {self.what} ({took}) against {self.yardstick} ({other})"


def compare(what: str, act: Callable[[], object], yardstick: str, yardstick_act: Callable[[], object]) -> Measured:
    """The medians of both, taken by turns so that a busy moment hits both alike."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(REPEATS):
        for one, taken in zip((act, yardstick_act), times, strict=True):
            started = time.perf_counter()
            one()
            taken.append(time.perf_counter() - started)
    return Measured(what, statistics.median(times[0]), yardstick, statistics.median(times[1]))


def main() -> int:
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    import django

    django.setup()
    from django.test.utils import setup_databases, setup_test_environment, teardown_databases

    import tests.bench

    setup_test_environment()
    databases = setup_databases(verbosity=0, interactive=False)
    try:
        for module in sorted(module.name for module in pkgutil.iter_modules(tests.bench.__path__)):
            if not sys.argv[1:] or module in sys.argv[1:]:
                print(importlib.import_module(f"tests.bench.{module}").measure().line(), flush=True)
    finally:
        teardown_databases(databases, verbosity=0)
    return 0


if __name__ == "__main__":
    sys.exit(main())
