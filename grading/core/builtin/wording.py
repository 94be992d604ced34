"""Words of a submission: folded so that case, hyphens, plurals and articles make no difference; sentences; nearness."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

from grading.core.submission import WORKSHEET_KEY, Place, Submission
from grading.core.verification import MIN_QUOTE_CHARACTERS, comparable

MOST_SENTENCE_CHARACTERS = 400
MOST_SENTENCES = 2_000  # of one part; a quote is taken from among them

_WORD = re.compile(r"[^\W_]+")
_POSSESSIVE = re.compile(r"'s\b")
_SENTENCE = re.compile(r"[^\n.!?;]+(?:[.](?=\d)[^\n.!?;]*)*[.!?;]?")
_LEFT_OUT = frozenset({"a", "an", "the"})
_COMMON_WORDS = (
    "a an and are as at be been but by can do does for from has have he how if in into is it its more no not of on one "
    "or so than that the their them then there they this to two was we what when where which who will with you your "
    "all each every must says say"
)
_COMMON = frozenset(_COMMON_WORDS.split())
_LEAD = re.compile(r"\s*(?:[>|#]+\s*)*(?:(?:[-*+]|\d{1,2}[.)])\s+)?")
_FOOTNOTE = re.compile(r"\[\^[^\]\s]+\]")
_LINK = re.compile(r"\[([^\]\n]*)\]\([^)\n]*\)")
_MARKS = re.compile(r"\*\*|__|`|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)")
_LINE_MARKS = re.compile(r"^[ \t]*(?:>[ \t]?|#{1,6}[ \t]+|[-*+][ \t]+)", re.MULTILINE)


@dataclass(frozen=True)
class Sentence:
    """A sentence of one part, and its words."""

    place: Place
    words: frozenset[str]


def folded(text: str) -> tuple[str, ...]:
    """The words of a text, folded; articles are left out."""
    plain = _POSSESSIVE.sub("", comparable(text).casefold())
    return tuple(_singular(word) for word in _WORD.findall(plain) if word not in _LEFT_OUT)


def stands(phrase: str, words: str) -> bool:
    """Whether the words of a phrase stand one after the other in a text that `spaced` has made ready."""
    wanted = folded(phrase)
    return bool(wanted) and f" {' '.join(wanted)} " in words


def spaced(texts: Iterable[str]) -> str:
    """Texts made ready for `stands`: no phrase is found across two of them."""
    return " | ".join(f" {' '.join(folded(text))} " for text in texts)


def sentences_of(submission: Submission) -> tuple[Sentence, ...]:
    """Every sentence of the written parts that can be quoted: neither a heading nor a scrap."""
    found: list[Sentence] = []
    for part in submission.parts:
        if part.key == WORKSHEET_KEY:
            continue
        for match in islice(_SENTENCE.finditer(part.text), MOST_SENTENCES):
            text = match[0]
            lead = _LEAD.match(text)
            start = match.start() + (lead.end() if lead else 0)
            end = min(match.end(), start + MOST_SENTENCE_CHARACTERS)
            place = Place(part.key, start, end)
            if len(comparable(part.text[start:end]).strip()) >= 2 * MIN_QUOTE_CHARACTERS:
                found.append(Sentence(place, frozenset(folded(part.text[start:end])) - _COMMON))
    return tuple(sentence for sentence in found if not submission.only_heading(sentence.place))


def nearest(sentences: Iterable[Sentence], about: str, *, fewest: int = 2, prefer: str = "") -> Place | None:
    """The sentence that shares most words with a text; None when none shares enough. `prefer` is a part's key."""
    wanted = frozenset(folded(about)) - _COMMON
    best: tuple[float, Place] | None = None
    for sentence in sentences:
        shared = len(wanted & sentence.words)
        if shared < fewest:
            continue
        worth = shared + (0.5 if sentence.place.key == prefer else 0.0) - 0.01 * len(sentence.words - wanted)
        if best is None or worth > best[0]:
            best = (worth, sentence.place)
    return best[1] if best else None


def unmarked(markdown: str) -> str:
    """Markdown as plain text: emphasis, links' addresses, quote marks and footnotes are gone."""
    text = _LINK.sub(r"\1", _FOOTNOTE.sub("", markdown))
    return _MARKS.sub("", _LINE_MARKS.sub("", text)).strip()


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    if len(word) > 4 and word.endswith(("ches", "shes", "sses", "xes")):
        return word[:-2]
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")) else word
