"""Reads the track's files: the only file I/O of this app. What cannot be used is left out and named."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from calculator.facts import catalogue_facts
from calculator.topics import topic_slugs
from designs.core.document import Problem
from designs.loader import load_designs
from trainer.study.chapters import ChapterRefused, LoadedChapter, build
from trainer.study.core.checks import Known, figure_problems, link_problems
from trainer.study.core.entries import read_file
from trainer.study.core.forms import FORMS
from trainer.study.worked import EntryRefused, WorkedEntry, worked_entry

CONTENT = Path(__file__).parent / "content"
MAX_FILE_BYTES = 1_000_000
TAKEN_SLUGS = frozenset(
    {
        *("concepts", "numbers", "transfer", "patterns", "defects", "order", "failure-modes", "self-assessment"),
        *("hire-bar", "cheat-sheet", "references", "glossary"),
    }
)
"""Pages of the app's own, which no chapter may be called after."""

type Stamp = tuple[tuple[str, int, int], ...]


@dataclass(frozen=True)
class LoadedFile:
    """One file's entries, worked out."""

    name: str
    entries: tuple[WorkedEntry, ...]
    problems: tuple[Problem, ...]


@dataclass(frozen=True)
class Study:
    """The whole track, as far as it can be used."""

    chapters: Mapping[str, LoadedChapter]
    files: Mapping[str, tuple[LoadedFile, ...]]
    problems: tuple[Problem, ...] = field(default=())

    def entries(self, kind: str, form: str) -> tuple[WorkedEntry, ...]:
        """Every entry of one form, in the order of the files."""
        return tuple(one for file in self.files.get(kind, ()) for one in file.entries if one.entry.form == form)

    def one(self, kind: str, form: str) -> WorkedEntry | None:
        """The only entry of a form, such as the texts at the top of a file."""
        return next(iter(self.entries(kind, form)), None)


def load_study() -> Study:
    """The track on disk; read again only when a file of it changed."""
    return _load(CONTENT, _stamp(CONTENT))


@lru_cache(maxsize=4)
def _load(root: Path, stamp: Stamp) -> Study:
    problems: list[Problem] = []
    chapters = _chapters(root, problems)
    files = {kind: _files(root, kind, problems) for kind in FORMS}
    study = Study(chapters, files)
    known = Known(
        designs=frozenset(load_designs().designs),
        chapters=frozenset(chapters),
        concepts=frozenset(one.id for one in study.entries("concepts", "concept")),
        topics=frozenset(topic_slugs()),
    )
    problems += _twice(study)
    for loaded in chapters.values():
        problems += [*loaded.problems, *_chapter_links(loaded, known)]
    for file in (one for several in files.values() for one in several):
        for worked in file.entries:
            problems += [*figure_problems(worked.entry, catalogue_facts()), *link_problems(worked.entry, known)]
    return Study(chapters, files, tuple(problems))


def _files(root: Path, kind: str, problems: list[Problem]) -> tuple[LoadedFile, ...]:
    paths = [root / f"{kind}.toml"] if (root / f"{kind}.toml").is_file() else sorted((root / kind).glob("*.toml"))
    if not paths:
        problems.append(Problem(f"{kind}.toml", 0, "is not there"))
    found = tuple(_file(root, kind, path) for path in paths)
    problems += [problem for file in found for problem in file.problems]
    return found


def _file(root: Path, kind: str, path: Path) -> LoadedFile:
    name = path.relative_to(root).as_posix()
    source, unreadable = _text(root, path)
    if source is None:
        return LoadedFile(name, (), tuple(unreadable))
    read = read_file(kind, source, name)
    problems, worked = list(read.problems), []
    for entry in read.entries:
        try:
            worked.append(worked_entry(entry))
        except EntryRefused as refused:
            problems += refused.problems
    return LoadedFile(name, tuple(worked), tuple(problems))


def _chapters(root: Path, problems: list[Problem]) -> dict[str, LoadedChapter]:
    folder, found = root / "chapters", []
    tomls = {path.stem: path for path in folder.glob("*.toml")}
    texts = {path.stem: path for path in folder.glob("*.md")}
    for slug in sorted(tomls.keys() | texts.keys()):
        missing = [f"chapters/{slug}{end}" for end, there in ((".toml", tomls), (".md", texts)) if slug not in there]
        if missing or slug in TAKEN_SLUGS:
            message = "is not there" if missing else "is called like a page of the app's own"
            problems.append(Problem(missing[0] if missing else f"chapters/{slug}.md", 0, f"[{slug}] {message}"))
            continue
        toml, wrong_toml = _text(root, tomls[slug])
        body, wrong_body = _text(root, texts[slug])
        dot = _text(root, folder / f"{slug}.dot")[0] if (folder / f"{slug}.dot").is_file() else None
        problems += [*wrong_toml, *wrong_body]
        if toml is None or body is None:
            continue
        try:
            found.append(build(slug, toml, body, dot))
        except ChapterRefused as refused:
            problems += refused.problems
    return {one.slug: one for one in sorted(found, key=lambda one: (one.chapter.order, one.slug))}


def _text(root: Path, path: Path) -> tuple[str | None, list[Problem]]:
    """A file's text, or why there is none."""
    name = path.relative_to(root).as_posix()
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            return None, [Problem(name, 0, f"is larger than {MAX_FILE_BYTES:,} bytes")]
        return path.read_text(encoding="utf-8-sig").replace("\r\n", "\n"), []
    except UnicodeDecodeError:
        return None, [Problem(name, 0, "is not UTF-8 text")]
    except OSError as error:
        return None, [Problem(name, 0, f"cannot be read: {error.strerror}")]


def _twice(study: Study) -> Iterable[Problem]:
    """Ids that two files of one kind both have: within one file the reader has said so already."""
    for files in study.files.values():
        seen: dict[tuple[str, str], str] = {}
        for file in files:
            for worked in file.entries:
                key = (worked.entry.form, worked.id)
                if seen.setdefault(key, file.name) != file.name:
                    yield Problem(file.name, worked.entry.line, f"[{worked.id}] stands in {seen[key]} as well")


def _chapter_links(loaded: LoadedChapter, known: Known) -> Iterable[Problem]:
    chapter = loaded.chapter
    file = f"chapters/{chapter.slug}.toml"
    for kind, there, names in (
        ("chapter", known.chapters, chapter.needs),
        ("topic", known.topics, chapter.topics),
        ("concept", known.concepts, chapter.concepts),
    ):
        for name in names:
            if there and name not in there:
                yield Problem(file, 0, f"[{chapter.slug}] there is no {kind} {name!r}")


def _stamp(root: Path) -> Stamp:
    """What tells whether any file was changed, added or taken away since the last look."""
    stamps = []
    for path in sorted([*root.glob("*.toml"), *root.glob("*/*.*")]):
        try:
            stat = path.stat()
        except FileNotFoundError:  # taken away between the listing and the look
            continue
        stamps.append((str(path), stat.st_mtime_ns, stat.st_size))
    return tuple(stamps)
