"""The thirty figures, each as quoted and as the math module has it."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.utils.safestring import SafeString

from calculator.catalogue import rows
from calculator.expressions import Quantity
from designs.quoted.sheets import Sheet, work_out

_ROUNDING = 1e-9


@dataclass(frozen=True)
class Figure:
    """One figure. `quoted` is in `unit`; it is None where a formula is quoted. `within` is None there as well."""

    id: int
    title: str
    quoted: float | None
    quoted_text: str
    ours: float
    ours_text: str
    unit: str
    tolerance: float
    within: bool | None
    assumption: str
    assumption_html: SafeString
    designs: tuple[str, ...]
    erratum: str
    sheet: Sheet

    @property
    def erratum_label(self) -> str:
        """ "E1", where the errata say more."""
        return f"E{int(self.erratum[1:])}" if self.erratum else ""

    def as_dict(self) -> dict[str, object]:
        """As `manage.py figures --json` has it."""
        return {
            "id": self.id,
            "seed": self.quoted_text if self.quoted is None else self.quoted,
            "ours": self.ours,
            "unit": self.unit,
            "tolerance": self.tolerance,
            "within": self.within,
            "assumption": self.assumption,
        }


@cache
def figures() -> tuple[Figure, ...]:
    """Every row of `figures.toml`, worked out once."""
    return tuple(_figure(int(key[1:]), row) for key, row in rows("figures").items())


def is_within(quoted: float, ours: float, tolerance: float, relation: str = "equals") -> bool:
    """Whether ours agrees with the quoted value: within the tolerance, or, for "below", above it."""
    if relation == "below":
        return quoted < ours
    return abs(ours - quoted) <= tolerance + _ROUNDING * abs(quoted)


def _figure(id: int, row: Mapping[str, Any]) -> Figure:
    sheet = work_out(row["lines"])
    unit, quoted = row["unit"], row.get("quoted")
    ours = sheet.quantity(row["result"]).to(unit)
    relation = row.get("relation", "equals")
    return Figure(
        id=id,
        title=row["title"],
        quoted=quoted,
        quoted_text=row["formula"] if quoted is None else _as_quoted(quoted, unit),
        ours=ours.magnitude,
        ours_text=ours.text(),
        unit=unit,
        tolerance=row["tolerance"],
        within=None if quoted is None else is_within(quoted, ours.magnitude, row["tolerance"], relation),
        assumption=sheet.filled(row["assumption"]),
        assumption_html=sheet.html(row["assumption"]),
        designs=tuple(row.get("designs", ())),
        erratum=row.get("erratum", ""),
        sheet=sheet,
    )


def _as_quoted(value: float, unit: str) -> str:
    """The value with the digits it is quoted with."""
    digits = len(f"{value:.12g}".split("e")[0].replace(".", "").strip("0"))
    return Quantity.of(value, unit).text(digits)
