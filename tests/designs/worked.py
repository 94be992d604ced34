"""The worked designs as their tests read them: files, design, derivation and values, each worked out once."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from calculator.facts import catalogue_facts
from designs.core.checks import check
from designs.core.derivation import Derivation, derive
from designs.core.document import Design, Problem
from designs.core.parser import parse_design

CONTENT = Path(__file__).resolve().parents[2] / "designs" / "content"
SUFFIXES = {".toml", ".md", ".dot"}


@cache
def files_of(slug: str) -> Mapping[str, str]:
    """The texts of a design's folder by relative path."""
    folder = CONTENT / slug
    paths = [path for path in folder.rglob("*") if path.suffix in SUFFIXES]
    return {str(path.relative_to(folder)): path.read_text(encoding="utf-8") for path in paths}


@cache
def design_of(slug: str) -> Design:
    return parse_design(files_of(slug))


@cache
def derivation_of(slug: str) -> Derivation:
    return derive(design_of(slug), facts=catalogue_facts())


def value_of(slug: str, name: str) -> float:
    """A name's value in base units: bytes, FLOP, seconds, USD; a share as a share."""
    return derivation_of(slug).names[name].value


def problems_of(slug: str) -> list[Problem]:
    """What the writer's check says of the design, warnings included."""
    return check(design_of(slug), files_of(slug), catalogue_facts())
