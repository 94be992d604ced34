"""What a drill is, once its file has been read: plain frozen values, every text with its placeholders unfilled."""

from dataclasses import dataclass
from enum import StrEnum

MOST_TRIES = 200
"""Draws that are taken until one meets what the drill requires."""


class Kind(StrEnum):
    """What a drill asks for."""

    NUMERIC = "numeric"
    CLAIM = "claim"
    GRAPH = "graph"
    CHOICE = "choice"
    ALOUD = "aloud"
    COLD = "cold"
    OPENER = "opener"

    @property
    def label(self) -> str:
        """How the pages call it."""
        return _LABELS[self]

    @property
    def typed(self) -> bool:
        """Whether a number is typed and graded by the machine."""
        return self in (Kind.NUMERIC, Kind.COLD)

    @property
    def chosen(self) -> bool:
        """Whether one of several sentences is chosen."""
        return self in (Kind.CLAIM, Kind.GRAPH, Kind.CHOICE)


_LABELS = {
    Kind.NUMERIC: "work out a number",
    Kind.CLAIM: "find the wrong claim",
    Kind.GRAPH: "read the graph",
    Kind.CHOICE: "choose",
    Kind.ALOUD: "say it aloud",
    Kind.COLD: "a number, cold",
    Kind.OPENER: "opener",
}


@dataclass(frozen=True, order=True)
class Problem:
    """One thing that is wrong, with its file and the drill it is in ("" for the file itself)."""

    file: str
    drill: str
    message: str

    def __str__(self) -> str:
        return f"{self.file}: {self.drill}: {self.message}" if self.drill else f"{self.file}: {self.message}"


class DrillRefused(Exception):
    """A drill that cannot be drawn or worked out: why, in words."""


@dataclass(frozen=True)
class Draw:
    """One thing that is drawn anew each time: one of `values`, or a number from `low` to `high` in steps.

    `row` is "model" or "accelerator" where the values are keys of the catalogue.
    """

    name: str
    values: tuple[str, ...] = ()
    low: float = 0.0
    high: float = 0.0
    step: float = 0.0
    log: bool = False
    unit: str = ""
    row: str = ""


@dataclass(frozen=True)
class Slip:
    """A mistake with a name: what it is, and the expression that it gives."""

    says: str
    answer: str


@dataclass(frozen=True)
class Numeric:
    """The answer as an expression, how it is shown, how near one must come, and how it is worked out.

    `tolerance` is "2%", "exact", or an amount in the answer's dimension. `signed` lets the answer be 0 or below.
    """

    answer: str
    unit: str
    digits: int
    tolerance: str
    working: str
    slips: tuple[Slip, ...] = ()
    signed: bool = False


@dataclass(frozen=True)
class Choice:
    """A sentence to choose. In a claim the `key` is the one that is wrong, else the one that is right."""

    text: str
    key: bool = False
    why: str = ""


@dataclass(frozen=True)
class Series:
    """A curve: an expression over the plot's x and the drill's names."""

    name: str
    expression: str


@dataclass(frozen=True)
class Plot:
    """A plot to read."""

    x: str
    x_title: str
    y_title: str
    low: float
    high: float
    points: int
    log_x: bool
    log_y: bool
    series: tuple[Series, ...]
    x_unit: str = ""
    text: str = ""


@dataclass(frozen=True)
class Beat:
    """What is to be said about `at_s` seconds in. One that is essential cannot be left out."""

    at_s: int
    text: str
    essential: bool = False


@dataclass(frozen=True)
class Drill:
    """A drill of any kind. What its kind does not have is empty."""

    id: str
    file: str
    kind: Kind
    title: str
    concept: str
    seconds: int
    ask: str
    chapter: str = ""
    draws: tuple[Draw, ...] = ()
    lines: str = ""
    require: tuple[str, ...] = ()
    consequence: str = ""
    why: str = ""
    source: str = ""
    date: str = ""
    numeric: Numeric | None = None
    choices: tuple[Choice, ...] = ()
    plot: Plot | None = None
    beats: tuple[Beat, ...] = ()
    pass_at: int = 0

    @property
    def group(self) -> str:
        """The concept group ("D2"), or the kind of those that belong to none."""
        return self.concept.partition(".")[0] if self.concept else self.kind.value

    @property
    def texts(self) -> tuple[str, ...]:
        """Every text that is filled with figures."""
        slips = self.numeric.slips if self.numeric else ()
        return (
            *(text for text in (self.ask, self.consequence, self.why, self.plot.text if self.plot else "") if text),
            *(slip.says for slip in slips),
            *(text for choice in self.choices for text in (choice.text, choice.why) if text),
            *(beat.text for beat in self.beats),
        )
