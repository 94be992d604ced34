"""One line of working: what the page, the command line, the JSON and the spoken script all show."""

from calculator.core.records import record


@record
class Step:
    """One result. ``path`` groups it (``memory/kv_cache/per_token``), ``value`` is in base units of ``unit``.

    ``formula`` uses names, ``with_numbers`` is the same with the numbers put in, ``why`` says what follows from it.
    ``value`` is ``None`` where there is no answer, and ``why`` then says the reason.
    """

    path: str
    title: str
    value: float | None
    unit: str
    formula: str
    with_numbers: str
    why: str
    source: str
