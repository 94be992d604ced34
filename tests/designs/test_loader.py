"""Designs are read from the content folders; a broken one is refused by name and line, and the rest still loads."""

import os
import shutil
from pathlib import Path

import pytest
from pytest_django import Settings

from designs.loader import design_folders, digest_of, load_designs
from designs.selectors import DesignNotFound, design_for_slug
from tests.designs.pack_files import edited, example, line_of


def copy_of_x01(pack: Path, slug: str, order: int = 901) -> Path:
    folder = pack / slug
    shutil.copytree(pack / "x01", folder)
    head = (folder / "design.toml").read_text()
    (folder / "design.toml").write_text(head.replace("x01", slug).replace("order = 900", f"order = {order}"))
    return folder


def test_the_pack_of_a_content_dir_loads(pack: Path) -> None:
    loaded = load_designs()
    assert list(loaded.designs) == ["x01"]
    assert loaded.refused == ()


def test_designs_come_in_the_recommended_order(pack: Path) -> None:
    copy_of_x01(pack, "a02", order=901)
    copy_of_x01(pack, "z00", order=1)
    assert list(load_designs().designs) == ["z00", "x01", "a02"]


def test_a_broken_design_is_refused_by_file_and_line_and_the_rest_loads(pack: Path) -> None:
    broken = copy_of_x01(pack, "a02")
    files = edited("critiques/1.md", "threshold-on-unsized-resource", "a-hunch")
    (broken / "critiques/1.md").write_text(files["critiques/1.md"])
    loaded = load_designs()
    assert list(loaded.designs) == ["x01"]
    (refused,) = loaded.refused
    assert (refused.name, refused.folder) == ("a02", broken)
    (problem,) = refused.problems
    assert str(problem).startswith(f"critiques/1.md:{line_of(files, 'critiques/1.md', 'defect_class')}: ")


@pytest.mark.parametrize(
    ("file", "text", "says"),
    [
        ("derivation.toml", b"[[step]", "not valid TOML"),
        ("prompt.md", "ok\n\xff".encode("latin-1"), "is not UTF-8"),
        ("prompt.md", b"{{ nothing }}", "nothing"),
        ("sections/05-finish.md", None, "is missing"),
        ("critiques/6.md", None, "is missing"),
        ("questions.toml", b"", "0 questions"),
        ("diagram.dot", b"", "is no Graphviz graph"),
        ("diagram.dot", None, "missing or empty"),
    ],
)
def test_a_design_with_any_broken_file_never_stops_the_others(
    pack: Path, file: str, text: bytes | None, says: str
) -> None:
    broken = copy_of_x01(pack, "a02") / file
    if text is None:
        broken.unlink()
    else:
        broken.write_bytes(text)
    loaded = load_designs()
    assert list(loaded.designs) == ["x01"]
    assert any(says in str(problem) for problem in loaded.refused[0].problems)


def test_a_file_that_is_not_utf8_is_told_by_line(pack: Path) -> None:
    (pack / "x01/prompt.md").write_bytes("ok\n\ntwo\xff".encode("latin-1"))
    (problem,) = load_designs().refused[0].problems
    assert (problem.file, problem.line) == ("prompt.md", 3)


def test_a_slug_that_is_not_the_folder_s_name_is_refused(pack: Path) -> None:
    (pack / "x01").rename(pack / "x02")
    assert "must be the folder's name" in load_designs().refused[0].problems[0].message


def test_a_slug_that_is_taken_is_refused_and_the_first_stands(pack: Path, settings: Settings, tmp_path: Path) -> None:
    shutil.copytree(pack, tmp_path / "other")
    settings.CONTENT_DIRS = [pack, tmp_path / "other"]
    loaded = load_designs()
    assert list(loaded.designs) == ["x01"]
    assert (loaded.refused[0].folder, "already taken" in loaded.refused[0].problems[0].message) == (
        tmp_path / "other/x01",
        True,
    )


def test_a_change_on_disk_is_seen_at_the_next_look(pack: Path) -> None:
    before = load_designs().designs["x01"]
    assert load_designs().designs["x01"] is before
    prompt = pack / "x01/prompt.md"
    stat = prompt.stat()
    prompt.write_text(prompt.read_text().replace("Design the job.", "Design a job."))
    os.utime(prompt, ns=(stat.st_atime_ns, stat.st_mtime_ns + 1_000))
    after = load_designs().designs["x01"]
    assert after.digest != before.digest
    assert "Design a job." in after.prompt_html()


def test_a_folder_that_is_not_there_holds_no_design(pack: Path, settings: Settings) -> None:
    settings.CONTENT_DIRS = [pack / "nowhere", pack]
    assert list(load_designs().designs) == ["x01"]


def test_one_design_s_own_folder_may_be_named(pack: Path) -> None:
    assert design_folders([pack / "x01"]) == [pack / "x01"]


def test_other_files_beside_a_design_are_left_alone(pack: Path) -> None:
    (pack / "README").write_text("notes")
    (pack / "x01/.draft").write_text("notes")
    (pack / "pictures").mkdir()
    assert list(load_designs().designs) == ["x01"]


def test_the_digest_is_of_names_and_contents() -> None:
    files = example()
    renamed = {name.replace("05-finish", "05-end"): text for name, text in files.items()}
    digests = {digest_of(files), digest_of(renamed), digest_of(edited("prompt.md", "Design", "Draw"))}
    assert len(digests) == 3
    assert digest_of(dict(reversed(files.items()))) in digests


def test_an_unknown_slug_is_not_found(pack: Path) -> None:
    with pytest.raises(DesignNotFound):
        design_for_slug("m99")


def test_the_parts_of_a_loaded_design_are_given_one_by_one(pack: Path) -> None:
    loaded = design_for_slug("x01")
    assert "2 million" in loaded.prompt_html()
    assert "3.00 billion" in loaded.section_html(2) or "3.000 billion" in loaded.section_html(2)
    assert "A queue with no bound" in loaded.critique_html(1)
    assert "Bound it" not in loaded.critique_html(1)
    assert "Bound it" in loaded.revision_html(1)
    assert "gives no figure" in loaded.partial_html(1)
    anchor = next(anchor for anchor in loaded.design.anchors if anchor.id == "l1-3")
    assert loaded.anchor_withheld(anchor) == "derives the run time: …"
    assert loaded.anchor_revealed(anchor) == "derives the run time: 3.4 h"
    assert loaded.question_answer("late") == "Then the office reads yesterday's. It has 6 h."
    assert loaded.interjection_points("doubles")[0] == "the run takes 6.7 h"
    assert "<svg" in loaded.diagram_html("first")
    assert "fills a queue" in loaded.diagram_words_html("first")


def test_a_drawing_that_cannot_be_made_leaves_its_words(pack: Path) -> None:
    (pack / "x01/diagram.dot").write_text("digraph { a -> ")
    loaded = design_for_slug("x01")
    assert loaded.diagram_html("first") == ""
    assert "fills a queue" in loaded.diagram_words_html("first")
