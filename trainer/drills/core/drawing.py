"""A drill with its parameters drawn. The same seed gives the same draw, and no draw breaks what the drill requires."""

import math
import random
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from calculator.expressions import ExpressionError, Facts, Quantity, WorksheetLine, evaluate, evaluate_worksheet
from designs.core.derivation import Derivation
from designs.core.prose import PLACEHOLDER, fill
from trainer.drills.core.forms import MOST_TRIES, Draw, Drill, DrillRefused, Kind
from trainer.drills.core.parser import PLAIN_NUMBER

_KEY = re.compile(r"(?<!\{)\{(\w+)\}(?!\})")
_LITERAL = re.compile(r"\s*([\d_]+(?:\.\d+)?)(?:e[+-]?\d+)?\s*[^\d\s*+()-]*\s*")
LINE_DIGITS = 3
_ABBREVIATIONS = {word: word.upper() for word in ("kv", "gpu", "mfu", "mbu", "ttft", "tpot", "bf16", "fp8")}


@dataclass(frozen=True)
class Line:
    """One worked-out line: its expression, the same with the numbers put in, its value, and why it is taken."""

    name: str
    expression: str
    with_numbers: str
    text: str
    why: str
    quantity: Quantity

    @property
    def title(self) -> str:
        """Why it is taken; without a reason its name in words: "Left tokens", "KV heads"."""
        words = " ".join(_ABBREVIATIONS.get(word, word) for word in self.name.split("_") if word)
        return self.why or words[:1].upper() + words[1:] or "So"

    @property
    def put_in(self) -> str:
        """The expression with the numbers put in, without the unit that it is shown in."""
        return self.with_numbers.partition("->")[0].strip()


@dataclass(frozen=True)
class Scene:
    """What the names of a drill stand for: numbers, how each is shown, and rows of the catalogue by key and name."""

    names: Mapping[str, Quantity]
    shown: Mapping[str, str]
    keys: Mapping[str, str]
    rows: Mapping[str, str]
    facts: Facts

    def expression(self, text: str) -> str:
        """An expression with the rows' keys put in."""
        return _KEY.sub(lambda match: self.keys.get(match.group(1), match.group(0)), text)

    def value(self, text: str) -> Quantity:
        """What an expression comes to. Raises: ExpressionError."""
        return evaluate(self.expression(text), names=self.names, facts=self.facts).quantity

    def fill(self, text: str) -> str:
        """A text with its placeholders filled. Raises: ExpressionError for one that has no value."""
        named = PLACEHOLDER.sub(lambda match: self.rows.get(match.group(1).strip(), match.group(0)), text)
        return fill(self.expression(named), Derivation(self.names, self.shown, (), ()), facts=self.facts)

    def with_lines(self, text: str) -> "tuple[Scene, tuple[Line, ...]]":
        """The scene with the names of a worksheet too, and its lines. Raises: ExpressionError of the first bad line."""
        found: list[Line] = []
        why = ""
        for line in evaluate_worksheet(self.expression(text), names=self.names, facts=self.facts):
            if line.error is not None:
                raise ExpressionError(f"{line.source.strip()!r}: {line.error.message}", kind=line.error.kind)
            if line.evaluated is None:
                why = line.source.strip().removeprefix("#").strip() or why
                continue
            found.append(self._line(line, why))
            why = ""
        names = {line.name: line.quantity for line in found if line.name}
        texts = {line.name: line.text for line in found if line.name}
        return replace(self, names={**self.names, **names}, shown={**self.shown, **texts}), tuple(found)

    def _line(self, line: WorksheetLine, why: str) -> Line:
        assert line.evaluated is not None
        assert line.expression is not None
        quantity = line.evaluated.quantity
        text = quantity.text(LINE_DIGITS if line.evaluated.names else typed_digits(line.expression))
        return Line(line.name or "", line.expression, line.evaluated.with_numbers, text, _comment(line, why), quantity)


@dataclass(frozen=True)
class Drawn:
    """A drill with one draw. `order` says which choice stands at which place."""

    drill: Drill
    seed: str
    scene: Scene
    typed: Mapping[str, str]  # each number that was drawn, as one would type it
    lines: tuple[Line, ...]
    order: tuple[int, ...]
    tries: int

    @property
    def ask(self) -> str:
        """The question, with its numbers."""
        return self.scene.fill(self.drill.ask)


def draw(drill: Drill, seed: str, *, facts: Facts) -> Drawn:
    """The drill as this seed draws it. Raises: DrillRefused for a drill that cannot be drawn."""
    chance = random.Random(f"{drill.id}/{seed}")
    try:
        for tries in range(1, MOST_TRIES + 1):
            drawn = _once(drill, seed, chance, facts, tries)
            if drawn is not None:
                return drawn
    except ExpressionError as error:
        raise DrillRefused(error.message) from None
    raise DrillRefused(f"none of {MOST_TRIES} draws meets what it requires")


def _once(drill: Drill, seed: str, chance: random.Random, facts: Facts, tries: int) -> Drawn | None:
    typed: dict[str, str] = {}
    scene = Scene({}, {}, {}, {}, facts)
    for one in drill.draws:
        scene = _with_row(scene, one, chance) if one.row else _with_number(scene, one, chance, typed)
    try:
        scene, lines = scene.with_lines(drill.lines)
    except ExpressionError as error:
        if error.kind in ("value", "limit"):
            return None  # no such number for this draw: another is taken
        raise
    if not all(scene.value(condition).value > 0 for condition in drill.require):
        return None
    order = list(range(len(drill.choices)))
    if drill.kind is not Kind.CLAIM:  # the sentences of a claim follow one another
        chance.shuffle(order)
    return Drawn(drill, seed, scene, typed, lines, tuple(order), tries)


def _with_row(scene: Scene, one: Draw, chance: random.Random) -> Scene:
    key = chance.choice(one.values)
    row = scene.facts.language_model(key) if one.row == "model" else scene.facts.accelerator(key)
    if row is None:
        raise DrillRefused(f"draw `{one.name}`: there is no {one.row} {key!r} in the catalogue")
    rows = {**scene.rows, one.name: row.name, f"{one.name}.name": row.name}
    return replace(scene, keys={**scene.keys, one.name: key}, rows=rows)


def _with_number(scene: Scene, one: Draw, chance: random.Random, typed: dict[str, str]) -> Scene:
    text = chance.choice(one.values) if one.values else _number(one, chance)
    if PLAIN_NUMBER.fullmatch(text):
        text = f"{text} {one.unit}".rstrip()
    quantity = scene.value(text)
    if one.unit:
        quantity = quantity.to(one.unit)
    typed[one.name] = scene.expression(text)
    shown = {**scene.shown, one.name: quantity.text(typed_digits(text))}
    return replace(scene, names={**scene.names, one.name: quantity}, shown=shown)


def _number(one: Draw, chance: random.Random) -> str:
    low, high = one.low, one.high
    number = math.exp(chance.uniform(math.log(low), math.log(high))) if one.log else chance.uniform(low, high)
    number = round(number / one.step) * one.step if one.step else float(f"{number:.2e}")
    return f"{min(max(number, low), high):.10g}"


def _comment(line: WorksheetLine, above: str) -> str:
    return above or line.source.partition("#")[2].strip()


def typed_digits(expression: str) -> int:
    """Digits with which a typed number is shown as it was typed ("989.5 TFLOP/s": 4); the usual number for others."""
    literal = _LITERAL.fullmatch(expression)
    if not literal:
        return LINE_DIGITS
    digits = literal.group(1).replace("_", "").lstrip("0")
    plain = digits.replace(".", "").lstrip("0") if "." in digits else digits.rstrip("0")
    return max(1, min(12, len(plain)))
