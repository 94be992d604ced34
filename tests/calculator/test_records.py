"""Frozen records behave as frozen dataclasses do."""

import subprocess
import sys
from pathlib import Path

import pytest

from calculator.core.records import as_dict, fields, record, replace

ROOT = Path(__file__).resolve().parents[2]


@record
class Point:
    x: int
    y: int = 2

    def __post_init__(self) -> None:
        if self.x < 0:
            raise ValueError("x must be at least 0")


def test_fields_are_given_by_position_or_name_and_have_defaults() -> None:
    assert Point(1) == Point(x=1, y=2) == Point(1, y=2)
    assert Point(1) != Point(2)
    assert fields(Point) == ("x", "y")
    assert as_dict(Point(1)) == {"x": 1, "y": 2}
    assert repr(Point(1)) == "Point(x=1, y=2)"
    assert len({Point(1), Point(1), Point(2)}) == 2


def test_a_record_cannot_be_changed() -> None:
    with pytest.raises(AttributeError, match="frozen"):
        Point(1).x = 3  # type: ignore[misc]
    with pytest.raises(AttributeError, match="frozen"):
        del Point(1).x


@pytest.mark.parametrize("arguments", [((), {}), ((1, 2, 3), {}), ((1,), {"x": 1}), ((1,), {"z": 1})])
def test_arguments_that_do_not_match_the_fields_are_refused(arguments: tuple[tuple[int, ...], dict[str, int]]) -> None:
    positional, named = arguments
    with pytest.raises(TypeError, match="Point"):
        Point(*positional, **named)


def test_a_changed_copy_is_checked_as_a_new_one_is() -> None:
    assert replace(Point(1), y=5) == Point(1, 5)
    with pytest.raises(ValueError, match="at least 0"):
        replace(Point(1), x=-1)


def test_a_question_on_the_command_line_imports_no_slow_module() -> None:
    program = (
        "import sys; from calculator.gpu_math import main; "
        "main(['--model', 'llama-70b', '--gpu', 'h100', '--gpus', '4']); "
        "print('loaded:', sorted({'dataclasses', 'inspect', 'argparse', 'ast', 'difflib', 'json'} & set(sys.modules)))"
    )
    ran = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "loaded: []"
