"""Engines out of the catalogue: the profile of a version, and settings with the engine's own defaults filled in."""

import re
from typing import Any

from calculator.catalogue import rows
from calculator.core.engines import EngineProfile, EngineSettings, is_large, static_fraction
from calculator.core.hardware import Accelerator
from calculator.core.inputs import InputError, InputErrors, one_of
from calculator.core.llms import LanguageModel
from calculator.core.units import GIB, MIB

_VERSION = re.compile(
    r"v?([0-9]{1,4}(?:\.[0-9]{1,4}){0,3})(?:\.?(?:rc|post|dev|a|b)[0-9]{0,4})*(?:\+[\w.]{1,40})?", re.ASCII
)
V0_CHUNKS_ABOVE_TOKENS, V0_CHUNK_TOKENS = 32_768, 2048


def profiles() -> tuple[EngineProfile, ...]:
    """Every row of ``data/engines.toml``, versions rising within an engine."""
    return tuple(_profile(key, row) for key, row in rows("engines").items())


def engine_names() -> tuple[str, ...]:
    """The engines known."""
    return tuple(dict.fromkeys(profile.engine for profile in profiles()))


def _profile(key: str, row: dict[str, Any]) -> EngineProfile:
    fields = {name: row[name] for name in row if name not in {"version_from", "read", *_SCALED}}
    scaled = {field: row[name] * factor for name, (field, factor) in _SCALED.items()}
    return EngineProfile(key=key, version_from=_numbers(row["version_from"]), read=str(row["read"]), **fields, **scaled)


_SCALED = {
    "graph_mib_per_layer": ("graph_bytes_per_layer", MIB),
    "non_torch_gib": ("non_torch_bytes", GIB),
    "collectives_gib": ("collectives_bytes", GIB),
}


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in version.split("."))


def engine_profile(engine: str, version: str = "") -> EngineProfile:
    """The profile of an engine at a version, the newest when none is given. Raises InputErrors."""
    name = engine.strip().lower()
    own = [profile for profile in profiles() if profile.engine == name]
    if not own:
        raise InputErrors([InputError("engine", f"{engine[:40]!r} is unknown", one_of(engine_names()), "vllm")])
    if not version.strip():
        return own[-1]
    match = _VERSION.fullmatch(version.strip())
    if match is None:
        allowed = "a version number of three parts at most"
        raise InputErrors([InputError("engine_version", f"{version[:40]!r} is no version", allowed, "0.11.0")])
    reached = [profile for profile in own if profile.version_from <= _numbers(match.group(1))]
    if not reached:
        first = ".".join(map(str, own[0].version_from))
        raise InputErrors([InputError("engine_version", f"{version} is too old", f"{first} or later", first)])
    return reached[-1]


def engine_settings(
    *,
    engine: str = "vllm",
    version: str = "",
    gpu: Accelerator,
    model: LanguageModel,
    gpus: int,
    mem_util: float | None = None,
    max_model_len: int | None = None,
    max_num_seqs: int | None = None,
    max_num_batched_tokens: int | None = None,
    eager: bool = False,
) -> EngineSettings:
    """How the engine starts, its own default where there is ``None``. ``gpus`` split layers. Raises InputErrors."""
    profile = engine_profile(engine, version)
    length = max_model_len or model.max_context_tokens
    large = is_large(gpu)
    seqs = max_num_seqs or (profile.large_max_num_seqs if large else profile.max_num_seqs)
    batched = max_num_batched_tokens or _batched(profile, large, length)
    share = mem_util or profile.mem_util
    worked_out = not share
    if worked_out:
        share = static_fraction(gpu, batched, seqs, gpus)
    return EngineSettings(profile, version.strip(), share, length, seqs, batched, gpus, eager, worked_out)


def _batched(profile: EngineProfile, large: bool, length: int) -> int:
    if profile.chunked_prefill:
        return profile.large_max_num_batched_tokens if large else profile.max_num_batched_tokens
    return max(profile.max_num_batched_tokens, length) if length <= V0_CHUNKS_ABOVE_TOKENS else V0_CHUNK_TOKENS
