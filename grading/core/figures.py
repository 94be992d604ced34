"""Numbers with units as people write them in prose: "40 GiB", "41.8ms", "~1.75 GB/s", "23 %", "3-5 min", "$2.50"."""

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice

from calculator.expressions import ExpressionError, Quantity
from calculator.expressions.quantity import unit_of
from calculator.expressions.words import WORDS
from grading.core.verification import comparable, unmasked

MOST_FIGURES = 3_000
"""Of one text. What a person writes in a round holds a few hundred at most."""
SAME_SHARE = 1e-6

_SCALES = {
    "k": 1e3, "K": 1e3, "thousand": 1e3, "M": 1e6, "mn": 1e6, "million": 1e6, "B": 1e9, "bn": 1e9, "billion": 1e9,
    "T": 1e12, "trillion": 1e12,
}  # fmt: skip
_ALIASES = {
    "gb": "GB", "mb": "MB", "tb": "TB", "gib": "GiB", "mib": "MiB", "kib": "KiB", "tib": "TiB", "Gib": "GiB",
    "gbps": "Gb/s",
    "GBps": "GB/s", "GBs": "GB", "Gbps": "Gb/s", "TBps": "TB/s", "GiBps": "GiB/s", "msec": "ms", "msecs": "ms",
    "usec": "us", "μs": "us", "µs": "us", "secs": "s", "mins": "min", "hrs": "h", "TFLOPS": "TFLOP/s",
    "PFLOPS": "PFLOP/s", "GFLOPS": "GFLOP/s", "qps": "req/s", "QPS": "req/s", "rps": "req/s", "RPS": "req/s",
    "tps": "tok/s", "$": "USD", "€": "USD", "pct": "%", "percentage": "pp", "usd": "USD",
    "gigabyte": "GB", "gigabytes": "GB", "gibibyte": "GiB", "gibibytes": "GiB", "megabyte": "MB", "megabytes": "MB",
    "terabyte": "TB", "terabytes": "TB", "kilobyte": "KB", "kilobytes": "KB", "petabyte": "PB", "petabytes": "PB",
    "kibibyte": "KiB", "kibibytes": "KiB", "mebibyte": "MiB", "mebibytes": "MiB", "millisecond": "ms",
    "milliseconds": "ms", "microsecond": "us", "microseconds": "us", "nanoseconds": "ns",
}  # fmt: skip
_TIMES = frozenset({"x", "×", "times"})
_FRACTIONS = {
    "three quarters": 0.75, "two thirds": 2 / 3, "half": 0.5, "third": 1 / 3, "quarter": 0.25, "fifth": 0.2,
    "tenth": 0.1,
}  # fmt: skip
_WORD_NUMBERS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17,
    "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60,
    "seventy": 70, "eighty": 80, "ninety": 90, "dozen": 12, "hundred": 100, "thousand": 1000,
}  # fmt: skip

_MARKUP = re.compile(r"`|</?[A-Za-z][^<>]{0,100}>|(?<!\w)(?:\*\*|__|[*_])(?=\S)|(?<=\S)(?:\*\*|__|[*_])(?!\w)")
_LETTER_O = re.compile(r"(?<=\d)[Oo](?![A-Za-z])")
_OF_TIME = r"(?:\^\d|-(?:years?|hours?|h|days?|seconds?|s)\b)?"
_UNIT_WORD = rf"(?:%|\$|[A-Za-zµμ×]+{_OF_TIME}(?:[·*⋅][A-Za-z]+{_OF_TIME})*)"
_SECONDS = re.compile(r"-(?:s|secs?|seconds?)$")
_POWER = re.compile(r"\^\d")
_PRODUCT = re.compile(r"[·*⋅-]")
_NUMBER = re.compile(
    r"(?<![\w.,])(?P<money>US\$|USD\s?|\$|€)?"
    r"(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d)|\d[\d_]*(?:\.\d+)?|\.\d+)"
    r"(?P<exponent>(?:[eE][+-]?\d{1,3}(?![\w.])|\s?[x×*]\s?10\s?(?:\^|\*\*)\s?-?\d{1,3}))?"
)
_AFTER = re.compile(
    r"(?P<gap>[\s-]?)(?:(?P<scale>thousand|million|billion|trillion|bn|mn|[kKMBT])(?![\w%/·⋅*^])[\s-]?)?"
    rf"(?P<over>(?:/|\bper\b)\s?)?(?P<unit>{_UNIT_WORD}(?:\s?(?:/|\bper\b)\s?{_UNIT_WORD}){{0,2}})?"
)
_OVER = re.compile(r"\s?(?:/|\bper\b)\s?")
_RANGE = re.compile(r"\s?(?:-|to|and|\.\.)\s?(?=\d)")
_WORDED = re.compile(
    rf"\b(?P<words>(?:{'|'.join(_WORD_NUMBERS)})(?:[\s-](?:{'|'.join(_WORD_NUMBERS)}))*)[\s-]"
    rf"(?P<unit>{_UNIT_WORD}(?:\s?(?:/|\bper\b)\s?{_UNIT_WORD})?)",
    re.IGNORECASE,
)
_PART_OF = re.compile(
    rf"\b(?P<part>{'|'.join(_FRACTIONS)})s? (?:of )?an? (?P<unit>{_UNIT_WORD}(?:\s?(?:/|\bper\b)\s?{_UNIT_WORD})?)",
    re.IGNORECASE,
)
_FRACTION = re.compile(rf"\b({'|'.join(_FRACTIONS)})s?\b", re.IGNORECASE)


@dataclass(frozen=True)
class Figure:
    """A number in a text. `last_place` is what one unit of its last written digit is worth, in base units.

    `with_unit` tells that a unit was written (a count such as "12 replicas" has one, "734 times" has none).
    """

    quantity: Quantity
    text: str
    last_place: float
    with_unit: bool
    upper: float | None = None  # the other end, in base units, of a range

    @cached_property
    def dimension(self) -> str:
        """The dimension, labels left out."""
        return self.quantity.dimension

    @property
    def measures(self) -> bool:
        """Whether it has a dimension or is a share: more than a count."""
        return bool(self.dimension) or self.quantity.unit in ("%", "pp")

    def near(self, value: float, share: float) -> bool:
        """Whether it, or the range that it opens, holds a value within a share of that value."""
        slack = share * abs(value)
        low, high = self.quantity.value, self.quantity.value if self.upper is None else self.upper
        return low - slack <= value <= high + slack


@lru_cache(maxsize=64)
def figures_in(text: str) -> tuple[Figure, ...]:
    """Every number that the text holds, each once, units read where one stands; ambiguous ones in every reading."""
    plain = _plain(text)
    fractions = (
        Figure(Quantity(_FRACTIONS[match[1].lower()]), match[0], 0.0, with_unit=False)
        for match in _FRACTION.finditer(plain)
    )
    found: dict[Figure, None] = {}
    for kind in (_numbers(plain), _worded(plain), _parts_of(plain), fractions):
        found.update(dict.fromkeys(islice(kind, MOST_FIGURES)))
    return tuple(found)


def same(figures: Iterable[Figure], value: float, dimension: str) -> bool:
    """Whether one of the figures is this value, as exactly as it was written."""
    return any(
        figure.dimension == dimension
        and abs(figure.quantity.value - value) <= SAME_SHARE * abs(value) + 1e-3 * figure.last_place
        for figure in figures
    )


def near(figures: Iterable[Figure], value: float, dimension: str, share: float) -> bool:
    """Whether one of the figures, or a range of two, is within a share of this value."""
    return any(figure.dimension == dimension and figure.near(value, share) for figure in figures)


def _plain(text: str) -> str:
    return _LETTER_O.sub("0", _MARKUP.sub("", unmasked(comparable(text))))


def _numbers(text: str) -> Iterator[Figure]:
    position = 0
    pending: list[tuple[re.Match[str], float]] = []  # numbers that wait for the unit of the range they begin
    while match := _NUMBER.search(text, position):
        number, last = _value(match)
        if number is None:
            position = match.end()
            pending.clear()
            continue
        after = _AFTER.match(text, match.end())
        readings, end = _readings(match, after, number, last, text) if after else ([], match.end())
        if pending and readings and readings[0].with_unit:
            yield from _range(pending[-1], readings[0])
        pending.clear()
        yield from readings
        position = max(end, match.end())
        opens = _RANGE.match(text, match.end())
        if opens and not (readings and readings[0].with_unit):
            pending.append((match, number))


def _range(low: tuple[re.Match[str], float], high: Figure) -> Iterator[Figure]:
    """The lower end of "3-5 min", in the unit of the upper one."""
    match, number = low
    scale = high.quantity.value / high.quantity.magnitude if high.quantity.magnitude else 1.0
    value = number * scale
    if 0 < value < high.quantity.value <= 2.5 * value:
        quantity = Quantity(value, high.quantity.unit)
        yield Figure(quantity, match[0] + "-" + high.text, high.last_place, True, upper=high.quantity.value)


def _value(match: re.Match[str]) -> tuple[float | None, float]:
    """The number and what one of its last digit is worth."""
    digits = match["number"].replace(",", "").replace("_", "")
    power = 0
    if match["exponent"]:
        power = int(re.findall(r"-?\d+$", match["exponent"])[0])
    if len(digits) > 40 or abs(power) > 60:
        return None, 0.0
    places = len(digits.partition(".")[2])
    return float(digits) * 10.0**power, 10.0 ** (power - places)


def _readings(
    match: re.Match[str], after: re.Match[str], number: float, last: float, text: str
) -> tuple[list[Figure], int]:
    scale = _SCALES.get(after["scale"] or "", 1.0)
    unit, unit_end = _unit(after, text)
    readings: list[Figure] = []
    if match["money"]:
        over = _money_over(after, text)
        return [_figure(number * scale, last * scale, over[0] or "USD", match[0])], over[1]
    if after["scale"] == "B" and unit == "":
        # "2B" may be bytes; "70B" may be parameters.
        readings.append(_figure(number, last, "B", f"{match[0]} B"))
    if after["scale"] is None and unit is None:
        return [_figure(number, last, None, match[0])], match.end()
    end = unit_end if unit is not None else after.end("scale")
    readings.insert(0, _figure(number * scale, last * scale, unit or None, text[match.start() : end]))
    return readings, end


def _unit(after: re.Match[str], text: str) -> tuple[str | None, int]:
    """The unit that stands there, the longest that can be read, and where it ends."""
    if after["unit"] is None:
        return ("" if after["scale"] else None), after.end("scale") if after["scale"] else after.start()
    words = list(re.finditer(_UNIT_WORD, after["unit"]))
    for count in range(len(words), 0, -1):
        end = after.start("unit") + words[count - 1].end()
        named = tuple(word[0] for word in words[:count] if word[0] != "per")
        spelled = spelled_unit(("", *named) if after["over"] else named)
        if spelled is not None:
            return spelled, end
    head = _PRODUCT.split(words[0][0])[0]
    if head != words[0][0] and not after["over"] and spelled_unit((head,)):
        return spelled_unit((head,)), words[0].start() + after.start("unit") + len(head)
    return ("" if after["scale"] else None), after.end("scale") if after["scale"] else after.start()


@lru_cache(maxsize=4096)
def spelled_unit(words: tuple[str, ...]) -> str | None:
    """The unit that words such as ("GB", "sec") spell; "" for "times"; None when they spell none. A first "" is 1."""
    if not words:
        return None
    if words[0] in _TIMES:
        return "" if len(words) == 1 else None
    known = [_ALIASES.get(word, word).replace("*", "·").replace("⋅", "·") for word in words]
    known = [name if name in WORDS else _SECONDS.sub("·s", name) for name in known]
    if (
        any(word not in WORDS for name in known if name for word in re.split("[/·]", _POWER.sub("", name)))
        or "" in known[1:]
    ):
        return None
    try:
        return str(unit_of("/".join(known)))
    except ExpressionError:
        return None


def _money_over(after: re.Match[str], text: str) -> tuple[str | None, int]:
    """What dollars are counted for: "$2.50/h", "$2 per GPU-hour"."""
    start = after.end("scale") if after["scale"] else after.start()
    over = _OVER.match(text, start)
    if over is None:
        return None, start
    words = re.compile(_UNIT_WORD).match(text, over.end())
    spelled = spelled_unit(("USD", words[0])) if words else None
    return (spelled, words.end()) if words and spelled else (None, start)


def _figure(number: float, last: float, unit: str | None, text: str) -> Figure:
    try:
        quantity = Quantity.of(number, unit or "")
        factor = unit_of(unit or "").factor
    except ExpressionError:
        quantity, factor = Quantity(0.0 if not math.isfinite(number) else number), 1.0
    return Figure(quantity, " ".join(text.split()), last * factor, with_unit=bool(unit))


def _worded(text: str) -> Iterator[Figure]:
    """ "forty gigabytes": numbers in words, where a unit follows that is more than a count."""
    for match in _WORDED.finditer(text):
        words = [word for word in re.findall(_UNIT_WORD, match["unit"]) if word != "per"]
        unit = next((unit for count in (2, 1) if (unit := spelled_unit(tuple(words[:count]))) is not None), None)
        if not unit or match["words"].lower() == "one":
            continue
        value = 0.0
        for word in re.split(r"[\s-]", match["words"].lower()):
            one = _WORD_NUMBERS[word]
            value = max(value, 1.0) * one if one >= 100 else value + one
        figure = _figure(value, 0.0, unit, match[0])
        if figure.measures:
            yield figure


def _parts_of(text: str) -> Iterator[Figure]:
    """ "half a terabyte": a share of one unit that is more than a count."""
    for match in _PART_OF.finditer(text):
        unit = spelled_unit(tuple(word for word in re.findall(_UNIT_WORD, match["unit"]) if word != "per"))
        if unit:
            figure = _figure(_FRACTIONS[match["part"].lower()], 0.0, unit, match[0])
            if figure.measures:
                yield figure
