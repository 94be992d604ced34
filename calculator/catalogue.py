"""The catalogue: accelerators, models, links, prices and planning constants, out of ``data/*.toml``.

The only file reading of the calculator. Each table is one file, read when it is first asked for. Every row carries its
source, the day it was read and a confidence (A: vendor document or log of a real run, B: one source, C: uncertain).
"""

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from os.path import dirname, join
from typing import Any

from calculator.core.hardware import Accelerator
from calculator.core.llms import LanguageModel
from calculator.core.records import record
from calculator.core.units import GB, GBIT_PER_S, GIB, MIB, TB, TFLOP, US

DATA = join(dirname(__file__), "data")


class UnknownName(LookupError):
    """A name that is in no row. ``nearest`` lists what may have been meant."""

    def __init__(self, kind: str, name: str, nearest: list[str]) -> None:
        self.kind, self.name, self.nearest = kind, name, nearest
        meant = f" Did you mean {', '.join(nearest)}?" if nearest else ""
        super().__init__(f"No {kind} is called {name!r}.{meant}")


@record
class Constant:
    """A planning constant, the same in every design."""

    key: str
    value: float
    unit: str
    title: str
    source: str
    read: str
    confidence: str


@record
class Link:
    """A link between devices. The bandwidth is one direction, per GPU, adapter or drive."""

    key: str
    name: str
    aliases: tuple[str, ...]
    bandwidth_bytes_per_s: float
    scope: str
    source: str
    read: str
    confidence: str


@record
class Price:
    """What one hour of one GPU costs. ``accelerator`` is a key of its table; ``planning`` marks the default."""

    key: str
    accelerator: str
    usd_per_gpu_hour: float
    terms: str
    planning: bool
    source: str
    read: str
    confidence: str


def rows(table: str) -> dict[str, dict[str, Any]]:
    """The raw rows of ``data/<table>.toml`` by key, all of them."""
    with open(join(DATA, f"{table}.toml"), "rb") as file:
        return tomllib.load(file)


_HEADER = re.compile(r"^\[(\w+)\]$", re.MULTILINE)
_PUNCTUATION = re.compile(r"[\W_]+")


class Rows(Mapping[str, Any]):
    """The rows of ``data/<table>.toml`` by key. The file is split at its headers; a row is parsed when it is asked for.

    Parsing every row of every table is most of the time of one question on the command line.
    """

    def __init__(self, table: str, make: Callable[[str, Mapping[str, Any]], Any]) -> None:
        with open(join(DATA, f"{table}.toml"), encoding="utf-8") as file:
            _, *parts = _HEADER.split(file.read())
        self._make = make
        self._texts = dict(zip(parts[::2], parts[1::2], strict=True))
        self._made: dict[str, Any] = {}

    def __getitem__(self, key: str) -> Any:
        if key not in self._made:
            self._made[key] = self._make(key, tomllib.loads(self._texts[key]))
        return self._made[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)

    def mentioning(self, wanted: str) -> Iterator[Any]:
        """The rows in whose text the letters and digits of ``wanted`` stand somewhere."""
        return (self[key] for key, text in self._texts.items() if wanted in plain(key) or wanted in plain(text))


def plain(name: str) -> str:
    """A name without case and punctuation: ``Llama-3-70B`` and ``llama 3 70b`` are one name."""
    return _PUNCTUATION.sub("", name.casefold())


def _scaled(row: Mapping[str, Any], field: str, factor: float) -> float | None:
    return None if field not in row else row[field] * factor


def _provenance(row: Mapping[str, Any]) -> dict[str, str]:
    return {"source": row["source"], "read": str(row["read"]), "confidence": row["confidence"]}


def _accelerator(key: str, row: Mapping[str, Any]) -> Accelerator:
    return Accelerator(
        key=key,
        name=row["name"],
        aliases=tuple(row.get("aliases", ())),
        memory_marketed_bytes=row["memory_marketed_gib"] * GIB,
        memory_reported_bytes=_scaled(row, "memory_reported_mib", MIB),
        memory_framework_bytes=_scaled(row, "memory_framework_gib", GIB),
        hbm_bandwidth_bytes_per_s=row["hbm_bandwidth_tb_per_s"] * TB,
        bf16_dense_flops_per_s=row["bf16_dense_tflop_per_s"] * TFLOP,
        fp8_dense_flops_per_s=_scaled(row, "fp8_dense_tflop_per_s", TFLOP),
        fp4_dense_flops_per_s=_scaled(row, "fp4_dense_tflop_per_s", TFLOP),
        int8_dense_flops_per_s=_scaled(row, "int8_dense_tflop_per_s", TFLOP),
        link=row["link"],
        link_bandwidth_bytes_per_s=row["link_bandwidth_gb_per_s"] * GB,
        link_domain_gpus=row["link_domain_gpus"],
        gpus_per_node=row["gpus_per_node"],
        pcie=row["pcie"],
        tdp_w=row.get("tdp_w"),
        trap=row.get("trap", ""),
        **_provenance(row),
    )


def _model(key: str, row: Mapping[str, Any]) -> LanguageModel:
    fields = {name: value for name, value in row.items() if name not in {"aliases", "read"}}
    return LanguageModel(key=key, aliases=tuple(row.get("aliases", ())), read=str(row["read"]), **fields)


def _link(key: str, row: Mapping[str, Any]) -> Link:
    gigabits = "bandwidth_gbit_per_s" in row
    bandwidth = row["bandwidth_gbit_per_s"] * GBIT_PER_S if gigabits else row["bandwidth_gb_per_s"] * GB
    return Link(
        key=key,
        name=row["name"],
        aliases=tuple(row.get("aliases", ())),
        bandwidth_bytes_per_s=bandwidth,
        scope=row["scope"],
        **_provenance(row),
    )


def _price(key: str, row: Mapping[str, Any]) -> Price:
    return Price(
        key=key,
        accelerator=row["accelerator"],
        usd_per_gpu_hour=row["usd_per_gpu_hour"],
        terms=row["terms"],
        planning=row.get("planning", False),
        **_provenance(row),
    )


_CONSTANT_UNITS = {"us": US}


def _constant(key: str, row: Mapping[str, Any]) -> Constant:
    unit = row["unit"]
    return Constant(
        key=key,
        value=row["value"] * _CONSTANT_UNITS.get(unit, 1),
        unit="s" if unit in _CONSTANT_UNITS else unit,
        title=row["title"],
        **_provenance(row),
    )


@cache
def accelerators() -> Mapping[str, Accelerator]:
    """Every accelerator by key."""
    return Rows("accelerators", _accelerator)


@cache
def models() -> Mapping[str, LanguageModel]:
    """Every language model by key."""
    return Rows("models", _model)


@cache
def links() -> Mapping[str, Link]:
    """Every link by key."""
    return Rows("links", _link)


@cache
def prices() -> Mapping[str, Price]:
    """Every price by key."""
    return Rows("prices", _price)


@cache
def planning() -> Mapping[str, Constant]:
    """The planning constants by key, in base units (a row in ``us`` comes out in ``s``)."""
    return Rows("planning", _constant)


def price_of(accelerator_key: str) -> Price | None:
    """The price that is assumed for an accelerator when none is given, or ``None`` when the catalogue has none."""
    listed = _mentioning(prices(), plain(accelerator_key))
    return next((price for price in listed if price.planning and price.accelerator == accelerator_key), None)


def accelerator(name: str) -> Accelerator:
    """The accelerator with this key, name or alias. Raises UnknownName with the nearest ones."""
    return _find("accelerator", name, accelerators())


def model(name: str) -> LanguageModel:
    """The language model with this key, name, Hugging Face id or alias. Raises UnknownName with the nearest ones."""
    return _find("model", name, models())


def link(name: str) -> Link:
    """The link with this key, name or alias. Raises UnknownName with the nearest ones."""
    return _find("link", name, links())


def names_of(row: Any) -> Iterable[str]:
    """Every name under which a row answers."""
    return (row.key, row.name, *row.aliases, *((row.hf_id, row.hf_id.split("/")[-1]) if hasattr(row, "hf_id") else ()))


def _find(kind: str, name: str, table: Mapping[str, Any]) -> Any:
    if name in table:
        return table[name]
    wanted = plain(name)
    for row in _mentioning(table, wanted) if wanted else ():
        if any(plain(known) == wanted for known in names_of(row)):
            return row
    raise UnknownName(kind, name, nearest(name, table))


def _mentioning(table: Mapping[str, Any], wanted: str) -> Iterable[Any]:
    return table.mentioning(wanted) if isinstance(table, Rows) else table.values()


def nearest(name: str, table: Mapping[str, Any], count: int = 3) -> list[str]:
    """Up to ``count`` keys whose names look most like ``name``, best first."""
    from difflib import SequenceMatcher

    wanted = plain(name)

    def likeness(key: str) -> float:
        return max(SequenceMatcher(None, wanted, plain(known)).ratio() for known in names_of(table[key]))

    ranked = sorted(((likeness(key), key) for key in table), key=lambda pair: (-pair[0], pair[1]))
    return [key for score, key in ranked[:count] if score >= 0.5]
