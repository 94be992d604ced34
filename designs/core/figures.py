"""Finds figures with a unit that were typed by hand: neither placeholder, nor a given's value, nor a sourced fact."""

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from designs.core.document import Problem, Text
from designs.core.prose import PLACEHOLDER

_BYTES = {"B": 1.0, "byte": 1.0, "bytes": 1.0}
for _power, _letter in enumerate("kMGTP", 1):
    _BYTES |= {f"{_letter}B": 1000.0**_power, f"{_letter.upper()}iB": 1024.0**_power}
_BYTES["KB"] = 1000.0
_BITS = {unit: factor / 8 for unit, factor in {"Mbit": 1e6, "Gbit": 1e9, "Tbit": 1e12, "Gb": 1e9}.items()}
_TIMES = {
    unit: factor
    for factor, units in {
        1e-9: "ns",
        1e-6: "us µs μs",
        1e-3: "ms millisecond milliseconds",
        1.0: "s sec secs second seconds",
        60.0: "min mins minute minutes",
        3600.0: "h hour hours",
        86400.0: "day days",
        604800.0: "week weeks",
        31557600.0: "year years",
    }.items()
    for unit in units.split()
}
_WORK = {"FLOP": 1.0, "FLOPs": 1.0, "GFLOP": 1e9, "TFLOP": 1e12, "PFLOP": 1e15, "TFLOPs": 1e12, "TFLOPS": 1e12}
_SHARES = {"%": 0.01, "percent": 0.01, "pp": 0.01, "x": 1.0, "×": 1.0, "times": 1.0}
_COUNTED = """token tokens tok request requests req GPU GPUs replica replicas node nodes host hosts gateway gateways
tenant tenants user users document documents chunk chunks sequence sequences stream streams adapter adapters drive
drives core cores core-year core-years item items QPS RPS qps rps"""
_COUNTS = dict.fromkeys(_COUNTED.split(), 1.0)
_MONEY = {"USD": 1.0, "dollar": 1.0, "dollars": 1.0, "cent": 0.01, "cents": 0.01}
UNITS: dict[str, float] = _BYTES | _BITS | _TIMES | _WORK | _SHARES | _COUNTS | _MONEY
_PER = {**_TIMES, **_COUNTS, "GPU-h": 3600.0, "GPU-hour": 3600.0, "sec": 1.0}
_SCALES = {"k": 1e3, "thousand": 1e3, "M": 1e6, "million": 1e6, "bn": 1e9, "billion": 1e9, "trillion": 1e12}


def _alternatives(names: Iterable[str]) -> str:
    return "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))


FIGURE = re.compile(
    r"(?<![\w.,/§#^])"
    r"(?P<money>US\$|\$|€|USD[ \u00a0])?"
    r"(?P<number>\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?)"
    rf"(?:[ \u00a0]?(?P<scale>{_alternatives(_SCALES)})(?![\w%]))?"
    rf"(?P<gap>[ \u00a0\u202f-]?)(?P<unit>{_alternatives(UNITS)})?"
    rf"(?:/(?P<per>{_alternatives(_PER)}))?"
)
_ORDINAL_BEFORE = re.compile(
    r"\b(section|step|chapter|line|level|figure|table|row|critique|question|part|phase|altitude|version|case|tier|"
    r"stage|item|rank|priority|class|erratum|appendix|point|lines|levels|sections|steps|rows|and|to|or)\s+$",
    re.IGNORECASE,
)
_NUMBERED_NOUNS = re.compile(
    r"(?<!\w)(sections?|steps?|lines?|levels?|rows?|§§?)\s*[\d, ]*(and|to|or|-|–)?\s*$", re.IGNORECASE
)
_FOOTNOTE = re.compile(r"\[\^([^\]\s]+)\](?!:)")
_DEFINITION = re.compile(r"^\[\^([^\]\s]+)\]:[ \t]*(.*(?:\n(?:[ ]{2,}|\t)\S.*)*)", re.MULTILINE)
_MASKS = (
    re.compile(r"^( {0,3})(```|~~~).*?^ {0,3}\2[^\n]*$", re.MULTILINE | re.DOTALL),
    re.compile(r"<!--.*?-->|<math\b.*?</math>", re.DOTALL),
    re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)"),
    PLACEHOLDER,
    re.compile(r"\]\([^)\n]*\)"),
    re.compile(r"https?://\S+"),
    re.compile(r"</?[A-Za-z][^>\n]*>"),
)
_BLOCK_START = re.compile(r"\s*$|\s*([-*+]|\d+[.)])\s|\s*\||\s*#|\s*>|\s*:\s")
_SENTENCE_END = re.compile(r"[.!?][\"”’)*_]*(?:\[\^[^\]\s]+\])*\s+(?=[\"“(*_\[]*[A-Z0-9{])")


@dataclass(frozen=True)
class Footnote:
    """A footnote's definition. It counts as a source when it names one and says of which year it is."""

    id: str
    text: str
    line: int

    @property
    def sourced(self) -> bool:
        words = re.findall(r"[A-Za-z]{2,}", self.text)
        return bool(re.search(r"\b(19|20)\d\d\b", self.text)) and len(words) >= 2


def footnotes(text: Text) -> dict[str, Footnote]:
    """The footnotes that a text defines."""
    found = {}
    for match in _DEFINITION.finditer(text.source):
        line = text.line + text.source.count("\n", 0, match.start())
        found[match.group(1)] = Footnote(match.group(1), match.group(2), line)
    return found


def masked(source: str) -> str:
    """The text with code, placeholders, addresses, tags and footnote definitions blanked, places kept."""
    for mask in (*_MASKS, _DEFINITION):
        source = mask.sub(lambda match: re.sub(r"[^\n]", " ", match.group(0)), source)
    return source


def bare_figures(text: Text, *, given_values: Iterable[float], notes: Mapping[str, Footnote]) -> Iterator[Problem]:
    """Figures with a unit that nothing stands behind, by file and line."""
    known = tuple(given_values)
    source = masked(text.source)
    for start, end in _sentences(source):
        sentence = source[start:end]
        if any(notes[id].sourced for id in _FOOTNOTE.findall(sentence) if id in notes):
            continue
        for match in FIGURE.finditer(sentence):
            if _is_bare(match, sentence, known):
                line = text.line + source.count("\n", 0, start + match.start())
                yield Problem(text.file, line, f"{match.group(0).strip()!r} is typed by hand: {_ADVICE}")


_ADVICE = "make it a placeholder, the value of a given, or a fact with a footnote that names source and date"


def unknown_footnotes(text: Text, notes: Mapping[str, Footnote]) -> Iterator[Problem]:
    """Footnote marks without a definition, and definitions that name no source and date."""
    source = masked(text.source)
    for match in _FOOTNOTE.finditer(source):
        if match.group(1) not in notes:
            line = text.line + source.count("\n", 0, match.start())
            yield Problem(text.file, line, f"the footnote [^{match.group(1)}] is defined nowhere")
    for note in footnotes(text).values():
        if not note.sourced:
            yield Problem(text.file, note.line, f"the footnote [^{note.id}] must name a source and a year")


def _is_bare(match: re.Match[str], sentence: str, known: tuple[float, ...]) -> bool:
    unit, money = match["unit"] or "", match["money"]
    if not unit and not money:
        return False
    if not _unit_holds(match, sentence):
        return False
    number = float(match["number"].replace(",", "").rstrip("."))
    if number in (0, 1) and unit in {**_COUNTS, "x": 1, "×": 1, "times": 1}:
        return False
    if unit in ("%", "percent") and number in (0, 100):
        return False
    if unit in _COUNTS and re.fullmatch(r"(19[89]|20[0-3])\d", match["number"]):
        return False  # "in 2024 requests were …"
    return not any(math.isclose(value, given, rel_tol=1e-9) for value in _values(match, number) for given in known)


def _unit_holds(match: re.Match[str], sentence: str) -> bool:
    """Whether what follows the number is its unit, and the number no name's, ordinal's or product's part."""
    unit, gap = match["unit"] or "", match["gap"]
    after = sentence[match.end() :]
    if unit and unit != "%" and re.match(r"\w", after):
        return False
    if unit in ("x", "×") and (gap or re.match(r"\s*\d", after)):
        return False  # a product: 4 x H100, 2x80
    if unit == "B" and gap != " " and gap != "\u00a0":
        return False  # 70B: parameters
    if unit in ("s", "h") and not gap and re.fullmatch(r"\d{4}", match["number"]):
        return False  # the 1990s
    before = sentence[: match.start()]
    if re.search(r"[A-Za-z][\w.]*-$", before):
        return False  # part of a name: GPT-4, A100-80
    return not (unit in {**_COUNTS, **_TIMES} and (_is_ordinal(before)))


def _is_ordinal(before: str) -> bool:
    named = _ORDINAL_BEFORE.search(before)
    if not named:
        return False
    return named.group(1).lower() not in ("and", "to", "or") or bool(_NUMBERED_NOUNS.search(before))


def _values(match: re.Match[str], number: float) -> Iterator[float]:
    factor = UNITS.get(match["unit"] or "", 1.0) / _PER.get(match["per"] or "", 1.0)
    yield number * _SCALES.get(match["scale"] or "", 1.0) * factor
    if match["scale"] == "k":
        yield number * 1024 * factor


def _sentences(source: str) -> Iterator[tuple[int, int]]:
    """The spans of sentences; a table row, a list item and a heading are each at least one."""
    for start, end in _blocks(source):
        at = start
        for match in _SENTENCE_END.finditer(source, start, end):
            yield at, match.end()
            at = match.end()
        if at < end:
            yield at, end


def _blocks(source: str) -> Iterator[tuple[int, int]]:
    start = at = 0
    for line in source.splitlines(keepends=True):
        if _BLOCK_START.match(line) and at > start:
            yield start, at
            start = at
        at += len(line)
    if at > start:
        yield start, at
