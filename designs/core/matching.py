"""Finding typed words in plain text: all of them, each at the start of a word, and the piece of text around them."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

LONGEST_QUERY = 200
MOST_WORDS = 12
AROUND = 90
"""Characters of text to either side of the first word found."""


class BadQuery(ValueError):
    """A query that is not searched for; its text says why."""


@dataclass(frozen=True)
class Mark:
    """A piece of a snippet, and whether it is a word that was searched for."""

    text: str
    found: bool


def query_words(typed: str) -> tuple[re.Pattern[str], ...]:
    """What to look for; nothing for an empty query. Raises: BadQuery."""
    if len(typed) > LONGEST_QUERY:
        raise BadQuery(f"The search has {len(typed):,} characters; at most {LONGEST_QUERY} are read.")
    text = unicodedata.normalize("NFC", typed)
    for character in text:
        if unicodedata.category(character) in ("Cc", "Cs", "Cn") and not character.isspace():
            raise BadQuery(f"The search holds a character that cannot be seen (U+{ord(character):04X}). Type it anew.")
    words = list(dict.fromkeys(text.lower().split()))
    if len(words) > MOST_WORDS:
        raise BadQuery(f"The search has {len(words)} words; at most {MOST_WORDS} are looked for.")
    return tuple(_pattern(word) for word in words)


def holds_all(text: str, words: Sequence[re.Pattern[str]]) -> bool:
    """Whether every word stands in the text."""
    return all(word.search(text) for word in words)


def snippet(text: str, words: Sequence[re.Pattern[str]]) -> tuple[Mark, ...]:
    """The text around the first place that holds most of the words, cut at spaces, with every word in it marked."""
    places = sorted((match.start(), match.end()) for word in words for match in word.finditer(text))
    first = max((place for place, _ in places), key=lambda place: _held(text, place, words), default=0)
    start, end = _cut(text, first - AROUND), _cut(text, first + 2 * AROUND)
    marks = [Mark("… ", False)] if start else []
    at = start
    for left, right in places:
        if at <= left and right <= end:
            marks += [Mark(text[at:left], False), Mark(text[left:right], True)]
            at = right
    marks.append(Mark(text[at:end] + (" …" if end < len(text) else ""), False))
    return tuple(mark for mark in marks if mark.text)


def _held(text: str, place: int, words: Sequence[re.Pattern[str]]) -> int:
    """How many of the words a snippet from this place on would hold."""
    return sum(word.search(text, place, place + AROUND) is not None for word in words)


def _pattern(word: str) -> re.Pattern[str]:
    start = r"(?<!\w)" if re.match(r"\w", word) else ""
    return re.compile(start + re.escape(word), re.IGNORECASE)


def _cut(text: str, place: int) -> int:
    """A place at a space near `place`, or an end of the text."""
    if place <= 0:
        return 0
    if place >= len(text):
        return len(text)
    space = text.find(" ", place, place + AROUND)
    return space + 1 if space >= 0 else place
