"""The documents of a round: ten sections and the worksheet. What may be written when, and which save wins."""

from dataclasses import dataclass
from datetime import datetime

from trainer.rounds.core import machine
from trainer.rounds.core.machine import NotAllowed, Snapshot

WORKSHEET = "worksheet"
SECTION_COUNT = 10
SECTION_KEYS = tuple(f"s{number}" for number in range(1, SECTION_COUNT + 1))
KEYS = (*SECTION_KEYS, WORKSHEET)
FOCUS_KEYS = (*KEYS, "calculator", "whiteboard", "away")

SECTION_LIMIT_CHARACTERS = 200_000
WORKSHEET_LIMIT_CHARACTERS = 20_000
SAVE_ID_LIMIT_CHARACTERS = 64

# The template's titles, the same for every design: a design's own titles would give its hard parts away.
SECTION_TITLES = {
    1: "Scope and requirements",
    2: "The arithmetic",
    3: "Interfaces and data model",
    4: "Architecture and the request's path",
    5: "First hard part",
    6: "Second hard part",
    7: "What else must be right (1)",
    8: "What else must be right (2)",
    9: "Failure, rollout, operation and cost",
    10: "The close, as said aloud in two minutes",
}
SECTION_HINTS = {
    1: "What it must do, for whom, how much; the abstraction you stand on, named.",
    2: "The deciding number, and what it decides. The worksheet holds the lines.",
    3: "The calls, the records, what is a key and what is a promise.",
    4: "One request from the door to the last byte; every box earns its place.",
    5: "The mechanism, its numbers, its trade-off, where it fails.",
    6: "The mechanism, its numbers, its trade-off, where it fails.",
    7: "A property that must hold besides the hard parts: the mechanism, its number, its cost.",
    8: "Another property that must hold: the mechanism, its number, its cost.",
    9: "What breaks first, what happens to work in flight, the alerts, the money with a date.",
    10: "Number, consequence, design, risk.",
}


@dataclass(frozen=True)
class Stored:
    """A document as last acknowledged."""

    revision: int
    text: str


@dataclass(frozen=True)
class Acknowledged:
    """What a save comes to: the revision that now stands, and whether a new one is to be written."""

    revision: int
    write: bool


class Stale(Exception):
    """The save builds on a revision that is not the last one. Nothing is overwritten; both texts are kept."""


def section_number(key: str) -> int:
    """1 to 10 for a section; 0 for the worksheet."""
    return 0 if key == WORKSHEET else int(key[1:])


def title_of(key: str) -> str:
    """The template's title of a document, or the name of another place that can hold the focus."""
    if key in SECTION_KEYS:
        return SECTION_TITLES[section_number(key)]
    return key.capitalize()


def limit_characters(key: str) -> int:
    """How long the text of a document may be."""
    return WORKSHEET_LIMIT_CHARACTERS if key == WORKSHEET else SECTION_LIMIT_CHARACTERS


def require_open(snapshot: Snapshot, key: str) -> None:
    """Raises NotAllowed unless the document may be written now ("locked", "paused" or "sealed")."""
    if snapshot.sealed_at is not None or snapshot.state in machine.SUBMITTED:
        raise NotAllowed("sealed", _sealed_message(snapshot))
    if snapshot.state not in machine.CLOCKED:
        raise NotAllowed("locked", "Nothing can be written before the clock is started.")
    if snapshot.paused:
        raise NotAllowed("paused", "The clock is paused: the editors are read-only until you resume.")
    if snapshot.state == machine.ARITHMETIC and key != WORKSHEET:
        raise NotAllowed("locked", "The sections open with the writing. During the arithmetic there is the worksheet.")


def judge_save(
    snapshot: Snapshot, key: str, stored: Stored, *, text: str, base_revision: int, now: datetime
) -> Acknowledged:
    """Whether a save lands. `snapshot` is settled at `now`, so a writing past its bell is within the grace.

    A text that is what stands already is acknowledged as it is, whatever it built on.

    Raises: NotAllowed when the document is closed; Stale when the save does not build on the last revision.
    """
    if machine.settle(snapshot, now) != snapshot:
        raise ValueError("a save is judged on a settled round")
    require_open(snapshot, key)
    if base_revision == stored.revision:
        return Acknowledged(stored.revision + 1, write=True)
    if text == stored.text:
        return Acknowledged(stored.revision, write=False)
    raise Stale


def _sealed_message(snapshot: Snapshot) -> str:
    if snapshot.state == machine.ABANDONED:
        return "This round was abandoned; nothing in it can be changed."
    how = "The bell submitted this round" if snapshot.submitted_by_bell else "This round was submitted"
    return f"{how}; its text is sealed. What you still hold is kept as a late addendum: it stands beside it, uncounted."
