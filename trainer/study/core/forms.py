"""The forms of the track's lists: which keys an entry has, and which of them must be there."""

from dataclasses import dataclass

LINES, RETURNS = "lines", "returns"
EVERYWHERE = ("id", "title", LINES, RETURNS, "source", "date", "read")
UNFILLED = frozenset(
    {
        *("id", LINES, "source", "date", "read", "url", "how", "kind", "formula", "answer", "unit", "tolerance"),
        *("authors", "slug", "group", "chapter", "term", "fact", "accelerator", "year"),
        *("summary_round", "summary_daily"),
    }
)
"""Texts that are shown as they are: no placeholder is filled in them and no figure looked for."""


@dataclass(frozen=True)
class Form:
    """One kind of entry: texts that it must and may have, lists of texts, numbers and flags."""

    key: str
    needs: tuple[str, ...] = ()
    may: tuple[str, ...] = ()
    lists: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    single: bool = False  # a table `[key]` of its own instead of `[[key]]` entries

    @property
    def known(self) -> frozenset[str]:
        """Every key that an entry of the form may have."""
        return frozenset((*EVERYWHERE, *self.needs, *self.may, *self.lists, *self.numbers, *self.flags))


FORMS: dict[str, tuple[Form, ...]] = {
    "concepts": (Form("concept", ("id", "title", "text", "number", "trap", "aloud"), ("chapter",)),),
    "numbers": (
        Form("group", ("id", "title"), ("intro",)),
        Form(
            "number",
            ("id", "group", "title", "lines", "answer", "text"),
            ("unit", "tolerance"),
            numbers=("digits",),
        ),
        Form("hardware", (), ("intro", "evidence"), lists=("accelerators",), single=True),
        Form("links", (), ("intro",), lists=("keys",), single=True),
        Form("prices", (), ("intro",), lists=("keys",), single=True),
        Form("rule", ("id", "title", "formula"), ("text", "holds_when", "trap", "number", "unit", "answer")),
    ),
    "transfer": (
        Form("substitution", ("id", "was", "becomes", "text"), ("number",)),
        Form("transfers", ("id", "title", "text"), ("number",)),
        Form("fails", ("id", "title", "text"), ("number",)),
    ),
    "patterns": (Form("pattern", ("title", "text"), ("number",)),),
    "defects": (Form("class", ("id", "text"), ("look",)),),
    "failures": (Form("failure", ("title", "ends_at", "cure"), ("text", "number")),),
    "self_assessment": (Form("item", ("id", "text"), ("answer",), lists=("concepts",)),),
    "hire_bar": (Form("bar", ("name", "heard"), ("text", "range")), Form("cap", (), ("name", "heard", "text"))),
    "order": (
        Form("stop", ("slug", "reason"), lists=("chapters",), numbers=("minutes",), flags=("mandatory",)),
        Form(
            "plan",
            ("summary_round", "summary_daily"),
            ("intro", "text"),
            numbers=("round_minutes", "daily_minutes"),
            single=True,
        ),
    ),
    "cheat_sheet": (Form("column", ("title",)), Form("column.item", ("text",), ("slug", "note"))),
    "glossary": (Form("term", ("id", "term", "text"), ("chapter",), lists=("also",)),),
    "references": (
        Form(
            "reference",
            ("id", "title", "kind", "url", "take"),
            ("authors", "how", "year", "note"),
            lists=("used", "chapters", "facts", "concepts"),
        ),
    ),
}
"""By the file's name, or its folder's for those that are spread over several files."""

TOP = "top"
"""The form of the texts at the top of a file (`intro`, `closing`): one entry, called after the file."""
