"""Clarifying questions: a typed question is matched to one of the interviewer's cards, or to none."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

UNMATCHED_ANSWER = "Assume, and say so."
QUESTION_LIMIT_CHARACTERS = 500

_WORD = re.compile(r"[^\W_]+")
_STOP_WORDS = frozenset(
    _WORD.findall(
        """
        a an and any are as at be been being but by can could did do does for from get give has have how i if in
        is it its let like many may me more much must my need no not of on one or our out per please say shall
        should so some tell than that the their them then there these they this those to up us use was we what
        when where which who whom why will with would you your
        """
    )
)
_ENOUGH = 1.0
_ENOUGH_OF_THE_CARD = 0.5


@dataclass(frozen=True)
class Card:
    """What the matching needs of a card: its id, its own question, and the words that ask for it."""

    id: str
    ask: str
    keywords: tuple[str, ...]


def match(question: str, cards: Sequence[Card]) -> str | None:
    """The id of the card that the question asks for; none when no card is asked for clearly enough.

    A keyword counts when all its words stand in the question, in any order and number; longer keywords count more,
    and one that several cards share counts less. Beside that the words of the card's own question count by the
    share of them that was said. The first card wins a tie.
    """
    asked = frozenset(_stems(question))
    shared = Counter(keyword for card in cards for keyword in {_phrase(keyword) for keyword in card.keywords})
    best, best_score = None, 0.0
    for card in cards:
        score = _score(card, asked, shared)
        if score > best_score:
            best, best_score = card.id, score
    return best


def _score(card: Card, asked: frozenset[str], shared: Counter[frozenset[str]]) -> float:
    phrases = {_phrase(keyword) for keyword in card.keywords} - {frozenset()}
    by_keyword = sum(len(phrase) / shared[phrase] for phrase in phrases if phrase <= asked)
    own = frozenset(_stems(card.ask))
    said = len(own & asked)
    share = said / len(own) if own else 0.0
    if by_keyword >= _ENOUGH or (said >= 2 and share >= _ENOUGH_OF_THE_CARD):
        return by_keyword + share
    return 0.0


def _phrase(keyword: str) -> frozenset[str]:
    return frozenset(_stems(keyword))


def _stems(text: str) -> Iterable[str]:
    words = _WORD.findall(unicodedata.normalize("NFKC", text).casefold())
    return [_stem(word) for word in words if word not in _STOP_WORDS]


def _stem(word: str) -> str:
    """The word without the common English endings; rough, but the same on both sides."""
    for ending, put in (("ies", "y"), ("ing", ""), ("ed", ""), ("es", ""), ("s", "")):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            word = word[: -len(ending)] + put
            break
    if len(word) > 4 and word[-1] == word[-2]:
        word = word[:-1]
    return word[:-1] if word.endswith("e") and len(word) > 3 else word
