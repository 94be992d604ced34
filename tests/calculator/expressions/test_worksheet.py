"""A worksheet: lines, comments, names, and errors that stay beside their line."""

import pytest

from calculator.expressions import ExpressionError, Quantity, WorksheetLine, check_name, evaluate_worksheet
from tests.calculator.expressions.sample import FACTS

SHEET = """# KV cache
kv = 2 * llama70b.layers * llama70b.kv_heads * llama70b.head_dim * 2 B   # per token

held = 131072 * kv -> GiB
pool = 4 * h100.memory * 0.95 - 140 GB
held / pool -> %
"""


def sheet(text: str, **names: Quantity) -> list[WorksheetLine]:
    return evaluate_worksheet(text, names=names, facts=FACTS)


def message(line: WorksheetLine) -> str:
    assert line.error is not None
    return line.error.message


def text(line: WorksheetLine) -> str:
    assert line.evaluated is not None, line.error
    return line.evaluated.quantity.text()


def test_lines_are_evaluated_from_the_top_with_the_names_above() -> None:
    lines = sheet(SHEET)
    assert [line.number for line in lines] == [1, 2, 3, 4, 5, 6, 7]
    assert [line.name for line in lines] == [None, "kv", None, "held", "pool", None, None]
    assert [text(lines[index]) for index in (1, 3, 4, 5)] == ["327,680 B", "40.0 GiB", "174 GiB", "23.0%"]
    assert lines[1].expression == "2 * llama70b.layers * llama70b.kv_heads * llama70b.head_dim * 2 B"
    assert lines[3].evaluated is not None
    assert lines[3].evaluated.with_numbers == "131072 * 327680 B -> GiB"
    assert lines[5].evaluated is not None
    assert lines[5].evaluated.quantity.mixed


def test_blank_lines_and_comments_have_neither_value_nor_error() -> None:
    for line in sheet("\n   \n# note\n  # another = 3\n"):
        assert (line.name, line.expression, line.evaluated, line.error) == (None, None, None, None)


def test_lines_end_as_in_a_text_area_of_any_system() -> None:
    assert [line.source for line in sheet("1\r\n2\r3\n4")] == ["1", "2", "3", "4"]


def test_what_is_typed_is_kept_as_it_was_typed() -> None:
    (line,) = sheet("  t  =  140 GB ÷ 3.35 TB/s  # floor")
    assert line.source == "  t  =  140 GB ÷ 3.35 TB/s  # floor"
    assert line.expression == "140 GB ÷ 3.35 TB/s"
    assert text(line) == "41.8 ms"


def test_a_name_defined_twice_is_an_error_and_the_first_stands() -> None:
    lines = sheet("a = 1\na = 2\na * 10")
    assert "defined in line 1 already" in message(lines[1])
    assert text(lines[2]) == "10"


def test_a_given_name_cannot_be_defined_again() -> None:
    lines = sheet("weights = 1 GB\nweights / 2", weights=Quantity.of(140, "GB"))
    assert "is given" in message(lines[0])
    assert text(lines[1]) == "70.0 GB"


def test_a_line_that_builds_on_a_bad_line_says_so() -> None:
    lines = sheet("a = 1 +\nb = a * 2\nc = 3 * b\nd = 4")
    assert "stops after" in message(lines[0])
    assert message(lines[1]) == "'a' has an error (line 1)"
    assert message(lines[2]) == "'b' has an error (line 2)"
    assert text(lines[3]) == "4"


def test_a_line_that_builds_on_one_below_says_so() -> None:
    lines = sheet("b = layers * 2\nlayers = 80")
    assert message(lines[0]) == "'layers' is defined below (line 2): lines are read from the top"
    assert text(lines[1]) == "80"


def test_a_line_cannot_use_itself() -> None:
    (line,) = sheet("a = a + 1")
    assert "unknown" in message(line)


@pytest.mark.parametrize(
    ("line", "column"),
    [
        ("a = 1 + nothing", 9),
        ("  a =   1 + nothing", 13),
        ("   1 + nothing", 8),
        ("s = 3", 1),
        ("kv pool = 3", 1),
        ("a = 1,000", 5),
        ("a = ", 5),
    ],
)
def test_columns_count_from_the_start_of_the_line(line: str, column: int) -> None:
    (found,) = sheet(line)
    assert found.error is not None
    assert found.error.column == column


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("s", "is a unit"),
        ("GB", "is a unit"),
        ("min", "is a unit"),
        ("sqrt", "is a function"),
        ("kv_pool_bytes", "is a function"),
        ("llama70b", "in the catalogue"),
        ("fp8", "in the catalogue"),
        ("kv pool", "write kv_pool"),
        ("kv-pool", "write kv_pool"),
        ("llama70b.layers", "write llama70b_layers"),
        ("2x", "cannot be a name"),
        ("", "cannot be a name"),
        ("größe", "cannot be a name"),
        ("x" * 65, "64 characters"),
        ("x" * 5000, "64 characters"),
    ],
)
def test_a_name_that_would_be_ambiguous_is_refused(name: str, words: str) -> None:
    with pytest.raises(ExpressionError, match=words) as refused:
        check_name(name, FACTS)
    assert refused.value.kind == "name"
    (line,) = sheet(f"{name} = 3")
    assert words in message(line)
    assert len(message(line)) < 300


@pytest.mark.parametrize("name", ["layers", "tokens", "batch", "kv_pool", "T", "_x", "x1", "tpot_s", "GPU"])
def test_other_names_are_free_labels_among_them(name: str) -> None:
    lines = sheet(f"{name} = 80\n2 * {name}\n140 GB / {name}")
    assert [text(line) for line in lines] == ["80", "160", "1.75 GB"]


def test_two_equals_signs_are_an_error() -> None:
    assert "names a line" in message(sheet("a = b = 3")[0])
    assert "names a line" in message(sheet("a == 3")[0])


def test_arguments_by_name_do_not_make_a_line_a_definition() -> None:
    (line,) = sheet("weights_bytes(model=llama70b, dtype=fp8)")
    assert (line.name, text(line)) == (None, "70.6 GB")
    (line,) = sheet("w = weights_bytes(llama70b, dtype=fp8)")
    assert (line.name, text(line)) == ("w", "70.6 GB")
