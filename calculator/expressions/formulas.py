"""The documented formulas of the calculator's core, by name, with arguments checked for their units.

A parameter's unit is the end of its name, as everywhere in the core: ``weights_bytes`` takes bytes,
``flops_per_s_per_gpu`` FLOP/s, ``usd_per_gpu_hour`` USD/GPU-hour. So is a result's: ``kv_cache_bytes_per_token`` gives
bytes per token.
"""

import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any, Literal, get_type_hints

from calculator.core import (
    comms,
    cost,
    evaluation,
    fairness,
    latency,
    memory,
    placement,
    popularity,
    prefix,
    queueing,
    reliability,
    roofline,
    significance,
    speculation,
)
from calculator.core.dtypes import DTYPES
from calculator.core.hardware import Accelerator
from calculator.core.llms import LanguageModel
from calculator.expressions import occupancy
from calculator.expressions.units import Unit

MODULES = (
    memory,
    latency,
    roofline,
    cost,
    comms,
    fairness,
    queueing,
    reliability,
    significance,
    evaluation,
    placement,
    popularity,
    prefix,
    speculation,
    occupancy,
)
WHOLE_ARGUMENT = 1_000_000
"""The largest whole number a formula is given: some count up to it."""

ParameterKind = Literal["model", "accelerator", "dtype", "number"]
_ROWS: Mapping[Any, ParameterKind] = {LanguageModel: "model", Accelerator: "accelerator"}
_WORDS = {
    "bytes": ("B", 1),
    "byte": ("B", 1),
    "flops": ("FLOP", 1),
    "s": ("s", 1),
    "seconds": ("s", 1),
    "hour": ("h", 1),
    "usd": ("USD", 1),
    "tokens": ("tok", 1),
    "token": ("tok", 1),
    "gpus": ("GPU", 1),
    "gpu": ("GPU", 1),
    "replicas": ("replica", 1),
    "sequence": ("seq", 1),
}
_SPECIAL: Mapping[str, tuple[tuple[str, int], ...]] = {
    "intensity": (("FLOP", 1), ("B", -1)),
    "ridge": (("FLOP", 1), ("B", -1)),
    "usd_per_hour": (("USD", 1), ("h", -1)),
    "usd_per_gpu_hour": (("USD", 1), ("GPU", -1), ("h", -1)),
    "usd_per_million_output_tokens": (("USD", 1), ("Mtok", -1)),
    "bytes_read": (("B", 1),),
    "bytes_moved": (("B", 1),),
    "tensor_parallel": (("GPU", 1),),
    "gpus_needed": (("GPU", 1),),
    "max_batch": (("seq", 1),),
    "kv_token_seconds": (("tok", 1), ("s", 1)),
    "kv_seconds_final": (("tok", 1), ("s", 1)),
    "kv_seconds_mean": (("tok", 1), ("s", 1)),
    "kv_held_tokens": (("tok", 1),),
    "kv_capacity_tokens": (("tok", 1),),
    "arrivals_per_s": (("req", 1), ("s", -1)),
    "prefill_replicas": (("replica", 1),),
    "kv_cache_bytes_per_token_per_layer": (("B", 1), ("tok", -1), ("layer", -1)),
    "extra_s_per_all_reduce": (("s", 1),),
}


@dataclass(frozen=True)
class Parameter:
    """One argument: what it is, its unit if it is a number, and whether it must be whole."""

    name: str
    kind: ParameterKind
    unit: Unit
    whole: bool
    default: Any

    @property
    def required(self) -> bool:
        """Whether it has no default."""
        return self.default is inspect.Parameter.empty


@dataclass(frozen=True)
class Formula:
    """A formula of the core. ``doc`` holds the parts of its docstring by heading, in order."""

    name: str
    summary: str
    doc: Mapping[str, str]
    parameters: tuple[Parameter, ...]
    result: Unit
    symbols: Mapping[str, str]
    call: Callable[..., float]

    @property
    def signature(self) -> str:
        """Its name and parameters, optional ones with their default: "weights_bytes(model, dtype=bf16)"."""
        shown = [one.name if one.required else f"{one.name}={one.default}" for one in self.parameters]
        return f"{self.name}({', '.join(shown)})"


@cache
def formulas() -> Mapping[str, Formula]:
    """Every formula that an expression can call."""
    found: dict[str, Formula] = {}
    for module in MODULES:
        for name, function in inspect.getmembers(module, inspect.isfunction):
            if function.__module__ == module.__name__ and not name.startswith("_"):
                formula = _formula(name, function)
                if formula is not None:
                    found[name] = formula
    return MappingProxyType(found)


def _formula(name: str, function: Callable[..., Any]) -> Formula | None:
    summary, doc = _documented(function)
    hints = get_type_hints(function)
    if "Formula" not in doc or hints.get("return") not in (int, float):
        return None
    parameters = []
    for parameter in inspect.signature(function).parameters.values():
        kind = _ROWS.get(hints[parameter.name])
        if hints[parameter.name] is str and parameter.name.endswith("dtype"):
            kind = "dtype"
        elif hints[parameter.name] in (int, float):
            kind = "number"
        if kind is None:
            return None
        unit = unit_of_name(parameter.name) if kind == "number" else Unit()
        parameters.append(Parameter(parameter.name, kind, unit, hints[parameter.name] is int, parameter.default))
    return Formula(name, summary, doc, tuple(parameters), unit_of_name(name), _symbols(name), function)


def unit_of_name(name: str) -> Unit:
    """The unit that the end of a core name says: "B/tok" for ``kv_cache_bytes_per_token``; none for ``mfu``.

    "Per GPU" and the like are left out where a rate is: what is given per GPU is told by the parameter's name.
    """
    if name in _SPECIAL:
        return Unit.of(_SPECIAL[name])
    over, *under = name.split("_per_")
    last = over.split("_")[-1]
    if last not in _WORDS:
        return Unit()
    symbol, power = _WORDS[last]
    powers = [(symbol, power)]
    powers += [(_WORDS[part][0], -1) for part in under if part in _WORDS and part != "gpu"]
    return Unit.of(powers)


def _symbols(name: str) -> Mapping[str, str]:
    """Where a result's unit starts from: caches are counted in KiB and GiB, weights and links in GB."""
    return {"B": "KiB" if name.startswith("kv_") else "GB"}


def _documented(function: Callable[..., Any]) -> tuple[str, Mapping[str, str]]:
    lines = (inspect.getdoc(function) or "").splitlines()
    parts: dict[str, str] = {}
    heading = ""
    for line in lines[1:]:
        start, colon, rest = line.partition(":")
        if colon and start in ("Formula", "Symbols", "Holds when", "Source", "Raises"):
            heading = start
            parts[heading] = rest.strip()
        elif heading and line.strip():
            parts[heading] = f"{parts[heading]} {line.strip()}"
    return (lines[0] if lines else ""), MappingProxyType(parts)


def dtype_names() -> tuple[str, ...]:
    """The number formats that a ``dtype`` argument may name."""
    return tuple(DTYPES)


def is_whole(number: float) -> bool:
    """Whether ``number`` is a whole number, give or take rounding."""
    return math.isclose(number, round(number), rel_tol=1e-9, abs_tol=1e-9)
