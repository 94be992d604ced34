"""Does a configured endpoint work? Tried with one small question; each finding is a line to read."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from django.conf import settings

from grading.client import Answer, CallFailed, Endpoint, ask
from grading.core.money import cost_usd
from grading.core.parsing import ReplyRefused, parse_reply
from grading.core.prompts import Message
from grading.core.schemas import AnswerReply
from grading.services.ledger import usd

QUESTION = (
    Message("system", "You are an interviewer. Answer with one JSON object and nothing else."),
    Message(
        "user",
        'The candidate says: "The KV cache bounds the batch." Answer with {"reply": one sentence that asks for the '
        'number, "holds": "yes", "partly" or "no"}.',
    ),
)
OLD_PRICE = dt.timedelta(days=90)
USED_TOKENS = 4000  # of a critique, about: what the speed is worth is said for this many
_SCHEMA = {
    "honoured": "honoured",
    "ignored": "not kept to: replies are read leniently",
    "refused": "refused: the form is asked for in words, and replies are read leniently",
}


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at. `ok` is None for what is worth knowing and stops nothing."""

    what: str
    said: str
    ok: bool | None = True


def findings(endpoint: Endpoint, today: dt.date) -> Iterator[Finding]:
    """What works and what does not; the first thing that fails is the last one looked at."""
    yield Finding("address", endpoint.base_url)
    yield Finding("key", "set" if endpoint.api_key else "none: right for a server of your own", ok=None)
    try:
        answer = ask(endpoint, QUESTION, AnswerReply)
    except CallFailed as failure:
        yield Finding("call", f"{failure.in_full} ({failure.kind})", ok=False)
        return
    yield Finding("call", f"reached, key accepted, model {endpoint.model!r} answered in {answer.took_s:.1f} s")
    yield Finding("JSON schema", _SCHEMA[answer.schema_use], ok=True if answer.schema_use == "honoured" else None)
    try:
        parse_reply(answer.text, AnswerReply)
    except ReplyRefused as refused:
        yield Finding("form", f"{refused.in_full} ({refused.kind})", ok=False)
    else:
        yield Finding("form", "the reply has it")
    yield _tokens(answer)
    yield _speed(answer, endpoint)
    yield _price(endpoint, answer, today)
    yield _limits()


def _tokens(answer: Answer) -> Finding:
    usage = answer.usage
    if usage.estimated:
        return Finding("tokens", "not counted by the server: they are estimated from characters", ok=None)
    return Finding("tokens", f"{usage.input_tokens:,} in, {usage.output_tokens:,} out, as the server counts them")


def _speed(answer: Answer, endpoint: Endpoint) -> Finding:
    per_s = answer.usage.output_tokens / answer.took_s
    whole_s = USED_TOKENS / per_s if per_s else float("inf")
    said = f"{per_s:.0f} tokens/s: {USED_TOKENS:,} tokens take about {whole_s:.0f} s of {endpoint.timeout_s:g} s"
    slow = whole_s > endpoint.timeout_s
    return Finding("speed", f"{said}; CRITIC_TIMEOUT_S may be too short" if slow else said, ok=None if slow else True)


def _price(endpoint: Endpoint, answer: Answer, today: dt.date) -> Finding:
    price = endpoint.price
    if price is None:
        said = "not set: costs count as nothing and no budget holds (CRITIC_USD_PER_MILLION_INPUT, _OUTPUT, "
        return Finding("price", f"{said}CRITIC_PRICE_AS_OF)", ok=None)
    cost = cost_usd(price, input_tokens=answer.usage.input_tokens, output_tokens=answer.usage.output_tokens)
    both = f"{_plain(price.usd_per_million_input)} and {_plain(price.usd_per_million_output)} USD per million tokens"
    said = f"{both} in and out, as of {price.as_of}; this call: {usd(cost)}"
    old = today - price.as_of > OLD_PRICE
    return Finding("price", f"{said}; look whether it still holds" if old else said, ok=None if old else True)


def _limits() -> Finding:
    budget, cap = usd(settings.CRITIC_DAILY_BUDGET_USD), usd(settings.CRITIC_REQUEST_CAP_USD)
    return Finding("limits", f"{budget} a day for each trainee, {cap} for one request")


def _plain(amount: Decimal) -> str:
    return f"{amount.normalize():f}"
