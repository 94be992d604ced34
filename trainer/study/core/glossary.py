"""Terms in HTML: the first place where a text uses one becomes a link to the glossary."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

_TAG = re.compile(r"<(/?)([a-zA-Z][\w-]*)[^>]*?(/?)>")
NOT_IN = frozenset({"a", "h1", "h2", "h3", "h4", "h5", "h6", "code", "pre", "math", "svg", "th", "sup", "summary"})


@dataclass(frozen=True)
class Term:
    """A term of the glossary with the words by which a text may use it."""

    id: str
    names: tuple[str, ...]


def linked(html: str, terms: Iterable[Term], address: str) -> str:
    """`html` with a link on the first use of each term; not in headings, code, formulas or other links."""
    left = {term.id for term in terms}
    ids, pattern = _pattern(tuple(terms))
    if pattern is None:
        return html

    def link(match: re.Match[str]) -> str:
        id = ids[_plain(match[0])]
        if id not in left:
            return match[0]
        left.discard(id)
        return f'<a class="term" href="{address}#{id}">{match[0]}</a>'

    out, at, closed_to = [], 0, 0
    notes = html.find('<section class="footnotes"')
    end = notes if notes >= 0 else len(html)
    for tag in _TAG.finditer(html, 0, end):
        text = html[at : tag.start()]
        out.append(text if closed_to else pattern.sub(link, text))
        out.append(tag[0])
        at = tag.end()
        if tag[2].lower() in NOT_IN and not tag[3]:
            closed_to = max(0, closed_to + (-1 if tag[1] else 1))
    rest = html[at:end]
    out.append(rest if closed_to else pattern.sub(link, rest))
    return "".join(out) + html[end:]


def _plain(name: str) -> str:
    return " ".join(name.lower().split())


@lru_cache(maxsize=8)
def _pattern(terms: tuple[Term, ...]) -> tuple[dict[str, str], re.Pattern[str] | None]:
    """Every name's term, and what finds a name: the longest first, as a whole word, in plural too."""
    ids: dict[str, str] = {}
    for term in terms:
        for name in term.names:
            ids.setdefault(_plain(name), term.id)
            ids.setdefault(f"{_plain(name)}s", term.id)
    if not ids:
        return ids, None
    words = "|".join(r"\s+".join(map(re.escape, name.split())) for name in sorted(ids, key=len, reverse=True))
    return ids, re.compile(rf"(?<![\w-])(?:{words})(?![\w-])", re.IGNORECASE)
