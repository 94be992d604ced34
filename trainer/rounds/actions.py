"""The forms of a round. Taken: 303 to the round's page. Refused: that page with the message at its field and what was
typed. Asked for by GET (a log-in that came between, a reload): the round's page."""

from collections.abc import Callable
from datetime import datetime
from functools import wraps
from uuid import UUID

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from grading.core import rubric
from trainer.rounds import pages, services
from trainer.rounds.core import machine
from trainer.rounds.looks import SeeOther, look, refusal_json, trainee
from trainer.rounds.models import Round
from trainer.rounds.refusals import RoundRefused
from trainer.rounds.services import ScoreInput

type Act = Callable[..., object]


def form_action(act: Act) -> Callable[..., HttpResponse]:
    """A view of `act(request, round_, now, ...)`: one service call, its refusals shown where they belong."""

    @require_http_methods(["POST", "GET"])
    @never_cache
    @wraps(act)
    def view(request: HttpRequest, round_id: UUID, **arguments: int) -> HttpResponse:
        round_, now = look(request, round_id)
        page_url = reverse("rounds:round", args=[round_.pk])
        if request.method == "GET":
            return SeeOther(page_url)
        by_script = not request.accepts("text/html")
        try:
            act(request, round_, now, **arguments)
        except RoundRefused as refused:
            if by_script:
                return refusal_json(refused)
            settled, _ = look(request, round_id)
            return pages.render_round(request, settled, status=refused.status, refused=refused, posted=request.POST)
        return JsonResponse({"url": page_url}) if by_script else SeeOther(page_url)

    return view


@require_http_methods(["POST", "GET"])
@never_cache
def start(request: HttpRequest) -> HttpResponse:
    """Begin a round of a design: at its prompt, without a clock."""
    if request.method == "GET":
        return SeeOther(reverse("rounds:index"))
    slug, mode = request.POST.get("design", ""), request.POST.get("mode", "")
    try:
        round_ = services.round_start(user=trainee(request), slug=slug, mode=mode, now=timezone.now())
    except RoundRefused as refused:
        return pages.render_index(request, status=refused.status, refused=refused)
    return SeeOther(reverse("rounds:round", args=[round_.pk]))


@form_action
def ask(request: HttpRequest, round_: Round, now: datetime) -> None:
    """A clarifying question, in one's own words or by a card."""
    text, card = request.POST.get("text", ""), request.POST.get("card", "")
    services.question_ask(round=round_, text=text, card=card, now=now)


@form_action
def begin(request: HttpRequest, round_: Round, now: datetime) -> None:
    """Start the clock at the prompt, or go on from the arithmetic to the writing before its bell."""
    begins = {machine.PROMPT: services.arithmetic_begin, machine.ARITHMETIC: services.writing_begin}
    begin_from = begins.get(request.POST.get("from", ""))
    if begin_from is None:
        raise RoundRefused("invalid", "from must be prompt or arithmetic.", 422, field="from")
    begin_from(round=round_, now=now)


@form_action
def star(request: HttpRequest, round_: Round, now: datetime) -> None:
    """Star a line of the worksheet by its name; an empty name takes the star back."""
    services.deciding_star(round=round_, line_name=request.POST.get("line", ""), now=now)


@form_action
def submit(request: HttpRequest, round_: Round, now: datetime) -> None:
    """Hand in."""
    services.round_submit(round=round_, now=now)


@form_action
def pause(request: HttpRequest, round_: Round, now: datetime) -> None:
    """Stop the clock of a practice round."""
    services.round_pause(round=round_, now=now)


@form_action
def resume(request: HttpRequest, round_: Round, now: datetime) -> None:
    """Let a paused clock run on."""
    services.round_resume(round=round_, now=now)


@form_action
def abandon(request: HttpRequest, round_: Round, now: datetime) -> None:
    """Give the round up; with `from`, only if it still is in that state."""
    services.round_abandon(round=round_, now=now, seen_state=request.POST.get("from", ""))


@form_action
def addendum_decide(request: HttpRequest, round_: Round, now: datetime, addendum_id: int) -> None:
    """Keep a late addendum, or discard it."""
    decision = request.POST.get("decision", "")
    services.addendum_decide(round=round_, addendum_id=addendum_id, decision=decision, now=now)


@form_action
def scores(request: HttpRequest, round_: Round, now: datetime) -> None:
    """All eight lines in one form."""
    posted = {
        line.number: ScoreInput(
            level=request.POST.get(f"level_{line.number}", ""),
            quote=request.POST.get(f"quote_{line.number}", ""),
            confidence=request.POST.get(f"confidence_{line.number}", ""),
        )
        for line in rubric.LINES
    }
    services.scores_record(round=round_, scores=posted, now=now)


@form_action
def reveal(request: HttpRequest, round_: Round, now: datetime) -> None:
    """Read on from the position that the form names."""
    services.reveal_advance(round=round_, position=request.POST.get("position", ""), now=now)


@form_action
def critique_first(request: HttpRequest, round_: Round, now: datetime, number: int) -> None:
    """The first sentence of an answer stands."""
    services.critique_first_sentence(round=round_, number=number, now=now)


@form_action
def critique_answer(request: HttpRequest, round_: Round, now: datetime, number: int) -> None:
    """Answer a critique."""
    services.critique_answer(round=round_, number=number, text=request.POST.get("answer", ""), now=now)


@form_action
def critique_mark(request: HttpRequest, round_: Round, now: datetime, number: int) -> None:
    """Mark one's answer."""
    services.critique_mark(round=round_, number=number, mark=request.POST.get("mark", ""), now=now)
