"""A drawn drill worked out: the answer, the lines that lead to it, and the same as the text of a worksheet."""

import re
from dataclasses import dataclass, replace

from calculator.expressions import ExpressionError, Quantity
from trainer.drills.core.drawing import Drawn, Line, Scene
from trainer.drills.core.forms import DrillRefused, Kind, Numeric

ANSWER = "answer"
_PLACED = re.compile(r"\{\{(.*?)\}\}", re.DOTALL)
_WORD = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True)
class Worked:
    """What is shown once an answer was given. `answer` is None where no number is asked for."""

    answer: Quantity | None
    text: str
    given: tuple[Line, ...]  # of a number: the lines that its question is made of
    lines: tuple[Line, ...]
    worksheet: str
    consequence: str
    why: str
    scene: Scene


def work_out(drawn: Drawn) -> Worked:
    """The working of a drawn drill. Raises: DrillRefused when it cannot be worked out."""
    try:
        return _worked(drawn)
    except ExpressionError as error:
        raise DrillRefused(error.message) from None


def _worked(drawn: Drawn) -> Worked:
    numeric, graph = drawn.drill.numeric, drawn.drill.kind is Kind.GRAPH
    scene, lines, answer, text = drawn.scene, drawn.lines, None, ""
    given: tuple[Line, ...] = ()
    said = lines
    if graph:  # its lines make the plot; those with a reason explain it
        said = explaining_lines(drawn)
        given, lines = tuple(line for line in said if not line.why), tuple(line for line in said if line.why)
    if numeric is not None:
        given = drawn.lines
        scene, lines = scene.with_lines(numeric.working)
        answer = answer_of(scene, numeric)
        text = answer.text(numeric.digits)
        if ANSWER not in scene.names:
            scene = replace(scene, names={**scene.names, ANSWER: answer}, shown={**scene.shown, ANSWER: text})
    return Worked(
        answer=answer,
        text=text,
        given=given,
        lines=lines,
        worksheet=_worksheet(drawn, said if graph else (*given, *lines), answer),
        consequence=scene.fill(drawn.drill.consequence),
        why=scene.fill(drawn.drill.why),
        scene=scene,
    )


def explaining_lines(drawn: Drawn) -> tuple[Line, ...]:
    """The lines of a graph that have a reason or stand in a text, and what those use; the rest shape the drawing."""
    wanted = _words(" ".join(found for text in drawn.drill.texts for found in _PLACED.findall(text)))
    kept: list[Line] = []
    for line in reversed(drawn.lines):
        if line.why or line.name in wanted:
            kept.append(line)
            wanted |= _words(line.expression)
    return tuple(reversed(kept))


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text))


def answer_of(scene: Scene, numeric: Numeric) -> Quantity:
    """The right answer in the unit that is wanted. Raises: ExpressionError."""
    return scene.value(numeric.answer).to(numeric.unit)


def _worksheet(drawn: Drawn, lines: tuple[Line, ...], answer: Quantity | None) -> str:
    """The draws and the lines as they can be typed, each line under its reason."""
    written = [f"# {' '.join(drawn.drill.title.split())}"]
    written += [f"{name} = {typed}" for name, typed in drawn.typed.items()]
    for line in lines:
        if line.why:
            written.append(f"# {line.why}")
        written.append(f"{line.name} = {line.expression}" if line.name else line.expression)
    numeric = drawn.drill.numeric
    if numeric is not None and answer is not None and not (lines and _same(lines[-1].quantity, answer)):
        arrow = f" -> {numeric.unit}" if numeric.unit and "->" not in numeric.answer else ""
        written.append(f"{drawn.scene.expression(numeric.answer)}{arrow}")
    return "\n".join(written) + "\n"


def _same(one: Quantity, other: Quantity) -> bool:
    return one.dimension == other.dimension and abs(one.value - other.value) <= 1e-9 * abs(other.value)
