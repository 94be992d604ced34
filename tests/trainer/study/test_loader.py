"""What cannot be used is left out and named; the rest of the guide stays up."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from tests.trainer.study.pages import LISTS, source
from trainer.study.checking import problems_of
from trainer.study.loader import load_study


def problems() -> list[str]:
    return [str(problem) for problem in problems_of(load_study())]


def change(path: Path, before: str, after: str) -> None:
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after, 1))


def test_the_small_track_lacks_words_and_nothing_else(track: Path) -> None:
    assert [problem for problem in problems() if "words, not 800" not in problem] == ["defects.toml: is not there"]


@pytest.mark.parametrize(
    ("file", "before", "after", "told", "left_out"),
    [
        ("concepts/D1.toml", "{{ lowest }}", "{{ lowst }}", "[D1.1] number: {{ lowst }}: ", True),
        ("concepts/D1.toml", "{{ weights }}", "{{ wei }}", "[D1.1] note on m03: ", True),
        ("concepts/D1.toml", "weights_bytes(llama70b)", "weights_bytes(llama71b)", "[D1.1] lines: line 1", True),
        ("concepts/D1.toml", 'trap = "It does', 'tarp = "It does', "[D1.1] `trap` is missing", True),
        (
            "concepts/D1.toml",
            "It does not fit one",
            "It takes 42 ms on one",
            "[D1.1] trap: '42 ms' is typed by hand",
            False,
        ),
        ("concepts/D1.toml", 'slug = "m03"', 'slug = "m99"', "[D1.1] there is no design 'm99'", False),
        ("concepts/D1.toml", 'chapter = "weights"', 'chapter = "wei"', "[D1.1] there is no chapter 'wei'", False),
        ("concepts/D1.toml", 'id = "D1.2"', 'id = "D1.1"', "[D1.1] the id is there twice", False),
        ("concepts/D1.toml", 'id = "D1.2"', 'id = "D1 2"', "the id must be letters, digits", False),
        ("concepts/D1.toml", 'title = "The batch"', "title = ", "concepts/D1.toml", True),
        ("numbers.toml", 'answer = "kv"', 'answer = "vk"', "[kv] no line is called 'vk'", False),
        ("numbers.toml", 'unit = "KiB/tok"', 'unit = "ms"', "[kv] `unit`: ", False),
        ("references/core.toml", "https://github.com", "github.com", "[vllm] `url` is no address", False),
        ("self_assessment.toml", '["D1.1"]', '["D7.1"]', "[floor] there is no concept 'D7.1'", False),
        ("chapters/weights.md", "{{ plot:over-gpus }}", "{{ plot:over-rank }}", "there is no plot 'over-rank'", False),
        ("chapters/weights.md", "{{ says:lowest }}", "{{ says:weights }}", "'weights' has no `says`", False),
        ("chapters/weights.md", "{{ weights }}:", "{{ waits }}:", "[weights] {{ waits }}: ", False),
        (
            "chapters/weights.md",
            "on the sheet.[^sheet]",
            "3.35 TB/s on the sheet.",
            "'3.35 TB/s' is typed by hand",
            False,
        ),
        ("chapters/weights.toml", 'title = "Weights"\n', "", "the key 'title' is missing", False),
        ("chapters/weights.toml", 'default = "4"', 'default = "400"', "[weights] at its own inputs: gpus: ", False),
        ("chapters/weights.toml", "title = ", "title ", "is not valid TOML", False),
        ("chapters/weights.dot", "->", "-> ->", "[weights] cannot be drawn", False),
        ("glossary.toml", 'text = "One token for each pass."', "", "[decode] `text` is missing", False),
    ],
)
def test_what_is_wrong_is_named_by_file_and_entry(
    file: str, before: str, after: str, told: str, left_out: bool, track: Path
) -> None:
    change(track / file, before, after)
    found = [problem for problem in problems() if problem.startswith(file.split("/")[0])]
    assert [problem for problem in found if told in problem], found
    if left_out:
        assert "D1.1" not in {one.id for one in load_study().entries("concepts", "concept")}


@pytest.mark.django_db
def test_no_page_breaks_over_a_broken_or_a_missing_file(track: Path, alice_client: Client) -> None:
    for path in sorted(track.rglob("*.toml")):
        kept = path.read_text()
        path.write_text("this is = not TOML [[")
        for page in LISTS:
            source(alice_client, page)
        path.unlink()
        for page in LISTS:
            source(alice_client, page)
        path.write_text(kept)
    assert "Weights" in source(alice_client, "/study/")


@pytest.mark.django_db
def test_a_chapter_with_half_of_its_files_is_left_out(track: Path, alice_client: Client) -> None:
    (track / "chapters" / "batches.md").unlink()
    assert "chapters/batches.md: [batches] is not there" in problems()
    source(alice_client, "/study/batches/", status=404)
    assert "Batches" not in source(alice_client, "/study/")
    source(alice_client, "/study/weights/")


@pytest.mark.django_db
def test_a_file_that_is_no_text_is_named(track: Path, alice_client: Client) -> None:
    (track / "glossary.toml").write_bytes(b"\xff\xfe\x00")
    assert "glossary.toml: is not UTF-8 text" in problems()
    source(alice_client, "/study/weights/")


def test_a_changed_file_is_read_again_and_only_then(track: Path) -> None:
    first = load_study()
    assert load_study() is first
    change(track / "glossary.toml", "One token for each pass.", "One token for each pass and sequence.")
    assert load_study().one("glossary", "term").filled("text") == "One token for each pass and sequence."


def test_the_command_prints_counts_and_ends_with_an_error_if_anything_is_wrong(track: Path) -> None:
    out = StringIO()
    with pytest.raises(CommandError, match=r"problems: 3, warnings: 0"):
        call_command("check_study", stdout=out)
    assert "chapters 2" in out.getvalue()
    assert "concepts.concept 2" in out.getvalue()
    out = StringIO()
    with pytest.raises(CommandError):
        call_command("check_study", "--json", stdout=out)
    told = json.loads(out.getvalue())
    assert told["counts"]["glossary.term"] == 2
    assert {problem["file"] for problem in told["problems"]} >= {"defects.toml", "chapters/weights.md"}
