"""From what is typed to a topic's answer: the page, the JSON and the command line all work it out here."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from calculator import catalogue
from calculator.core.dtypes import DTYPES
from calculator.core.inputs import InputError, InputErrors
from calculator.expressions import Evaluated, ExpressionError, Quantity, evaluate
from calculator.facts import catalogue_facts
from calculator.parsing import LONGEST_TYPED, shortened
from calculator.topics import Requirement, Topic, TopicInput, TopicStep, topic

_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?", re.ASCII)
_WHOLE = re.compile(r"[+-]?[0-9]{1,18}", re.ASCII)
_KEY = re.compile(r"\{(\w+)\}")
_PLACEHOLDER = re.compile(r"\{\{\s*(.+?)\s*\}\}")
_ZEROS = re.compile(r"^([^.\s]*)(?:(\.\d*[1-9])|\.)0+(?!\d)")
INPUT_DIGITS = 6


@dataclass(frozen=True)
class Setting:
    """What the inputs are: numbers by name, and keys to put into expressions.

    Of an input `model` these are its row and, as `model_dtype`, the number format that the model is published in.
    """

    names: Mapping[str, Quantity]
    keys: Mapping[str, str]

    def expression(self, text: str) -> str:
        """An expression with the rows' keys put in."""
        return _KEY.sub(lambda match: self.keys.get(match.group(1), match.group(0)), text)


@dataclass(frozen=True)
class StepAnswer:
    """One result with its numbers. ``expression`` has the rows' keys put in."""

    step: TopicStep
    quantity: Quantity
    expression: str
    with_numbers: str
    decides: str

    @property
    def text(self) -> str:
        """The result as it is shown."""
        return self.quantity.text(self.step.digits)

    def as_dict(self) -> dict[str, object]:
        """For the JSON: ``value`` counts ``unit``."""
        return {
            "id": self.step.id,
            "title": self.step.title,
            "value": self.quantity.magnitude,
            "unit": self.quantity.unit,
            "text": self.text,
            "formula": self.step.formula,
            "expression": self.expression,
            "with_numbers": self.with_numbers,
            "decides": self.decides,
            "source": self.step.source,
        }


@dataclass(frozen=True)
class TopicAnswer:
    """A topic worked out. ``inputs`` are as typed or, where nothing was, the defaults."""

    topic: Topic
    setting: Setting
    inputs: Mapping[str, str]
    steps: tuple[StepAnswer, ...]
    script: tuple[str, ...]

    @property
    def headline(self) -> tuple[StepAnswer, ...]:
        """The results that stand on top."""
        return tuple(step for step in self.steps if step.step.headline)

    def worksheet(self) -> str:
        """Inputs and steps as the lines of a worksheet."""
        lines = [f"# {self.topic.title}"]
        for one in self.topic.inputs:
            if one.kind == "number":
                lines.append(f"{one.name} = {self.inputs[one.name]} {one.unit}".rstrip())
        for step in self.steps:
            arrow = f" -> {step.step.unit}" if step.step.unit else ""
            lines.append(f"{step.step.id} = {step.expression}{arrow}")
        return "\n".join(lines) + "\n"

    def as_dict(self) -> dict[str, object]:
        """The whole answer as plain values."""
        return {
            "topic": self.topic.slug,
            "title": self.topic.title,
            "inputs": dict(self.inputs),
            "units": {one.name: one.unit for one in self.topic.inputs},
            "results": {step.step.id: step.quantity.magnitude for step in self.steps},
            "steps": [step.as_dict() for step in self.steps],
            "script": list(self.script),
        }


@lru_cache(maxsize=64)
def _answered(slug: str, typed: tuple[tuple[str, str], ...]) -> TopicAnswer:
    return work_out(topic(slug), dict(typed))


def topic_answer(slug: str, typed: Mapping[str, str]) -> TopicAnswer:
    """The answer of a topic to typed inputs. Raises KeyError for no such topic and InputErrors for what is refused."""
    return _answered(slug, tuple(typed.items()))


def work_out(asked: Topic, typed: Mapping[str, str]) -> TopicAnswer:
    """The answer of a topic that need not be in the catalogue. Raises InputErrors."""
    setting, inputs = read_setting(asked, typed)
    for requirement in asked.requirements:
        _require(asked, requirement, setting)
    names: dict[str, Quantity] = dict(setting.names)
    found: list[tuple[TopicStep, Evaluated]] = []
    for step in asked.steps:
        evaluated = step_value(asked, step, setting, names)
        names[step.id] = evaluated.quantity
        found.append((step, evaluated))
    digits = {step.id: step.digits for step in asked.steps}
    steps = tuple(
        StepAnswer(
            step,
            evaluated.quantity,
            setting.expression(step.expression),
            evaluated.with_numbers,
            filled(step.decides, setting, names, digits),
        )
        for step, evaluated in found
    )
    script = tuple(filled(line, setting, names, digits) for line in asked.script)
    return TopicAnswer(asked, setting, inputs, steps, script)


def step_value(asked: Topic, step: TopicStep, setting: Setting, names: Mapping[str, Quantity]) -> Evaluated:
    """One step's value in its unit. What cannot be worked out is a refusal of the input that it hangs on."""
    try:
        evaluated = evaluate(setting.expression(step.expression), names=names, facts=catalogue_facts())
        quantity = evaluated.quantity.to(step.unit) if step.unit else evaluated.quantity
    except ExpressionError as error:
        one = _hangs_on(asked, step.expression)
        raise InputErrors([_refused(one, f"{step.title} cannot be worked out ({error.message})")]) from None
    return Evaluated(quantity, evaluated.with_numbers, evaluated.names)


def _hangs_on(asked: Topic, expression: str) -> TopicInput:
    """The first input that an expression is built on, itself or by the steps that it names."""
    for word in re.findall(r"\w+", expression):
        one = asked.input(word)
        if one is not None:
            return one
        if any(step.id == word for step in asked.steps):
            return _hangs_on(asked, asked.step(word).expression)
    return asked.inputs[0]


def _require(asked: Topic, requirement: Requirement, setting: Setting) -> None:
    value = evaluate(setting.expression(requirement.expression), names=setting.names, facts=catalogue_facts()).quantity
    if value.value > 0 or (requirement.or_zero and value.value == 0):
        return
    problem, allowed, example = (
        filled(text, setting, setting.names, {})
        for text in (requirement.problem, requirement.allowed, requirement.example)
    )
    raise InputErrors([InputError(requirement.field, problem, allowed, example.replace(",", ""))])


def filled(text: str, setting: Setting, names: Mapping[str, Quantity], digits: Mapping[str, int]) -> str:
    """``text`` with each ``{{ expression }}`` or ``{{ expression -> unit, digits }}`` worked out."""

    def put_in(match: re.Match[str]) -> str:
        inside, comma, count = match.group(1).rpartition(",")
        if not comma or not count.strip().isdigit():
            inside, count = match.group(1), ""
        if inside in setting.keys:
            return row_name(setting.keys[inside])
        quantity = evaluate(setting.expression(inside), names=names, facts=catalogue_facts()).quantity
        shown = int(count) if count else digits.get(inside, INPUT_DIGITS if inside in setting.names else 3)
        text = quantity.text(shown)
        return _as_typed(text) if inside in setting.names else text

    return _PLACEHOLDER.sub(put_in, text)


def _as_typed(text: str) -> str:
    """A number without the zeros that nobody typed: "15.0000e9 documents" is "15e9 documents", "4.00000%" is "4%"."""
    return _ZEROS.sub(r"\1\2", text, count=1)


def row_name(key: str) -> str:
    """The name of the model, the accelerator or the number format with this key."""
    row = catalogue.models().get(key) or catalogue.accelerators().get(key) or DTYPES[key]
    return row.name


def read_setting(asked: Topic, typed: Mapping[str, str]) -> tuple[Setting, dict[str, str]]:
    """The inputs out of strings by name; an empty one is its default. Raises InputErrors, all at once."""
    given = {name: value.strip() for name, value in typed.items() if value.strip()}
    known = ", ".join(one.name for one in asked.inputs)
    errors = [
        InputError(name[:40], "there is no such field", f"one of {known}", asked.inputs[0].name)
        for name in given
        if asked.input(name) is None
    ]
    names: dict[str, Quantity] = {}
    keys: dict[str, str] = {}
    inputs: dict[str, str] = {}
    for one in asked.inputs:
        text = inputs[one.name] = given.get(one.name, one.default)
        try:
            if one.kind == "number":
                names[one.name] = Quantity.of(_number(one, text), one.unit)
            else:
                keys[one.name] = inputs[one.name] = _key(one, text)
                if one.kind == "model":
                    keys[f"{one.name}_dtype"] = catalogue.models()[keys[one.name]].native_dtype
        except InputErrors as refused:
            errors.extend(refused.errors)
    if errors:
        raise InputErrors(errors)
    return Setting(names, keys), inputs


def _number(one: TopicInput, text: str) -> float:
    if len(text) > LONGEST_TYPED or not (_WHOLE if one.whole else _NUMBER).fullmatch(text):
        kind = "a whole number in digits" if one.whole else "a number"
        raise InputErrors([_refused(one, f"{shortened(text)!r} is not {kind}")])
    value = float(text)
    if not one.low <= value <= one.high:
        reason = f" ({one.beyond})" if one.beyond and value > one.high else ""
        raise InputErrors([_refused(one, f"{shortened(text)} is out of range{reason}")])
    return value


def _key(one: TopicInput, text: str) -> str:
    if len(text) > LONGEST_TYPED:
        raise InputErrors([_refused(one, f"{len(text):,} characters are too many")])
    try:
        return catalogue.model(text).key if one.kind == "model" else catalogue.accelerator(text).key
    except catalogue.UnknownName as unknown:
        problem, example = f"{text!r} is unknown", ", ".join(unknown.nearest or [one.default])
        raise InputErrors([InputError(one.name, problem, one.allowed, example)]) from None


def _refused(one: TopicInput, problem: str) -> InputError:
    return InputError(one.name, problem, one.allowed, one.default)
