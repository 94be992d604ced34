"""Reads design folders from disk: the only file I/O of this app. A broken design never stops the others."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.conf import settings

from calculator.facts import catalogue_facts
from designs.calculator_inputs import calculator_problems
from designs.core.checks import faults
from designs.core.derivation import derive
from designs.core.document import Problem
from designs.core.parser import MAX_FILES, DesignRefused, parse_design
from designs.core.used_facts import KeptFacts, UsedFacts
from designs.loaded import LoadedDesign

SUFFIXES = (".toml", ".md", ".dot")
TAKEN_SLUGS = ("search",)
MAX_FILE_BYTES = 1_000_000


@dataclass(frozen=True)
class RefusedDesign:
    """A folder that holds no usable design, and everything that is wrong with it."""

    name: str
    folder: Path
    problems: tuple[Problem, ...]


@dataclass(frozen=True)
class Loaded:
    """What the content folders hold: designs by slug in the recommended order, and the refused ones."""

    designs: dict[str, LoadedDesign]
    refused: tuple[RefusedDesign, ...]


def load_designs() -> Loaded:
    """Every design of the folders in `settings.CONTENT_DIRS`; read again only when a file of one changed."""
    designs: dict[str, LoadedDesign] = {}
    refused: list[RefusedDesign] = []
    for folder in content_folders():
        loaded = _load(folder, _stamp(folder))
        if isinstance(loaded, LoadedDesign) and loaded.slug in designs:
            taken = Problem("design.toml", 0, f"the slug {loaded.slug} is already taken by another folder")
            loaded = RefusedDesign(folder.name, folder, (taken,))
        if isinstance(loaded, RefusedDesign):
            refused.append(loaded)
        else:
            designs[loaded.slug] = loaded
    ordered = sorted(designs.values(), key=lambda loaded: (loaded.design.order, loaded.slug))
    return Loaded({loaded.slug: loaded for loaded in ordered}, tuple(refused))


def content_folders() -> list[Path]:
    """The design folders of `settings.CONTENT_DIRS`, in its order."""
    return design_folders(Path(root) for root in settings.CONTENT_DIRS)


def design_folders(roots: Iterable[Path]) -> list[Path]:
    """The folders that hold a `design.toml`: a root itself, or those directly in it that have any file of the form."""
    found: list[Path] = []
    for root in roots:
        if (root / "design.toml").is_file():
            found.append(root)
            continue
        with suppress(OSError):  # a root that is not there, or may not be listed, holds none
            found += [path for path in sorted(root.iterdir()) if path.is_dir() and _files_of(path)]
    return found


def read_files(folder: Path) -> tuple[dict[str, str], list[Problem]]:
    """The texts of one design folder by relative path, and those that cannot be read as text."""
    files: dict[str, str] = {}
    problems: list[Problem] = []
    for path in _files_of(folder)[: MAX_FILES + 1]:
        name = path.relative_to(folder).as_posix()
        try:
            if path.stat().st_size > MAX_FILE_BYTES:
                problems.append(Problem(name, 0, f"is larger than {MAX_FILE_BYTES:,} bytes"))
                continue
            data = path.read_bytes()
            files[name] = data.decode("utf-8-sig").replace("\r\n", "\n")
        except UnicodeDecodeError as error:
            line = data[: error.start].count(b"\n") + 1
            problems.append(Problem(name, line, "is not UTF-8 text"))
        except OSError as error:
            problems.append(Problem(name, 0, f"cannot be read: {error.strerror}"))
    return files, problems


def digest_of(files: dict[str, str], facts: Mapping[str, Any] | None = None) -> str:
    """SHA-256 over names and contents, and over the catalogue's facts that they are worked out with."""
    return hashlib.sha256(json.dumps([sorted(files.items()), facts or {}], sort_keys=True).encode()).hexdigest()


def build(files: dict[str, str]) -> LoadedDesign:
    """Parse and derive a design and see that every part and placeholder of it can be shown. Raises: DesignRefused."""
    facts = UsedFacts(catalogue_facts())
    design = parse_design(files)
    derivation = derive(design, facts=facts)
    problems = faults(design, derivation, facts) + calculator_problems(design)
    if problems:
        raise DesignRefused(problems)
    used = facts.as_json()
    return LoadedDesign(
        design=design,
        derivation=derivation,
        facts=facts,
        digest=digest_of(files, used),
        files=files,
        used_facts=used,
    )


def rebuild(files: dict[str, str], used_facts: dict[str, Any], *, digest: str) -> LoadedDesign:
    """A design that was kept: worked out with the facts that were kept with it, and not judged again."""
    facts = KeptFacts(used_facts)
    design = parse_design(files)
    derivation = derive(design, facts=facts)
    return LoadedDesign(
        design=design, derivation=derivation, facts=facts, digest=digest, files=files, used_facts=used_facts
    )


def _files_of(folder: Path) -> list[Path]:
    """The folder's files of the form, and those one folder below; what cannot be listed counts as not there."""
    try:
        found = [*folder.glob("*.*"), *folder.glob("*/*.*")]
    except OSError:
        return []
    return sorted(path for path in found if path.suffix in SUFFIXES and path.is_file())


def _stamp(folder: Path) -> tuple[tuple[str, int, int], ...]:
    """What tells whether any file was changed, added or taken away since the last look."""
    stamps = []
    for path in _files_of(folder):
        with suppress(FileNotFoundError):  # taken away between the listing and the look
            stat = path.stat()
            stamps.append((str(path), stat.st_mtime_ns, stat.st_size))
    return tuple(stamps)


@lru_cache(maxsize=128)
def _load(folder: Path, stamp: tuple[tuple[str, int, int], ...]) -> LoadedDesign | RefusedDesign:
    files, unreadable = read_files(folder)
    try:
        if unreadable:
            raise DesignRefused(unreadable)
        loaded = build(files)
        if loaded.slug != folder.name:
            wrong = f"the slug {loaded.slug!r} must be the folder's name, {folder.name!r}"
            raise DesignRefused([Problem("design.toml", 0, wrong)])
        if loaded.slug in TAKEN_SLUGS:
            raise DesignRefused([Problem("design.toml", 0, f"the slug {loaded.slug!r} is a page of the site's own")])
    except DesignRefused as refusal:
        return RefusedDesign(folder.name, folder, tuple(refusal.problems))
    return loaded
