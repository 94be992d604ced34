"""The errata: each claim, the lines that decide it, what survives, and a plot where an input flips the verdict."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.utils.safestring import SafeString

from calculator.catalogue import rows
from calculator.line_charts import LineChart
from designs.core.document import DEFECT_CLASSES
from designs.loader import load_designs
from designs.markdown import to_html
from designs.quoted.plots import plot_of
from designs.quoted.sheets import Sheet, SheetLine, work_out


@dataclass(frozen=True)
class Erratum:
    """One erratum. `counted` names the designs whose critiques stand beside `quoted_counts`; most have neither."""

    id: str
    title: str
    claim_html: SafeString
    finding_html: SafeString
    survives_html: SafeString
    source: str
    sheet: Sheet
    deciding: tuple[SheetLine, ...]
    designs: tuple[str, ...]
    plot: LineChart | None
    quoted_counts: Mapping[str, int]
    counted: tuple[str, ...]

    @property
    def label(self) -> str:
        """As it is spoken of: "E1"."""
        return label_of(self.id)


def label_of(id: str) -> str:
    """ "E1" of "E01", as numbers are spoken."""
    return f"E{int(id[1:])}"


@cache
def errata() -> tuple[Erratum, ...]:
    """Every row of `errata.toml`, worked out once."""
    return tuple(_erratum(id, row) for id, row in rows("errata").items())


def _erratum(id: str, row: Mapping[str, Any]) -> Erratum:
    sheet = work_out(row["lines"])
    return Erratum(
        id=id,
        title=row["title"],
        claim_html=to_html(row["claim"]),
        finding_html=sheet.html(row["finding"]),
        survives_html=sheet.html(row["survives"]),
        source=row.get("source", ""),
        sheet=sheet,
        deciding=tuple(sheet.line(name) for name in row["deciding"]),
        designs=tuple(row.get("designs", ())),
        plot=plot_of(f"plot-{id}", row["plot"], sheet) if "plot" in row else None,
        quoted_counts=row.get("quoted_counts", {}),
        counted=tuple(row.get("counted", ())),
    )


@dataclass(frozen=True)
class ClassCounts:
    """Critiques by class: (name, quoted, ours), for the designs that are earned, and the totals."""

    rows: tuple[tuple[str, int, int], ...]
    quoted: int
    ours: int
    designs: int
    of: int


def class_counts(erratum: Erratum, earned: Collection[str]) -> ClassCounts | None:
    """The quoted table beside our own critiques of the designs that this trainee has earned; of no other."""
    if not erratum.quoted_counts:
        return None
    loaded = load_designs().designs
    open_to = [slug for slug in erratum.counted if slug in earned and slug in loaded]
    ours = Counter(critique.defect_class for slug in open_to for critique in loaded[slug].design.critiques)
    lines = tuple((name, erratum.quoted_counts.get(id, 0), ours[id]) for id, name in DEFECT_CLASSES.items())
    return ClassCounts(
        lines, sum(erratum.quoted_counts.values()), sum(ours.values()), len(open_to), len(erratum.counted)
    )
