"""What is wrong with an entry: placeholders that have no value, figures typed by hand, links that lead nowhere."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from calculator.expressions import ExpressionError, Facts, evaluate
from designs.core.derivation import Derivation
from designs.core.document import Problem, Text
from designs.core.figures import Footnote, bare_figures
from designs.core.prose import placeholder_problems
from trainer.study.core.entries import Entry
from trainer.study.core.forms import UNFILLED

_LITERAL = re.compile(r"(?<![\w.])(\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?)(\s*[A-Za-z%][\w%/*^-]*)?")


@dataclass(frozen=True)
class Known:
    """What entries may point at. An empty set is one that is not written yet: nothing is held against it."""

    designs: Collection[str] = field(default_factory=frozenset)
    chapters: Collection[str] = field(default_factory=frozenset)
    concepts: Collection[str] = field(default_factory=frozenset)
    topics: Collection[str] = field(default_factory=frozenset)


def prose_of(entry: Entry) -> Iterator[tuple[str, Text]]:
    """The entry's texts that a reader sees filled, by key; a note by its design."""
    for key, text in entry.texts.items():
        if key not in UNFILLED:
            yield key, text
    for one in entry.returns:
        if one.note:
            yield f"note on {one.slug}", one.note


def filling_problems(entry: Entry, derivation: Derivation, facts: Facts) -> list[Problem]:
    """Placeholders that cannot be filled: with one of them the entry cannot be shown."""
    return [
        Problem(problem.file, problem.line, f"[{entry.id}] {key}: {problem.message}")
        for key, text in prose_of(entry)
        for problem in placeholder_problems(text, derivation, facts=facts)
    ]


def figure_problems(entry: Entry, facts: Facts) -> Iterator[Problem]:
    """Figures with a unit that are neither a placeholder, nor typed in the entry's lines, nor sourced by the entry."""
    if entry.sourced or entry.form == "reference":
        return
    known = typed_values(entry.lines, facts)
    for key, text in prose_of(entry):
        for problem in bare_figures(text, given_values=known, notes={}):
            yield Problem(problem.file, problem.line, f"[{entry.id}] {key}: {problem.message}")


def typed_values(lines: str, facts: Facts) -> tuple[float, ...]:
    """Every number that is typed in a worksheet, in base units, with its unit and without."""
    found = set()
    for line in lines.splitlines():
        for number, unit in _LITERAL.findall(line.partition("#")[0]):
            found.add(float(number.replace("_", "")))
            try:
                found.add(evaluate(f"{number}{unit}", facts=facts).quantity.value)
            except ExpressionError:
                continue
    return tuple(found)


def link_problems(entry: Entry, known: Known) -> Iterator[Problem]:
    """Designs, chapters and concepts that an entry names and that are not there."""
    named = {
        "design": (known.designs, [one.slug for one in entry.returns] + list(entry.lists.get("used", ()))),
        "chapter": (known.chapters, [*entry.lists.get("chapters", ()), *filter(None, [entry.source_of("chapter")])]),
        "concept": (known.concepts, list(entry.lists.get("concepts", ()))),
    }
    for kind, (there, names) in named.items():
        for name in names:
            if there and name not in there:
                yield Problem(entry.file, entry.line, f"[{entry.id}] there is no {kind} {name!r}")
    url = entry.source_of("url")
    if url and not re.fullmatch(r"https?://[^\s<>\"]+", url):
        yield Problem(entry.file, entry.line, f"[{entry.id}] `url` is no address of the web: {url!r:.80}")


def prose_figures(text: Text, known: Iterable[float], notes: Mapping[str, Footnote]) -> list[Problem]:
    """Figures typed by hand in a chapter: there a sentence may have a footnote."""
    return list(bare_figures(text, given_values=known, notes=notes))
