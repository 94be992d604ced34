"""The cheat sheet: what belongs to a design is folded away until that design is earned."""

from collections.abc import Collection
from dataclasses import dataclass

from django.utils.safestring import SafeString, mark_safe

from designs.loader import load_designs
from designs.markdown import inline_html
from trainer.study.loader import load_study
from trainer.study.worked import WorkedEntry


@dataclass(frozen=True)
class Line:
    """One line: its text, or the design that it waits for."""

    html: SafeString
    waits_for: str = ""
    title: str = ""


@dataclass(frozen=True)
class Column:
    title: SafeString
    lines: tuple[Line, ...]
    designs: tuple[Line, ...]

    @property
    def waiting(self) -> list[str]:
        """The designs whose lines are folded away."""
        return [line.waits_for for line in self.designs if line.waits_for]


@dataclass(frozen=True)
class CheatSheet:
    top: WorkedEntry | None
    columns: tuple[Column, ...]


def sheet_of(earned: Collection[str]) -> CheatSheet:
    """The sheet as someone who has earned these designs sees it."""
    study = load_study()
    entries = study.entries("cheat_sheet", "column.item")
    columns = []
    for column in study.entries("cheat_sheet", "column"):
        own = [one for one in entries if one.entry.parent == column.entry.texts["title"].source]
        columns.append(
            Column(
                column.inline["title"],
                tuple(Line(one.inline["text"]) for one in own if not one.filled("slug")),
                tuple(_of_design(one, earned) for one in own if one.filled("slug")),
            )
        )
    return CheatSheet(study.one("cheat_sheet", "top"), tuple(columns))


def _of_design(entry: WorkedEntry, earned: Collection[str]) -> Line:
    """A design's line: its deciding number, and what the writer says of it beside."""
    slug = entry.filled("slug")
    loaded = load_designs().designs.get(slug)
    if loaded is None or slug not in earned:
        return Line(mark_safe(""), slug, loaded.title if loaded else slug)
    deciding = loaded.derivation.deciding
    text = entry.filled("text")
    own = f" {text}" if text != slug else ""
    return Line(inline_html(f"**{slug}** {loaded.step_title(deciding)}: {deciding.text}.{own}"), "", loaded.title)
