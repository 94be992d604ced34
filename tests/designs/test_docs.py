"""docs/writing-a-design.md says what the code does."""

import re
import tomllib
from pathlib import Path

import pytest

from calculator.facts import catalogue_facts
from designs.core.derivation import derive
from designs.core.document import DEFECT_CLASSES
from designs.core.parser import CRITIQUE_HEADINGS, DIAGRAM_HEADINGS, OPTIONAL_FILES, REQUIRED_FILES, parse_design
from designs.core.prose import fill
from tests.designs.pack_files import example

TEXT = (Path(__file__).parents[2] / "docs" / "writing-a-design.md").read_text()
PLACEHOLDERS = re.findall(r"^\| `(\{\{.*?\}\})` \|", TEXT, re.MULTILINE)


@pytest.mark.parametrize("name", [*REQUIRED_FILES, *OPTIONAL_FILES])
def test_every_file_of_the_form_is_named(name: str) -> None:
    assert f"`{name}`" in TEXT


def test_every_defect_class_and_heading_is_named() -> None:
    for name in DEFECT_CLASSES:
        assert f"`{name}`" in TEXT
    for heading in (*CRITIQUE_HEADINGS, *DIAGRAM_HEADINGS):
        assert f"## {heading}" in TEXT


@pytest.mark.parametrize("placeholder", PLACEHOLDERS)
def test_every_placeholder_that_it_shows_has_a_value(placeholder: str) -> None:
    facts = catalogue_facts()
    assert "{{" not in fill(placeholder, derive(parse_design(example()), facts=facts), facts=facts)


def test_it_shows_placeholders() -> None:
    assert len(PLACEHOLDERS) >= 6


def test_every_key_that_its_examples_use_is_of_the_form() -> None:
    """Each example, put in place of the example design's own entry, is read."""
    blocks = re.findall(r"```toml\n(.*?)```", TEXT, re.DOTALL)
    assert len(blocks) >= 3
    head = tomllib.loads(blocks[0])
    assert head["slug"] == "x01"
    files = example() | {"design.toml": blocks[0]}
    files["questions.toml"], files["interjections.toml"], files["anchors.toml"] = _apart(blocks[-1])
    given, step = re.findall(r"\[\[(?:given|step)\]\].*?(?=\[\[|\Z)", blocks[1], re.DOTALL)
    rest = example()["derivation.toml"].replace("deciding = true\nalso", "deciding = false\n# also")
    files["derivation.toml"] = rest + given.replace('"rent"', '"rent2"') + step.replace('"run_time"', '"run_time2"')
    design = parse_design(files)
    assert design.anchors[0].needs_figure
    assert derive(design, facts=catalogue_facts()).deciding.id == "run_time2"


def _apart(block: str) -> list[str]:
    entries = re.findall(r"\[\[(\w+)\]\]\n(?:(?!\[\[).*\n?)*", block)
    assert entries == ["question", "interjection", "anchor"]
    return re.findall(r"\[\[\w+\]\]\n(?:(?!\[\[).*\n?)*", block)
