"""From a design's files to a `Design`, or to the full list of what is wrong with them, by file and line."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from designs.core.document import (
    ANCHORED_LEVELS,
    DEFECT_CLASSES,
    Anchor,
    Critique,
    Design,
    Diagram,
    Given,
    Interjection,
    Opened,
    Problem,
    Question,
    Section,
    Step,
    Text,
)
from designs.core.markdown_parts import split_by_headings, split_front_matter
from designs.core.toml_reader import Table, entries, read_toml, whole_table

SLUG = r"[a-z][a-z0-9-]{0,39}"
NAME = r"[a-z][a-z0-9_]{0,62}"
ENTRY_ID = r"[a-z0-9][a-z0-9_-]{0,39}"
PART = r"s([1-9]|10)|r[1-6]"
DATE = r"\d{4}(-\d{2}(-\d{2})?)?"
MAX_FILES = 120
MAX_FILE_CHARACTERS = 200_000
ESSENTIAL_FILES = ("design.toml", "derivation.toml")  # without them there is nothing to read; the rest is checked later
REQUIRED_FILES = (
    *ESSENTIAL_FILES,
    "prompt.md",
    "questions.toml",
    "interjections.toml",
    "anchors.toml",
    "diagram.dot",
    "diagram-revised.dot",
    "diagram.md",
)
OPTIONAL_FILES = ("sources.md",)
CRITIQUE_HEADINGS = ("Critique", "Revision", "Partial credit")
DIAGRAM_HEADINGS = ("First draft", "Revised")
_NUMBERED = re.compile(r"(sections|critiques|altitude-2)/(\d{1,2})(-[a-z0-9-]+)?\.md")


class DesignRefused(Exception):
    """A design that cannot be used. `problems` says everything that is wrong with it."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = sorted(set(problems))
        super().__init__("; ".join(str(problem) for problem in self.problems[:5]))


def parse_design(files: Mapping[str, str]) -> Design:
    """Read a design out of its files, given as relative path and text.

    Parts that are not there yet are empty in it: `checks.faults` names them, and refuses the design for them.

    Raises: DesignRefused with every problem found, never anything else.
    """
    problems: list[Problem] = []
    _check_files(files, problems)
    reader = _Reader({name: text.replace("\r\n", "\n") for name, text in files.items()}, problems)
    design = reader.design()
    if problems or design is None:
        raise DesignRefused(problems)
    return design


def _check_files(files: Mapping[str, str], problems: list[Problem]) -> None:
    for name in ESSENTIAL_FILES:
        if name not in files:
            problems.append(Problem(name, 0, "is missing"))
    if len(files) > MAX_FILES:
        problems.append(Problem("design.toml", 0, f"the design has {len(files)} files; at most {MAX_FILES} are read"))
    for name, text in files.items():
        known = name in REQUIRED_FILES or name in OPTIONAL_FILES or _NUMBERED.fullmatch(name)
        if not known:
            problems.append(Problem(name, 0, "is no file of the form (see docs/writing-a-design.md)"))
        if len(text) > MAX_FILE_CHARACTERS:
            problems.append(Problem(name, 0, f"is longer than {MAX_FILE_CHARACTERS:,} characters"))


class _Reader:
    """Reads the parts one by one; each records its own problems, so that a writer sees all of them at once."""

    def __init__(self, files: Mapping[str, str], problems: list[Problem]) -> None:
        self.files = {name: text for name, text in files.items() if len(text) <= MAX_FILE_CHARACTERS}
        self.problems = problems

    def design(self) -> Design | None:
        source = self.files.get("design.toml")
        head = whole_table(source, "design.toml", self.problems) if source is not None else None
        parts = {
            "prompt": self._prompt(),
            **self._derivation(),
            "questions": self._entries("questions.toml", "question", self._question),
            "sections": self._numbered("sections", self._section),
            "critiques": self._numbered("critiques", self._critique),
            "interjections": self._entries("interjections.toml", "interjection", self._interjection),
            "anchors": self._entries("anchors.toml", "anchor", self._anchor),
            "diagram": self._diagram(),
            "opened": self._numbered("altitude-2", self._opened),
            "sources": Text(self.files.get("sources.md", ""), "sources.md"),
        }
        return self._head(head, parts) if head is not None else None

    def _head(self, head: Table, parts: dict[str, Any]) -> Design:
        hard_parts = head.integers("hard_parts", 1, 10)
        if len(hard_parts) != 2:
            head.fault("`hard_parts` must be two section numbers from 1 to 10, such as [5, 6]", "hard_parts")
            hard_parts = (5, 6)
        titles = head.texts("hard_part_titles", at_least=2)
        if len(titles) != 2:
            head.fault("`hard_part_titles` must be two titles", "hard_part_titles")
            titles = (Text("", "design.toml"), Text("", "design.toml"))
        design = Design(
            slug=head.string("slug", pattern=SLUG),
            title=head.text("title"),
            summary=head.text("summary"),
            why=head.text("why"),
            order=head.integer("order", 0, 10_000),
            hard_parts=(hard_parts[0], hard_parts[1]),
            hard_part_titles=(titles[0], titles[1]),
            altitude=head.text("altitude", ""),
            calculator=head.inputs("calculator"),
            **parts,
        )
        head.close()
        return design

    def _prompt(self) -> Text:
        source = self.files.get("prompt.md", "")
        body = Text(source, "prompt.md")
        if source.startswith("+++"):
            table, body = split_front_matter(source, "prompt.md", self.problems)
            if table is not None:
                table.string("title", "")
                table.close()
        if not body and "prompt.md" in self.files:
            self.problems.append(Problem("prompt.md", 1, "is empty"))
        return body

    def _derivation(self) -> dict[str, Any]:
        file = "derivation.toml"
        givens = self._entries(file, "given", self._given, others=("step",))
        steps = self._entries(file, "step", self._step, others=("given",))
        ids = [(given.id, given.title.line) for given in givens] + [(step.id, step.title.line) for step in steps]
        self._unique(file, ids)
        deciding = [step for step in steps if step.deciding]
        broken = any(problem.file == file for problem in self.problems)
        if file in self.files and not broken and len(deciding) != 1:
            line = deciding[1].title.line if len(deciding) > 1 else 0
            self.problems.append(Problem(file, line, f"{len(deciding)} steps are `deciding`; exactly one must be"))
        known = {step.id for step in steps}
        for step in steps if len(deciding) == 1 and not broken else ():
            self._also(step, known)
        return {"givens": givens, "steps": steps}

    def _also(self, step: Step, known: set[str]) -> None:
        """`also` stands on the deciding step alone and names other steps."""
        if step.also and not step.deciding:
            self.problems.append(Problem(step.title.file, step.title.line, "`also` belongs to the deciding step"))
        for name in step.also:
            if name not in known - {step.id}:
                self.problems.append(Problem(step.title.file, step.title.line, f"`also` names no other step: {name}"))

    def _entries[T](
        self, file: str, key: str, build: Callable[[Table], T], others: tuple[str, ...] = ()
    ) -> tuple[T, ...]:
        source = self.files.get(file)
        values = read_toml(source, file, self.problems) if source is not None else None
        if source is None or values is None:
            return ()
        for name in values:
            if name != key and name not in others:
                self.problems.append(Problem(file, 1, f"`{name}` is not a key of the form; [[{key}]] entries are"))
        built = []
        for table in entries(values, key, source, file, self.problems):
            built.append((build(table), table.line))
            table.close()
        if not others:
            self._unique(file, [(entry.id, line) for entry, line in built])  # type: ignore[attr-defined]
        return tuple(entry for entry, _ in built)

    def _unique(self, file: str, ids: list[tuple[Any, int]]) -> None:
        seen: set[Any] = set()
        for id, line in ids:
            if id in seen and id not in ("", None):
                self.problems.append(Problem(file, line, f"`{id}` is used twice"))
            seen.add(id)

    def _numbered[T](self, folder: str, build: Callable[[str, Table, Text, int], T]) -> tuple[T, ...]:
        found: dict[int, str] = {}
        built: list[tuple[int, T]] = []
        for name in sorted(self.files):
            match = _NUMBERED.fullmatch(name)
            if not match or match.group(1) != folder:
                continue
            number = int(match.group(2))
            if number in found:
                self.problems.append(Problem(name, 0, f"has the number {number}, which {found[number]} has too"))
            found[number] = name
            table, body = split_front_matter(self.files[name], name, self.problems)
            if table is None:
                continue
            if not body:
                self.problems.append(Problem(name, body.line, "has no text below its front matter"))
            if table.integer("number", 0, 99) != number:
                table.fault(f"`number` must be {number}, as in the file's name", "number")
            built.append((number, build(name, table, body, number)))
            table.close()
        return tuple(part for _, part in sorted(built, key=lambda pair: pair[0]))

    def _given(self, table: Table) -> Given:
        given = Given(
            id=table.string("id", pattern=NAME),
            title=table.text("title"),
            value=table.text("value"),
            unit=table.string("unit", ""),
            digits=table.optional_integer("digits", 1, 12),
            source=table.string("source", ""),
            date=table.string("date", "", pattern=DATE),
        )
        if bool(given.source) != bool(given.date):
            table.fault("a sourced given carries both `source` and `date` (YYYY, YYYY-MM or YYYY-MM-DD)")
        return given

    def _step(self, table: Table) -> Step:
        return Step(
            id=table.string("id", pattern=NAME),
            title=table.text("title"),
            expression=table.text("expression"),
            unit=table.string("unit", ""),
            digits=table.integer("digits", 1, 12, 3),
            decides=table.text("decides"),
            formula=table.string("formula", ""),
            deciding=table.boolean("deciding"),
            also=table.strings("also"),
            part=table.string("part", "s2", pattern=PART),
        )

    def _question(self, table: Table) -> Question:
        return Question(
            id=table.string("id", pattern=ENTRY_ID),
            ask=table.text("ask"),
            keywords=table.strings("keywords", at_least=1),
            answer=table.text("answer"),
            bait=table.boolean("bait"),
        )

    def _interjection(self, table: Table) -> Interjection:
        return Interjection(
            id=table.string("id", pattern=ENTRY_ID),
            after_section=table.integer("after_section", 1, 10),
            say=table.text("say"),
            points=table.texts("points", at_least=1),
            changes_requirement=table.boolean("changes_requirement"),
        )

    def _anchor(self, table: Table) -> Anchor:
        if "level" not in table.values:
            table.fault(f"the anchor has no `level` ({', '.join(map(str, ANCHORED_LEVELS))})")
            table.values = {**table.values, "level": ANCHORED_LEVELS[0]}
        return Anchor(
            line=table.integer("line", 1, 8),
            level=table.integer("level", ANCHORED_LEVELS[0], ANCHORED_LEVELS[-1]),
            id=table.string("id", pattern=ENTRY_ID),
            text=table.text("text"),
            needs_figure=table.boolean("needs_figure"),
        )

    def _section(self, name: str, table: Table, body: Text, number: int) -> Section:
        if not 1 <= number <= 10:
            self.problems.append(Problem(name, 0, "a section's number is from 1 to 10"))
        return Section(number=number, title=table.text("title"), body=body)

    def _critique(self, name: str, table: Table, body: Text, number: int) -> Critique:
        defect_class = table.string("defect_class")
        if defect_class and defect_class not in DEFECT_CLASSES:
            table.fault(
                f"defect class {defect_class!r:.60} is unknown; known are {', '.join(DEFECT_CLASSES)}", "defect_class"
            )
        class_name = table.string("class_name", "")
        if defect_class == "other" and not class_name.strip():
            table.fault("a defect of class `other` needs a `class_name` of its own", "defect_class")
        elif defect_class != "other" and class_name:
            table.fault("`class_name` is for the class `other` alone", "class_name")
        parts = split_by_headings(body, CRITIQUE_HEADINGS, self.problems)
        missing = Text("", name)
        return Critique(
            number=number,
            title=table.text("title"),
            defect_class=defect_class,
            class_name=class_name,
            attacks=table.integer("attacks", 1, 10),
            quote=table.text("quote"),
            remedies=table.strings("remedies", at_least=1),
            critique=parts.get("Critique", missing),
            revision=parts.get("Revision", missing),
            partial=parts.get("Partial credit", missing),
        )

    def _opened(self, name: str, table: Table, body: Text, number: int) -> Opened:
        return Opened(number=number, title=table.text("title"), opens=table.integer("opens", 0, 10, 0), body=body)

    def _diagram(self) -> Diagram:
        source = self.files.get("diagram.md", "")
        body = Text(source, "diagram.md")
        if source.startswith("+++"):
            _, body = split_front_matter(source, "diagram.md", self.problems)
        parts = split_by_headings(body, DIAGRAM_HEADINGS, self.problems) if "diagram.md" in self.files else {}
        missing = Text("", "diagram.md")
        return Diagram(
            first_dot=self._dot("diagram.dot"),
            revised_dot=self._dot("diagram-revised.dot"),
            first_text=parts.get("First draft", missing),
            revised_text=parts.get("Revised", missing),
        )

    def _dot(self, name: str) -> Text:
        source = self.files.get(name, "")
        if name in self.files and not re.search(r"\b(di)?graph\b[^{]*\{", source):
            self.problems.append(Problem(name, 1, "is no Graphviz graph: it has no `digraph name {`"))
        return Text(source, name)
