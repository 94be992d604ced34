"""Everything that is wrong with the track, whether it can be shown or not: what `manage.py check_study` prints."""

from collections.abc import Iterable

from calculator.facts import catalogue_facts
from calculator.topics import topic_slugs
from designs.core.document import Problem
from designs.loader import load_designs
from trainer.study.chapters import chapter_problems
from trainer.study.core.checks import Known, figure_problems, link_problems
from trainer.study.core.forms import FORMS
from trainer.study.loader import Study


def problems_of(study: Study) -> list[Problem]:
    """What is left out and why, then what is shown and wrong: by file, line and entry."""
    known = Known(
        designs=frozenset(load_designs().designs),
        chapters=frozenset(study.chapters),
        concepts=frozenset(one.id for one in study.entries("concepts", "concept")),
        topics=frozenset(topic_slugs()),
    )
    problems = [*study.left_out(), *_twice(study)]
    for loaded in study.chapters.values():
        problems += chapter_problems(loaded)
        problems += [*link_problems_of_chapter(loaded.slug, study, known)]
    for file in (one for kind in FORMS for one in study.files(kind)):
        for worked in file.entries:
            problems += [*figure_problems(worked.entry, catalogue_facts()), *link_problems(worked.entry, known)]
    return sorted(problems, key=lambda one: (one.file, one.line, one.message))


def _twice(study: Study) -> Iterable[Problem]:
    """Ids that two files of one kind both have: within one file the reader has said so already."""
    for kind in FORMS:
        seen: dict[tuple[str, str], str] = {}
        for file in study.files(kind):
            for worked in file.entries:
                key = (worked.entry.form, worked.id)
                if seen.setdefault(key, file.name) != file.name:
                    yield Problem(file.name, worked.entry.line, f"[{worked.id}] stands in {seen[key]} as well")


def link_problems_of_chapter(slug: str, study: Study, known: Known) -> Iterable[Problem]:
    """Chapters, topics and concepts that a chapter names and that are not there."""
    chapter = study.chapters[slug].chapter
    for kind, there, names in (
        ("chapter", known.chapters, chapter.needs),
        ("topic", known.topics, chapter.topics),
        ("concept", known.concepts, chapter.concepts),
    ):
        for name in names:
            if there and name not in there:
                yield Problem(f"chapters/{slug}.toml", 0, f"[{slug}] there is no {kind} {name!r}")
