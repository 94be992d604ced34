"""Reads of the track for one trainee: what they have marked, and what their earned designs open."""

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from designs.history import earned_slugs
from designs.loader import load_designs
from trainer.accounts.models import User
from trainer.drills.bank import all_drills, content_files
from trainer.drills.core.forms import Drill
from trainer.study.chapters import LoadedChapter
from trainer.study.core.glossary import Term, linked
from trainer.study.loader import load_study
from trainer.study.models import ConceptMark, SelfMark
from trainer.study.worked import WorkedEntry


@dataclass(frozen=True)
class ReturnView:
    """A design in which an entry comes back: its public title, and the note once it is earned."""

    slug: str
    title: str
    note: SafeString
    earned: bool


@dataclass(frozen=True)
class Item:
    """An entry of a list as one trainee sees it."""

    entry: WorkedEntry
    returns: tuple[ReturnView, ...]

    @property
    def waiting(self) -> int:
        """How many notes open with their designs."""
        return sum(not one.earned for one in self.returns)


@dataclass(frozen=True)
class Mark:
    """The latest mark of a concept, and how often it was marked."""

    state: str
    at: dt.datetime
    times: int

    @property
    def label(self) -> str:
        return ConceptMark.State(self.state).label


@dataclass(frozen=True)
class ConceptView:
    """A concept with the trainee's own mark."""

    item: Item
    mark: Mark | None
    group: str
    chapter: LoadedChapter | None

    @property
    def entry(self) -> WorkedEntry:
        return self.item.entry

    @property
    def id(self) -> str:
        return self.entry.id


@dataclass(frozen=True)
class ConceptGroup:
    """D1 to D6, with what is marked in it."""

    id: str
    title: SafeString
    intro: SafeString
    concepts: tuple[ConceptView, ...]

    @property
    def aloud(self) -> int:
        return self._count(ConceptMark.State.ALOUD)

    @property
    def not_yet(self) -> int:
        return self._count(ConceptMark.State.NOT_YET)

    @property
    def unmarked(self) -> int:
        return sum(one.mark is None for one in self.concepts)

    def _count(self, state: str) -> int:
        return sum(one.mark is not None and one.mark.state == state for one in self.concepts)


@dataclass(frozen=True)
class DrillLink:
    """A drill of a chapter or a concept."""

    id: str
    title: str
    kind: str
    address: str


def items(user: User, entries: Iterable[WorkedEntry]) -> list[Item]:
    """Entries with their designs: a note is in no response before its design is earned."""
    earned, titles = earned_slugs(user), _titles()
    return [_item(entry, earned, titles) for entry in entries]


def _titles() -> dict[str, str]:
    """The designs' public titles."""
    return {slug: one.title for slug, one in load_designs().designs.items()}


def _item(entry: WorkedEntry, earned: set[str], titles: Mapping[str, str]) -> Item:
    found = tuple(
        ReturnView(
            one.slug,
            titles[one.slug],
            entry.note(one) if one.slug in earned and one.note else mark_safe(""),
            one.slug in earned or not one.note,
        )
        for one in entry.returns
        if one.slug in titles
    )
    return Item(entry, found)


def marks_of(user: User) -> dict[str, Mark]:
    """The latest mark of each concept."""
    found: dict[str, Mark] = {}
    for row in ConceptMark.objects.filter(user=user).order_by("at", "pk"):
        before = found.get(row.concept)
        found[row.concept] = Mark(row.state, row.at, before.times + 1 if before else 1)
    return found


def concept_history(user: User, concept: str) -> list[ConceptMark]:
    """Every mark of one concept, newest first."""
    return list(ConceptMark.objects.filter(user=user, concept=concept).order_by("-at", "-pk"))


def concept_groups(user: User) -> list[ConceptGroup]:
    """Every group of concepts with the trainee's marks."""
    study, marks, earned, titles = load_study(), marks_of(user), earned_slugs(user), _titles()
    groups = []
    for file in study.files("concepts"):
        top = next((one for one in file.entries if one.entry.form == "top"), None)
        id = top.id if top else file.name.rpartition("/")[2].removesuffix(".toml")
        views = tuple(
            ConceptView(
                _item(one, earned, titles), marks.get(one.id), id, study.chapters.get(one.entry.source_of("chapter"))
            )
            for one in file.entries
            if one.entry.form == "concept"
        )
        title = top.inline["title"] if top else mark_safe("")
        groups.append(ConceptGroup(id, title, top.html["intro"] if top else mark_safe(""), views))
    return groups


def concept_views(user: User) -> dict[str, ConceptView]:
    """Every concept by its id, in the order of the groups."""
    return {one.id: one for group in concept_groups(user) for one in group.concepts}


def self_levels(user: User) -> dict[str, list[SelfMark]]:
    """The marks of each item of the self-assessment, newest first."""
    found: dict[str, list[SelfMark]] = {}
    for row in SelfMark.objects.filter(user=user).order_by("-at", "-pk"):
        found.setdefault(row.item, []).append(row)
    return found


def glossary_terms() -> tuple[Term, ...]:
    """The glossary as what finds its terms in a text."""
    entries = load_study().entries("glossary", "term")
    return tuple(Term(one.id, (one.filled("term"), *one.lists.get("also", ()))) for one in entries)


def with_terms(html: str) -> SafeString:
    """HTML in which the first use of each term leads to the glossary."""
    return mark_safe(linked(html, glossary_terms(), reverse("study:glossary")))


def drills_of_chapter(slug: str) -> list[DrillLink]:
    """The self-checks of a chapter."""
    return [_drill(one) for one in _drills() if one.chapter == slug]


def drills_of_concept(concept: str) -> list[DrillLink]:
    """The drills of a concept."""
    return [_drill(one) for one in _drills() if one.concept == concept]


def _drills() -> tuple[Drill, ...]:
    """Every drill that can be read, by what it is about; read again when a file changed.

    They are not tried here: that takes seconds, and is the business of the drill's own page.
    """
    return _read_drills(tuple(path.stat().st_mtime_ns for path in content_files()))


@lru_cache(maxsize=2)
def _read_drills(stamps: tuple[int, ...]) -> tuple[Drill, ...]:
    return tuple(all_drills()[0])


def _drill(drill: Drill) -> DrillLink:
    return DrillLink(drill.id, drill.title, drill.kind.label, reverse("drills:drill", args=[drill.id]))


def chapters_of_topic(topic: str) -> list[LoadedChapter]:
    """The chapters that build on one of the calculator's topics."""
    return [one for one in load_study().chapters.values() if topic in one.chapter.topics]


@dataclass(frozen=True)
class Next:
    """What to do next: the first chapter whose concepts are not all marked, else the concepts not marked yet."""

    title: str
    address: str
    why: str


def what_next(groups: Sequence[ConceptGroup]) -> Next | None:
    """Nothing when every concept is marked "could say it aloud"."""
    views = {one.id: one for group in groups for one in group.concepts}
    for loaded in load_study().chapters.values():
        open_ones = [id for id in loaded.chapter.concepts if id in views and views[id].mark is None]
        if open_ones:
            total = sum(id in views for id in loaded.chapter.concepts)
            why = f"{len(open_ones)} of its {total} concepts are not marked yet."
            return Next(loaded.title, reverse("study:chapter", args=[loaded.slug]), why)
    unmarked = [one for one in views.values() if one.mark is None]
    if unmarked:
        first = unmarked[0]
        title = f"{first.id} {first.entry.filled('title')}"
        return Next(title, reverse("study:concept", args=[first.id]), f"{len(unmarked)} concepts are not marked yet.")
    return None
