"""A step's formula, written as one says it, as MathML."""

import re
from html import escape

from django.utils.safestring import SafeString, mark_safe

_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d[\d,]*(?:\.\d+)?)|(?P<operator>->|<=|>=|[-+*/·×÷=≈≤≥<>(),|^−√Σ∑])"
    r"|(?P<words>[^\s\d+*/·×÷=≈≤≥<>(),|^−√Σ∑-](?:[^\s+*/·×÷=≈≤≥<>(),|^−√Σ∑-]|-(?=\w))*"
    r"(?:\s+[^\W\d](?:[^\s+*/·×÷=≈≤≥<>(),|^−√Σ∑-]|-(?=\w))*)*)|(?P<other>\S))"
)
_SHOWN = {"*": "·", "-": "−", "->": "→", "<=": "≤", ">=": "≥"}


def formula_html(formula: str) -> SafeString:
    """`2 · layers · bytes` as a row of MathML: numbers, operators, and words as they are; `a^2` is raised."""
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
    return mark_safe(f"<math>{''.join(row)}</math>")
