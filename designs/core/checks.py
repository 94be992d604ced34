"""What a design lacks. `faults` make it unusable; `check` adds what a careful writer would not leave standing."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from calculator.expressions import ExpressionError, Facts
from designs.core.derivation import Derivation, derive
from designs.core.document import (
    ANCHORED_LEVELS,
    ANCHORED_LINES,
    CRITIQUE_NUMBERS,
    SECTION_NUMBERS,
    Critique,
    Design,
    Problem,
    Text,
)
from designs.core.figures import bare_figures, footnotes, unknown_footnotes
from designs.core.parser import DesignRefused
from designs.core.prose import fill, placeholder_problems

WORDS = (2_500, 4_500)
_LINK = re.compile(r"\]\(\s*<?([^)\s>]*)>?[^)\n]*\)")
_LINK_PAGES = re.compile(r"/(designs/[a-z0-9-]+/|calculator|study|review|drills|rounds)([/?#].*)?")
_FENCE = re.compile(r"^ {0,3}(```+|~~~+)", re.MULTILINE)


def check(design: Design, files: Mapping[str, str], facts: Facts) -> list[Problem]:
    """Everything that is wrong with a design, by file and line; warnings are marked as such."""
    problems = list(_missing_parts(design))
    try:
        derivation = derive(design, facts=facts)
    except DesignRefused as refusal:
        return sorted(set(problems + refusal.problems))
    problems += faults(design, derivation, facts)
    problems += _quotes(design, derivation, facts)
    notes = footnotes(design.sources)
    values = [given.quantity.value for given in derivation.givens]
    for text in texts(design):
        own = notes | footnotes(text)
        problems += bare_figures(text, given_values=values, notes=own)
        problems += unknown_footnotes(text, own)
        problems += _links(text, design)
    problems += unknown_footnotes(design.sources, notes)
    problems += _prices(design, derivation)
    problems += _figures_of_anchors(design)
    problems += _word_count(design, derivation, facts)
    return sorted(set(problems))


def faults(design: Design, derivation: Derivation, facts: Facts) -> list[Problem]:
    """What keeps a design from being shown at all: parts that are missing, placeholders that have no value."""
    problems = list(_missing_parts(design))
    quotes = (critique.quote for critique in design.critiques)
    for text in (*texts(design), *quotes, design.sources):
        problems += placeholder_problems(text, derivation, facts=facts)
        problems += _fences(text)
    return problems


def texts(design: Design) -> Iterator[Text]:
    """Every text of a design that a reader sees as prose."""
    yield from (design.title, design.summary, design.why, *design.hard_part_titles, design.altitude, design.prompt)
    for given in design.givens:
        yield given.title
    for step in design.steps:
        yield from (step.title, step.decides)
    for question in design.questions:
        yield from (question.ask, question.answer)
    for section in design.sections:
        yield from (section.title, section.body)
    for critique in design.critiques:
        yield from (critique.title, critique.critique, critique.revision, critique.partial)
    for interjection in design.interjections:
        yield from (interjection.say, *interjection.points)
    for anchor in design.anchors:
        yield anchor.text
    for opened in design.opened:
        yield from (opened.title, opened.body)
    yield from (design.diagram.first_text, design.diagram.revised_text)


def plain(markdown: str) -> str:
    """A text as it is read, for comparing words: no emphasis, code or link marks, white space as one space."""
    text = re.sub(r"\[\^[^\]\s]+\]", "", markdown)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return " ".join(re.sub(r"[*_`|]|^\s*(?:[-+>]|#+|\d+\.)\s", " ", text, flags=re.MULTILINE).split())


def word_count(design: Design, derivation: Derivation, facts: Facts) -> int:
    """The words of the ten sections."""
    return sum(len(plain(fill(section.body.source, derivation, facts=facts)).split()) for section in design.sections)


def counts(design: Design) -> dict[str, int]:
    """What the design holds, for the report."""
    return {
        "sections": len(design.sections),
        "critiques": len(design.critiques),
        "questions": len(design.questions),
        "interjections": len(design.interjections),
        "anchors": len(design.anchors),
        "givens": len(design.givens),
        "steps": len(design.steps),
    }


def _missing_parts(design: Design) -> Iterator[Problem]:
    diagram = design.diagram
    for text in (design.prompt, diagram.first_dot, diagram.revised_dot, diagram.first_text, diagram.revised_text):
        if not text:
            yield Problem(text.file, 0, "is missing or empty")
    for folder, wanted, found in (
        ("sections", SECTION_NUMBERS, {section.number for section in design.sections}),
        ("critiques", CRITIQUE_NUMBERS, {critique.number for critique in design.critiques}),
    ):
        for number in sorted(set(wanted) - found):
            yield Problem(
                f"{folder}/{number:02d}-….md" if folder == "sections" else f"{folder}/{number}.md", 0, "is missing"
            )
        for number in sorted(found - set(wanted)):
            yield Problem(folder, 0, f"number {number} is not one of {wanted[0]} to {wanted[-1]}")
    yield from _between("questions.toml", "questions", len(design.questions), 5, 8)
    yield from _between("questions.toml", "bait questions", sum(question.bait for question in design.questions), 2, 2)
    yield from _between("interjections.toml", "interjections", len(design.interjections), 3, 5)
    changing = sum(interjection.changes_requirement for interjection in design.interjections)
    yield from _between("interjections.toml", "interjections that change a requirement", changing, 1, 1)
    anchored = Counter((anchor.line, anchor.level) for anchor in design.anchors)
    for line in ANCHORED_LINES:
        for level in ANCHORED_LEVELS:
            if not anchored[line, level]:
                yield Problem("anchors.toml", 0, f"rubric line {line} has no anchor at level {level}")
    for anchor in design.anchors:
        if anchor.line not in ANCHORED_LINES:
            message = f"rubric line {anchor.line} has anchors of its own in no design"
            yield Problem(anchor.text.file, anchor.text.line, message)


def _between(file: str, what: str, found: int, low: int, high: int) -> Iterator[Problem]:
    if not low <= found <= high:
        wanted = str(low) if low == high else f"{low} to {high}"
        yield Problem(file, 0, f"{found} {what}; there must be {wanted}")


def _quotes(design: Design, derivation: Derivation, facts: Facts) -> Iterator[Problem]:
    for critique in design.critiques:
        section = design.section(critique.attacks)
        try:
            if section is not None and not _stands(critique, section.body, derivation, facts):
                message = f"the quote does not stand in section {critique.attacks} ({section.body.file})"
                yield Problem(critique.quote.file, critique.quote.line, message)
            yield from placeholder_problems(critique.quote, derivation, facts=facts)
        except ExpressionError:
            continue  # told by the placeholder's own problem


def _stands(critique: Critique, body: Text, derivation: Derivation, facts: Facts) -> bool:
    quote = plain(fill(critique.quote.source, derivation, facts=facts))
    return bool(quote) and quote in plain(fill(body.source, derivation, facts=facts))


def _links(text: Text, design: Design) -> Iterator[Problem]:
    for offset, line in enumerate(text.source.split("\n")):
        for match in _LINK.finditer(re.sub(r"`[^`]*`", "", line)):
            target = match.group(1)
            if not _leads_somewhere(target, design):
                yield Problem(text.file, text.line + offset, f"the link to {target!r:.80} leads nowhere")


def _leads_somewhere(target: str, design: Design) -> bool:
    if target.startswith("#"):
        places = {f"s{section.number}" for section in design.sections}
        places |= {f"r{critique.number}" for critique in design.critiques}
        places |= {f"step-{step.id}" for step in design.steps}
        return target[1:] in places
    if target.startswith("/"):
        return bool(_LINK_PAGES.fullmatch(target))
    return bool(re.fullmatch(r"https?://[\w.-]+\.[a-z]{2,}([/?#].*)?", target, re.IGNORECASE))


def _fences(text: Text) -> Iterator[Problem]:
    opened: tuple[str, int] | None = None
    for match in _FENCE.finditer(text.source):
        line = text.line + text.source.count("\n", 0, match.start())
        if opened is None:
            opened = (match.group(1), line)
        elif match.group(1)[0] == opened[0][0] and len(match.group(1)) >= len(opened[0]):
            opened = None
    if opened is not None:
        yield Problem(text.file, opened[1], f"the code block opened with {opened[0]} is never closed")


def _prices(design: Design, derivation: Derivation) -> Iterator[Problem]:
    for given, derived in zip(design.givens, derivation.givens, strict=True):
        if "usd" in derived.quantity.dimension.lower() and not given.source:
            yield Problem(given.value.file, given.value.line, f"`{given.id}` is a price: it needs `source` and `date`")


def _figures_of_anchors(design: Design) -> Iterator[Problem]:
    for anchor in design.anchors:
        if anchor.needs_figure and "{{" not in anchor.text.source:
            message = f"anchor `{anchor.id}` needs a figure, and its text holds no placeholder"
            yield Problem(anchor.text.file, anchor.text.line, message)


def _word_count(design: Design, derivation: Derivation, facts: Facts) -> Iterator[Problem]:
    try:
        words = word_count(design, derivation, facts)
    except ExpressionError:
        return  # told by the placeholder's own problem
    if not WORDS[0] <= words <= WORDS[1]:
        message = f"the sections hold {words:,} words; {WORDS[0]:,} to {WORDS[1]:,} are wanted"
        yield Problem("sections", 0, message, warning=True)


def by_file(problems: Iterable[Problem]) -> list[Problem]:
    """In the order in which a writer walks through the files."""
    return sorted(problems, key=lambda problem: (problem.warning, problem.file, problem.line))
