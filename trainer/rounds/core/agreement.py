"""Whether a trainee's deciding number agrees with the design's."""

from dataclasses import dataclass

TOLERANCE = 0.10

AGREES, OFF, OTHER_UNIT, ABSENT = "agrees", "off", "unit", "absent"


@dataclass(frozen=True)
class Agreement:
    """The verdict, and own over the design's where the two can be compared."""

    verdict: str
    ratio: float | None = None

    @property
    def is_miss(self) -> bool:
        """Absent, off by more than the tolerance, or of another dimension."""
        return self.verdict != AGREES


def agreement(*, own: float | None, own_dimension: str, design: float, design_dimension: str) -> Agreement:
    """Formula: |own - design| <= 10% of |design|, both in base units of the same dimension."""
    if own is None:
        return Agreement(ABSENT)
    if own_dimension != design_dimension:
        return Agreement(OTHER_UNIT)
    ratio = own / design if design else None
    within = abs(own - design) <= TOLERANCE * abs(design) * (1 + 1e-12)
    return Agreement(AGREES if within else OFF, ratio)
