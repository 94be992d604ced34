"""A submission as a critic reads it: parts in order, each with its own text, and places given by part."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from grading.core.verification import find_quote, without_invisible

WORKSHEET_KEY = "worksheet"
MOST_HEADING_CHARACTERS = 1_000

_HEADING = re.compile(r"\s{0,3}#{1,6}(\s|$)|\s*(\*\*|__)[^*_]+(\*\*|__):?\s*$|\s*(=+|-+)\s*$")
_SETEXT = re.compile(r"\s{0,3}(=+|-{2,})\s*")


@dataclass(frozen=True)
class Part:
    """One document of a submission: `key` is s1 to s10 or "worksheet"."""

    key: str
    title: str
    text: str


@dataclass(frozen=True)
class Place:
    """Where a quote stands: `part.text[start:end]`, in characters of that part as submitted."""

    key: str
    start: int
    end: int


@dataclass(frozen=True)
class Submission:
    """What was handed in. No two parts have the same key."""

    parts: tuple[Part, ...]

    def __post_init__(self) -> None:
        keys = [part.key for part in self.parts]
        if len(set(keys)) != len(keys):
            raise ValueError(f"parts: a key comes twice in {keys}")

    @classmethod
    def of(cls, texts: Mapping[str, str], titles: Mapping[str, str]) -> "Submission":
        """Parts in the order of `texts`; those without a word are left out."""
        return cls(tuple(Part(key, titles.get(key, key), text) for key, text in texts.items() if text.strip()))

    @property
    def text(self) -> str:
        """All parts, one after the other, a blank line between them."""
        return "\n\n".join(part.text for part in self.parts)

    @property
    def worksheet(self) -> str:
        """The worksheet as typed; "" when there is none."""
        part = self.part(WORKSHEET_KEY)
        return part.text if part else ""

    @property
    def prose(self) -> tuple[Part, ...]:
        """The parts that are written text: all but the worksheet."""
        return tuple(part for part in self.parts if part.key != WORKSHEET_KEY)

    def part(self, key: str) -> Part | None:
        """The part of that key."""
        return next((part for part in self.parts if part.key == key), None)

    def find(self, quote: str) -> Place | None:
        """The first place where the quote stands within one part; None when it stands in none."""
        places = self.places(quote)
        return places[0] if places else None

    def places(self, quote: str) -> tuple[Place, ...]:
        """The first place in each part that holds the quote."""
        found = ((part.key, find_quote(quote, part.text)) for part in self.parts)
        return tuple(Place(key, span.start, span.end) for key, span in found if span)

    def place_in(self, key: str, quote: str) -> Place | None:
        """Where the quote stands in one part, the others unread; None when it does not."""
        part = self.part(key)
        span = find_quote(quote, part.text) if part else None
        return Place(key, span.start, span.end) if span else None

    def first(self, characters: int) -> "Submission":
        """As much of it as that: short parts whole, long ones an equal share of the rest, from their beginning."""
        sizes = {part.key: len(part.text) for part in self.parts}
        allowed = allowances(sizes, characters)
        return Submission(tuple(Part(part.key, part.title, part.text[: allowed[part.key]]) for part in self.parts))

    def words_at(self, place: Place) -> str:
        """The words as submitted at a place."""
        part = self.part(place.key)
        return part.text[place.start : place.end] if part else ""

    def only_heading(self, place: Place) -> bool:
        """Whether all the lines that a place touches are headings: a heading claims nothing."""
        part = self.part(place.key)
        if part is None or part.key == WORKSHEET_KEY:
            return False
        start = part.text.rfind("\n", 0, place.start) + 1
        end = part.text.find("\n", place.end)
        end = len(part.text) if end < 0 else end
        if end - start > MOST_HEADING_CHARACTERS:
            return False
        lines = [line for line in part.text[start:end].splitlines() if line.strip()]
        below = part.text[end + 1 :].split("\n", 1)[0]
        underlined = len(lines) == 1 and _SETEXT.fullmatch(below) is not None
        return underlined or all(_HEADING.match(line) or _same(line, part.title) for line in lines)

    def hidden_characters(self) -> dict[str, int]:
        """How many characters of each part show nothing; parts without any are left out."""
        counts = {part.key: len(part.text) - len(without_invisible(part.text)) for part in self.parts}
        return {key: count for key, count in counts.items() if count}


def allowances(sizes: Mapping[str, int], limit: int) -> dict[str, int]:
    """How many characters each part may have: short ones all of theirs, long ones an equal share of the rest."""
    allowed: dict[str, int] = {}
    left = limit
    for rank, (key, size) in enumerate(sorted(sizes.items(), key=lambda item: item[1])):
        allowed[key] = min(size, left // (len(sizes) - rank))
        left -= allowed[key]
    return allowed


def _same(line: str, title: str) -> bool:
    return line.strip(" \t:.#*").casefold() == title.casefold()
