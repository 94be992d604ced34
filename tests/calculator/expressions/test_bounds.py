"""Hostile and endless input: everything is refused in words, nothing is computed that is not bounded."""

import ast
import contextlib
import inspect
import math
import textwrap

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calculator.expressions import ExpressionError, Quantity, evaluate_worksheet, formulas, limits
from calculator.expressions.words import WORDS
from tests.calculator.expressions.sample import FACTS, attempt, run

PIECES = [
    *"+-*/^(),.%=#_ \n\t²µ×·−→'\"",
    "**", "->", "1", "2.5", "1e9", "9e99", "1e-299", "0", "131_072", "1,000", "x", "kv_pool", "layers", "llama70b",
    "llama70b.layers", "h100.memory", "min(", "max(", "sqrt(", "exp(", "ln(", "floor(", "kv_cache_bytes_per_token(",
    "weights_bytes(llama70b, ", "prefill_s(", "batch=", "bf16", "__import__", "().__class__", "lambda: 0",
    "h100", "\u200b", "\u202e",
    *(f" {word}" for word in sorted(WORDS)[::5]), "/s", "/tok", " / GPU", "*h",
]  # fmt: skip
NAMES = {"x": Quantity.of(3, "GiB"), "layers": Quantity(80), "kv_pool": Quantity(0)}


def outcome(text: str) -> Quantity | ExpressionError:
    found = attempt(text, **NAMES)
    if isinstance(found, ExpressionError):
        assert found.message
        assert found.kind in ("syntax", "name", "unit", "limit", "value")
        assert found.column is None or 1 <= found.column <= len(text) + 1
    else:
        assert math.isfinite(found.value)
        assert found.text()
    return found


@settings(deadline=None, max_examples=400)
@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_no_jumble_of_the_languages_own_pieces_raises_anything_but_its_own_error(text: str) -> None:
    outcome(text)


@settings(deadline=None, max_examples=200)
@given(st.text(st.characters(codec=None), max_size=200))
def test_no_text_of_any_characters_raises_anything_but_its_own_error(text: str) -> None:
    outcome(text)
    evaluate_worksheet(text, names=NAMES, facts=FACTS)
    with contextlib.suppress(ExpressionError):
        Quantity.of(1, text)


@settings(deadline=None, max_examples=100)
@given(st.lists(st.lists(st.sampled_from(PIECES), max_size=8).map("".join), max_size=12).map("\n".join))
def test_a_worksheet_of_any_text_gives_a_line_for_each_line(text: str) -> None:
    lines = evaluate_worksheet(text, names=NAMES, facts=FACTS)
    assert [line.number for line in lines] == list(range(1, len(text.split("\n")) + 1))
    for line in lines:
        assert line.evaluated is None or line.error is None


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('true')",
        "().__class__.__bases__",
        "llama70b.__class__",
        "h100.memory.real",
        "x.value",
        "lambda: 0",
        "[1, 2]",
        "{1}",
        "x[0]",
        "eval(1)",
        "open(1)",
        "getattr(x, x)",
        "min.__call__(1)",
        "(1)(2)",
        "'a' * 9",
        "f'{1}'",
        "1 if 1 else 2",
        "x := 3",
        "1; 2",
        "1 @ 2",
        "~1",
        "1 < 2",
        "1j",
        "0x10",
        "1 // 2",
        "10 % 3",
        "nan",
        "inf",
        "True",
        "None",
        "*",
        "\\",
        "`1`",
    ],
)
def test_nothing_but_arithmetic_is_understood(text: str) -> None:
    assert isinstance(outcome(text), ExpressionError)


@pytest.mark.parametrize(
    "text",
    [
        "9**9**9",
        "9^9^9^9^9",
        "2^1e9",
        "(1e99)^2",
        "1e99 * 1e99",
        "1e99 + 1e100",
        "1e101",
        "1e99999",
        "1" + "0" * 200,
        "1e-301",
        "1e-200 * 1e-200",
        "1e-200 / 1e200",
        "0.5^2000",
        "exp(1000)",
        "exp(-1000)",
        "1e90 PB * 1e90",
        "1 GB^13",
        "1 s^12 * 1 s",
        "(1 s^12)^2",
        "(1 s^12 * 1 s) / 1 s",
        "(1 s^12)^2 / 1 s^12",
        "1 GB^99",
        "(1 GB^2)^1e9",
        "(" * 40 + "1" + ")" * 40,
        "(" * 410,
        "-" * 40 + "1",
        "2^" * 40 + "1",
        "sqrt(" * 40 + "1" + ")" * 40,
        "1+" * 300 + "1",
        "1 " * 900,
        "x" * 150,
        "1" + " " * 3000,
        "1" * 1_000_000,
        "(" * 1_000_000,
        "min(" + "1, " * 30 + "1)",
        "kv_pool_tokens(1e9 GB, 1 B) * kv_copies(llama70b, 1e9)",
        "1 token*request*replica*layer*step*block*node*adapter*chunk*item*page*comparison",
    ],
)
def test_what_is_too_long_too_deep_or_too_large_is_refused_as_such(text: str) -> None:
    error = outcome(text)
    assert isinstance(error, ExpressionError)
    assert error.kind == "limit"


def test_what_is_just_within_the_limits_is_evaluated() -> None:
    assert run("(" * 31 + "1" + ")" * 31).quantity.value == 1
    assert run("1+" * 199 + "1").quantity.value == 200
    assert run("1" + " " * (limits.EXPRESSION_CHARACTERS - 1)).quantity.value == 1
    assert run("9^99").quantity.value == 9.0**99
    assert run("1e-200 * 1e-99").quantity.value == 1e-200 * 1e-99


def test_a_power_is_judged_before_it_is_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    computed: list[tuple[float, float]] = []

    def watched(base: float, exponent: float) -> float:
        computed.append((base, exponent))
        return base**exponent

    monkeypatch.setattr(limits.math, "pow", watched)
    assert isinstance(outcome("9**9**9"), ExpressionError)
    assert computed == [(9.0, 9.0)]


@pytest.mark.parametrize(
    "hidden", ["\u200b", "\u200d", "\ufeff", "\u202e", "\u2066", "\u0000", "\u001b", "\ud800", "\ue000"]
)
def test_a_character_that_cannot_be_seen_is_named_and_placed(hidden: str) -> None:
    error = outcome(f"1 +{hidden} 2")
    assert isinstance(error, ExpressionError)
    assert error.column == 4
    assert f"U+{ord(hidden):04X}" in error.message


def test_digits_of_other_scripts_are_not_numbers() -> None:
    assert isinstance(outcome("٣ + ３"), ExpressionError)
    assert isinstance(outcome("²"), ExpressionError)


def test_a_worksheet_is_evaluated_up_to_its_limit_and_says_so() -> None:
    lines = evaluate_worksheet("\n".join(["1 + 1"] * 5_000), facts=FACTS)
    assert len(lines) == limits.WORKSHEET_LINES + 1
    assert all(line.evaluated for line in lines[:-1])
    assert lines[-1].error is not None
    assert lines[-1].error.kind == "limit"
    assert evaluate_worksheet("\n" * limits.WORKSHEET_LINES, facts=FACTS)[-1].error is None
    assert evaluate_worksheet("1" * 1_000_000, facts=FACTS)[0].error is not None


BOUNDED_LOOPS = {
    "poisson_quantile": "adds fewer than 250 terms: its mean is 100 at most",
    "chance_at_least": "adds at most 1,001 terms: that many trials are refused",
    "erlang_b": "at most 100,000 steps: more servers are refused",
    "harmonic_number": "adds at most 100,000 terms: more are refused",
    "distinct_ranked": "adds at most 10,000 terms: more are refused",
    "ordered_whole_free_nodes": "at most 100,000 steps: more GPUs are refused",
    "sign_test_p_value": "adds at most 501 terms: more than 1,000 pairs are refused",
    "expected_maximum": "2,001 strips, whatever its argument",
}


def test_no_formula_that_can_be_called_loops_over_its_arguments() -> None:
    loops = (ast.For, ast.While, ast.comprehension)
    for name, formula in formulas().items():
        if name in BOUNDED_LOOPS:
            continue
        tree = ast.parse(textwrap.dedent(inspect.getsource(formula.call)))
        assert not [node for node in ast.walk(tree) if isinstance(node, loops)], (
            f"{name} loops: bound it and say so here"
        )
