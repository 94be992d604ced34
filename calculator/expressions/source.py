"""The text of an expression, as a person types or pastes it, brought to the few characters that the language knows."""

import unicodedata
from dataclasses import dataclass

from calculator.expressions.errors import ExpressionError
from calculator.expressions.limits import EXPRESSION_CHARACTERS

_TYPED_AS = {
    **dict.fromkeys("−–—‐‑‒﹣－", "-"),
    **dict.fromkeys("×·⋅∙∗✕✖＊", "*"),
    **dict.fromkeys("÷∕⁄／", "/"),
    **dict.fromkeys("‘’‚‛′", "'"),
    **dict.fromkeys("“”„‟″", '"'),
    **dict.fromkeys(
        "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000\t\n\r", " "
    ),
    **dict.fromkeys("µμ", "u"),
    "＋": "+",
    "→": "->",
    "％": "%",
}
_SUPERSCRIPTS = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-", strict=True))


@dataclass(frozen=True)
class Source:
    """Normalised ``text`` and, for each of its characters, the column (from 1) where it was typed."""

    text: str
    columns: tuple[int, ...]
    typed: str

    def column(self, position: int) -> int:
        """The column in the typed text of the character at ``position``; one past the end for the end."""
        return self.columns[position] if position < len(self.columns) else len(self.typed.rstrip()) + 1


def source_of(typed: str) -> Source:
    """``typed`` with typographic characters replaced. Refuses what is too long, and what cannot be seen."""
    if len(typed) > EXPRESSION_CHARACTERS:
        raise ExpressionError(
            f"this is {len(typed):,} characters long; an expression has {EXPRESSION_CHARACTERS:,} at most", kind="limit"
        )
    text: list[str] = []
    columns: list[int] = []
    raised = False
    for column, character in enumerate(typed, start=1):
        replacement = _replacement(character, column)
        superscript = character in _SUPERSCRIPTS
        if superscript and not raised:
            replacement = "^" + replacement
        raised = superscript
        text.extend(replacement)
        columns.extend([column] * len(replacement))
    return Source("".join(text), tuple(columns), typed)


def _replacement(character: str, column: int) -> str:
    if character in _SUPERSCRIPTS:
        return _SUPERSCRIPTS[character]
    if character in _TYPED_AS:
        return _TYPED_AS[character]
    if unicodedata.category(character) in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}:
        raise ExpressionError(
            f"there is an invisible character (U+{ord(character):04X}) here: delete it", kind="syntax", column=column
        )
    return character
