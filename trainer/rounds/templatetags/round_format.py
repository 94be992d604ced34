"""How a round's times and shares are written on its pages."""

from collections.abc import Iterable, Mapping
from datetime import timedelta

from django import template

from calculator.forms import field_groups
from calculator.parsing import EXAMPLE
from trainer.rounds.parts import OwnText

register = template.Library()

SMALLEST_FACTOR = 0.001

STATES = ("prompt", "arithmetic", "writing", "scoring", "reveal", "critique", "done")


@register.filter
def minutes(duration: timedelta | float | None) -> str:
    """`m:ss`, or `h:mm:ss` from an hour on; empty for nothing."""
    if duration is None:
        return ""
    seconds = round(duration.total_seconds() if isinstance(duration, timedelta) else duration)
    hours, rest = divmod(max(0, seconds), 3600)
    whole_minutes, left = divmod(rest, 60)
    return f"{hours}:{whole_minutes:02}:{left:02}" if hours else f"{whole_minutes}:{left:02}"


@register.filter
def percent(share: float) -> str:
    """A share of 0 to 1 as a whole percentage, without the sign, for a bar's width and its label."""
    return f"{100 * share:.0f}"


@register.filter
def factor(ratio: float) -> str:
    """How many times: three digits that count, `2,470,000`, `1.38`, and `less than 0.001` below that."""
    if 0 <= ratio < SMALLEST_FACTOR:
        return f"less than {SMALLEST_FACTOR}"
    rounded = float(f"{ratio:.3g}")
    return f"{rounded:,.0f}" if abs(rounded) >= 100 else f"{rounded:g}"


@register.filter
def written(sections: Iterable[OwnText]) -> list[OwnText]:
    """Those of one's own sections that hold text."""
    return [section for section in sections if section.text.strip()]


@register.filter
def signed(change: int) -> str:
    """A change with its sign; a true minus sign."""
    return f"+{change}" if change > 0 else f"−{-change}" if change else "±0"


@register.filter
def state_number(state: str) -> int:
    """Which of the seven a state is, from 1; 0 for one that is none of them."""
    return STATES.index(state) + 1 if state in STATES else 0


@register.simple_tag
def round_states() -> tuple[str, ...]:
    """The seven states in order."""
    return STATES


@register.inclusion_tag("rounds/calculator_panel.html")
def calculator_panel() -> dict[str, object]:
    """The calculator's first questions, with the answers that it starts from."""
    fields = {field.name: field for group in field_groups(EXAMPLE, None, ()) for field in group.fields}
    return {"fields": [(name, fields[name].label, fields[name].unit, EXAMPLE[name]) for name in EXAMPLE]}


@register.filter
def error_of(errors: dict[str, str], field: str) -> str:
    """The message at a field; empty without one."""
    return errors.get(field, "")


@register.simple_tag
def typed(posted: Mapping[str, str], field: str, stored: str) -> str:
    """What a field shows: what was posted if it was, else what is stored."""
    return posted.get(field, stored)


@register.filter
def field_of(name: str, number: int) -> str:
    """`"level"|field_of:3` is `level_3`."""
    return f"{name}_{number}"


@register.filter
def seconds_by(seconds: float, factor: float) -> timedelta:
    """A phase's length under an extra time factor."""
    return timedelta(seconds=seconds * float(factor))
