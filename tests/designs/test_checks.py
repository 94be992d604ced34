"""What a careful writer would not leave standing is told by file and line."""

import pytest

from calculator.facts import catalogue_facts
from designs.core.checks import check, counts, faults, plain
from designs.core.derivation import derive
from designs.core.document import Problem
from designs.core.parser import parse_design
from tests.designs.pack_files import edited, example, line_of

FACTS = catalogue_facts()


def errors_of(files: dict[str, str]) -> list[Problem]:
    return [problem for problem in check(parse_design(files), files, FACTS) if not problem.warning]


def only_error_of(files: dict[str, str]) -> Problem:
    errors = errors_of(files)
    assert len(errors) == 1, [str(error) for error in errors]
    return errors[0]


def test_the_example_has_no_error_and_one_warning_that_it_is_short() -> None:
    (warning,) = check(parse_design(example()), example(), FACTS)
    assert warning.warning
    assert "2,500 to 4,500 are wanted" in warning.message


def test_the_counts_are_those_of_the_example() -> None:
    found = counts(parse_design(example()))
    assert (found["sections"], found["critiques"], found["anchors"]) == (10, 6, 15)


@pytest.mark.parametrize("name", ["sections/05-finish.md", "critiques/3.md", "prompt.md", "diagram.dot"])
def test_a_missing_part_is_named_and_refuses_the_design(name: str) -> None:
    files = example()
    del files[name]
    design = parse_design(files)
    problems = faults(design, derive(design, facts=FACTS), FACTS)
    assert [problem.file for problem in problems if "missing" in problem.message] == [
        "sections/05-….md" if name.startswith("sections") else name
    ]
    assert set(problems) <= set(errors_of(files))


@pytest.mark.parametrize(
    ("name", "old", "new", "says"),
    [
        ("questions.toml", "bait = true", "bait = false", "1 bait questions; there must be 2"),
        ("interjections.toml", "changes_requirement = true", "", "0 interjections that change a requirement"),
        ("anchors.toml", "line = 6\nlevel = 4", "line = 6\nlevel = 3", "rubric line 6 has no anchor at level 4"),
    ],
)
def test_a_part_too_few_is_told(name: str, old: str, new: str, says: str) -> None:
    error = only_error_of(edited(name, old, new))
    assert (error.file, says in error.message) == (name, True), str(error)


def test_an_anchor_for_a_line_that_has_generic_ones_is_told() -> None:
    files = example()
    files["anchors.toml"] += '\n[[anchor]]\nline = 2\nlevel = 3\nid = "two"\ntext = "names it"\n'
    assert "rubric line 2" in only_error_of(files).message


def test_a_quote_that_does_not_stand_in_the_section_is_told_at_its_line() -> None:
    files = edited("critiques/2.md", "so there is time for one more", "so there is time for two more")
    error = only_error_of(files)
    assert (error.file, error.line) == ("critiques/2.md", line_of(files, "critiques/2.md", "quote ="))
    assert "section 5" in error.message


def test_a_quote_is_compared_as_it_is_read() -> None:
    files = edited("sections/05-finish.md", "so there is time for one more", "so *there\nis* time for `one` more")
    assert errors_of(files) == []


def test_a_quote_may_hold_a_figure_that_the_page_fills_in() -> None:
    files = edited("critiques/2.md", "so there is time for one more", "The run takes {{ run_time }}, so there is time")
    assert errors_of(files) == []
    files = edited("critiques/2.md", "so there is time for one more", "The run takes 3.4 h, so there is time")
    assert errors_of(files) == []


@pytest.mark.parametrize(
    "target", ["#s11", "#step-nothing", "/nowhere/", "sections/05-finish.md", "javascript:alert(1)", "http:", ""]
)
def test_a_link_to_nowhere_is_told_at_its_line(target: str) -> None:
    files = edited("sections/03-interfaces.md", "The key is", f"First.\n\nSee [there]({target}). The key is")
    error = only_error_of(files)
    wanted = line_of(files, "sections/03-interfaces.md", "See [there]")
    assert (error.file, error.line) == ("sections/03-interfaces.md", wanted)
    assert "leads nowhere" in error.message


@pytest.mark.parametrize(
    "target", ["#s5", "#r2", "#step-run_time", "/designs/m02/", "/calculator/?gpu=h100", "https://example.org/a_(b)"]
)
def test_a_link_to_somewhere_stands(target: str) -> None:
    assert errors_of(edited("sections/03-interfaces.md", "The key is", f"See [there]({target}). The key is")) == []


def test_a_code_block_that_is_never_closed_is_told_at_its_line() -> None:
    files = edited("sections/03-interfaces.md", "The key is", "\n\n```\nThe key is")
    error = only_error_of(files)
    assert error.line == line_of(files, "sections/03-interfaces.md", "```\nThe")


def test_a_bare_figure_is_told_wherever_it_stands() -> None:
    for name, old in {
        "prompt.md": "must be summarised",
        "sections/06-second-run.md": "The next worker",
        "critiques/5.md": "A note on the page",
        "questions.toml": "Yes, if the reader",
        "interjections.toml": "they go back",
        "anchors.toml": "names a key",
        "diagram.md": "The queue is bounded",
        "altitude-2/1-batch.md": "A worker packs",
        "derivation.toml": "The unit of the whole job",
    }.items():
        files = edited(name, old, f"it is 41 GiB. {old}")
        error = only_error_of(files)
        assert (error.file, error.line) == (name, line_of(files, name, "it is 41 GiB")), str(error)


def test_a_price_needs_source_and_date() -> None:
    files = edited("derivation.toml", 'source = "list price of a cloud provider"\ndate = "2026-05-20"\n', "")
    error = only_error_of(files)
    assert "`rent` is a price" in error.message


def test_an_anchor_that_needs_a_figure_holds_one() -> None:
    files = edited("anchors.toml", "derives the run time: {{ run_time }}", "derives the run time")
    assert "needs a figure" in only_error_of(files).message


def test_a_shared_footnote_covers_a_figure_in_any_part() -> None:
    files = edited("sections/06-second-run.md", "The next worker", "It took 41 s.[^run] The next worker")
    assert "defined nowhere" in [error.message for error in errors_of(files)][1]
    files["sources.md"] = "[^run]: Our own run, 3 March 2026.\n"
    assert errors_of(files) == []


def test_a_derivation_that_does_not_run_is_told_with_the_missing_parts() -> None:
    files = edited("derivation.toml", "* ticket_tokens", "* ticket_tokns")
    del files["prompt.md"]
    assert {error.file for error in errors_of(files)} == {"derivation.toml", "prompt.md"}


def test_plain_text_is_what_is_read() -> None:
    assert plain("## A *b* `c_d`\n\n- [e](https://f)[^1]\n| g |") == "A b c d e g"
