"""Which names a line may have, and what to say about a name that is unknown.

A line may not be called like a function, like a unit of bytes, FLOP, seconds, USD or a share, or like a row of the
catalogue. It may be called like a label (``layers``, ``tokens``): from then on the word means the line, and is no unit
any more.
"""

import re
from collections.abc import Iterable, Mapping

from calculator.expressions.errors import ExpressionError
from calculator.expressions.formulas import dtype_names, formulas
from calculator.expressions.known import Facts
from calculator.expressions.limits import NAME_CHARACTERS
from calculator.expressions.mathematics import MATHEMATICS
from calculator.expressions.quantity import Quantity
from calculator.expressions.tokens import near_words
from calculator.expressions.words import LABEL_WORDS, RESERVED, WORDS

_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)


def check_name(name: str, facts: Facts) -> None:
    """Refuse a name that a line cannot have. Raises ExpressionError("name")."""
    problem = _problem(name, facts)
    if problem is not None:
        raise ExpressionError(problem, kind="name", column=1)


def _problem(name: str, facts: Facts) -> str | None:
    shown = name if len(name) <= NAME_CHARACTERS else f"{name[:NAME_CHARACTERS]}..."
    if not _NAME.fullmatch(name):
        spelled = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_")
        hint = f": write {spelled}" if _NAME.fullmatch(spelled) and len(spelled) <= NAME_CHARACTERS else ""
        return f"'{shown}' cannot be a name (letters a to z, digits and '_', not starting with a digit){hint}"
    if len(name) > NAME_CHARACTERS:
        return f"a name has {NAME_CHARACTERS} characters at most"
    if name in RESERVED:
        return f"'{name}' is a unit: choose another name, such as {name}_"
    if name in MATHEMATICS or name in formulas():
        return f"'{name}' is a function: choose another name"
    if facts.language_model(name) is not None or facts.accelerator(name) is not None or name in dtype_names():
        return f"'{name}' is in the catalogue: choose another name"
    return None


def unknown_name(name: str, names: Mapping[str, Quantity], facts: Facts) -> ExpressionError:
    """What to say about a name that stands for nothing here."""
    if name in LABEL_WORDS:
        return ExpressionError(f"'{name}' is not defined (as a label it stands after a number: 1 {name})", kind="name")
    if name in WORDS:
        return ExpressionError(f"'{name}' is a unit and stands after a number: write 1 {name}", kind="unit")
    if name in MATHEMATICS:
        return ExpressionError(f"'{name}' is a function: write {MATHEMATICS[name].signature}", kind="name")
    if name in formulas():
        return ExpressionError(f"'{name}' is a function: write {formulas()[name].signature}", kind="name")
    if facts.language_model(name) is not None:
        return ExpressionError(
            f"'{name}' is a model: name one of its facts ({name}.layers), or give it to a function", kind="name"
        )
    if facts.accelerator(name) is not None:
        return ExpressionError(
            f"'{name}' is an accelerator: name one of its facts ({name}.hbm_bandwidth), or give it to a function",
            kind="name",
        )
    return ExpressionError(f"'{name[:NAME_CHARACTERS]}' is unknown{suggestion(name, names, facts)}", kind="name")


def suggestion(name: str, names: Iterable[str], facts: Facts) -> str:
    """ ": did you mean ...?", out of lines, facts and functions."""
    if len(name) > NAME_CHARACTERS:
        return ""
    own = near_words(name, list(names), count=2)
    if own:
        return own
    known = facts.suggest(name)[:3]
    return f": did you mean {' or '.join(known)}?" if known else near_words(name, [*MATHEMATICS, *formulas()])
