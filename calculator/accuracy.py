"""What the accuracy page shows of memory: rows with their errors, how they are spread, and the peers beside ours."""

import statistics
import tomllib
from collections.abc import Callable, Iterable
from functools import cache
from os.path import exists, join
from typing import Any

from calculator import measured
from calculator.catalogue import DATA
from calculator.core.engines import ENGINE_TITLES
from calculator.core.records import record
from calculator.core.units import GIB
from calculator.engines import profiles
from calculator.measured import MEDIAN_TOLERANCE, PER_TOKEN_TOLERANCE, POOL_TOLERANCE, MeasuredRow, PerToken, Pool


@record
class Line:
    """One row of the page."""

    row: MeasuredRow
    per_token: PerToken | None
    pool: Pool | None

    @property
    def engine(self) -> str:
        """The engine and its version."""
        return f"{ENGINE_TITLES[self.row.engine]} {self.row.engine_version}"

    @property
    def settings(self) -> str:
        """The settings that its log states, in a few words."""
        row = self.row
        said = [f"TP {row.tensor_parallel}"]
        if row.mem_util is not None:
            said.append(f"share {row.mem_util:g}")
        if row.max_model_len:
            said.append(f"length {row.max_model_len:,}")
        if row.max_num_seqs:
            said.append(f"sequences {row.max_num_seqs:,}")
        return ", ".join(said)

    @property
    def logged_gib(self) -> float | None:
        """The logged pool of one GPU."""
        return self.pool.logged_bytes / GIB if self.pool else self.row.kv_pool_gib_per_gpu

    @property
    def ours_gib(self) -> float | None:
        """Ours."""
        return self.pool.ours_bytes / GIB if self.pool else None

    @property
    def pool_percent(self) -> float | None:
        """The error of the pool, in percent of the GPU's usable memory."""
        return 100 * self.pool.error if self.pool else None

    @property
    def per_token_percent(self) -> float | None:
        """The error of the bytes per token, in percent."""
        return 100 * self.per_token.error if self.per_token else None

    @property
    def is_beyond(self) -> bool:
        """Whether one of its errors is larger than what is asked of every row."""
        token = self.per_token is not None and abs(self.per_token.error) > PER_TOKEN_TOLERANCE
        return token or (self.pool is not None and abs(self.pool.error) > POOL_TOLERANCE)

    @property
    def reason(self) -> str:
        """What is to be said of the row: why it is odd, why it is no test, what was assumed, what its log remarks."""
        row = self.row
        assumed = f"Assumed: {'; '.join(row.assumed)}" if row.assumed else ""
        parts = (row.odd, row.not_compared, assumed, row.note)
        return " ".join(f"{part[:1].upper()}{part[1:]}." for part in parts if part)


@record
class Spread:
    """How absolute errors are spread, in percent."""

    count: int
    median: float
    ninetieth: float
    most: float
    within: int


def spread(errors: Iterable[float], tolerance: float) -> Spread | None:
    """The spread of errors given as shares, ``None`` when there are none."""
    sizes = sorted(abs(error) for error in errors)
    if not sizes:
        return None
    ninetieth = sizes[min(len(sizes) - 1, round(0.9 * len(sizes)))]
    within = sum(size <= tolerance for size in sizes)
    return Spread(len(sizes), 100 * statistics.median(sizes), 100 * ninetieth, 100 * sizes[-1], within)


@record
class Bin:
    """Errors between two bounds, and how long their bar is."""

    title: str
    count: int
    width: int


@record
class Peer:
    """A public calculator on the same rows."""

    name: str
    version: str
    run: str
    per_token: Spread | None
    pool: Spread | None
    exact: int
    refused: int


@cache
def lines() -> tuple[Line, ...]:
    """Every logged row with both comparisons."""
    return tuple(Line(row, measured.per_token(row), measured.pool(row)) for row in measured.kv_rows())


def pool_errors(keep: Callable[[MeasuredRow], bool] = lambda row: True) -> list[float]:
    """The errors of the pool of every row that states its settings."""
    return [line.pool.error for line in lines() if line.pool and keep(line.row)]


def per_token_errors() -> list[float]:
    """The errors of the bytes per token of every row that is not odd."""
    return [line.per_token.error for line in lines() if line.per_token and not line.row.odd]


BIN_EDGES, BAR_WIDTH = (0.25, 0.5, 1.0, 1.5, 4.0), 240


def bins() -> list[Bin]:
    """How many rows have which size of error."""
    sizes = [100 * abs(error) for error in pool_errors()]
    found, low = [], 0.0
    for high in (*BIN_EDGES, float("inf")):
        title = f"above {low:g}%" if high == float("inf") else f"{low:g} to {high:g}%"
        count = sum(low < size <= high or (low == 0 and size == 0) for size in sizes)
        found.append(Bin(title, count, round(BAR_WIDTH * count / max(1, len(sizes)))))
        low = high
    return found


@cache
def peers() -> tuple[Peer, ...]:
    """The peers as they were last run, each only on the rows that it answers."""
    path = join(DATA, "measured", "peers.toml")
    if not exists(path):
        return ()
    with open(path, "rb") as file:
        return tuple(_peer(fields) for fields in tomllib.load(file).values())


def _peer(fields: dict[str, Any]) -> Peer:
    tokens, pools = fields["per_token_bytes"], fields["pool_bytes"]
    token_errors = [
        tokens[line.row.key] / line.per_token.logged - 1
        for line in lines()
        if line.per_token and not line.row.odd and line.row.key in tokens
    ]
    pool_errors_ = [
        (pools[line.row.key] - line.pool.logged_bytes) / line.pool.budget.memory_bytes_per_gpu
        for line in lines()
        if line.pool and not line.row.odd and line.row.key in pools
    ]
    return Peer(
        name=fields["name"],
        version=fields["version"],
        run=str(fields["run"]),
        per_token=spread(token_errors, PER_TOKEN_TOLERANCE),
        pool=spread(pool_errors_, POOL_TOLERANCE),
        exact=sum(abs(error) <= PER_TOKEN_TOLERANCE for error in token_errors),
        refused=len(fields["refused"]),
    )


def memory() -> dict[str, object]:
    """Everything that the page shows of memory."""
    return {
        "lines": lines(),
        "beyond": [line for line in lines() if line.is_beyond],
        "per_token": spread(per_token_errors(), PER_TOKEN_TOLERANCE),
        "pool": spread(pool_errors(), POOL_TOLERANCE),
        "pool_not_odd": spread(pool_errors(lambda row: not row.odd), POOL_TOLERANCE),
        "pool_held_out": spread(pool_errors(lambda row: not row.odd and not row.fit_for), POOL_TOLERANCE),
        "bins": bins(),
        "bar_width": BAR_WIDTH,
        "peers": peers(),
        "profiles": profiles(),
        "per_token_tolerance": 100 * PER_TOKEN_TOLERANCE,
        "median_tolerance": 100 * MEDIAN_TOLERANCE,
        "pool_tolerance": 100 * POOL_TOLERANCE,
    }
