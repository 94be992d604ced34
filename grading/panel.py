"""The request of a critique and how far it is: shown from the submission on, and without a word of the results."""

from datetime import datetime

from django.conf import settings

from grading.client.endpoint import configured_endpoint
from grading.models import Critique, State
from grading.parts import EndpointSays, Panel
from grading.selectors import Progress, live_critique, progress_of, results_open
from grading.services.ledger import budget_of, usd
from trainer.accounts.models import User
from trainer.rounds.core import machine
from trainer.rounds.models import Round

_STEPS = {
    "critique": "The model is asked for its critiques.",
    "repair": "The critiques are checked; what may be mended is asked for once more.",
    "anchors": "The critiques are checked. The model goes through the statements of the rubric.",
}


def panel_of(round_: Round, user: User, now: datetime) -> Panel | None:
    """The panel of a submitted round; None before the submission and for an abandoned round."""
    if round_.state not in machine.SUBMITTED:
        return None
    critique = live_critique(round_)
    endpoint = endpoint_says(user, now)
    replaces = bool(endpoint and critique and critique.kind == Critique.Kind.BUILTIN and _has_words(round_))
    progress = progress_of(critique, now) if critique else None
    opens = critique is not None and results_open(critique)
    return Panel(
        round_id=round_.pk,
        endpoint=endpoint,
        may_request=critique is None or replaces,
        replaces=replaces,
        kind=critique.kind if critique else "",
        progress=progress,
        said=_said(progress, opens=opens) if progress else "",
        opens=opens,
        done=round_.state == machine.DONE,
    )


def endpoint_says(user: User, now: datetime) -> EndpointSays | None:
    """Where a submission of this trainee would go; None without an endpoint."""
    endpoint = configured_endpoint()
    if endpoint is None:
        return None
    budget = budget_of(user, now)
    cap = settings.CRITIC_REQUEST_CAP_USD
    return EndpointSays(
        model=endpoint.model,
        host=endpoint.host,
        price_as_of=endpoint.price.as_of if endpoint.price else None,
        cap=usd(cap) if cap is not None else "",
        left=usd(budget.left_usd) if budget.left_usd is not None else "",
        limit=usd(budget.limit_usd) if budget.limit_usd is not None else "",
        budget_ends_at=budget.ends_at,
    )


def _said(progress: Progress, *, opens: bool) -> str:
    if progress.state == State.SHOWN:
        return "It is made, and open." if opens else "It is made. It opens when the round is done."
    return work_said(progress)


def work_said(progress: Progress) -> str:
    """How far a critique or a reply is, in a sentence."""
    if progress.state == State.FAILED:
        return f"It failed. {progress.reason}"
    if progress.state in (State.RUNNING, State.CHECKING):
        return _STEPS.get(progress.step, "The model is asked.")
    if progress.retry_in_s is not None:
        return f"{progress.reason} It is tried again by itself in {progress.retry_in_s} s."
    if not progress.ahead:
        return "Queued: it is next."
    return f"Queued: {progress.ahead} before it."


def _has_words(round_: Round) -> bool:
    return round_.documents.exclude(text="").exists()
