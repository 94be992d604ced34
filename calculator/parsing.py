"""From what people type to checked inputs: the page, the JSON and the command line all read here."""

import re
from collections.abc import Mapping
from typing import Any

from calculator import catalogue
from calculator.core.dtypes import DTYPES
from calculator.core.inputs import RANGES, InputError, InputErrors, Inputs, one_of, refuse

FIELDS = (
    "model",
    "gpu",
    "gpus",
    "seq_len",
    "batch",
    "prompt_len",
    "output_len",
    "dtype",
    "kv_dtype",
    "mem_util",
    "price",
    "params",
    "mfu",
    "mbu",
    "budget",
)
EXAMPLE = {"model": "llama70b", "gpu": "h100", "gpus": "4", "seq_len": "8192", "batch": "32"}
"""A question to start from: what an empty page shows."""

LONGEST_TYPED = 200
_WHOLE = re.compile(r"[+-]?[0-9]{1,18}", re.ASCII)
_DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?", re.ASCII)
DEFAULT_SEQ_LEN, DEFAULT_OUTPUT_LEN = 8192, 512


def read_inputs(raw: Mapping[str, str]) -> Inputs:
    """The inputs out of strings by field name; an empty string is a field left out. Raises InputErrors, all at once."""
    return _Reader(raw).inputs()


class _Reader:
    def __init__(self, raw: Mapping[str, str]) -> None:
        self.raw = {name: str(value).strip() for name, value in raw.items() if str(value).strip()}
        self.errors: list[InputError] = []

    def inputs(self) -> Inputs:
        self._unknown_fields()
        model, gpu = self._row("model"), self._row("gpu")
        numbers = {name: self._number(name) for name in RANGES}
        dtype = self._choice("dtype", list(DTYPES), model.native_dtype if model else "bf16")
        kv_dtype = self._choice("kv_dtype", [key for key, row in DTYPES.items() if row.kv], "bf16")
        budget = self._choice("budget", ["simple"], "simple")
        if self.errors:
            raise InputErrors(self.errors)
        if numbers["params"] is not None:
            model = model.with_params(numbers["params"])
        planning = catalogue.planning()
        listed = catalogue.price_of(gpu.key)
        price_source = "given" if numbers["price"] is not None else "no price"
        if numbers["price"] is None and listed is not None:
            price_source = f"{listed.terms}; {listed.source}"
        price = numbers["price"] or (listed.usd_per_gpu_hour if listed else None)
        return Inputs(
            model=model,
            gpu=gpu,
            gpus=int(numbers["gpus"] or 1),
            batch=int(numbers["batch"] or 1),
            **lengths(numbers["seq_len"], numbers["prompt_len"], numbers["output_len"], model.max_context_tokens),
            dtype=dtype,
            kv_dtype=kv_dtype,
            mem_util=numbers["mem_util"] or planning["hbm_usable_share"].value,
            mfu=numbers["mfu"] or planning["prefill_mfu"].value,
            mbu=numbers["mbu"] or planning["decode_mbu"].value,
            network_extra_s=planning["network_all_reduce_extra_s"].value,
            price=price,
            price_source=price_source,
            budget=budget,
        )

    def _unknown_fields(self) -> None:
        for name in self.raw:
            if name not in FIELDS:
                problem = "there is no such field"
                self.errors.append(InputError(name[:40], problem, one_of(FIELDS), "seq_len"))

    def _row(self, kind: str) -> Any:
        find = catalogue.model if kind == "model" else catalogue.accelerator
        example = EXAMPLE[kind]
        allowed = f"the name of {'a model' if kind == 'model' else 'an accelerator'} in the catalogue"
        typed = self.raw.get(kind, "")
        if not typed:
            self.errors.append(InputError(kind, "it is missing", allowed, example))
            return None
        if len(typed) > LONGEST_TYPED:
            self.errors.append(InputError(kind, f"{len(typed):,} characters are too many", allowed, example))
            return None
        try:
            return find(typed)
        except catalogue.UnknownName as unknown:
            meant = unknown.nearest or [example]
            self.errors.append(InputError(kind, f"{typed!r} is unknown", allowed, ", ".join(meant)))
            return None

    def _number(self, name: str) -> float | None:
        typed = self.raw.get(name, "")
        if not typed:
            return None
        allowed = RANGES[name]
        pattern = _WHOLE if allowed.whole else _DECIMAL
        if len(typed) > LONGEST_TYPED or not pattern.fullmatch(typed):
            kind = "a whole number in digits" if allowed.whole else "a number"
            self.errors.append(refuse(name, f"{shortened(typed)!r} is not {kind}", allowed))
            return None
        value = float(typed)
        if not allowed.low <= value <= allowed.high:
            self.errors.append(refuse(name, f"{shortened(typed)} is out of range", allowed))
            return None
        return value

    def _choice(self, name: str, choices: list[str], default: str) -> str:
        typed = self.raw.get(name, default).lower()
        if typed not in choices:
            self.errors.append(InputError(name, f"{shortened(typed)!r} is unknown", one_of(choices), default))
        return typed


def lengths(seq_len: float | None, prompt_len: float | None, output_len: float | None, longest: int) -> dict[str, int]:
    """The three lengths when some are left out: a sequence is a prompt and an output."""
    if seq_len is None:
        output = int(output_len or DEFAULT_OUTPUT_LEN)
        room = min(DEFAULT_SEQ_LEN, longest)
        prompt = int(prompt_len or max(1, room - output))
        return {"seq_len": max(prompt + output, 2), "prompt_len": prompt, "output_len": output}
    seq = int(seq_len)
    if output_len is None:
        room = seq - int(prompt_len) if prompt_len is not None else seq // 2
        output = max(1, min(DEFAULT_OUTPUT_LEN, room))
    else:
        output = int(output_len)
    prompt = int(prompt_len) if prompt_len is not None else max(1, seq - output)
    return {"seq_len": seq, "prompt_len": prompt, "output_len": output}


def shortened(typed: str, longest: int = 40) -> str:
    """What was typed, cut so that a message stays readable."""
    return typed if len(typed) <= longest else f"{typed[:longest]}…"
