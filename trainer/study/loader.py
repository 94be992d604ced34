"""Reads the track's files: the only file I/O of this app. What cannot be used is left out and named."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path

from designs.core.document import Problem
from trainer.study.chapters import ChapterRefused, LoadedChapter, build
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
    """One file's entries, worked out, and what had to be left out."""

    name: str
    entries: tuple[WorkedEntry, ...]
    problems: tuple[Problem, ...]


@dataclass(frozen=True)
class LoadedChapters:
    """The chapters in their order, and what had to be left out."""

    chapters: Mapping[str, LoadedChapter]
    problems: tuple[Problem, ...]


@dataclass(frozen=True, eq=False)
class Study:
    """The whole track, as far as it can be used. Each kind of file is read when it is first asked for."""

    root: Path
    _files: dict[str, tuple[LoadedFile, ...]] = field(default_factory=dict, repr=False)

    @cached_property
    def loaded(self) -> LoadedChapters:
        """The chapters with their problems."""
        return _chapters(self.root)

    @property
    def chapters(self) -> Mapping[str, LoadedChapter]:
        """The chapters by slug, in their order."""
        return self.loaded.chapters

    def files(self, kind: str) -> tuple[LoadedFile, ...]:
        """The files of one kind, a single one or those of its folder."""
        if kind not in self._files:
            self._files[kind] = tuple(_file(self.root, kind, path, _stamp(path)) for path in _paths(self.root, kind))
        return self._files[kind]

    def entries(self, kind: str, form: str) -> tuple[WorkedEntry, ...]:
        """Every entry of one form, in the order of the files."""
        return tuple(one for file in self.files(kind) for one in file.entries if one.entry.form == form)

    def one(self, kind: str, form: str) -> WorkedEntry | None:
        """The only entry of a form, such as the texts at the top of a file."""
        return next(iter(self.entries(kind, form)), None)

    def left_out(self) -> list[Problem]:
        """What could not be used, and what is not there."""
        missing = [Problem(f"{kind}.toml", 0, "is not there") for kind in FORMS if not self.files(kind)]
        found = [problem for kind in FORMS for file in self.files(kind) for problem in file.problems]
        return [*self.loaded.problems, *missing, *found]


def load_study() -> Study:
    """The track on disk; a file is read again only when it changed."""
    paths = sorted([*CONTENT.glob("*.toml"), *CONTENT.glob("*/*.*")])
    return _load(CONTENT, tuple(_stamp(path) for path in paths))


@lru_cache(maxsize=2)
def _load(root: Path, stamps: Stamp) -> Study:
    return Study(root)


def _paths(root: Path, kind: str) -> list[Path]:
    single = root / f"{kind}.toml"
    return [single] if single.is_file() else sorted((root / kind).glob("*.toml"))


@lru_cache(maxsize=64)
def _file(root: Path, kind: str, path: Path, stamp: tuple[str, int, int]) -> LoadedFile:
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


def _chapters(root: Path) -> LoadedChapters:
    folder = root / "chapters"
    found: list[LoadedChapter] = []
    problems: list[Problem] = []
    for slug in sorted({path.stem for end in ("toml", "md") for path in folder.glob(f"*.{end}")}):
        parts = [folder / f"{slug}.{end}" for end in ("toml", "md", "dot")]
        loaded = _chapter(root, slug, tuple(_stamp(path) for path in parts))
        if isinstance(loaded, LoadedChapter):
            found.append(loaded)
        else:
            problems += loaded
    ordered = sorted(found, key=lambda one: (one.chapter.order, one.slug))
    return LoadedChapters({one.slug: one for one in ordered}, tuple(problems))


@lru_cache(maxsize=64)
def _chapter(root: Path, slug: str, stamps: Stamp) -> LoadedChapter | tuple[Problem, ...]:
    """The chapter, or why it cannot be shown."""
    toml, body, dot = (root / "chapters" / f"{slug}.{end}" for end in ("toml", "md", "dot"))
    for path in (toml, body):
        if not path.is_file():
            return (Problem(path.relative_to(root).as_posix(), 0, f"[{slug}] is not there"),)
    if slug in TAKEN_SLUGS:
        return (Problem(f"chapters/{slug}.md", 0, f"[{slug}] is called like a page of the app's own"),)
    table, wrong = _text(root, toml)
    text, wrong_text = _text(root, body)
    drawing, wrong_drawing = _text(root, dot) if dot.is_file() else (None, [])
    if table is None or text is None or wrong_drawing:
        return (*wrong, *wrong_text, *wrong_drawing)
    try:
        return build(slug, table, text, drawing)
    except ChapterRefused as refused:
        return refused.problems


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


def _stamp(path: Path) -> tuple[str, int, int]:
    """What tells whether a file was changed since the last look; it may have been taken away, or never been there."""
    try:
        stat = path.stat()
    except OSError:
        return (str(path), 0, 0)
    return (str(path), stat.st_mtime_ns, stat.st_size)
