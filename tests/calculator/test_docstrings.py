"""Every public formula says what it is, when it holds, where it is from and what it refuses."""

import importlib
import inspect
import re
from collections.abc import Callable

import pytest

MODULES = (
    "memory",
    "checkpoint",
    "kv_groups",
    "activations",
    "roofline",
    "latency",
    "cost",
    "comms",
    "fairness",
    "queueing",
    "reliability",
    "placement",
    "popularity",
    "prefix",
    "speculation",
    "evaluation",
    "chunking",
)
SECTIONS = ("Formula", "Symbols", "Holds when", "Source", "Raises")


def formulas() -> list[Callable[..., object]]:
    found: list[Callable[..., object]] = []
    for name in MODULES:
        module = importlib.import_module(f"calculator.core.{name}")
        for function_name, function in inspect.getmembers(module, inspect.isfunction):
            if function.__module__ == module.__name__ and not function_name.startswith("_"):
                found.append(function)
    return found


@pytest.mark.parametrize("function", formulas(), ids=lambda function: function.__name__)
def test_a_formula_documents_itself(function: Callable[..., object]) -> None:
    text = inspect.getdoc(function) or ""
    for section in SECTIONS:
        match = re.search(rf"^{section}: (.+)$", text, re.MULTILINE)
        assert match, f"{function.__name__} lacks {section}"
        assert len(match.group(1)) > 3
    positions = [text.index(f"\n{section}: ") for section in SECTIONS]
    assert positions == sorted(positions)


@pytest.mark.parametrize("function", formulas(), ids=lambda function: function.__name__)
def test_a_formula_that_says_it_raises_nothing_has_no_raise(function: Callable[..., object]) -> None:
    says_nothing = "Raises: nothing" in (inspect.getdoc(function) or "")
    assert says_nothing != ("raise " in inspect.getsource(function) or delegates(function))


def delegates(function: Callable[..., object]) -> bool:
    """Whether a formula refuses through another one that it calls."""
    return bool(
        re.search(
            r"dtype_named\(|weights_read_bytes\(|all_reduce_s\(|accepted_tokens_per_step\(|"
            r"compute_s\(|weights_bytes\(|_layer\(|per_rank\(|checkpoint_bytes\(|packed_bits\(|kv_groups\(|_wilson\(",
            body(function),
        )
    )


def body(function: Callable[..., object]) -> str:
    source = inspect.getsource(function)
    return source[source.rindex('"""') :]


def test_there_are_formulas_to_read() -> None:
    assert len(formulas()) >= 30
