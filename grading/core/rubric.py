"""The rubric: eight lines, what each weighs, what a level means, and what the total is worth.

The rubric is data with a version. A round keeps the version that it was scored with, so a later edition never
changes an old score. The weights are an editorial choice: no employer publishes theirs.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

VERSION = "1"
WEIGHTS_NOTE = "The weights are an editorial choice. No employer publishes theirs."

LEVELS: Mapping[int, str] = MappingProxyType(
    {
        0: "absent",
        1: "named",
        2: "explained",
        3: "quantified",
        4: "quantified, with its trade-off and where it fails",
    }
)
LOWEST_LEVEL, HIGHEST_LEVEL = min(LEVELS), max(LEVELS)
ANCHORED_LEVELS = (2, 3, 4)
DECIDING_LINE = 1
MISS_BELOW_LEVEL = 3  # a line scored lower than this becomes a card


@dataclass(frozen=True)
class RubricLine:
    """One line of the rubric. Lines without generic anchors take theirs from the design."""

    number: int
    name: str
    weight: int
    asks: str
    generic_anchors: Mapping[int, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))


LINES: tuple[RubricLine, ...] = (
    RubricLine(
        1,
        "Measurement before architecture",
        25,
        "The deciding number is derived before any box is drawn, and its consequence is said.",
    ),
    RubricLine(
        2,
        "Scope and altitude",
        12,
        "Requirements, the abstraction named, the wheel handed over, opened when asked.",
        MappingProxyType(
            {
                2: (
                    "lists what the system must do and, separately, what it will not do",
                    "names the abstraction the design stands on, and says which of its properties are relied upon",
                    "states every assumption that no answer of the interviewer settled, as an assumption",
                ),
                3: (
                    "gives each load and latency requirement as a number with its unit and its percentile",
                    "turns the load into a demand on the scarce resource before choosing a mechanism",
                    "says at which number of users, tokens or GPUs the chosen scope would change",
                ),
                4: (
                    "says what was left out, what that costs, and who bears it",
                    "opens the abstraction when asked, gives the numbers inside it, and returns to the interface",
                    "names the requirement that breaks the design first when it grows, and the size at which it does",
                ),
            }
        ),
    ),
    RubricLine(
        3,
        "Request path and interfaces",
        12,
        "A coherent design from end to end.",
        MappingProxyType(
            {
                2: (
                    "follows one request from the client to the last byte, naming every component it passes",
                    "gives the main interface: its call, its fields, and at least one error it returns",
                    "names which component owns each piece of state",
                ),
                3: (
                    "puts a time or a size on every hop that matters to the latency target",
                    "sizes each store that the path reads or writes, in bytes or operations per second",
                    "shows that the hops add up to less than the target",
                ),
                4: (
                    "says what the caller sees when each hop is slow, full or gone",
                    "gives the cost of the chosen interface against one named alternative",
                    "says how the interface changes without breaking the clients that are live",
                ),
            }
        ),
    ),
    RubricLine(4, "First hard part", 14, "The first of the two parts that this design turns on."),
    RubricLine(5, "Second hard part", 14, "The second of the two parts that this design turns on."),
    RubricLine(
        6,
        "Failure and degradation",
        10,
        "Cliffs, control loops with the right sign, what happens to work in flight.",
    ),
    RubricLine(7, "Silent wrongness", 7, "Isolation, cache keys, identity reuse, reproducibility."),
    RubricLine(
        8,
        "Operation and cost",
        6,
        "Signals, alerts that someone would act on, money with a date.",
        MappingProxyType(
            {
                2: (
                    "names the signals that show whether the users are served, apart from those of the machines",
                    "says how a change is rolled out and how it is taken back",
                    "names what most of the money is spent on",
                ),
                3: (
                    "gives each alert its threshold, its window, and what the person woken up does",
                    "gives the cost per hour or per million tokens, with the price, its date and its source",
                    "says how much spare capacity is bought, and from which number it follows",
                ),
                4: (
                    "says which alert will be noisy, and what is done about it before it is muted",
                    "prices one alternative and says at which load it would win",
                    "says which failure the signals would not show, and how it would be found",
                ),
            }
        ),
    ),
)
_LINE_BY_NUMBER: Mapping[int, RubricLine] = MappingProxyType({line.number: line for line in LINES})
WEIGHT_TOTAL = sum(line.weight for line in LINES)

# Lowest percentage of each verdict, best first.
BARS: tuple[tuple[int, str], ...] = (
    (85, "strong hire"),
    (70, "hire at staff"),
    (60, "hire at senior"),
    (50, "lean no"),
    (0, "no hire"),
)
_RANK: Mapping[str, int] = MappingProxyType({name: rank for rank, (_, name) in enumerate(reversed(BARS))})
_DECIDING_LEVEL_FOR_STAFF = 3
_LOWEST_LEVEL_FOR_STRONG = 2


@dataclass(frozen=True)
class Cap:
    """Why the verdict is lower than the percentage alone would give."""

    limit: str
    reason: str


@dataclass(frozen=True)
class HireBar:
    """The verdict, the weighted percentage, and every cap that lowered it."""

    name: str
    percentage: float
    caps: tuple[Cap, ...]


def line(number: int) -> RubricLine:
    """The line of that number.

    Raises: ValueError when the rubric has no such line.
    """
    if number not in _LINE_BY_NUMBER:
        raise ValueError(f"line: must be one of {', '.join(str(n) for n in _LINE_BY_NUMBER)}, not {number!r}")
    return _LINE_BY_NUMBER[number]


def percentage(levels: Mapping[int, int]) -> float:
    """The weighted score in percent, exact to a quarter of a point.

    Formula: sum(weight × level) / highest level, the weights summing to 100.
    Symbols: `levels` maps each line's number to its level, 0 to 4.
    Holds when: every line has a level.
    Source: editorial (see WEIGHTS_NOTE).
    Raises: ValueError when a line is missing, unknown, or its level is not a whole number of 0 to 4.
    """
    _refuse_bad_levels(levels)
    weighted = sum(line.weight * levels[line.number] for line in LINES)
    return 100 * weighted / (WEIGHT_TOTAL * HIGHEST_LEVEL)


def hire_bar(levels: Mapping[int, int], deciding_present: bool) -> HireBar:
    """What the score is worth, with each cap that applied and its reason.

    Holds when: every line has a level; `deciding_present` says whether a deciding number was starred in time.
    Raises: ValueError as `percentage` does.
    """
    total = percentage(levels)
    earned = next(name for at_least, name in BARS if total >= at_least)
    caps = tuple(cap for cap in _possible_caps(levels, deciding_present) if _RANK[cap.limit] < _RANK[earned])
    name = min((earned, *(cap.limit for cap in caps)), key=_RANK.__getitem__)
    return HireBar(name=name, percentage=total, caps=caps)


def level_from_anchors(met: Mapping[int, Sequence[bool]]) -> int:
    """The level that a line's anchors give: `met` maps a level to whether each of its anchors is met.

    Formula: the highest level at which two thirds of its anchors, and of every lower level's, are met.
    Holds when: each level given has at least one anchor. Below the lowest anchored level, one anchor met
    anywhere reads as "named", none as "absent".
    Raises: ValueError when a level is unknown or has no anchors.
    """
    for level, answers in met.items():
        if level not in ANCHORED_LEVELS:
            raise ValueError(f"level: anchors stand at levels {ANCHORED_LEVELS}, not at {level!r}")
        if not answers:
            raise ValueError(f"level {level}: has no anchors")
    reached = 1 if any(any(answers) for answers in met.values()) else 0
    for level in sorted(met):
        if 3 * sum(met[level]) < 2 * len(met[level]):
            break
        reached = level
    return reached


def _refuse_bad_levels(levels: Mapping[int, int]) -> None:
    if set(levels) != set(_LINE_BY_NUMBER):
        raise ValueError(f"levels: must name lines {sorted(_LINE_BY_NUMBER)}, not {sorted(levels)}")
    for number, level in levels.items():
        if isinstance(level, bool) or not isinstance(level, int) or level not in LEVELS:
            raise ValueError(f"level of line {number}: must be {LOWEST_LEVEL} to {HIGHEST_LEVEL}, not {level!r}")


def _possible_caps(levels: Mapping[int, int], deciding_present: bool) -> list[Cap]:
    caps = []
    if not deciding_present:
        caps.append(Cap("hire at senior", "The deciding number is absent: senior at most."))
    if levels[DECIDING_LINE] < _DECIDING_LEVEL_FOR_STAFF:
        caps.append(
            Cap(
                "hire at senior",
                f"Line {DECIDING_LINE} is at {levels[DECIDING_LINE]}: "
                f"staff and above need at least {_DECIDING_LEVEL_FOR_STAFF} there.",
            )
        )
    low = [line for line in LINES if levels[line.number] < _LOWEST_LEVEL_FOR_STRONG]
    if low:
        named = ", ".join(f"line {line.number} ({line.name}) is at {levels[line.number]}" for line in low)
        caps.append(Cap("hire at staff", f"A strong hire has no line below {_LOWEST_LEVEL_FOR_STRONG}: {named}."))
    return caps
