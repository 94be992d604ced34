"""Rows of the catalogue for the numbers to quote cold: hardware, links and prices, each with its source and date."""

from collections.abc import Iterable
from dataclasses import dataclass

from calculator import catalogue
from calculator.expressions import Quantity, evaluate
from calculator.facts import catalogue_facts

REFERENCE = "llama70b"
NONE = "–"


@dataclass(frozen=True)
class HardwareRow:
    """One accelerator as the table has it. `ridge` and `floor` are worked out from the row."""

    key: str
    name: str
    memory: str
    usable: str
    bandwidth: str
    bf16: str
    fp8: str
    ridge: str
    floor: str
    link: str
    trap: str
    source: str
    read: str


@dataclass(frozen=True)
class LinkRow:
    """One link in one direction."""

    key: str
    name: str
    scope: str
    bandwidth: str
    source: str
    read: str


@dataclass(frozen=True)
class PriceRow:
    """One price with its terms."""

    key: str
    name: str
    terms: str
    price: str
    source: str
    read: str


def hardware_rows(keys: Iterable[str]) -> list[HardwareRow]:
    """The accelerators that the catalogue has, in the order asked for."""
    return [_hardware(key) for key in keys if key in catalogue.accelerators()]


def _hardware(key: str) -> HardwareRow:
    row = catalogue.accelerators()[key]
    return HardwareRow(
        key=key,
        name=row.name,
        memory=_fact(f"{key}.memory"),
        usable=_fact(f"{key}.memory_framework"),
        bandwidth=_fact(f"{key}.hbm_bandwidth"),
        bf16=_fact(f"{key}.bf16_dense", 4),
        fp8=_fact(f"{key}.fp8_dense", 4),
        ridge=_value(f"{key}.bf16_dense / {key}.hbm_bandwidth -> FLOP/B"),
        floor=_value(f"weights_bytes({REFERENCE}) / {key}.hbm_bandwidth -> ms"),
        link=f"{row.link}, {_fact(f'{key}.link_bandwidth')}" if row.link_bandwidth_bytes_per_s else row.link,
        trap=row.trap,
        source=row.source,
        read=row.read,
    )


def link_rows(keys: Iterable[str]) -> list[LinkRow]:
    """The links that the catalogue has."""
    return [
        LinkRow(key, row.name, row.scope, _fact(f"links.{key}"), row.source, row.read)
        for key in keys
        if (row := catalogue.links().get(key))
    ]


def price_rows(keys: Iterable[str]) -> list[PriceRow]:
    """The prices that the catalogue has."""
    return [
        PriceRow(
            key,
            catalogue.accelerators()[row.accelerator].name,
            row.terms,
            Quantity.of(row.usd_per_gpu_hour, "USD/GPU-hour").text(),
            row.source,
            row.read,
        )
        for key in keys
        if (row := catalogue.prices().get(key)) and row.accelerator in catalogue.accelerators()
    ]


def _fact(path: str, digits: int = 3) -> str:
    found = catalogue_facts().fact(path)
    return found.text(digits) if found else NONE


def _value(expression: str) -> str:
    return evaluate(expression, facts=catalogue_facts()).quantity.text()
