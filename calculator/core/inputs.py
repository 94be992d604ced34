"""What a question to the calculator consists of, and the ranges outside which it is refused."""

from calculator.core.dtypes import DTYPES
from calculator.core.hardware import Accelerator
from calculator.core.llms import LanguageModel
from calculator.core.records import record


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
    "seq_len": Range(2, 10_485_760, "tokens", "8192"),
    "batch": Range(1, 100_000, "sequences", "64"),
    "prompt_len": Range(1, 10_485_759, "tokens", "2048"),
    "output_len": Range(1, 10_485_759, "tokens", "512"),
    "mem_util": Range(0.05, 1, "of the marketed memory", "0.95", whole=False),
    "price": Range(0.001, 10_000, "USD per GPU-hour", "2.50", whole=False),
    "params": Range(1e6, 1e14, "parameters", "70e9", whole=False),
    "mfu": Range(0.01, 1, "of the peak", "0.5", whole=False),
    "mbu": Range(0.01, 1, "of the bandwidth", "0.7", whole=False),
}


@record
class Inputs:
    """A model on a number of GPUs under a load. Raises InputErrors, which lists every field out of range.

    ``seq_len`` is what each sequence holds at its longest; memory and the decode step are worked out there. All GPUs
    form one replica and split every layer (tensor parallelism). ``price`` is USD per GPU-hour, ``None`` when unknown.
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

    def __post_init__(self) -> None:
        errors = [*self._out_of_range(), *self._wrong_choice()]
        if not errors:
            errors = [*self._lengths_that_disagree(), *self._heads_that_do_not_divide()]
        if errors:
            raise InputErrors(errors)

    def _out_of_range(self) -> list[InputError]:
        values = {name: getattr(self, name) for name in RANGES if name != "params"} | {"params": self.model.params}
        return [
            refuse(name, f"{value:g} is out of range", RANGES[name])
            for name, value in values.items()
            if value is not None and not RANGES[name].low <= value <= RANGES[name].high
        ]

    def _wrong_choice(self) -> list[InputError]:
        errors = []
        if self.dtype not in DTYPES:
            errors.append(InputError("dtype", f"{self.dtype!r} is unknown", one_of(DTYPES), "bf16"))
        kv_dtypes = [key for key, dtype in DTYPES.items() if dtype.kv]
        if self.kv_dtype not in kv_dtypes:
            errors.append(InputError("kv_dtype", f"{self.kv_dtype!r} is unknown", one_of(kv_dtypes), "bf16"))
        if self.budget != "simple":
            errors.append(InputError("budget", f"{self.budget!r} is unknown", "simple", "simple"))
        return errors

    def _lengths_that_disagree(self) -> list[InputError]:
        longest = self.model.max_context_tokens
        if self.seq_len > longest:
            allowed = f"at most the {longest:,} tokens of {self.model.name}"
            return [InputError("seq_len", f"{self.seq_len:,} is beyond the model", allowed, str(min(8192, longest)))]
        if self.prompt_len + self.output_len > self.seq_len:
            total = self.prompt_len + self.output_len
            problem = f"{self.seq_len:,} is shorter than prompt and output together"
            return [InputError("seq_len", problem, f"at least {total:,} tokens", str(total))]
        return []

    def _heads_that_do_not_divide(self) -> list[InputError]:
        if splits_heads(self.model, self.gpus):
            return []
        counts = ", ".join(str(count) for count in head_counts(self.model))
        problem = f"{self.gpus} GPUs cannot share {self.model.heads} query and {self.model.kv_heads} KV heads evenly"
        return [InputError("gpus", problem, f"one of {counts}", str(head_counts(self.model)[-1]))]

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
        }


def refuse(field: str, problem: str, allowed: Range) -> InputError:
    """The refusal of a number."""
    return InputError(field, problem, allowed.text(), allowed.example)


def one_of(choices: object) -> str:
    """A choice as a person reads it."""
    return "one of " + ", ".join(map(str, choices))  # type: ignore[call-overload]


def splits_heads(model: LanguageModel, gpus: int) -> bool:
    """Whether ``gpus`` can split every layer into equal numbers of whole heads, KV heads copied if need be."""
    if model.heads % gpus:
        return False
    kv_heads = 1 if model.attention == "mla" else model.kv_heads
    return kv_heads % gpus == 0 or gpus % kv_heads == 0


def head_counts(model: LanguageModel) -> list[int]:
    """Every count of GPUs that splits the heads evenly."""
    return [count for count in range(1, model.heads + 1) if splits_heads(model, count)]
