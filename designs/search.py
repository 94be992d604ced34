"""Full-text search over the designs that a trainee has earned. Of any other, the titles alone are looked through."""

import html
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from django.urls import reverse
from django.utils.html import format_html, strip_tags
from django.utils.safestring import SafeString, mark_safe

from designs.core.matching import holds_all, query_words, snippet
from designs.loaded import LoadedDesign

MOST_HITS = 20
"""So many places of one design are listed; the rest are counted."""
_FOOTNOTE_MARK = re.compile(r'<sup class="footnote-ref">.*?</sup>|<a[^>]*class="footnote-backref".*?</a>', re.DOTALL)


@dataclass(frozen=True)
class Place:
    """A part of a design as plain text. `anchor` is where it stands on the design's page; "" for its top."""

    anchor: str
    title: str
    text: str


@dataclass(frozen=True)
class Hit:
    url: str
    title: str
    snippet: SafeString


@dataclass(frozen=True)
class DesignHits:
    """What was found in one design."""

    slug: str
    title: str
    earned: bool
    hits: tuple[Hit, ...]
    more: int


@dataclass(frozen=True)
class Found:
    """The answer to one search."""

    designs: tuple[DesignHits, ...]

    @property
    def count(self) -> int:
        return sum(len(design.hits) + design.more for design in self.designs)


def search(typed: str, designs: Iterable[LoadedDesign], *, earned: Collection[str]) -> Found:
    """The places that hold every word typed. Raises: BadQuery.

    A design whose slug is not in `earned` is not so much as rendered: what it holds shows in no answer, count or time.
    """
    words = query_words(typed)
    if not words:
        return Found(())
    found = (_hits(loaded, words, earned=loaded.slug in earned) for loaded in designs)
    return Found(tuple(hits for hits in found if hits.hits))


def _hits(loaded: LoadedDesign, words: Sequence[re.Pattern[str]], *, earned: bool) -> DesignHits:
    places = places_of(loaded) if earned else public_places_of(loaded)
    held = [place for place in places if holds_all(f"{place.title} {place.text}", words)]
    page = reverse("designs:design", args=[loaded.slug])
    hits = tuple(
        Hit(f"{page}#{place.anchor}" if place.anchor else page, place.title, _marked(place.text, words))
        for place in held[:MOST_HITS]
    )
    return DesignHits(loaded.slug, loaded.title, earned, hits, len(held) - len(hits))


def public_places_of(loaded: LoadedDesign) -> tuple[Place, ...]:
    """The titles that everyone sees."""
    return (Place("", "Title", " · ".join([loaded.title, *loaded.hard_part_titles])),)


@lru_cache(maxsize=64)
def places_of(loaded: LoadedDesign) -> tuple[Place, ...]:
    """Every part of a design, in the order of its page."""
    return (*public_places_of(loaded), *_places(loaded))


def _places(loaded: LoadedDesign) -> Iterator[Place]:
    design = loaded.design
    yield Place("prompt", "Prompt", plain(loaded.prompt_html()))
    for question in design.questions:
        yield Place("prompt", "Question", plain(loaded.inline(question.ask) + " " + loaded.inline(question.answer)))
    for section in design.sections:
        title = f"Section {section.number}: {loaded.section_title(section.number)}"
        yield Place(f"s{section.number}", title, plain(loaded.section_html(section.number)))
    for opened in design.opened:
        title = f"Altitude 2: {loaded.text(opened.title)}"
        yield Place(f"a{opened.number}", title, plain(loaded.opened_html(opened.number)))
    for critique in design.critiques:
        number = critique.number
        parts = (loaded.critique_html(number), loaded.revision_html(number), loaded.partial_html(number))
        yield Place(f"r{number}", f"Critique {number}: {loaded.critique_title(number)}", plain(" ".join(parts)))
    for interjection in design.interjections:
        points = (loaded.inline(point) for point in interjection.points)
        yield Place("interruptions", "Interruption", plain(" ".join([loaded.inline(interjection.say), *points])))
    for anchor in design.anchors:
        yield Place("anchors", f"What scores, level {anchor.level}", plain(loaded.inline(anchor.text)))
    for step in loaded.derivation.steps:
        text = f"{loaded.step_title(step)}: {step.text}. {loaded.step_consequence(step)}"
        yield Place(f"step-{step.id}", "Step", " ".join(text.split()))


def plain(markup: str) -> str:
    """The words of a piece of HTML, white space as one space, without the marks of footnotes."""
    return " ".join(html.unescape(strip_tags(_FOOTNOTE_MARK.sub(" ", markup))).split())


def _marked(text: str, words: Sequence[re.Pattern[str]]) -> SafeString:
    """A snippet with what was found in `<mark>`; all of it escaped."""
    pieces = (format_html("<mark>{}</mark>" if mark.found else "{}", mark.text) for mark in snippet(text, words))
    return mark_safe("".join(pieces))
