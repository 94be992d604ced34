"""The pages and forms of a critique. Taken: 303 to the page. Refused: the page, with the message and what was typed.

Asked for by GET (a log-in that came between, a reload), a form's address leads to its page. To htmx go parts alone.
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from functools import wraps
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.text import capfirst
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from calculator.views_worksheet import render_worksheet
from grading import services
from grading.expression_sheet import sheet_of
from grading.findings import heading_of
from grading.models import Asked, Critique, CritiqueItem
from grading.pages import At, critic_page, next_open
from grading.panel import panel_of
from grading.refusals import CritiqueRefused
from grading.selectors import get_item_for_user, get_mutation_for_user, live_critique
from trainer.rounds.core import machine
from trainer.rounds.looks import SeeOther, look, trainee
from trainer.rounds.models import Round

type Act = Callable[..., str]
_CRITIC_PAGE = "critic"  # the part that asks stands on the critique's own page


@require_safe
@never_cache
def page(request: HttpRequest, round_id: UUID, kind: str = "", number: int = 0) -> HttpResponse:
    """The critique of a round: one of its nine, or the first that is not marked."""
    round_, now = look(request, round_id)
    if kind:
        _get(request, round_, kind, number)
    if round_.state not in machine.SUBMITTED:
        message = f"A critique is of a submission; this round is {machine.STATE_NAMES[round_.state]}."
        return _page(request, round_, now, refused=CritiqueRefused("out_of_order", message, 409))
    return _page(request, round_, now, at=(kind, number) if kind else None)


@require_safe
@never_cache
def status(request: HttpRequest, round_id: UUID) -> HttpResponse:
    """The panel's inside as it is now; the critique's own page is loaded anew once there is more to see."""
    round_, now = look(request, round_id)
    return _panel(request, round_, now)


@require_safe
@never_cache
def reply(request: HttpRequest, round_id: UUID, kind: str, number: int) -> HttpResponse:
    """The reply to an answer as it is now, and the form to mark the answer once it is there."""
    round_, now = look(request, round_id)
    _get(request, round_, kind, number)
    shown = critic_page(round_, trainee(request), now, (kind, number))
    return _render(request, "grading/reply.html", {"page": shown, "asked": shown.current, "part": True})


@require_safe
@never_cache
def worksheet(request: HttpRequest, round_id: UUID, number: int) -> HttpResponse:
    """The expression of a critique, opened in the worksheet."""
    round_, _ = look(request, round_id)
    item = get_item_for_user(trainee(request), round_, number)
    if not item.expression:
        raise Http404("This critique claims no number.")
    back = _address(round_, ("critique", number))
    origin = {
        "title": capfirst(heading_of(item)),
        "url": back,
        "label": f"Critique {number}",
        "step_id": "its number",
        "lead": "The number that the critique rests on, and what it is worked out from.",
    }
    return render_worksheet(request, sheet_of(item), origin=origin)


def critic_action(act: Act) -> Callable[..., HttpResponse]:
    """A view of `act(request, round_, now, ...)`, which gives the address to go on to."""

    @require_http_methods(["POST", "GET"])
    @never_cache
    @wraps(act)
    def view(request: HttpRequest, round_id: UUID, **arguments: Any) -> HttpResponse:
        round_, now = look(request, round_id)
        at: At = (arguments["kind"], arguments["number"]) if arguments else None
        if request.method == "GET":
            return SeeOther(_address(round_, at))
        try:
            address = act(request, round_, now, **arguments)
        except CritiqueRefused as refused:
            return _refused(request, round_, now, refused, at)
        return _panel(request, round_, now, pressed=True) if _htmx(request) else SeeOther(address)

    return view


def _asked_for(round_: Round) -> Critique:
    """The critique of a round. Raises: CritiqueRefused 409 when none was asked for."""
    critique = live_critique(round_)
    if critique is None:
        raise CritiqueRefused("out_of_order", "No critique of this round was asked for.", 409)
    return critique


@critic_action
def request_critique(request: HttpRequest, round_: Round, now: datetime) -> str:
    """Have the submission attacked."""
    services.critique_request(round=round_, user=trainee(request), now=now)
    return _address(round_)


@critic_action
def retry(request: HttpRequest, round_: Round, now: datetime) -> str:
    """Try a failed critique again."""
    services.critique_retry(critique=_asked_for(round_), now=now)
    return _address(round_)


@critic_action
def fall_back(request: HttpRequest, round_: Round, now: datetime) -> str:
    """Have the built-in critic do what a model failed at."""
    services.critique_fall_back(critique=_asked_for(round_), now=now)
    return _address(round_)


@critic_action
def close(request: HttpRequest, round_: Round, now: datetime) -> str:
    """Be through with it: what has no answer becomes a card."""
    services.critique_close(critique=_asked_for(round_), now=now)
    return f"{_address(round_)}#close"


@critic_action
def answer(request: HttpRequest, round_: Round, now: datetime, kind: str, number: int) -> str:
    """Answer a critique or a mutation."""
    row, text = _get(request, round_, kind, number), request.POST.get("answer", "")
    if isinstance(row, CritiqueItem):
        services.item_answer(item=row, text=text, now=now)
    else:
        services.mutation_answer(mutation=row, text=text, now=now)
    return f"{_address(round_, (kind, number))}#answered"


@critic_action
def mark(request: HttpRequest, round_: Round, now: datetime, kind: str, number: int) -> str:
    """Mark one's answer, and go on to the next that is open."""
    row, said = _get(request, round_, kind, number), request.POST.get("mark", "")
    if isinstance(row, CritiqueItem):
        services.item_mark(item=row, mark=said, now=now)
    else:
        services.mutation_mark(mutation=row, mark=said, now=now)
    return f"{_address(round_, next_open(row.critique))}#asked-title"


@critic_action
def reply_retry(request: HttpRequest, round_: Round, now: datetime, kind: str, number: int) -> str:
    """Ask once more for a reply that failed."""
    services.reply_retry(asked=_get(request, round_, kind, number), now=now)
    return f"{_address(round_, (kind, number))}#answered"


def _get(request: HttpRequest, round_: Round, kind: str, number: int) -> Asked:
    find = get_item_for_user if kind == "critique" else get_mutation_for_user
    return find(trainee(request), round_, number)


def _address(round_: Round, at: At = None) -> str:
    if at is None:
        return reverse("critic:page", args=[round_.pk])
    return reverse(f"critic:{at[0]}", args=[round_.pk, at[1]])


def _refused(request: HttpRequest, round_: Round, now: datetime, refused: CritiqueRefused, at: At) -> HttpResponse:
    response = _page(request, round_, now, refused=refused, at=at)
    if _htmx(request):
        response["HX-Refresh"] = "true"  # the page is behind: its state was changed elsewhere
    return response


def _page(
    request: HttpRequest, round_: Round, now: datetime, *, refused: CritiqueRefused | None = None, at: At = None
) -> HttpResponse:
    context = {
        "page": critic_page(round_, trainee(request), now, at),
        "refused": refused,
        "posted": request.POST if refused else {},
        "on": _CRITIC_PAGE,
    }
    return _render(request, "grading/page.html", context, status=refused.status if refused else 200)


def _panel(request: HttpRequest, round_: Round, now: datetime, *, pressed: bool = False) -> HttpResponse:
    """The panel's inside for htmx; `pressed` when a button of it was: then the focus goes to what replaced it."""
    asks_from = request.POST.get("on", "") or request.GET.get("on", "")
    panel = panel_of(round_, trainee(request), now)
    if panel is None:
        raise Http404("There is no critique before the submission.")
    said = {"changed": panel.seen != request.GET.get("seen", ""), "pressed": pressed, "part": True}
    response = _render(request, "grading/panel_inside.html", {"panel": panel, "on": asks_from, **said})
    if panel.opens and asks_from == _CRITIC_PAGE:
        response["HX-Refresh"] = "true"
    return response


def _htmx(request: HttpRequest) -> bool:
    return bool(request.htmx)  # type: ignore[attr-defined]


def _render(request: HttpRequest, template: str, context: Mapping[str, Any], *, status: int = 200) -> HttpResponse:
    """The page with its times in the trainee's own zone."""
    with timezone.override(ZoneInfo(trainee(request).time_zone)):
        return render(request, template, context, status=status)
