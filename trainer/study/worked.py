"""An entry worked out: its worksheet, and its texts filled from it, as HTML."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from django.utils.safestring import SafeString, mark_safe

from calculator.expressions import ExpressionError
from calculator.facts import catalogue_facts
from designs.core.derivation import Derivation
from designs.core.document import Problem, Text
from designs.core.prose import fill
from designs.markdown import inline_html, to_html
from designs.mathml import formula_html
from designs.quoted.sheets import Sheet, SheetBroken, work_out
from trainer.study.core.checks import filling_problems
from trainer.study.core.entries import Entry, Return
from trainer.study.core.forms import UNFILLED

EMPTY = Sheet("", (), Derivation({}, {}, givens=(), steps=()))


class EntryRefused(ValueError):
    """The entry cannot be shown."""

    def __init__(self, problems: list[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(map(str, problems)))


class Texts(Mapping[str, SafeString]):
    """An entry's texts by key, made when they are asked for; "" for one that it does not have."""

    def __init__(self, entry: "WorkedEntry", render: Callable[[str], SafeString]) -> None:
        self._entry, self._render = entry, render
        self._made: dict[str, SafeString] = {}

    def __getitem__(self, key: str) -> SafeString:
        if key not in self._made:
            filled = self._entry.filled(key)
            self._made[key] = self._render(filled) if filled else mark_safe("")
        return self._made[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entry.entry.texts)

    def __len__(self) -> int:
        return len(self._entry.entry.texts)


@dataclass(frozen=True, eq=False)
class WorkedEntry:
    """An entry with what its lines come to. `plain`, `inline` and `html` give its texts as templates want them."""

    entry: Entry
    sheet: Sheet

    @property
    def id(self) -> str:
        return self.entry.id

    @property
    def address(self) -> str:
        """Its lines in the worksheet; "" for an entry without any."""
        return self.sheet.address if self.sheet.lines else ""

    @property
    def answer(self) -> str:
        """A number's value, as it is shown."""
        quantity = self.sheet.quantity(self.entry.source_of("answer"))
        unit, digits = self.entry.source_of("unit"), int(self.numbers.get("digits", 3))
        return (quantity.to(unit) if unit else quantity).text(digits)

    @property
    def formula(self) -> SafeString:
        """A rule's formula as it is set."""
        return formula_html(self.entry.source_of("formula"))

    @property
    def returns(self) -> tuple[Return, ...]:
        return self.entry.returns

    @property
    def lists(self) -> Mapping[str, tuple[str, ...]]:
        return self.entry.lists

    @property
    def numbers(self) -> Mapping[str, float]:
        return self.entry.numbers

    @property
    def flags(self) -> frozenset[str]:
        return self.entry.flags

    @cached_property
    def html(self) -> Texts:
        """As paragraphs."""
        return Texts(self, to_html)

    @cached_property
    def inline(self) -> Texts:
        """As a line of a sentence or a list."""
        return Texts(self, inline_html)

    @cached_property
    def plain(self) -> Mapping[str, str]:
        """As text, Markdown's signs left in."""
        return {key: self.filled(key) for key in self.entry.texts}

    def filled(self, key: str) -> str:
        """One text with its placeholders filled; "" where there is none."""
        text = self.entry.texts.get(key)
        if text is None:
            return ""
        return text.source.strip() if key in UNFILLED else self._fill(text)

    def note(self, one: Return) -> SafeString:
        """What a design does with it: only for who has earned that design."""
        return inline_html(self._fill(one.note))

    def _fill(self, text: Text) -> str:
        return fill(text.source, self.sheet.derivation, facts=catalogue_facts()).strip()


def worked_entry(entry: Entry) -> WorkedEntry:
    """Raises: EntryRefused when a line or a placeholder has no value."""
    try:
        sheet = work_out(entry.lines) if entry.lines.strip() else EMPTY
    except SheetBroken as broken:
        raise EntryRefused([Problem(entry.file, entry.line, f"[{entry.id}] lines: {broken}")]) from None
    answer = entry.source_of("answer")
    if entry.form == "number" and answer not in sheet.derivation.names:
        raise EntryRefused([Problem(entry.file, entry.line, f"[{entry.id}] no line is called {answer!r}")])
    try:
        _ = WorkedEntry(entry, sheet).answer if entry.form == "number" else ""
    except ExpressionError as error:
        raise EntryRefused([Problem(entry.file, entry.line, f"[{entry.id}] `unit`: {error.message}")]) from None
    problems = filling_problems(entry, sheet.derivation, catalogue_facts())
    if problems:
        raise EntryRefused(problems)
    return WorkedEntry(entry, sheet)
