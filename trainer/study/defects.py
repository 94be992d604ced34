"""The defect taxonomy: each class, its quoted count, and our critiques of the designs that are earned."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from designs.core.document import DEFECT_CLASSES
from designs.loaded import LoadedDesign
from designs.loader import load_designs
from designs.quoted.errata import ClassCounts, class_counts, errata
from trainer.study.loader import load_study
from trainer.study.worked import WorkedEntry


@dataclass(frozen=True)
class CritiqueLine:
    """A critique of an earned design."""

    slug: str
    design: str
    number: int
    title: str


@dataclass(frozen=True)
class DefectClass:
    """One class. `quoted` and `ours` are counts over the same eight designs; `ours` of those earned."""

    id: str
    name: str
    entry: WorkedEntry | None
    quoted: int
    critiques: tuple[CritiqueLine, ...]


@dataclass(frozen=True)
class Taxonomy:
    """Every class, the table of counts, and the designs whose critiques are not opened yet."""

    classes: tuple[DefectClass, ...]
    counts: ClassCounts | None
    waiting: tuple[tuple[str, str], ...]


def taxonomy(earned: Collection[str]) -> Taxonomy:
    """What may be seen by someone who has earned these designs."""
    erratum = next((one for one in errata() if one.quoted_counts), None)
    quoted = erratum.quoted_counts if erratum else {}
    texts = {one.id: one for one in load_study().entries("defects", "class")}
    designs = load_designs().designs
    classes = tuple(
        DefectClass(id, name, texts.get(id), quoted.get(id, 0), _critiques(id, earned, designs))
        for id, name in DEFECT_CLASSES.items()
    )
    waiting = tuple((slug, one.title) for slug, one in designs.items() if slug not in earned)
    return Taxonomy(classes, class_counts(erratum, earned) if erratum else None, waiting)


def _critiques(
    defect_class: str, earned: Collection[str], designs: Mapping[str, LoadedDesign]
) -> tuple[CritiqueLine, ...]:
    return tuple(
        CritiqueLine(slug, loaded.title, critique.number, loaded.critique_title(critique.number))
        for slug, loaded in designs.items()
        if slug in earned
        for critique in loaded.design.critiques
        if critique.defect_class == defect_class
    )
