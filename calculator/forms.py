"""The form of the page: what each field is called, what was typed into it, and why it is refused."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from calculator import catalogue
from calculator.core.dtypes import DTYPES
from calculator.core.inputs import InputError
from calculator.core.plan import Plan
from calculator.parsing import FIELDS


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
    "mfu": ("MFU in prefill", "", ""),
    "mbu": ("MBU in decode", "", ""),
}
_GROUPS = (
    ("What", ("model", "gpu", "gpus"), False),
    ("Load", ("seq_len", "batch", "prompt_len", "output_len"), False),
    ("Assumptions", ("dtype", "kv_dtype", "mem_util", "mfu", "mbu", "price", "params"), True),
)


def field_groups(typed: Mapping[str, str], plan: Plan | None, errors: Sequence[InputError]) -> list[FieldGroup]:
    """Every field with what was typed, or, greyed, what was assumed in its place."""
    messages = {error.field: error.message for error in errors}
    assumed = plan.inputs.as_dict() if plan else {}
    groups = []
    for title, names, folded in _GROUPS:
        fields = tuple(_field(name, typed.get(name, ""), assumed.get(name), messages.get(name, "")) for name in names)
        opened = any(field.error or field.value for field in fields)
        groups.append(FieldGroup(title, fields, folded, opened))
    return groups


def _field(name: str, typed: str, assumed: object, error: str) -> FormField:
    label, unit, text = _LABELS[name]
    placeholder = "" if assumed is None else f"{assumed:g}" if isinstance(assumed, float) else str(assumed)
    if name == "params" and isinstance(assumed, int | float):
        placeholder = f"{assumed:.4g}"
    choices = _dtype_choices(name, str(assumed or "bf16")) if name in {"dtype", "kv_dtype"} else ()
    suggestions = _suggestions(name)
    mode = "text" if name in {"model", "gpu"} else "decimal"
    return FormField(name, label, unit, text, typed, placeholder, error, choices, suggestions, mode)


def _dtype_choices(name: str, assumed: str) -> tuple[tuple[str, str], ...]:
    rows = [(key, row.name) for key, row in DTYPES.items() if row.kv or name == "dtype"]
    return (("", f"{DTYPES[assumed].name}, as assumed"), *rows)


def _suggestions(name: str) -> tuple[tuple[str, str], ...]:
    if name == "model":
        return tuple((row.key, row.name) for row in catalogue.models().values())
    if name == "gpu":
        return tuple((row.key, row.name) for row in catalogue.accelerators().values())
    return ()


def shown_fields() -> tuple[str, ...]:
    """The fields that the page has; the others (the budget) are for the URL and the command line."""
    return tuple(field for field in FIELDS if field in _LABELS)
