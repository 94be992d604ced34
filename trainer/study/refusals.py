"""What a chapter says of inputs that it has no figures for, and an address that would do."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.http import urlencode

from calculator import catalogue
from calculator.core.inputs import InputError, InputErrors
from calculator.topic_answers import work_out
from calculator.topics import TopicInput
from trainer.study.chapters import LoadedChapter


@dataclass(frozen=True)
class Refusal:
    """A field that is refused. `instead` is the chapter with an example in its place, where that would do."""

    id: str
    label: str
    message: str
    example: str
    instead: str


def refusals(loaded: LoadedChapter, typed: Mapping[str, str], errors: Sequence[InputError]) -> list[Refusal]:
    """Every refused field in the order given."""
    return [_refusal(loaded, typed, error, alone=len(errors) == 1) for error in errors]


def _refusal(loaded: LoadedChapter, typed: Mapping[str, str], error: InputError, *, alone: bool) -> Refusal:
    one = loaded.topic.input(error.field)
    if one is None:
        return Refusal("", error.field, error.message, "", "")
    example = error.example.split(", ")[0]
    instead = _with_example(loaded, typed, one.name, example) if alone else ""
    return Refusal(f"field-{one.name}", one.label, error.message, _shown(one, example) if instead else "", instead)


def _shown(one: TopicInput, example: str) -> str:
    if one.kind == "number":
        return f"{one.label}: {example}"
    return (catalogue.model if one.kind == "model" else catalogue.accelerator)(example).name


def _with_example(loaded: LoadedChapter, typed: Mapping[str, str], field: str, example: str) -> str:
    """The chapter's address with the example in the place of what is refused; "" where that is refused as well."""
    instead = {**typed, field: example}
    try:
        work_out(loaded.topic, instead)
    except InputErrors:
        return ""
    return f"{reverse('study:chapter', args=[loaded.slug])}?{urlencode(instead)}"
