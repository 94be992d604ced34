"""The catalogue as facts of the expression language: ``llama70b.layers``, ``h100.memory``, ``planning.prefill_mfu``."""

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from calculator import catalogue
from calculator.core.dtypes import DTYPES
from calculator.core.hardware import Accelerator
from calculator.core.llms import LanguageModel
from calculator.core.records import as_dict
from calculator.expressions import Quantity

_ACCELERATOR_FACTS = {
    "memory": ("memory_marketed_bytes", "GiB"),
    "memory_reported": ("memory_reported_bytes", "GiB"),
    "memory_framework": ("memory_framework_bytes", "GiB"),
    "hbm_bandwidth": ("hbm_bandwidth_bytes_per_s", "TB/s"),
    "bf16_dense": ("bf16_dense_flops_per_s", "TFLOP/s"),
    "fp8_dense": ("fp8_dense_flops_per_s", "TFLOP/s"),
    "fp4_dense": ("fp4_dense_flops_per_s", "TFLOP/s"),
    "int8_dense": ("int8_dense_flops_per_s", "TFLOP/s"),
    "link_bandwidth": ("link_bandwidth_bytes_per_s", "GB/s"),
    "link_domain_gpus": ("link_domain_gpus", "GPU"),
    "gpus_per_node": ("gpus_per_node", "GPU"),
}


@dataclass(frozen=True)
class Fact:
    """A fact, its source, the date it was read and the confidence in it."""

    path: str
    quantity: Quantity
    title: str
    source: str
    read: str
    confidence: str


class CatalogueFacts:
    """Facts out of the catalogue's tables."""

    def __init__(self, table: Mapping[str, Fact]) -> None:
        self._table = table

    def fact(self, path: str) -> Quantity | None:
        """The fact called ``path``, or None."""
        found = self._table.get(path)
        return found.quantity if found else None

    def described(self, path: str) -> Fact | None:
        """The fact called ``path`` with its source and date, or None."""
        return self._table.get(path)

    def language_model(self, key: str) -> LanguageModel | None:
        """The model with this key, or None."""
        return catalogue.models().get(key)

    def accelerator(self, key: str) -> Accelerator | None:
        """The accelerator with this key, or None."""
        return catalogue.accelerators().get(key)

    def paths(self) -> list[str]:
        """Every fact's name, in the catalogue's order."""
        return list(self._table)

    def suggest(self, name: str) -> list[str]:
        """Names near ``name``, nearest first: of rows, of facts, and for a name without a dot of fields."""
        owner, _, field = name.lower().rpartition(".")
        rows = {path.partition(".")[0] for path in self._table}
        if not owner:
            near_rows = difflib.get_close_matches(field, sorted(rows), n=2, cutoff=0.75)
            return near_rows + _in_owners(self._table, _near_fields(self._table, field))[:3]
        near_owners = [owner] if owner in rows else difflib.get_close_matches(owner, sorted(rows), n=3, cutoff=0.6)
        own = [path for path in self._table if path.partition(".")[0] in near_owners]
        near = difflib.get_close_matches(name.lower(), own, n=3, cutoff=0.7)
        return near or [path for path in own if path.partition(".")[2] in _near_fields(self._table, field)][:3]


_SHOWN_FIRST = ("h100", "llama70b", "planning")


def _near_fields(table: Mapping[str, Fact], field: str) -> list[str]:
    known = sorted({path.partition(".")[2] for path in table})
    return difflib.get_close_matches(field, known, n=2, cutoff=0.75)


def _in_owners(table: Mapping[str, Fact], known: list[str]) -> list[str]:
    return [f"{owner}.{field}" for field in known for owner in _SHOWN_FIRST if f"{owner}.{field}" in table]


@cache
def catalogue_facts() -> CatalogueFacts:
    """The catalogue's facts, read once."""
    return CatalogueFacts({fact.path: fact for fact in _facts()})


def fact_names() -> list[str]:
    """Every fact's name."""
    return catalogue_facts().paths()


def _facts() -> Iterator[Fact]:
    for model in catalogue.models().values():
        yield from _model_facts(model)
    for accelerator in catalogue.accelerators().values():
        yield from _accelerator_facts(accelerator)
    for dtype in DTYPES.values():
        width = Quantity.of(dtype.bytes, "B")
        yield Fact(f"{dtype.key}.bytes", width, f"Bytes per value in {dtype.name}", dtype.source, "", "")
    for constant in catalogue.planning().values():
        quantity = Quantity.of(constant.value, constant.unit).readable()
        yield Fact(
            f"planning.{constant.key}", quantity, constant.title, constant.source, constant.read, constant.confidence
        )
    for price in catalogue.prices().values():
        quantity = Quantity.of(price.usd_per_gpu_hour, "USD/GPU-hour")
        yield Fact(f"prices.{price.key}", quantity, price.terms, price.source, price.read, price.confidence)
    for link in catalogue.links().values():
        quantity = Quantity(link.bandwidth_bytes_per_s, "GB/s")
        yield Fact(f"links.{link.key}", quantity, link.name, link.source, link.read, link.confidence)


def _model_facts(model: LanguageModel) -> Iterator[Fact]:
    for field, number in as_dict(model).items():
        if isinstance(number, bool) or not isinstance(number, int | float) or not number:
            continue
        quantity = Quantity(number, "tok" if field.endswith("_tokens") else "B" if field.endswith("_bytes") else "")
        title = f"{model.name}: {field.replace('_', ' ')}"
        yield Fact(f"{model.key}.{field}", quantity, title, model.source, model.read, model.confidence)


def _accelerator_facts(row: Accelerator) -> Iterator[Fact]:
    for name, (field, unit) in _ACCELERATOR_FACTS.items():
        number = getattr(row, field)
        if number is not None:
            title = f"{row.name}: {name.replace('_', ' ')}"
            yield Fact(f"{row.key}.{name}", Quantity(number, unit), title, row.source, row.read, row.confidence)
