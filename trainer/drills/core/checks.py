"""What is wrong with a drill that can be read: draws that fail, answers that make no sense, figures typed by hand."""

import math
import re
from collections.abc import Iterable, Iterator

from calculator.expressions import NO_FACTS, ExpressionError, Facts, Quantity, check_name, evaluate
from calculator.expressions.evaluation import put_in_text
from designs.core.document import Text
from designs.core.figures import bare_figures, footnotes
from trainer.drills.core.drawing import Drawn, draw
from trainer.drills.core.forms import Drill, DrillRefused, Kind, Problem
from trainer.drills.core.grading import Unreadable, Verdict, grade, tolerance_of
from trainer.drills.core.slips import own_slips
from trainer.drills.core.working import Worked, work_out

_LITERAL = re.compile(r"(?<![\w.])(\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?)(?:\s*([A-Za-z%µ][\w%µ/^-]*))?", re.ASCII)
_LEFTOVER = re.compile(r"\{\{|\}\}|\{\w+\}")


def check(drill: Drill, *, facts: Facts, draws: int = 3) -> list[Problem]:
    """Everything that is wrong with a drill, tried with that many draws."""
    found = [*_names(drill, facts), *_figures(drill)]
    if not found:
        try:
            found = list(_drawn_problems(drill, facts, draws))
        except (DrillRefused, ExpressionError, Unreadable) as error:
            found = [str(error)]
    return [Problem(drill.file, drill.id, message) for message in dict.fromkeys(found)]


def trial(drill: Drill, *, facts: Facts) -> str:
    """Why a drill cannot be used, by one draw; "" when it can."""
    try:
        drawn = draw(drill, "0", facts=facts)
        _filled(drawn, work_out(drawn))
        if drill.numeric is not None:
            tolerance_of(drill)
    except (DrillRefused, ExpressionError) as error:
        return str(error)
    return ""


def _names(drill: Drill, facts: Facts) -> Iterator[str]:
    names = [one.name for one in drill.draws]
    for one in drill.draws:
        if names.count(one.name) > 1:
            yield f"draw `{one.name}` stands twice"
        if not one.row:
            try:
                check_name(one.name, facts)
            except ExpressionError as error:
                yield f"draw `{one.name}`: {error.message}"


def _figures(drill: Drill) -> Iterator[str]:
    """Figures with a unit that are neither placeholder, nor typed in `lines` or a draw, nor sourced."""
    if drill.source or drill.kind is Kind.COLD:  # the numbers page is checked by itself
        return
    known = list(_typed_values(drill))
    for text in drill.texts:
        placed = Text(text, drill.file)
        for problem in bare_figures(placed, given_values=known, notes=footnotes(placed)):
            yield problem.message


def _typed_values(drill: Drill) -> Iterator[float]:
    draws = [
        f"{value} {one.unit}" for one in drill.draws for value in (*one.values, f"{one.low:.12g}", f"{one.high:.12g}")
    ]
    for match in _LITERAL.finditer("\n".join([drill.lines, *draws])):
        yield float(match.group(1).replace("_", ""))
        if match.group(2):
            try:
                yield evaluate(f"{match.group(1)} {match.group(2)}", facts=NO_FACTS).quantity.value
            except ExpressionError:
                continue


def _drawn_problems(drill: Drill, facts: Facts, draws: int) -> Iterator[str]:
    shown = [False] * (len(drill.numeric.slips) if drill.numeric else 0)
    for number in range(draws):
        drawn = draw(drill, str(number), facts=facts)
        worked = work_out(drawn)
        for text in _filled(drawn, worked):
            if _LEFTOVER.search(text):
                yield f"a placeholder is left over in {text!r:.80}"
        if drill.numeric is not None:
            yield from (f"{message} (seed {number})" for message in _answer_problems(drawn, worked, shown))
    if draws >= 100:
        yield from (f"slip {index + 1} is never distinguishable" for index, one in enumerate(shown) if not one)


def _filled(drawn: Drawn, worked: Worked) -> list[str]:
    return [drawn.ask, *(worked.scene.fill(text) for text in drawn.drill.texts)]


def _answer_problems(drawn: Drawn, worked: Worked, shown: list[bool]) -> Iterator[str]:
    numeric, answer = drawn.drill.numeric, worked.answer
    assert numeric is not None
    assert answer is not None
    if not math.isfinite(answer.value) or (answer.value <= 0 and not numeric.signed):
        yield f'the answer comes to {worked.text}: forbid it by `require`, or say sign = "any"'
        return
    last = worked.lines[-1].quantity if worked.lines else None
    tolerance = tolerance_of(drawn.drill)
    if last is None or last.dimension != answer.dimension or not tolerance.holds(answer, last.value):
        yield f"the last line of `working` comes to {worked.lines[-1].text if last else 'nothing'}, not {worked.text}"
    for typed in _right_answers(answer, worked.text, numeric.digits):
        if not grade(drawn, worked, typed).right:
            yield f"the answer as shown, {typed}, is graded wrong: more digits, or a wider tolerance"
    for index, slip in enumerate(own_slips(drawn, worked)):
        if slip is None or tolerance.holds(answer, slip.value):
            continue
        shown[index] = True
        verdict: Verdict = grade(drawn, worked, put_in_text(Quantity(slip.value, answer.unit)))
        if verdict.right or not verdict.slip:
            yield f"slip {index + 1} is not recognised"


def _right_answers(answer: Quantity, text: str, digits: int) -> Iterable[str]:
    yield put_in_text(answer)
    yield f"{float(f'{answer.magnitude:.{digits - 1}e}'):.12g}"


def counts(drills: Iterable[Drill]) -> tuple[dict[str, int], dict[str, int]]:
    """How many drills there are by kind, and by concept."""
    kinds: dict[str, int] = {kind.value: 0 for kind in Kind}
    concepts: dict[str, int] = {}
    for drill in drills:
        kinds[drill.kind] += 1
        concepts[drill.concept or drill.group] = concepts.get(drill.concept or drill.group, 0) + 1
    return kinds, dict(sorted(concepts.items(), key=_concept_order))


def _concept_order(pair: tuple[str, int]) -> tuple[str, int]:
    group, _, number = pair[0].partition(".")
    return group, int(number) if number.isdecimal() else 0
