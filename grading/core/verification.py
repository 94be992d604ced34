"""Does a quote stand in the submission? Shared by self-scores and by every critic's claims.

Two texts that a reader would call the same words compare equal: Unicode compatibility forms are folded (NFKC),
runs of white space count as one space, curly quotes and the kinds of dash as the plain ones, and invisible
characters are dropped. Case is kept, and so is Markdown: `**40 GiB**` is not `40 GiB per`. A quote never begins or
ends inside a number, because "40 GiB" says something else than the "140 GiB" that holds it.
"""

import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

MIN_QUOTE_CHARACTERS = 8
# The Stream-Safe Text Format of UAX #15: no more marks than this stand on one character. Normalising takes time that
# grows with the square of their number.
MOST_MARKS_IN_A_ROW = 30
_GRAPHEME_JOINER = "\u034f"  # what the format parts longer runs by

# What shows nothing: format characters, fillers, variation selectors, tags, and controls that are no white space.
_UNSEEN_RANGES = (
    (0x00, 0x08), (0x0E, 0x1B), (0x7F, 0x84), (0x86, 0x9F), (0xAD, 0xAD), (0x034F, 0x034F), (0x061C, 0x061C),
    (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F), (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F),
    (0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF9, 0xFFFB), (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
)  # fmt: skip
_INVISIBLE = frozenset(chr(code) for low, high in _UNSEEN_RANGES for code in range(low, high + 1))
# Many quotes are looked for in the same few texts: the parts of one submission.
_KEPT_TEXTS, _KEPT_FOLDS = 64, 12
_SINGLE_QUOTES = "\u2018\u2019\u201a\u201b\u2039\u203a\u02bc"
_DOUBLE_QUOTES = "\u201c\u201d\u201e\u201f\u00ab\u00bb"
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\ufe58\ufe63\uff0d"
_PLAIN = str.maketrans(
    {**dict.fromkeys(_SINGLE_QUOTES, "'"), **dict.fromkeys(_DOUBLE_QUOTES, '"'), **dict.fromkeys(_DASHES, "-")}
)
_LOOKALIKES = str.maketrans(
    "АВСЕНІЈКМОРЅТХУҮԌԜΑΒΕΖΗΙΚΜΝΟΡΤΥΧаеорсухіјѕһԁԛԝгοινρυ",
    "ABCEHIJKMOPSTXYYGWABEZHIKMNOPTYXaeopcyxijshdqwroivpu",
)
_WITHOUT_INVISIBLE = dict.fromkeys(map(ord, _INVISIBLE))
_WHITE_SPACE = re.compile(r"\s+")


class QuoteProblem(StrEnum):
    """Why a quote is no evidence."""

    EMPTY = "empty"
    TOO_SHORT = "too short"
    NOT_FOUND = "not in the submission"

    @property
    def message(self) -> str:
        """The sentence shown beside the field."""
        return _MESSAGES[self]


_MESSAGES = {
    QuoteProblem.EMPTY: "Quote the words of your submission that show this level.",
    QuoteProblem.TOO_SHORT: f"Quote at least {MIN_QUOTE_CHARACTERS} characters: fewer could stand anywhere.",
    QuoteProblem.NOT_FOUND: "These words do not stand in your submission. Copy them from it as they are.",
}


@dataclass(frozen=True)
class Span:
    """Where a quote stands: `submission[start:end]`, in characters of the text as submitted."""

    start: int
    end: int


@dataclass(frozen=True)
class _Folded:
    """A text in its comparable form; `starts[i]` and `ends[i]` bound what character i was made from."""

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]


def quote_stands(quote: str, submission: str) -> bool:
    """Whether the quote is long enough to be evidence and stands in the submission."""
    return quote_problem(quote, submission) is None


def quote_problem(quote: str, submission: str) -> QuoteProblem | None:
    """What is wrong with the quote, or None when it stands."""
    wanted = _comparable(quote).strip()
    if not wanted:
        return QuoteProblem.EMPTY
    if len(wanted) < MIN_QUOTE_CHARACTERS:
        return QuoteProblem.TOO_SHORT
    return None if _whole(wanted).search(_comparable(submission)) else QuoteProblem.NOT_FOUND


def find_quote(quote: str, submission: str) -> Span | None:
    """The first place where the quote stands, as offsets into the submission; None when it does not."""
    if quote_problem(quote, submission) is not None:
        return None
    folded = _fold(submission)
    found = _whole(_comparable(quote).strip()).search(folded.text)
    return Span(folded.starts[found.start()], folded.ends[found.end() - 1]) if found else None


def without_invisible(text: str) -> str:
    """The text as a reader sees it: characters that show nothing are gone."""
    return text.translate(_WITHOUT_INVISIBLE)


def comparable(text: str) -> str:
    """The text in the form in which two texts are compared."""
    return _comparable(text)


def unmasked(text: str) -> str:
    """The text with Cyrillic and Greek letters that look like Latin ones as those: what a reader sees "40 GiB" in."""
    return text if text.isascii() else text.translate(_LOOKALIKES)


def _whole(wanted: str) -> re.Pattern[str]:
    """Finds the words where neither end splits a number: between two digits, or beside the point between them."""
    before = after = ""
    if wanted[0].isdigit():
        before = r"(?<!\d)(?<!\d[.,])"
    elif wanted[0] in ".," and wanted[1].isdigit():
        before = r"(?<!\d)"
    if wanted[-1].isdigit():
        after = r"(?!\d)(?![.,]\d)"
    elif wanted[-1] in ".," and wanted[-2].isdigit():
        after = r"(?!\d)"
    return re.compile(before + re.escape(wanted) + after)


@lru_cache(maxsize=_KEPT_TEXTS)
def _comparable(text: str) -> str:
    """The text in its comparable form."""
    visible = unicodedata.normalize("NFKC", _stream_safe(text.translate(_WITHOUT_INVISIBLE)))
    return _WHITE_SPACE.sub(" ", visible.translate(_PLAIN).replace(_GRAPHEME_JOINER, ""))


def _stream_safe(text: str) -> str:
    """The text with long runs of combining marks parted, so that it can be normalised in a time that it bounds."""
    if text.isascii():
        return text
    parted: list[str] = []
    marks = 0
    for character in text:
        marks = _marks(character, marks)
        if marks > MOST_MARKS_IN_A_ROW:
            parted.append(_GRAPHEME_JOINER)
            marks = 1
        parted.append(character)
    return "".join(parted)


def _marks(character: str, before: int) -> int:
    """How many combining marks stand in a row up to this character, with `before` of them before it."""
    return before + 1 if unicodedata.combining(character) else 0


@lru_cache(maxsize=_KEPT_FOLDS)
def _fold(text: str) -> _Folded:
    """The comparable form again, each character with the place it was made from."""
    characters: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for start, end, piece in _normalised_pieces(text):
        for character in piece.translate(_PLAIN):
            if character.isspace():
                if characters and characters[-1] == " ":
                    ends[-1] = end
                    continue
                character = " "
            characters.append(character)
            starts.append(start)
            ends.append(end)
    return _Folded("".join(characters), tuple(starts), tuple(ends))


def _normalised_pieces(text: str) -> list[tuple[int, int, str]]:
    """The text in the smallest pieces that NFKC treats apart, each with its bounds, invisible characters left out."""
    visible = [(index, character) for index, character in enumerate(text) if character not in _INVISIBLE]
    pieces: list[tuple[int, int, str]] = []
    at = 0
    while at < len(visible):
        start, piece = visible[at]
        end = start + 1
        marks = _marks(piece, 0)
        at += 1
        while at < len(visible) and _joins(piece, visible[at][1]):
            marks = _marks(visible[at][1], marks)
            if marks > MOST_MARKS_IN_A_ROW:
                break
            piece += visible[at][1]
            end = visible[at][0] + 1
            at += 1
        pieces.append((start, end, piece if piece.isascii() else unicodedata.normalize("NFKC", piece)))
    return pieces


def _joins(left: str, right: str) -> bool:
    """Whether NFKC may treat `right` as part of what stands before it: a combining mark, or one that composes."""
    if right.isascii():
        return False
    if unicodedata.combining(right):
        return True
    apart = unicodedata.normalize("NFKC", left) + unicodedata.normalize("NFKC", right)
    return unicodedata.normalize("NFKC", left + right) != apart
