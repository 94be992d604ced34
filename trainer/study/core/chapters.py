"""A chapter: the blocks that stand in its text by name, what follows from a result, its words and headings."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from designs.core.document import Problem, Text
from designs.core.figures import Footnote, masked

WORDS_PER_MINUTE = 200
DRAWING_IN_WORDS = "The drawing in words"
_BLOCK = re.compile(
    r"^[ \t]*\{\{\s*(plot|steps)\s*:\s*([\w, -]+?)\s*\}\}[ \t]*$|^[ \t]*\{\{\s*(drawing)\s*\}\}[ \t]*$", re.M
)
_SAYS = re.compile(r"\{\{\s*says\s*:\s*([\w-]+)\s*\}\}")
_KEY = re.compile(r"(?<!\{)\{(\w+)\}(?!\})")
_PLACEHOLDER = re.compile(r"\{\{([^{}\n]*(?:\{\w+\}[^{}\n]*)*)\}\}")
OPEN, CLOSE = "\ue000", "\ue001"
"""Around a block's number while the text becomes HTML: characters that no writer has."""


@dataclass(frozen=True)
class Block:
    """A place in the text for something drawn or worked out: `kind` is plot, steps or drawing."""

    kind: str
    ids: tuple[str, ...]
    line: int


@dataclass(frozen=True)
class Saying:
    """What follows if an expression is above 0; always, where there is none."""

    condition: str
    text: str


@dataclass(frozen=True)
class Source:
    """Where a chapter's facts are from."""

    id: str
    text: str
    url: str
    date: str
    read: str

    @property
    def markdown(self) -> str:
        """As a footnote has it."""
        published = f" ({self.date})" if self.date else ""
        read = f" Read {self.read}." if self.read else ""
        link = f" [{_host(self.url)}]({self.url})." if self.url else ""
        return f"{self.text.strip().rstrip('.')}{published}.{link}{read}"


@dataclass(frozen=True)
class Chapter:
    """A chapter's own part of its files; inputs, steps and plots are those of a topic."""

    slug: str
    title: str
    summary: str
    order: int
    needs: tuple[str, ...]
    topics: tuple[str, ...]
    concepts: tuple[str, ...]
    sources: tuple[Source, ...]
    sayings: Mapping[str, tuple[Saying, ...]]
    body: Text
    dot: Text | None
    words: Text | None

    @property
    def minutes(self) -> int:
        """Reading time."""
        return max(1, round(word_count(self.body.source) / WORDS_PER_MINUTE))

    def notes(self) -> dict[str, Footnote]:
        """Its sources as footnotes."""
        return {one.id: Footnote(one.id, one.markdown, 0) for one in self.sources}


def read_chapter(slug: str, table: Mapping[str, Any], body: str, dot: str | None) -> tuple[Chapter, list[Problem]]:
    """The chapter and what is wrong with its keys. Raises: KeyError for a missing key, TypeError for a wrong one."""
    file = f"chapters/{slug}.toml"
    problems = [
        Problem(file, 0, f"[{slug}] `{key}` must be a list of texts")
        for key in ("needs", "topics", "concepts")
        if not isinstance(table.get(key, []), list)
    ]
    text, words = _without_the_words(body)
    chapter = Chapter(
        slug=slug,
        title=str(table["title"]),
        summary=str(table["summary"]),
        order=int(table["order"]),
        needs=_strings(table, "needs"),
        topics=_strings(table, "topics"),
        concepts=_strings(table, "concepts"),
        sources=tuple(map(_source, table.get("source", ()))),
        sayings={one["id"]: tuple(map(_saying, one["says"])) for one in table["step"] if "says" in one},
        body=Text(text, f"chapters/{slug}.md"),
        dot=Text(dot, f"chapters/{slug}.dot") if dot is not None else None,
        words=Text(words, f"chapters/{slug}.md") if words else None,
    )
    return chapter, problems


def blocks(source: str) -> list[Block]:
    """Every place for something drawn or worked out, in order."""
    found = []
    for match in _BLOCK.finditer(source):
        ids = tuple(id.strip() for id in (match[2] or "").split(",") if id.strip())
        found.append(Block(match[1] or match[3], ids, source.count("\n", 0, match.start()) + 1))
    return found


def with_marks(source: str) -> str:
    """The text with a numbered mark, a paragraph of its own, in the place of each block."""
    numbers = iter(range(len(source)))
    return _BLOCK.sub(lambda match: f"\n\n{OPEN}{next(numbers)}{CLOSE}\n\n", source)


def put_in_blocks(html: str, drawn: Sequence[str]) -> str:
    """HTML with what is drawn or worked out in the place of the marks."""
    for number, block in enumerate(drawn):
        html = html.replace(f"<p>{OPEN}{number}{CLOSE}</p>", block)
    return html


def said(source: str, texts: Mapping[str, str]) -> str:
    """The text with what follows from each step put in. Raises: KeyError for a step that says nothing."""
    return _SAYS.sub(lambda match: texts[match[1]], source)


def sayings_of(source: str) -> list[str]:
    """The steps whose sayings a text puts in."""
    return _SAYS.findall(source)


def with_keys(source: str, keys: Mapping[str, str], names: Mapping[str, str]) -> str:
    """The text with chosen rows put into its placeholders: `{{ model.name }}`, `{{ model.layers }}`, `{model}`."""

    def put_in(match: re.Match[str]) -> str:
        inner = match[1]
        if inner.strip() in names:
            return names[inner.strip()]
        inner = _KEY.sub(lambda key: keys.get(key[1], key[0]), inner)
        for name, key in keys.items():
            inner = re.sub(rf"\b{re.escape(name)}\.(?=\w)", f"{key}.", inner)
        return f"{{{{{inner}}}}}"

    return _PLACEHOLDER.sub(put_in, source)


def row_names(keys: Mapping[str, str], titles: Mapping[str, str]) -> dict[str, str]:
    """What stands for a chosen row's name: `model` and `model.name`."""
    return {name + end: titles[name] for name in keys for end in ("", ".name")}


def word_count(source: str) -> int:
    """Words of the prose, without code, placeholders and footnotes' definitions."""
    return len(re.findall(r"[\w'’-]*[A-Za-z][\w'’-]*", masked(_BLOCK.sub("", source))))


def heading_id(text: str) -> str:
    """The id of a heading: its words in small letters with hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", re.sub(r"<[^>]+>|&\w+;", "", text).lower()).strip("-") or "part"


def with_heading_ids(html: str) -> tuple[str, list[tuple[str, str]]]:
    """HTML whose second-level headings can be linked to, and (id, text) of each."""
    found: list[tuple[str, str]] = []

    def mark(match: re.Match[str]) -> str:
        id = heading_id(match[1])
        while id in {one for one, _ in found}:
            id += "-again"
        found.append((id, re.sub(r"<[^>]+>", "", match[1])))
        return f'<h2 id="{id}">{match[1]}</h2>'

    return re.sub(r"<h2>(.*?)</h2>", mark, html), found


def block_problems(chapter: Chapter, steps: Sequence[str], plots: Sequence[str]) -> Iterator[Problem]:
    """Blocks and sayings that name what is not there."""
    there = {"plot": plots, "steps": steps}
    for block in blocks(chapter.body.source):
        for id in block.ids:
            if id not in there[block.kind]:
                yield Problem(chapter.body.file, block.line, f"[{chapter.slug}] there is no {block.kind} {id!r}")
        if block.kind == "drawing" and chapter.dot is None:
            yield Problem(chapter.body.file, block.line, f"[{chapter.slug}] there is no drawing: {chapter.slug}.dot")
    for id in sayings_of(chapter.body.source):
        if id not in chapter.sayings:
            yield Problem(chapter.body.file, 0, f"[{chapter.slug}] the step {id!r} has no `says`")


def _without_the_words(body: str) -> tuple[str, str]:
    """The text without the part that stands for its drawing, and that part."""
    parts = re.split(r"^(?=## )", body, flags=re.M)
    words = [part for part in parts if part.startswith(f"## {DRAWING_IN_WORDS}")]
    rest = "".join(part for part in parts if not part.startswith(f"## {DRAWING_IN_WORDS}"))
    return rest, "".join(part.partition("\n")[2] for part in words).strip()


def _strings(table: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = table.get(key, [])
    return tuple(one for one in value if isinstance(one, str)) if isinstance(value, list) else ()


def _source(row: Mapping[str, Any]) -> Source:
    return Source(
        str(row["id"]), str(row["text"]), str(row.get("url", "")), str(row.get("date", "")), str(row.get("read", ""))
    )


def _saying(row: Mapping[str, Any]) -> Saying:
    return Saying(str(row.get("if", "")), str(row["then"]))


def _host(url: str) -> str:
    return re.sub(r"^https?://(www\.)?", "", url).partition("/")[0]
