"""Whether a trainee's deciding number agrees with the design's."""

from dataclasses import dataclass

TOLERANCE = 0.10

AGREES, OFF, OTHER_UNIT, ABSENT = "agrees", "off", "unit", "absent"
PERCENT, INVERSE = "percent", "inverse"


@dataclass(frozen=True)
class Agreement:
    """The verdict, and own over the design's where the two can be compared.

    `form` says how one's own number was read when it is a share said another way: 23 for 23% ("percent"), or 4.3 of
    them to the whole ("inverse"). Then `ratio` is that of the share that it says.
    """

    verdict: str
    ratio: float | None = None
    form: str = ""

    @property
    def is_miss(self) -> bool:
        """Absent, off by more than the tolerance, or of another dimension."""
        return self.verdict != AGREES


def agreement(
    *, own: float | None, own_dimension: str, design: float, design_dimension: str, design_is_share: bool = False
) -> Agreement:
    """Formula: |own - design| <= 10% of |design|, both in base units of the same dimension.

    A share may also be said in percent without the sign, or by how many make the whole.
    """
    if own is None:
        return Agreement(ABSENT)
    if own_dimension != design_dimension:
        return Agreement(OTHER_UNIT)
    if not design:
        return Agreement(OFF if own else AGREES)
    if _within(own, design):
        return Agreement(AGREES, own / design)
    if design_is_share and _within(own / 100, design):
        return Agreement(AGREES, own / 100 / design, PERCENT)
    if design_is_share and own and _within(1 / own, design):
        return Agreement(AGREES, 1 / own / design, INVERSE)
    return Agreement(OFF, own / design)


def _within(own: float, design: float) -> bool:
    return abs(own - design) <= TOLERANCE * abs(design) * (1 + 1e-12)
