"""What a question to the calculator consists of, and the ranges outside which it is refused."""

from typing import TYPE_CHECKING

from calculator.core.dtypes import DTYPES
from calculator.core.hardware import Accelerator
from calculator.core.heads import head_counts, splits_heads
from calculator.core.llms import LanguageModel
from calculator.core.records import record

if TYPE_CHECKING:
    from calculator.core.engines import EngineSettings


@record
class InputError:
    """One field that is refused: which, why, what it may be, and a value that would do."""

    field: str
    problem: str
    allowed: str
    example: str

    @property
    def message(self) -> str:
        """The refusal in one sentence, without the field's name."""
        return f"{self.problem}: it must be {self.allowed}, for example {self.example}."

    def __str__(self) -> str:
        return f"{self.field}: {self.message}"


class InputErrors(ValueError):
    """Every field that is refused, at once."""

    def __init__(self, errors: list[InputError]) -> None:
        self.errors = tuple(errors)
        super().__init__("\n".join(str(error) for error in errors))


@record
class Range:
    """The values a number may have, both ends included."""

    low: float
    high: float
    unit: str
    example: str
    whole: bool = True

    def text(self) -> str:
        """As a person reads it."""
        kind = "a whole number" if self.whole else "a number"
        unit = f" {self.unit}" if self.unit else ""
        return f"{kind} from {plain_number(self.low)} to {plain_number(self.high)}{unit}"


def plain_number(value: float) -> str:
    """A limit in digits up to millions, and as a power of ten beyond."""
    return f"{value:,.10g}" if value < 1e9 else f"{value:.10g}"


RANGES: dict[str, Range] = {
    "gpus": Range(1, 1024, "GPUs", "4"),
    "tp": Range(1, 1024, "GPUs that share each layer", "4"),
    "pp": Range(1, 128, "pipeline stages", "2"),
    "seq_len": Range(2, 10_485_760, "tokens", "8192"),
    "batch": Range(1, 100_000, "sequences", "64"),
    "prompt_len": Range(1, 10_485_759, "tokens", "2048"),
    "output_len": Range(1, 10_485_759, "tokens", "512"),
    "mem_util": Range(0.05, 1, "of the marketed memory", "0.95", whole=False),
    "price": Range(0.001, 10_000, "USD per GPU-hour", "2.50", whole=False),
    "params": Range(1e6, 1e14, "parameters", "70e9", whole=False),
    "mfu": Range(0.01, 1, "of the peak", "0.5", whole=False),
    "mbu": Range(0.01, 1, "of the bandwidth", "0.7", whole=False),
    "max_model_len": Range(2, 10_485_760, "tokens", "8192"),
    "max_num_seqs": Range(1, 100_000, "sequences", "256"),
    "max_num_batched_tokens": Range(16, 10_485_760, "tokens of one step", "8192"),
    "cached_len": Range(0, 10_485_758, "tokens", "1024"),
    "draft_len": Range(1, 64, "tokens", "4"),
    "acceptance": Range(0, 1, "of the drafted tokens", "0.7", whole=False),
}


BUDGETS = ("simple", "engine")
LINKS = "a link between nodes of the catalogue"


@record
class Inputs:
    """A model on a number of GPUs under a load. Raises InputErrors, which lists every field out of range.

    ``seq_len`` is what each sequence holds at its longest; memory and the decode step are worked out there. ``tp``
    GPUs split every layer and ``pp`` such groups follow one another, layer by layer; by default all GPUs split every
    layer. Where that takes fewer than ``gpus``, there are ``copies`` that share the batch. ``price`` is USD per
    GPU-hour, ``None`` when unknown. ``link`` names what joins the nodes; its bandwidth, as ``slow_link_bytes_per_s``
    (inside a node, where no fast link reaches), is of one GPU and one way. ``engine`` holds an engine's settings when
    the budget is an engine's. ``draft`` proposes ``draft_len`` tokens a step. The transfer link hands a cache to
    another replica when ``link`` is not said.
    """

    model: LanguageModel
    gpu: Accelerator
    gpus: int
    seq_len: int
    batch: int
    prompt_len: int
    output_len: int
    dtype: str
    kv_dtype: str
    mem_util: float
    mfu: float
    mbu: float
    network_extra_s: float
    price: float | None = None
    price_source: str = ""
    budget: str = "simple"
    tp: int | None = None
    pp: int = 1
    engine: "EngineSettings | None" = None
    max_num_batched_tokens: int | None = None
    all_reduce_latency_s: float = 0.0
    slow_link: str = ""
    slow_link_bytes_per_s: float = 0.0
    link: str = ""
    link_name: str = ""
    link_bytes_per_s: float = 0.0
    transfer_name: str = ""
    transfer_bytes_per_s: float = 1.0
    cached_len: int = 0
    draft: LanguageModel | None = None
    draft_len: int = 4
    acceptance: float = 0.7

    def __post_init__(self) -> None:
        errors = [*self._out_of_range(), *self._wrong_choice()]
        if not errors:
            errors = [
                *self._lengths_that_disagree(),
                *(self._gpus_that_do_not_divide() or self._stages_that_do_not_go() or self._nodes_without_a_link()),
            ]
        if errors:
            raise InputErrors(errors)

    def _out_of_range(self) -> list[InputError]:
        values = {name: getattr(self, name, None) for name in RANGES} | {"params": self.model.params}
        errors = [
            refuse(name, f"{value:g} is out of range", RANGES[name])
            for name, value in values.items()
            if value is not None and not RANGES[name].low <= value <= RANGES[name].high
        ]
        least = self.model.expert_params + self.model.embedding_params
        if not errors and self.model.params < least:
            allowed = f"more than the {least:,.0f} of the experts and embeddings of {self.model.name}"
            errors.append(InputError("params", f"{self.model.params:,.0f} is too few", allowed, f"{1.1 * least:.3g}"))
        return errors

    def _wrong_choice(self) -> list[InputError]:
        errors = []
        if self.dtype not in DTYPES:
            errors.append(InputError("dtype", f"{self.dtype!r} is unknown", one_of(DTYPES), "bf16"))
        kv_dtypes = [key for key, dtype in DTYPES.items() if dtype.kv]
        if self.kv_dtype not in kv_dtypes:
            errors.append(InputError("kv_dtype", f"{self.kv_dtype!r} is unknown", one_of(kv_dtypes), "bf16"))
        if self.budget not in BUDGETS:
            errors.append(InputError("budget", f"{self.budget!r} is unknown", one_of(BUDGETS), "simple"))
        elif (self.budget == "engine") != (self.engine is not None):
            problem = f"{self.budget!r} does not go with the engine's settings"
            errors.append(InputError("budget", problem, one_of(BUDGETS), "engine"))
        return errors

    def _lengths_that_disagree(self) -> list[InputError]:
        longest = self.model.max_context_tokens
        if self.engine is not None and self.engine.max_model_len > longest:
            allowed = f"at most the {longest:,} tokens of {self.model.name}"
            problem = f"{self.engine.max_model_len:,} is beyond the model"
            return [InputError("max_model_len", problem, allowed, str(min(8192, longest)))]
        if self.engine is not None and self.engine.max_model_len < self.seq_len <= longest:
            allowed = f"at most the {self.engine.max_model_len:,} tokens that the engine is started for"
            problem = f"{self.seq_len:,} is longer than the engine takes"
            return [InputError("seq_len", problem, allowed, str(self.engine.max_model_len))]
        if self.seq_len > longest:
            allowed = f"at most the {longest:,} tokens of {self.model.name}"
            return [InputError("seq_len", f"{self.seq_len:,} is beyond the model", allowed, str(min(8192, longest)))]
        if self.prompt_len + self.output_len > self.seq_len:
            total = self.prompt_len + self.output_len
            problem = f"{self.seq_len:,} is shorter than prompt and output together"
            return [InputError("seq_len", problem, f"at least {total:,} tokens", str(total))]
        if self.cached_len >= self.prompt_len:
            problem = f"{self.cached_len:,} leaves nothing of the prompt"
            allowed = f"less than the {self.prompt_len:,} tokens of the prompt"
            return [InputError("cached_len", problem, allowed, str(self.prompt_len // 2))]
        return []

    def _gpus_that_do_not_divide(self) -> list[InputError]:
        if self.gpus % self.pp:
            divisors = [count for count in range(1, min(self.gpus, self.model.layers) + 1) if self.gpus % count == 0]
            problem = f"{self.pp} does not divide {self.gpus} GPUs into equal stages"
            return [InputError("pp", problem, one_of(divisors), str(divisors[-1]))]
        whole = self.gpus // self.pp
        field, ranks = ("gpus", whole) if self.tp is None else ("tp", self.tp)
        if splits_heads(self.model, ranks) and whole % ranks == 0:
            return []
        fitting = [count for count in head_counts(self.model) if self.tp is None or whole % count == 0]
        problem = f"{ranks} GPUs cannot share {self.model.heads} query and {self.model.kv_heads} KV heads evenly"
        if whole % ranks:
            problem = f"{ranks} does not divide {whole} GPUs"
        if self.tp is None:
            fitting = [count * self.pp for count in fitting]
        return [InputError(field, problem, one_of(fitting), str(fitting[-1]))]

    def _nodes_without_a_link(self) -> list[InputError]:
        if self.gpus_of_a_copy <= self.gpus_joined or self.link_bytes_per_s > 0:
            return []
        problem = f"{self.gpus} GPUs are more than the {self.gpus_joined} {self.gpu.name} of a node"
        return [InputError("link", f"{problem}, and it is not said what joins the nodes", LINKS, "infiniband_ndr")]

    def _stages_that_do_not_go(self) -> list[InputError]:
        if self.pp > self.model.layers:
            allowed = f"at most the {self.model.layers} layers of {self.model.name}"
            return [InputError("pp", f"{self.pp} are more stages than layers", allowed, "2")]
        if self.pp > 1 and self.engine is not None:
            return [InputError("pp", "an engine's budget is worked out for one stage", "1 with this budget", "1")]
        return []

    @property
    def ranks(self) -> int:
        """GPUs that share each layer (tensor parallelism)."""
        return self.gpus // self.pp if self.tp is None else self.tp

    @property
    def copies(self) -> int:
        """Whole copies of the model (data parallelism): each has its part of the batch."""
        return self.gpus // (self.ranks * self.pp)

    @property
    def gpus_of_a_copy(self) -> int:
        """GPUs that hold one copy of the model."""
        return self.ranks * self.pp

    @property
    def batch_of_a_copy(self) -> int:
        """Sequences that the fullest copy decodes together."""
        return -(-self.batch // self.copies)

    @property
    def gpus_joined(self) -> int:
        """GPUs that reach one another without a network: those of a node, or of the fast link's domain."""
        return max(self.gpu.gpus_per_node, self.gpu.link_domain_gpus)

    @property
    def chunk_tokens(self) -> int:
        """Most prompt tokens of one step: the whole prompt when nothing is said."""
        if self.engine is not None:
            return self.engine.max_num_batched_tokens
        return self.max_num_batched_tokens or self.prompt_len

    def as_dict(self) -> dict[str, object]:
        """The inputs as plain values, under the names that the URL and the command line use."""
        return {
            "model": self.model.key,
            "gpu": self.gpu.key,
            "gpus": self.gpus,
            "seq_len": self.seq_len,
            "batch": self.batch,
            "prompt_len": self.prompt_len,
            "output_len": self.output_len,
            "dtype": self.dtype,
            "kv_dtype": self.kv_dtype,
            "mem_util": self.mem_util,
            "mfu": self.mfu,
            "mbu": self.mbu,
            "price": self.price,
            "params": self.model.params,
            "budget": self.budget,
            "tp": self.ranks,
            "pp": self.pp,
            "link": self.link or None,
            "cached_len": self.cached_len,
            "max_num_batched_tokens": self.max_num_batched_tokens,
            "draft": self.draft.key if self.draft else None,
            "draft_len": self.draft_len if self.draft else None,
            "acceptance": self.acceptance if self.draft else None,
            "engine": None,
            "engine_version": None,
            "max_model_len": None,
            "max_num_seqs": None,
            **(self.engine.as_dict() if self.engine else {}),
        }


def refuse(field: str, problem: str, allowed: Range) -> InputError:
    """The refusal of a number."""
    return InputError(field, problem, allowed.text(), allowed.example)


def one_of(choices: object) -> str:
    """A choice as a person reads it."""
    return "one of " + ", ".join(map(str, choices))  # type: ignore[call-overload]
