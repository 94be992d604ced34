"""Reading TOML so that whatever is wrong is told by file and line, and nothing of it is raised half-way."""

import re
import tomllib
from collections.abc import Iterator
from typing import Any

from designs.core.document import Problem, Text

MAX_TEXT = 20_000
MAX_ENTRIES = 400
_AT_LINE = re.compile(r"\s*\(at line (\d+), column \d+\)")
_MISSING = object()


def read_toml(source: str, file: str, problems: list[Problem], first_line: int = 1) -> dict[str, Any] | None:
    """The tables of one TOML text; None, and a problem recorded, when it cannot be read."""
    try:
        return tomllib.loads(source)
    except RecursionError:
        problems.append(Problem(file, first_line, "is nested too deeply to be read as TOML"))
    except ValueError as error:
        at = _AT_LINE.search(str(error))
        line = first_line + int(at.group(1)) - 1 if at else first_line + source.count("\n")
        problems.append(Problem(file, line, f"is not valid TOML: {_AT_LINE.sub('', str(error)).rstrip(' .')}"))
    return None


class Table:
    """One table of a TOML text: typed reading of its keys, each fault recorded at the key's own line."""

    def __init__(
        self, values: Any, lines: list[str], span: tuple[int, int], file: str, problems: list[Problem]
    ) -> None:
        self.values: dict[str, Any] = values if isinstance(values, dict) else {}
        self.lines, self.span, self.file, self.problems = lines, span, file, problems
        self.seen: set[str] = set()
        if not isinstance(values, dict):
            self.fault("is not a table")

    @property
    def line(self) -> int:
        return self.span[0]

    def line_of(self, key: str) -> int:
        """The line on which the key is given, or the table's first when it is not."""
        wanted = re.compile(rf"\s*[\"']?{re.escape(key)}[\"']?\s*=")
        for number in range(self.span[0], self.span[1] + 1):
            if number - 1 < len(self.lines) and wanted.match(self.lines[number - 1]):
                return number
        return self.line

    def fault(self, message: str, key: str | None = None) -> None:
        self.problems.append(Problem(self.file, self.line_of(key) if key else self.line, message))

    def _take(self, key: str, kind: type, what: str, default: Any) -> Any:
        self.seen.add(key)
        value = self.values.get(key, _MISSING)
        if value is _MISSING:
            if default is _MISSING:
                self.fault(f"`{key}` is missing")
                return None
            return default
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            self.fault(f"`{key}` must be {what}", key)
            return None
        return value

    def string(self, key: str, default: Any = _MISSING, pattern: str = "") -> str:
        value = self._take(key, str, "a text in quotes", default)
        if value is None:
            return ""
        if default is _MISSING and not value.strip():
            self.fault(f"`{key}` is empty", key)
        elif len(value) > MAX_TEXT:
            self.fault(f"`{key}` is longer than {MAX_TEXT} characters", key)
        elif pattern and value and not re.fullmatch(pattern, value):
            self.fault(f"`{key}` is {value!r:.60}, which does not have the form {pattern}", key)
        return value

    def text(self, key: str, default: Any = _MISSING) -> Text:
        source = self.string(key, default)
        line = self.line_of(key)
        opened = self.lines[line - 1].rstrip() if line - 1 < len(self.lines) else ""
        if opened.endswith(('"""', "'''")) and not opened.endswith(('""""""', "''''''")):
            line += 1  # TOML drops the line break right after the opening quotes
        return Text(source, self.file, line)

    def integer(self, key: str, low: int, high: int, default: Any = _MISSING) -> int:
        value = self._take(key, int, f"a whole number from {low} to {high}", default)
        if value is None:
            return low
        if not low <= value <= high:
            self.fault(f"`{key}` must be from {low} to {high}", key)
            return low
        return value

    def optional_integer(self, key: str, low: int, high: int) -> int | None:
        return self.integer(key, low, high) if key in self.values else None

    def integers(self, key: str, low: int, high: int) -> tuple[int, ...]:
        value = self._take(key, list, "a list of whole numbers", _MISSING)
        if value is None or not all(isinstance(item, int) and not isinstance(item, bool) for item in value):
            return ()
        return tuple(value) if all(low <= item <= high for item in value) else ()

    def boolean(self, key: str, default: bool = False) -> bool:
        return bool(self._take(key, bool, "true or false", default))

    def strings(self, key: str, at_least: int = 0) -> tuple[str, ...]:
        value = self._take(key, list, "a list of texts", [] if not at_least else _MISSING)
        if value is None:
            return ()
        if not all(isinstance(item, str) and item.strip() for item in value):
            self.fault(f"`{key}` must be a list of texts, none of them empty", key)
            return ()
        if not at_least <= len(value) <= MAX_ENTRIES:
            self.fault(f"`{key}` needs at least {at_least}", key)
        return tuple(value)

    def texts(self, key: str, at_least: int = 0) -> tuple[Text, ...]:
        start = self.line_of(key)
        return tuple(Text(item, self.file, self._line_of_item(item, start)) for item in self.strings(key, at_least))

    def _line_of_item(self, item: str, start: int) -> int:
        opening = item.strip().splitlines()[0][:40]
        for number in range(start, min(self.span[1], len(self.lines)) + 1):
            if opening in self.lines[number - 1]:
                return number
        return start

    def inputs(self, key: str) -> dict[str, str]:
        """An optional table of numbers and short texts, all as the texts that a form would send."""
        value = self._take(key, dict, "a table such as { gpus = 4 }", {})
        if value is None:
            return {}
        plain = {name: one for name, one in value.items() if isinstance(one, str | int | float)}
        if len(plain) < len(value) or any(isinstance(one, bool) for one in plain.values()):
            self.fault(f"`{key}` must hold texts and numbers alone", key)
            return {}
        return {name: f"{one:.15g}" if isinstance(one, float) else str(one) for name, one in plain.items()}

    def close(self) -> None:
        """Say which keys are none of the form's: a mistyped one would else be silently without effect."""
        for key in self.values:
            if key not in self.seen:
                self.fault(f"`{key}` is not a key of the form", key)


def whole_table(source: str, file: str, problems: list[Problem], first_line: int = 1) -> Table | None:
    """A TOML text that is one table. `first_line` is where it begins in its file."""
    values = read_toml(source, file, problems, first_line)
    if values is None:
        return None
    lines = [""] * (first_line - 1) + source.split("\n")
    return Table(values, lines, (first_line, len(lines)), file, problems)


def entries(values: dict[str, Any], key: str, source: str, file: str, problems: list[Problem]) -> Iterator[Table]:
    """The `[[key]]` entries of a TOML text, each knowing the lines that it spans."""
    found = values.get(key, [])
    lines = source.split("\n")
    if not isinstance(found, list):
        problems.append(Problem(file, 1, f"`{key}` must be given as [[{key}]] entries"))
        return
    if len(found) > MAX_ENTRIES:
        problems.append(Problem(file, 1, f"has {len(found)} [[{key}]] entries; at most {MAX_ENTRIES} are read"))
        return
    header = re.compile(rf"\s*\[\[\s*{re.escape(key)}\s*\]\]")
    any_header = re.compile(r"\s*\[\[?\s*[\w.\"'-]+\s*\]\]?\s*(#.*)?$")
    starts = [number for number, line in enumerate(lines, 1) if header.match(line)]
    heads = [number for number, line in enumerate(lines, 1) if any_header.match(line)]
    for index, entry in enumerate(found):
        start = starts[index] if index < len(starts) else 1
        end = next((head - 1 for head in heads if head > start), len(lines))
        yield Table(entry, lines, (start, end), file, problems)
