"""The calculator's inputs that a design names for its replica: they must be such as the calculator takes."""

from calculator.core.inputs import InputErrors
from calculator.parsing import read_inputs
from designs.core.document import Design, Problem

FILE = "design.toml"


def calculator_problems(design: Design) -> list[Problem]:
    """What the calculator says against the inputs; nothing for a design that names none."""
    if not design.calculator:
        return []
    try:
        read_inputs(design.calculator)
    except InputErrors as refused:
        return [Problem(FILE, 0, f"`calculator`: {error}") for error in refused.errors]
    return []
