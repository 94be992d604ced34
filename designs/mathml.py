"""A step's formula, written as one says it, as MathML."""

import re
from html import escape

from django.utils.safestring import SafeString, mark_safe

from calculator.core.mathml import to_mathml

_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d[\d,]*(?:\.\d+)?)|(?P<operator>->|<=|>=|[-+*/·×÷=≈≤≥<>(),|^−√Σ∑])"
    r"|(?P<words>[^\s\d+*/·×÷=≈≤≥<>(),|^−√Σ∑-](?:[^\s+*/·×÷=≈≤≥<>(),|^−√Σ∑-]|-(?=\w))*"
    r"(?:\s+[^\W\d](?:[^\s+*/·×÷=≈≤≥<>(),|^−√Σ∑-]|-(?=\w))*)*)|(?P<other>\S))"
)
_BREAKS = {f"<mo>{sign}</mo>" for sign in "·×÷+−/=≈≤≥→"}
_SHOWN = {"*": "·", "-": "−", "->": "→", "<=": "≤", ">=": "≥"}


def formula_html(formula: str) -> SafeString:
    """A formula as MathML: set as mathematics when it is one, else word by word, so that a long one may wrap."""
    try:
        return mark_safe(to_mathml(formula))
    except (ValueError, RecursionError):
        return mark_safe("<wbr>".join(f"<math>{part}</math>" for part in _parts(formula)))


def _parts(formula: str) -> list[str]:
    """The formula cut before each operator that a line may break at: a browser breaks no line inside of MathML."""
    row: list[str] = []
    for match in _TOKEN.finditer(formula):
        text = match.group(match.lastgroup or 0).strip()
        kind = {"number": "mn", "operator": "mo"}.get(match.lastgroup or "", "mtext")
        if kind == "mtext" and len(text) == 1:
            kind = "mi"
        row.append(f"<{kind}>{escape(_SHOWN.get(text, text))}</{kind}>")
    while "<mo>^</mo>" in row[1:-1]:
        at = row.index("<mo>^</mo>", 1)
        row[at - 1 : at + 2] = [f"<msup>{row[at - 1]}{row[at + 1]}</msup>"]
    parts = [""]
    for piece in row:
        if piece in _BREAKS and parts[-1]:
            parts.append(piece.replace("<mo>", '<mo form="infix">'))
        else:
            parts[-1] += piece
    return parts
