"""A design's files become a design, or a list of everything that is wrong with them."""

import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from designs.core.document import Design, Problem
from designs.core.parser import ESSENTIAL_FILES, MAX_FILE_CHARACTERS, MAX_FILES, DesignRefused, parse_design
from tests.designs.pack_files import edited, example, line_of


def problems_of(files: dict[str, str]) -> list[Problem]:
    with pytest.raises(DesignRefused) as refused:
        parse_design(files)
    assert refused.value.problems
    return refused.value.problems


def only_problem_of(files: dict[str, str]) -> Problem:
    problems = problems_of(files)
    assert len(problems) == 1, [str(problem) for problem in problems]
    return problems[0]


def test_the_example_is_read_whole() -> None:
    design = parse_design(example())
    assert design.slug == "x01"
    assert [section.number for section in design.sections] == list(range(1, 11))
    assert [critique.number for critique in design.critiques] == list(range(1, 7))
    assert [step.id for step in design.steps if step.deciding] == ["run_time"]
    assert design.hard_parts == (5, 6)
    assert design.opened[0].opens == 5
    assert design.critique(4).class_title == "data kept for convenience"  # type: ignore[union-attr]
    assert design.critique(1).class_title == "threshold on an unsized resource"  # type: ignore[union-attr]


def test_every_text_knows_its_line() -> None:
    files = example()
    design = parse_design(files)
    body = design.section(5).body  # type: ignore[union-attr]
    assert files[body.file].split("\n")[body.line - 1] == body.source.split("\n")[0]
    revision = design.critique(2).revision  # type: ignore[union-attr]
    wanted = line_of(files, "critiques/2.md", "Begin a second run")
    assert revision.line + revision.source[: revision.source.index("Begin")].count("\n") == wanted
    decides = next(step for step in design.steps if step.id == "run_time").decides
    assert decides.line == line_of(files, "derivation.toml", 'decides = "It fits')


@pytest.mark.parametrize("name", ESSENTIAL_FILES)
def test_an_essential_file_that_is_missing_is_named(name: str) -> None:
    files = example()
    del files[name]
    assert Problem(name, 0, "is missing") in problems_of(files)


def test_toml_that_cannot_be_read_is_named_by_line() -> None:
    problem = problems_of(edited("derivation.toml", 'value = "8e9"', "value = = 8"))[0]
    files = example()
    assert (problem.file, problem.line) == ("derivation.toml", line_of(files, "derivation.toml", 'value = "8e9"'))
    assert "not valid TOML" in problem.message


def test_front_matter_that_cannot_be_read_is_named_by_its_line_in_the_file() -> None:
    problem = problems_of(edited("sections/05-finish.md", "number = 5", "number = five"))[0]
    assert (problem.file, problem.line) == ("sections/05-finish.md", 2)


@pytest.mark.parametrize(
    ("name", "old", "new", "at", "says"),
    [
        ("design.toml", 'title = "A nightly summary job"', "title = 3", "title", "`title` must be a text"),
        ("design.toml", "order = 900", "order = true", "order", "`order` must be a whole number"),
        ("design.toml", "order = 900", "ordre = 900", "ordre", "`ordre` is not a key of the form"),
        ("design.toml", "hard_parts = [5, 6]", "hard_parts = [5, 11]", "hard_parts", "two section numbers"),
        ("design.toml", 'slug = "x01"', 'slug = "X 01"', "slug", "does not have the form"),
        ("critiques/1.md", "threshold-on-unsized-resource", "a-hunch", "defect_class", "'a-hunch' is unknown"),
        ("critiques/4.md", 'class_name = "data kept for convenience"\n', "", "defect_class", "needs a `class_name`"),
        ("critiques/1.md", "attacks = 4", "attacks = 14", "attacks", "from 1 to 10"),
        ("critiques/1.md", "number = 1", "number = 2", "number", "must be 1, as in the file's name"),
        ("anchors.toml", "level = 2\n", "", "[[anchor]]", "has no `level`"),
        ("anchors.toml", "level = 2", "level = 5", "level = 5", "from 2 to 4"),
        ("derivation.toml", 'date = "2026-05-20"', 'date = "in May"', 'date = "in May"', "does not have the form"),
        ("derivation.toml", 'date = "2026-05-20"\n', "", '[[given]]\nid = "rent"', "both `source` and `date`"),
        (
            "derivation.toml",
            '"run_time_at_peak"]',
            '"run_tim"]',
            'title = "Time of the run"',
            "names no other step: run_tim",
        ),
        ("derivation.toml", 'part = "r2"', 'part = "r7"', 'part = "r7"', "does not have the form"),
        ("questions.toml", 'keywords = ["late", "deadline", "six"]', "keywords = []", "keywords", "at least 1"),
    ],
)
def test_a_wrong_entry_is_named_at_its_line(name: str, old: str, new: str, at: str, says: str) -> None:
    files = edited(name, old, new)
    found = [problem for problem in problems_of(files) if says in problem.message]
    assert [(problem.file, problem.line) for problem in found] == [(name, line_of(files, name, at))]


def test_a_name_used_twice_is_told() -> None:
    problem = only_problem_of(edited("derivation.toml", 'id = "token_rate"', 'id = "gpus"'))
    assert problem.message == "`gpus` is used twice"


@pytest.mark.parametrize(
    ("old", "new", "count"), [("deciding = true", "deciding = false", 0), ("digits = 4", "deciding = true", 2)]
)
def test_exactly_one_step_decides(old: str, new: str, count: int) -> None:
    problem = only_problem_of(edited("derivation.toml", old, new))
    assert problem.message == f"{count} steps are `deciding`; exactly one must be"


def test_only_the_deciding_step_names_others_as_good() -> None:
    problem = only_problem_of(edited("derivation.toml", "digits = 4", 'digits = 4\nalso = ["run_time"]'))
    assert problem.message == "`also` belongs to the deciding step"


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("## Revision", "## Mending", "## Mending is none of"),
        ("## Partial credit", "## Revision", "## Revision stands twice"),
        ("\n## Critique", "\nWords.\n\n## Critique", "has text before its first heading"),
        ("+++\nnumber", "number", "must begin with front matter"),
        ("]\n+++", "]\n++", "never closed"),
    ],
)
def test_a_critique_has_its_three_headings_and_front_matter(old: str, new: str, says: str) -> None:
    problems = problems_of(edited("critiques/3.md", old, new))
    assert any(says in problem.message and problem.file == "critiques/3.md" for problem in problems)


def test_a_revision_without_words_is_told() -> None:
    files = edited("critiques/3.md", "Put the year in the key. Cost: one migration.", "")
    assert only_problem_of(files).message == "## Revision has no words below it"


def test_a_heading_inside_a_code_block_is_code() -> None:
    files = edited("critiques/3.md", "Put the year", "```\n## not a heading\n```\n\nPut the year")
    assert parse_design(files).critique(3) is not None


def test_a_file_that_is_none_of_the_form_is_told() -> None:
    assert only_problem_of(example() | {"sections/notes.md": "x"}).file == "sections/notes.md"


def test_two_files_of_one_number_are_told() -> None:
    files = example()
    files["sections/5-other.md"] = files["sections/05-finish.md"]
    assert "which sections/05-finish.md has too" in only_problem_of(files).message


def test_everything_wrong_is_said_at_once() -> None:
    files = edited("critiques/1.md", "threshold-on-unsized-resource", "a-hunch")
    files["anchors.toml"] = files["anchors.toml"].replace("level = 2\n", "", 1)
    files["diagram.md"] = "## First draft\n\nWords."
    assert {problem.file for problem in problems_of(files)} == {"critiques/1.md", "anchors.toml", "diagram.md"}


def test_sizes_are_bounded() -> None:
    assert "longer than" in problems_of(example() | {"prompt.md": "x" * (MAX_FILE_CHARACTERS + 1)})[0].message
    many = example() | {f"sections/{n:02d}-x.md": "" for n in range(MAX_FILES)}
    assert any("files; at most" in problem.message for problem in problems_of(many))


def test_windows_line_ends_are_read_alike() -> None:
    files = {name: text.replace("\n", "\r\n") for name, text in example().items()}
    assert parse_design(files) == parse_design(example())


def parses_or_refuses(files: dict[str, str]) -> None:
    try:
        design = parse_design(files)
    except DesignRefused as refused:
        problems = refused.problems
    else:
        assert isinstance(design, Design)
        return
    assert problems
    assert all(problem.line >= 0 and problem.message for problem in problems)


HOSTILE = [
    "[" * 3000,
    "a=" + "[" * 3000,
    "x = 1" + "0" * 5000,
    "+++\n" * 4,
    '[[step]]\nid = """\n[[step]]\n"""',
    "a=1979-13-01",
]
TEXTS = st.one_of(
    st.text(max_size=200),
    st.text(alphabet="[]{}=\"\n+#.abc019'\\", max_size=200),
    st.sampled_from(HOSTILE),
)


@given(name=st.sampled_from(sorted(example())), text=TEXTS)
def test_whatever_a_file_holds_the_answer_is_a_design_or_a_refusal(name: str, text: str) -> None:
    parses_or_refuses(example() | {name: text})


@given(
    files=st.dictionaries(
        st.sampled_from(sorted(example())) | st.text(string.printable, max_size=30), TEXTS, max_size=6
    )
)
def test_whatever_the_files_are_the_answer_is_a_design_or_a_refusal(files: dict[str, str]) -> None:
    parses_or_refuses(files)


@settings(max_examples=300)
@given(data=st.data())
def test_a_piece_cut_out_of_any_file_never_breaks_the_reader(data: st.DataObject) -> None:
    files = example()
    name = data.draw(st.sampled_from(sorted(files)))
    start = data.draw(st.integers(0, len(files[name])))
    end = data.draw(st.integers(start, min(len(files[name]), start + 120)))
    put_in = data.draw(st.sampled_from(["", "\n", "[[anchor]]\n", "true", "[1]", '"', "{{"]))
    parses_or_refuses(files | {name: files[name][:start] + put_in + files[name][end:]})
