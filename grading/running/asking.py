"""A question of one step: asked, unless its reply is kept already; then read into its form."""

from collections.abc import Callable, Sequence

from django.db import connection

from grading.client import errors
from grading.client.ask import ask
from grading.client.endpoint import NO_ENDPOINT, Endpoint, configured_endpoint
from grading.client.errors import CallFailed
from grading.core.parsing import RefusalKind, ReplyRefused, parse_reply
from grading.core.prompts import Message
from grading.core.schemas import Reply
from grading.models import ModelCall
from grading.running.holding import Clock
from grading.services import ledger
from grading.services.leases import Lease, work_step
from grading.services.ledger import Subject

_FAILURE_OF: dict[RefusalKind, type[CallFailed]] = {
    "empty": errors.Empty,
    "too large": errors.TooLarge,
    "refusal": errors.Refused,
    "no JSON": errors.WrongForm,
    "cut off": errors.CutOff,
    "wrong schema": errors.WrongForm,
    "too many": errors.WrongForm,
}


class NoEndpoint(CallFailed):
    """The endpoint was taken out of the settings after the critique was asked for."""

    kind = "no_endpoint"


def endpoint_or_fail() -> Endpoint:
    """Raises: NoEndpoint."""
    endpoint = configured_endpoint()
    if endpoint is None:
        raise NoEndpoint(NO_ENDPOINT)
    return endpoint


def reply_of[Form: Reply](
    subject: Subject,
    purpose: ModelCall.Purpose,
    messages: Sequence[Message],
    form: type[Form],
    *,
    endpoint: Endpoint,
    lease: Lease,
    clock: Clock,
    fault: Callable[[Form], CallFailed | None] = lambda _: None,
) -> Form:
    """The reply in its form. A worker that was killed after its call finds the reply kept, and pays for no second one.

    `fault` may find one in a reply that has the form: it is not used then, and asked for again.

    Raises: CallFailed, LeaseLost.
    """
    kept = ModelCall.objects.filter(subject.own_calls, purpose=purpose, state=ModelCall.State.ANSWERED).first()
    call = kept or _called(subject, purpose, messages, form, endpoint=endpoint, lease=lease, clock=clock)
    try:
        reply = parse_reply(call.reply, form)
    except ReplyRefused as refused:
        failure: CallFailed | None = _FAILURE_OF[refused.kind](refused.message, said=refused.said)
    else:
        failure = fault(reply)
    if failure:
        ledger.call_spoil(call=call, failure=failure)
        raise failure
    if kept is None:
        work_step(lease=lease, attempts=1)  # the attempts at the next question count anew
    return reply


def _called(
    subject: Subject,
    purpose: ModelCall.Purpose,
    messages: Sequence[Message],
    form: type[Reply],
    *,
    endpoint: Endpoint,
    lease: Lease,
    clock: Clock,
) -> ModelCall:
    call = ledger.call_reserve(
        subject=subject, purpose=purpose, messages=messages, endpoint=endpoint, token=lease.token, now=clock()
    )
    if not connection.in_atomic_block:  # never, but in a test that is one transaction
        connection.close()  # the database need not wait with us
    try:
        answer = ask(endpoint, messages, form)
    except CallFailed as failure:
        ledger.call_fail(call=call, failure=failure, now=clock())
        raise
    ledger.call_answer(call=call, answer=answer, now=clock())
    call.refresh_from_db()
    return call
