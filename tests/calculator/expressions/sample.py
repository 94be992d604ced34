"""A small catalogue of made-up and well-known rows, so that these tests do not move when the real one does."""

from calculator.core.hardware import Accelerator
from calculator.core.llms import LanguageModel
from calculator.expressions import Evaluated, ExpressionError, Quantity, evaluate

MODEL = LanguageModel(
    key="llama70b",
    name="Llama 3 70B",
    hf_id="",
    aliases=(),
    params=70.6e9,
    active_params=70.6e9,
    layers=80,
    hidden=8192,
    heads=64,
    kv_heads=8,
    head_dim=128,
    ffn=28672,
    vocab=128256,
    attention="gqa",
    native_dtype="bf16",
    max_context_tokens=131072,
)
GIB = 2.0**30
FACTS_TABLE = {
    "llama70b.layers": Quantity(80),
    "llama70b.kv_heads": Quantity(8),
    "llama70b.head_dim": Quantity(128),
    "llama70b.params": Quantity(70.6e9),
    "h100.memory": Quantity(80 * GIB, "GiB"),
    "h100.hbm_bandwidth": Quantity(3.35e12, "TB/s"),
    "h100.bf16_dense": Quantity(989.5e12, "TFLOP/s"),
    "planning.prefill_mfu": Quantity(0.5),
}


class SampleFacts:
    """Facts for tests."""

    def fact(self, path: str) -> Quantity | None:
        return FACTS_TABLE.get(path)

    def language_model(self, key: str) -> LanguageModel | None:
        return MODEL if key == MODEL.key else None

    def accelerator(self, key: str) -> Accelerator | None:
        return None

    def suggest(self, name: str) -> list[str]:
        return [path for path in FACTS_TABLE if path.rpartition(".")[2].startswith(name.rpartition(".")[2][:5])]


FACTS = SampleFacts()


def run(expression: str, **names: Quantity) -> Evaluated:
    return evaluate(expression, names=names, facts=FACTS)


def value(expression: str, **names: Quantity) -> float:
    return run(expression, **names).quantity.value


def shown(expression: str, digits: int = 3, **names: Quantity) -> str:
    return run(expression, **names).quantity.text(digits)


def attempt(expression: str, **names: Quantity) -> Quantity | ExpressionError:
    """The quantity, or the error that the language answers with."""
    try:
        return run(expression, **names).quantity
    except ExpressionError as error:
        return error
