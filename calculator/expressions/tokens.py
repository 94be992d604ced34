"""From text to tokens: here the words after a number become units, and all other words names.

The rule for units: a unit stands directly after a number, and takes in every ``/unit`` and (without spaces) ``*unit``
that follows, so that ``140 GB / 3.35 TB/s`` divides by a rate. Anywhere else a word is a name.
"""

import difflib
import re
from collections.abc import Container, Iterator

from lark.lexer import Token

from calculator.expressions.errors import ExpressionError
from calculator.expressions.limits import NAME_CHARACTERS, TOKENS, within_limits
from calculator.expressions.source import Source
from calculator.expressions.words import HINTS, LABEL_WORDS, PLURAL_LABELS, WORDS

_NUMBER = re.compile(r"(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d+)?", re.ASCII)
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?!\d)", re.ASCII)
_WORD = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*", re.ASCII)
_COMPOUND = re.compile("|".join(sorted((re.escape(word) for word in WORDS if "-" in word), key=len, reverse=True)))
_UNIT_POWER = re.compile(r" *(?:\^|\*\*) *(-?\d{1,2})(?![\d.eE_])", re.ASCII)
_SPACES = re.compile(" *")
_BEFORE_UNIT = ("NUMBER", "UNIT_OVER", "UNIT_OVER_SPACED", "UNIT_TIMES", "ARROW")
_OPERATORS = {
    "->": "ARROW",
    "**": "POWER",
    "^": "POWER",
    "+": "PLUS",
    "-": "MINUS",
    "*": "TIMES",
    "/": "OVER",
    "(": "LEFT",
    ")": "RIGHT",
    ",": "COMMA",
}
_REFUSED = {
    "$": "write dollars as a unit after the number: 2.5 USD",
    "'": "there is no text in an expression",
    '"': "there is no text in an expression",
    "=": "'=' names a line of the worksheet and has no place inside an expression",
    "[": "only round brackets group",
    "]": "only round brackets group",
    "{": "only round brackets group",
    "}": "only round brackets group",
    "!": "there is no factorial here",
    "<": "there are no comparisons here",
    ">": "there are no comparisons here; '-> GiB' converts",
    "~": "'~' has no place here: write the number alone",
    "≈": "'≈' has no place here: write the number alone",
    "√": "write sqrt( )",
    "#": "a comment has no place here",
    ";": "one expression at a time",
    ".": "a '.' joins the two parts of a fact's name, as in llama70b.layers, and has no other use",
}


def tokens_of(source: Source, shadowed: Container[str] = ()) -> list[Token]:
    """The tokens of ``source``. A label that is in ``shadowed`` means the line of that name, not the unit."""
    tokens: list[Token] = []
    for token in _Reader(source, shadowed).read():
        tokens.append(token)
        if len(tokens) > TOKENS:
            raise ExpressionError(f"this has more than {TOKENS} parts, the limit for one expression", kind="limit")
    return tokens


class _Reader:
    def __init__(self, source: Source, shadowed: Container[str]) -> None:
        self.source = source
        self.text = source.text
        self.shadowed = shadowed
        self.position = 0
        self.last = ""

    def read(self) -> Iterator[Token]:
        while True:
            self._skip_spaces()
            if self.position >= len(self.text):
                return
            token = self._unit() or self._unit_operator() or self._number() or self._word() or self._operator()
            self.last = token.type
            yield token

    def _token(self, kind: str, end: int) -> Token:
        column = self.source.column(self.position)
        token = Token(kind, self.text[self.position : end], start_pos=self.position, column=column, end_pos=end)
        self.position = end
        return token

    def _skip_spaces(self) -> None:
        self.position = self._after_spaces(self.position)

    def _after_spaces(self, position: int) -> int:
        spaces = _SPACES.match(self.text, position)
        return spaces.end() if spaces else position

    def _unit(self) -> Token | None:
        if self.last in ("UNIT", "UNIT_POWER"):
            return self._unit_power() if self.last == "UNIT" else None
        if self.last not in _BEFORE_UNIT:
            return None
        end = self._unit_word_end(self.position)
        if end is not None:
            return self._token("UNIT", end)
        if self.last == "ARROW" and self.text[self.position] == "/":
            return None
        word = _WORD.match(self.text, self.position)
        if word is not None:
            raise self._unknown_unit(word.group())
        return None

    def _unit_power(self) -> Token | None:
        power = _UNIT_POWER.match(self.text, self.position)
        return self._token("UNIT_POWER", power.end()) if power else None

    def _unit_operator(self) -> Token | None:
        """A ``/`` or ``*`` that belongs to the unit before it."""
        if self.last not in ("NUMBER", "UNIT", "UNIT_POWER", "ARROW") or self.text[self.position] not in "*/":
            return None
        start = self._after_spaces(self.position + 1)
        end = self._unit_word_end(start)
        if end is None:
            return None
        spaced = start > self.position + 1 or self.text[self.position - 1] == " "
        over = self.text[self.position] == "/"
        if not over and (spaced or self.last == "NUMBER"):
            return None
        if over and spaced and self.text[start:end] in PLURAL_LABELS:
            word = self.text[start:end]
            raise ExpressionError(
                f"'{word}' has not been defined; if you mean 'for each', write it in the singular",
                kind="name",
                column=self.source.column(start),
            )
        return self._token("UNIT_OVER_SPACED" if over and spaced else "UNIT_OVER" if over else "UNIT_TIMES", start)

    def _unit_word_end(self, start: int) -> int | None:
        """Where the unit word at ``start`` ends, if there is one."""
        if self.text.startswith("%", start):
            return start + 1
        compound = _COMPOUND.match(self.text, start)
        if compound is not None and not self.text[compound.end() : compound.end() + 1].isalnum():
            return compound.end()
        word = _WORD.match(self.text, start)
        if word is None or word.group() not in WORDS or self._calls(word.end()):
            return None
        if word.group() in LABEL_WORDS and word.group() in self.shadowed:
            return None
        return word.end()

    def _calls(self, end: int) -> bool:
        return self.text[end:].lstrip(" ").startswith("(")

    def _unknown_unit(self, word: str) -> ExpressionError:
        column = self.source.column(self.position)
        if word in self.shadowed and word in LABEL_WORDS:
            message = (
                f"'{word}' is a line of yours, so it cannot be a unit here:"
                " call the line something else to have the unit, or write * to multiply by it"
            )
            return ExpressionError(message, kind="unit", column=column)
        if self._calls(self.position + len(word)):
            return ExpressionError(f"an operator (such as *) is missing before '{word}('", kind="syntax", column=column)
        if word in HINTS:
            return ExpressionError(HINTS[word], kind="unit", column=column)
        if word in self.shadowed or "." in word:
            return ExpressionError(f"write an operator between the number and '{word}'", kind="syntax", column=column)
        near = near_words(word, (known for known in WORDS if "-" not in known))
        return ExpressionError(f"'{word[:NAME_CHARACTERS]}' is no unit{near}", kind="unit", column=column)

    def _number(self) -> Token | None:
        number = _NUMBER.match(self.text, self.position)
        if number is None:
            return None
        column = self.source.column(self.position)
        grouped = _GROUPED.match(self.text, self.position)
        if grouped is not None:
            plain = grouped.group().replace(",", "")
            raise ExpressionError(
                f"a number has no commas here: write {plain} or {grouped.group().replace(',', '_')} "
                "(between arguments, put a space after the comma)",
                kind="syntax",
                column=column,
            )
        try:
            within_limits(float(number.group()), column)
        except ExpressionError:
            raise
        except ValueError:
            message = f"'{number.group()[:NAME_CHARACTERS]}' is no number: an underscore stands between two digits"
            raise ExpressionError(message, kind="syntax", column=column) from None
        return self._token("NUMBER", number.end())

    def _word(self) -> Token | None:
        word = _WORD.match(self.text, self.position)
        if word is None:
            return None
        if len(word.group()) > 2 * NAME_CHARACTERS:
            raise ExpressionError(
                f"a name has {NAME_CHARACTERS} characters at most",
                kind="limit",
                column=self.source.column(self.position),
            )
        rest = self.text[word.end() :].lstrip(" ")
        if "." in word.group():
            return self._token("FACT", word.end())
        if rest.startswith("("):
            return self._token("FUNCTION", word.end())
        if rest.startswith("=") and not rest.startswith("=="):
            return self._token("KEYWORD", len(self.text) - len(rest) + 1)
        return self._token("NAME", word.end())

    def _operator(self) -> Token:
        for size in (2, 1):
            sign = self.text[self.position : self.position + size]
            if sign in _OPERATORS:
                return self._token(_OPERATORS[sign], self.position + size)
        character = self.text[self.position]
        column = self.source.column(self.position)
        if character == "%":
            raise ExpressionError("'%' stands after a number, as in 5%", kind="syntax", column=column)
        if character.isalpha():
            message = f"'{character}' has no place in a name: names are made of the letters a to z, digits and '_'"
            raise ExpressionError(message, kind="name", column=column)
        reason = _REFUSED.get(character, f"'{character}' has no meaning here")
        raise ExpressionError(reason, kind="syntax", column=column)


def near_words(word: str, known: "Iterator[str] | list[str]", *, count: int = 3) -> str:
    """ ": did you mean ...?" with the known words nearest to ``word``, or nothing."""
    if len(word) > NAME_CHARACTERS:
        return ""
    spelled = {other.lower(): other for other in known}
    found = difflib.get_close_matches(word.lower(), list(spelled), n=count, cutoff=0.7)
    return f": did you mean {' or '.join(spelled[match] for match in found)}?" if found else ""
