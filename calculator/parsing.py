"""From what people type to checked inputs: the page, the JSON and the command line all read here."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from calculator import catalogue
from calculator.core.dtypes import DTYPES
from calculator.core.inputs import BUDGETS, LINKS, RANGES, InputError, InputErrors, Inputs, one_of, refuse
from calculator.core.llms import LanguageModel

FIELDS = (
    "model",
    "gpu",
    "gpus",
    "tp",
    "pp",
    "link",
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
    "engine",
    "engine_version",
    "max_model_len",
    "max_num_seqs",
    "max_num_batched_tokens",
    "cached_len",
    "draft",
    "draft_len",
    "acceptance",
)
ENGINE_FIELDS = ("engine", "engine_version", "max_model_len", "max_num_seqs")
"""Fields that only an engine's budget has a use for."""
EXAMPLE = {"model": "llama70b", "gpu": "h100", "gpus": "4", "seq_len": "8192", "batch": "32"}
"""A question to start from: what an empty page shows."""

LONGEST_TYPED = 200
_WHOLE = re.compile(r"[+-]?[0-9]{1,18}", re.ASCII)
_DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?", re.ASCII)
DEFAULT_SEQ_LEN, DEFAULT_OUTPUT_LEN = 8192, 512
DEFAULT_ENGINE, DEFAULT_DRAFT_LEN = "vllm", 4
_PCIE = {"3.0 x16": "pcie3", "4.0 x16": "pcie4"}


def read_inputs(raw: Mapping[str, str], config: Callable[[], LanguageModel] | None = None) -> Inputs:
    """The inputs out of strings by field name; an empty string is a field left out. Raises InputErrors, all at once.

    ``config`` reads the model from a configuration, in place of a name of the catalogue.
    """
    return _Reader(raw, config).inputs()


class _Reader:
    def __init__(self, raw: Mapping[str, str], config: Callable[[], LanguageModel] | None) -> None:
        self.config = config
        self.raw = {name: str(value).strip() for name, value in raw.items() if str(value).strip()}
        self.errors: list[InputError] = []

    def inputs(self) -> Inputs:
        self._unknown_fields()
        model, gpu = self._model(), self._row("gpu")
        draft, link = self._optional_row("draft"), self._optional_row("link")
        numbers = {name: self._number(name) for name in RANGES}
        chosen = {
            "dtype": self._choice("dtype", list(DTYPES), model.native_dtype if model else "bf16"),
            "kv_dtype": self._choice("kv_dtype", [key for key, row in DTYPES.items() if row.kv], "bf16"),
            "budget": self._budget(),
        }
        self._draft_fields_without_a_draft(draft)
        if self.errors:
            raise InputErrors(self.errors)
        if numbers["params"] is not None:
            model = model.with_params(numbers["params"])
        replica = self._replica(numbers, gpu, link)
        read = _assumptions(numbers) | _load(numbers, model) | _speculation(numbers, draft) | _price(numbers, gpu)
        if chosen["budget"] == "engine":
            read |= self._engine(numbers, model, gpu, replica["tp"] or replica["gpus"] // replica["pp"])
        return Inputs(**{"model": model, "gpu": gpu, **chosen, **replica, **read})

    def _budget(self) -> str:
        """An engine's fields ask for an engine's budget; with the simple one they would be read and not used."""
        given = [name for name in ENGINE_FIELDS if name in self.raw]
        budget = self._choice("budget", list(BUDGETS), "engine" if given else "simple")
        if budget == "simple":
            for name in given:
                self.errors.append(InputError(name, "the simple budget has no engine", "left out", "--budget engine"))
        return budget

    def _draft_fields_without_a_draft(self, draft: Any) -> None:
        for name in ("draft_len", "acceptance"):
            if name in self.raw and draft is None and "draft" not in self.raw:
                self.errors.append(InputError(name, "no draft model is given", "left out", "draft llama8b"))

    def _engine(self, numbers: Mapping[str, float | None], model: Any, gpu: Any, ranks: int) -> dict[str, Any]:
        from calculator.engines import engine_settings

        settings = engine_settings(
            engine=self.raw.get("engine", DEFAULT_ENGINE),
            version=self.raw.get("engine_version", ""),
            gpu=gpu,
            model=model,
            gpus=ranks,
            mem_util=numbers["mem_util"],
            max_model_len=_integer(numbers["max_model_len"]),
            max_num_seqs=_integer(numbers["max_num_seqs"]),
            max_num_batched_tokens=_integer(numbers["max_num_batched_tokens"]),
        )
        return {"engine": settings, "mem_util": settings.mem_util}

    def _replica(self, numbers: Mapping[str, float | None], gpu: Any, link: Any) -> dict[str, Any]:
        gpus, ranks = int(numbers["gpus"] or 1), _integer(numbers["tp"])
        read: dict[str, Any] = {"gpus": gpus, "tp": ranks, "pp": int(numbers["pp"] or 1)}
        if gpu.gpus_per_node > gpu.link_domain_gpus:
            slow = catalogue.links()[_PCIE.get(gpu.pcie, "pcie5")]
            read |= {"slow_link": slow.name, "slow_link_bytes_per_s": slow.bandwidth_bytes_per_s}
        if link is None:
            handed = catalogue.links()["infiniband_ndr"]
            read |= {"transfer_name": handed.name, "transfer_bytes_per_s": handed.bandwidth_bytes_per_s}
        else:
            read |= {"link": link.key, "link_name": link.name, "link_bytes_per_s": link.bandwidth_bytes_per_s}
        return read

    def _unknown_fields(self) -> None:
        for name in self.raw:
            if name not in FIELDS:
                problem = "there is no such field"
                self.errors.append(InputError(name[:40], problem, one_of(FIELDS), "seq_len"))

    def _model(self) -> Any:
        if self.config is None:
            return self._row("model")
        if "model" in self.raw:
            self.errors.append(InputError("model", "a config.json is given too", "left out, or without it", "no model"))
        try:
            return self.config()
        except InputErrors as refused:
            self.errors.extend(refused.errors)
            return None

    def _row(self, kind: str) -> Any:
        if kind not in self.raw:
            self.errors.append(InputError(kind, "it is missing", _TABLES[kind][1], _TABLES[kind][2]))
            return None
        return self._optional_row(kind)

    def _optional_row(self, kind: str) -> Any:
        find, allowed, example = _TABLES[kind]
        typed = self.raw.get(kind, "")
        if not typed:
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


_TABLES: dict[str, tuple[Any, str, str]] = {
    "model": (catalogue.model, "the name of a model in the catalogue", EXAMPLE["model"]),
    "gpu": (catalogue.accelerator, "the name of an accelerator in the catalogue", EXAMPLE["gpu"]),
    "draft": (catalogue.model, "the name of a model in the catalogue", "llama8b"),
    "link": (catalogue.link, LINKS, "infiniband_ndr"),
}


def _integer(number: float | None) -> int | None:
    return None if number is None else int(number)


def _load(numbers: Mapping[str, float | None], model: Any) -> dict[str, Any]:
    return {
        "batch": int(numbers["batch"] or 1),
        **lengths(numbers["seq_len"], numbers["prompt_len"], numbers["output_len"], model.max_context_tokens),
        "cached_len": int(numbers["cached_len"] or 0),
        "max_num_batched_tokens": _integer(numbers["max_num_batched_tokens"]),
    }


def _speculation(numbers: Mapping[str, float | None], draft: Any) -> dict[str, Any]:
    if draft is None:
        return {}
    acceptance = numbers["acceptance"]
    return {
        "draft": draft,
        "draft_len": int(numbers["draft_len"] or DEFAULT_DRAFT_LEN),
        "acceptance": catalogue.planning()["draft_acceptance"].value if acceptance is None else acceptance,
    }


def _assumptions(numbers: Mapping[str, float | None]) -> dict[str, float]:
    planning = catalogue.planning()
    return {
        "mem_util": numbers["mem_util"] or planning["hbm_usable_share"].value,
        "mfu": numbers["mfu"] or planning["prefill_mfu"].value,
        "mbu": numbers["mbu"] or planning["decode_mbu"].value,
        "network_extra_s": planning["network_all_reduce_extra_s"].value,
        "all_reduce_latency_s": planning["all_reduce_latency_s"].value,
    }


def _price(numbers: Mapping[str, float | None], gpu: Any) -> dict[str, Any]:
    if numbers["price"] is not None:
        return {"price": numbers["price"], "price_source": "given"}
    listed = catalogue.price_of(gpu.key)
    if listed is None:
        return {"price": None, "price_source": "no price"}
    return {"price": listed.usd_per_gpu_hour, "price_source": f"{listed.terms}; {listed.source}"}


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
