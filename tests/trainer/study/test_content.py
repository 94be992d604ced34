"""The track as it is shipped: nothing of it is left out, and it holds at other inputs than its own."""

import pytest

from calculator.core.inputs import InputErrors
from trainer.study.chapters import chapter_page
from trainer.study.checking import problems_of
from trainer.study.loader import load_study

GPUS = ("h100", "h200", "a100", "b200")
MODELS = ("llama70b", "llama8b", "qwen2_5_7b")


def test_nothing_of_the_track_is_wrong_or_left_out() -> None:
    assert [str(problem) for problem in problems_of(load_study())] == []


def test_there_are_as_many_as_the_guide_says() -> None:
    study = load_study()
    assert len(study.chapters) == 16
    counts = {
        ("patterns", "pattern"): 10,
        ("failures", "failure"): 12,
        ("self_assessment", "item"): 14,
        ("order", "stop"): 9,
    }
    assert {key: len(study.entries(*key)) for key in counts} == counts
    assert len(study.files("concepts")) == 6


@pytest.mark.parametrize("slug", sorted(load_study().chapters))
def test_a_chapter_has_its_figures_at_other_inputs_or_says_which_field_is_refused(slug: str) -> None:
    loaded = load_study().chapters[slug]
    rows = {one.kind: one.name for one in loaded.topic.inputs if one.kind != "number"}
    shown, told = 0, []
    for gpu in GPUS:
        for model in MODELS:
            values = {"accelerator": gpu, "model": model}
            typed = {rows[kind]: value for kind, value in values.items() if kind in rows}
            try:
                page = chapter_page(loaded, typed)
            except InputErrors as refused:
                told += refused.errors
                continue
            shown += 1
            text = page.html(str)
            assert "{{" not in text
            assert "\ue000" not in text
    assert [error for error in told if loaded.topic.input(error.field) is None or "no figure" in error.problem] == []
    assert shown, "the chapter holds at its own row alone"
