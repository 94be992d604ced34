"""Reads the track's lists: every entry with where it stands, so that what is wrong is named by file and entry."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from designs.core.document import Problem, Text
from designs.core.toml_reader import Table, entries, read_toml
from trainer.study.core.forms import FORMS, LINES, RETURNS, TOP, Form

SLUG = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]{0,59}")


@dataclass(frozen=True)
class Return:
    """A design in which an entry comes back. The note is shown once that design is earned."""

    slug: str
    note: Text


@dataclass(frozen=True)
class Entry:
    """One entry of a list. `texts` are a writer's texts by key, placeholders unfilled; `lines` is its worksheet."""

    form: str
    id: str
    texts: Mapping[str, Text]
    lists: Mapping[str, tuple[str, ...]]
    numbers: Mapping[str, float]
    flags: frozenset[str]
    returns: tuple[Return, ...]
    file: str
    line: int
    parent: str = ""

    @property
    def lines(self) -> str:
        """The text of its worksheet; "" for an entry without figures."""
        return self.texts[LINES].source if LINES in self.texts else ""

    @property
    def sourced(self) -> bool:
        """Whether it names where its facts are from, and of when that is."""
        return "source" in self.texts and bool({"date", "read"} & self.texts.keys())

    def source_of(self, key: str) -> str:
        """A text as it was typed; "" where there is none."""
        return self.texts[key].source if key in self.texts else ""


@dataclass(frozen=True)
class ReadFile:
    """A file's entries and what is wrong with it."""

    entries: tuple[Entry, ...]
    problems: tuple[Problem, ...]


def read_file(kind: str, source: str, file: str) -> ReadFile:
    """The entries of one file. One that lacks what it needs is left out and named."""
    problems: list[Problem] = []
    values = read_toml(source, file, problems)
    if values is None:
        return ReadFile((), tuple(problems))
    found: list[Entry] = []
    for form in FORMS[kind]:
        taken = {entry.id for entry in found if entry.form == form.key}
        for number, (table, parent) in enumerate(_tables(values, form, source, file, problems), 1):
            entry = _entry(table, form, number, parent, problems)
            if entry is None:
                continue
            if entry.id in taken:
                problems.append(Problem(file, entry.line, f"[{entry.id}] the id is there twice"))
                continue
            taken.add(entry.id)
            found.append(entry)
    found += _top(kind, values, source, file, problems)
    return ReadFile(tuple(found), tuple(problems))


def _top(kind: str, values: dict[str, Any], source: str, file: str, problems: list[Problem]) -> Iterator[Entry]:
    """The texts at the top of a file, as one entry that is called after the file."""
    lines = source.split("\n")
    table = Table(values, lines, (1, len(lines)), file, problems)
    keys = {form.key.partition(".")[0] for form in FORMS[kind]}
    texts = {key: table.text(key) for key, value in values.items() if isinstance(value, str) and value.strip()}
    for key in values:
        if key not in keys and key not in texts:
            problems.append(Problem(file, table.line_of(key), f"`{key}` is not a key of this file", warning=True))
    if texts:
        yield Entry(TOP, texts["id"].source if "id" in texts else kind, texts, {}, {}, frozenset(), (), file, 1)


def _tables(
    values: Mapping[str, Any], form: Form, source: str, file: str, problems: list[Problem]
) -> Iterator[tuple[Table, str]]:
    """The entries' tables; those of a list within a list with the title of what they stand in."""
    outer, _, inner = form.key.partition(".")
    if form.single:
        values = {outer: [values[outer]]} if isinstance(values.get(outer), dict) else {}
    if not inner:
        for table in entries(dict(values), form.key, source, file, problems):
            yield table, ""
        return
    owners = values.get(outer, [])
    if not isinstance(owners, list):
        return
    pairs = [
        (one, str(owner.get("title", "")))
        for owner in owners
        if isinstance(owner, dict) and isinstance(owner.get(inner, []), list)
        for one in owner.get(inner, [])
    ]
    flat = {form.key: [one for one, _ in pairs]}
    yield from zip(entries(flat, form.key, source, file, problems), (parent for _, parent in pairs), strict=False)


def _entry(table: Table, form: Form, number: int, parent: str, problems: list[Problem]) -> Entry | None:
    values = table.values
    id = str(values.get("id") or values.get("slug") or f"{form.key.rpartition('.')[2]}-{number}")

    def fault(message: str, key: str = "", *, warning: bool = False) -> None:
        line = table.line_of(key) if key else table.line
        problems.append(Problem(table.file, line, f"[{id}] {message}", warning))

    if not SLUG.fullmatch(id):
        fault("the id must be letters, digits, points and hyphens")
        return None
    missing = [key for key in form.needs if not str(values.get(key, "")).strip()]
    for key in missing:
        fault(f"`{key}` is missing")
    for key in values:
        if key not in form.known and not (form.key == "column" and key == "item"):
            fault(f"`{key}` is not a key of a {form.key}", key, warning=True)
    if missing:
        return None
    texts = {key: table.text(key) for key, value in values.items() if isinstance(value, str) and value.strip()}
    texts |= {
        key: Text(str(value), table.file, table.line_of(key))
        for key, value in values.items()
        if key not in form.numbers and not isinstance(value, str | list | dict | bool)
    }
    lists = {key: _strings(values[key], key, fault) for key in form.lists if key in values}
    numbers = {key: float(values[key]) for key in form.numbers if isinstance(values.get(key), int | float)}
    flags = frozenset(key for key in form.flags if values.get(key) is True)
    return Entry(form.key, id, texts, lists, numbers, flags, _returns(table, fault), table.file, table.line, parent)


def _strings(value: Any, key: str, fault: Any) -> tuple[str, ...]:
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return tuple(value)
    fault(f"`{key}` must be a list of texts", key)
    return ()


def _returns(table: Table, fault: Any) -> tuple[Return, ...]:
    value = table.values.get(RETURNS, [])
    if not isinstance(value, list) or not all(isinstance(one, dict) and one.get("slug") for one in value):
        fault('`returns` must be a list such as [{ slug = "m01", note = "…" }]', RETURNS)
        return ()
    line = table.line_of(RETURNS)
    return tuple(Return(str(one["slug"]), Text(str(one.get("note", "")), table.file, line)) for one in value)
