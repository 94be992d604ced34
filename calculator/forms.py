"""The form of the page: what each field is called, what was typed into it, and why it is refused."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from calculator import catalogue
from calculator.core.dtypes import DTYPES
from calculator.core.inputs import InputError
from calculator.core.plan import Plan
from calculator.engines import engine_names


@dataclass(frozen=True)
class FormField:
    """One field as the template shows it. ``choices`` are (value, label) to pick from; ``suggestions`` help typing."""

    name: str
    label: str
    unit: str
    help: str
    value: str
    placeholder: str
    error: str
    choices: tuple[tuple[str, str], ...] = ()
    suggestions: tuple[tuple[str, str], ...] = ()
    inputmode: str = "text"

    @property
    def id(self) -> str:
        """The id of the control."""
        return f"field-{self.name}"


@dataclass(frozen=True)
class FieldGroup:
    """Fields that belong together. ``open`` is whether the group starts unfolded; the first is never folded."""

    title: str
    fields: tuple[FormField, ...]
    folded: bool
    open: bool


_LABELS: dict[str, tuple[str, str, str]] = {
    "model": ("Model", "", ""),
    "gpu": ("Accelerator", "", ""),
    "gpus": ("GPUs", "one replica", ""),
    "seq_len": ("Sequence", "tokens", "What each sequence holds at its longest."),
    "batch": ("Batch", "sequences", ""),
    "prompt_len": ("Prompt", "tokens", ""),
    "output_len": ("Output", "tokens", ""),
    "dtype": ("Weights", "", ""),
    "kv_dtype": ("KV cache", "", ""),
    "mem_util": ("Usable memory", "share of the box", "An engine leaves about 0.85 of an H100."),
    "price": ("Price", "USD/GPU-h", ""),
    "params": ("Parameters", "", "Instead of the catalogue's count."),
    "tp": ("GPUs to a layer", "TP", ""),
    "pp": ("Stages", "PP", ""),
    "link": ("Between nodes", "", "Needed for more GPUs than a node has."),
    "budget": ("Budget", "", "The whiteboard's, or as an engine logs it."),
    "engine": ("Engine", "", ""),
    "engine_version": ("Version", "", ""),
    "max_model_len": ("Longest sequence", "tokens", ""),
    "max_num_seqs": ("Most sequences", "a step", ""),
    "max_num_batched_tokens": ("Most tokens", "a step", "Prompts are prefilled in chunks of it."),
    "cached_len": ("Cached prefix", "tokens", ""),
    "draft": ("Draft model", "", "For speculative decoding."),
    "draft_len": ("Drafted", "tokens a step", ""),
    "acceptance": ("Kept", "share", ""),
    "mfu": ("MFU in prefill", "", ""),
    "mbu": ("MBU in decode", "", ""),
}
GROUPS: tuple[tuple[str, tuple[str, ...], bool], ...] = (
    ("What", ("model", "gpu", "gpus"), False),
    ("Load", ("seq_len", "batch", "prompt_len", "output_len"), False),
    ("Assumptions", ("dtype", "kv_dtype", "mem_util", "mfu", "mbu", "price", "params"), True),
    ("Replica", ("tp", "pp", "link"), True),
    (
        "Engine",
        ("budget", "engine", "engine_version", "max_model_len", "max_num_seqs", "max_num_batched_tokens"),
        True,
    ),
    ("Reuse and drafts", ("cached_len", "draft", "draft_len", "acceptance"), True),
)


def field_groups(typed: Mapping[str, str], plan: Plan | None, errors: Sequence[InputError]) -> list[FieldGroup]:
    """Every field with what was typed, or, greyed, what was assumed in its place."""
    messages = {error.field: error.message for error in errors}
    assumed = plan.inputs.as_dict() if plan else {}
    groups = []
    for title, names, folded in GROUPS:
        fields = tuple(_field(name, typed.get(name, ""), assumed.get(name), messages.get(name, "")) for name in names)
        opened = any(field.error or field.value for field in fields)
        groups.append(FieldGroup(title, fields, folded, opened))
    return groups


def _field(name: str, typed: str, assumed: object, error: str) -> FormField:
    label, unit, text = _LABELS[name]
    placeholder = "" if assumed is None else f"{assumed:g}" if isinstance(assumed, float) else str(assumed)
    if name == "params" and isinstance(assumed, int | float):
        placeholder = f"{assumed:.4g}"
    choices = _choices(name, str(assumed or ""))
    rows = suggestions(name)
    mode = "text" if name in _NAMED else "decimal"
    return FormField(name, label, unit, text, typed, placeholder, error, choices, rows, mode)


_NAMED = {"model", "gpu", "draft", "link", "engine_version"}


def _choices(name: str, assumed: str) -> tuple[tuple[str, str], ...]:
    """What a field with few values may be, what is assumed first."""
    rows: list[tuple[str, str]] = []
    if name in {"dtype", "kv_dtype"}:
        rows = [(key, row.name) for key, row in DTYPES.items() if row.kv or name == "dtype"]
    elif name == "budget":
        rows = [("simple", "the whiteboard's"), ("engine", "an engine's")]
    elif name == "engine":
        rows = [(key, _ENGINES.get(key, key)) for key in engine_names()]
    labels = dict(rows)
    if not rows:
        return ()
    first = f"{labels[assumed]}, as assumed" if assumed in labels else "none" if name == "engine" else "as assumed"
    return (("", first), *rows)


_ENGINES = {"vllm": "vLLM", "sglang": "SGLang"}


@cache
def suggestions(name: str) -> tuple[tuple[str, str], ...]:
    """The rows that a field may name, as (key, name); none for a field that names no row."""
    tables: dict[str, Callable[[], Mapping[str, Any]]] = {
        "model": catalogue.models,
        "draft": catalogue.models,
        "gpu": catalogue.accelerators,
        "link": catalogue.links,
    }
    if name not in tables:
        return ()
    rows = tables[name]().values()
    return tuple((row.key, row.name) for row in rows if name != "link" or "between nodes" in row.scope)


def labelled(errors: Sequence[InputError]) -> list[tuple[str, str, str]]:
    """Errors as (id of the control or nothing, label, message) for the summary."""
    found = []
    for error in errors:
        known = error.field in _LABELS or error.field == "config"
        label = _LABELS.get(error.field, (error.field,))[0]
        found.append((f"field-{error.field}" if known else "", label, error.message))
    return found
