"""The request of a critique on the pages of a round, which know nothing of it themselves."""

from typing import Any
from uuid import UUID

from django import template
from django.utils import timezone

from grading.panel import panel_of
from trainer.rounds.core import machine
from trainer.rounds.selectors import get_round_for_user

register = template.Library()

# Their pages hold what was typed and not sent: without scripts the panel's forms leave them where they are.
_TYPED_IN = (machine.SCORING, machine.CRITIQUE)


@register.inclusion_tag("grading/panel.html", takes_context=True)
def critic_panel(context: dict[str, Any], round_id: UUID) -> dict[str, Any]:
    """The panel of a submitted round."""
    user = context["request"].user
    panel = panel_of(get_round_for_user(user, round_id), user, timezone.now())
    keeps = context["page"].state in _TYPED_IN
    return {"panel": panel, "on": "round", "keeps": keeps, "csrf_token": context.get("csrf_token")}


@register.filter
def clock(seconds: float | None) -> str:
    """125 is "2:05"."""
    if seconds is None:
        return ""
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}:{rest:02d}"


@register.filter
def difference(levels: int | None) -> str:
    """+1, −2, 0 for a difference of levels; a dash where there is none."""
    if levels is None:
        return "–"
    return f"+{levels}" if levels > 0 else f"−{-levels}" if levels else "0"


@register.filter
def signed_levels(levels: float) -> str:
    """A mean of differences of levels with its sign: +0.40, −1.25."""
    return f"{'−' if levels < 0 else '+'}{abs(levels):.2f}"


@register.filter
def thousands(number: int) -> str:
    """12,000 for 12000."""
    return f"{number:,}"
