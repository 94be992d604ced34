"""One question to the endpoint: a reply's text and what it took, or a typed failure. No retries, nothing stored."""

import datetime as dt
import logging
import socket
import ssl
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from pydantic import ValidationError

from grading.client import errors
from grading.client.endpoint import Endpoint
from grading.client.errors import CallFailed, Usage
from grading.client.replies import retry_after_s, short, text_and_usage
from grading.core.prompts import Message
from grading.core.schemas import Reply, json_schema

if TYPE_CHECKING:
    from openai import APIStatusError, OpenAI

__all__ = ["Answer", "Usage", "ask"]

logger = logging.getLogger(__name__)
logging.getLogger("httpx2").setLevel(logging.WARNING)  # it tells every address, and one may hold a password

SchemaUse = Literal["honoured", "ignored", "refused"]
_STATUS_OF_BAD_REQUESTS = (400, 422)
_SCHEMA_WORDS = ("response_format", "json_schema", "structured", "guided", "grammar")


@dataclass(frozen=True)
class Answer:
    """A reply as it came. `schema_use` says what the server made of the JSON schema."""

    text: str
    usage: Usage
    schema_use: SchemaUse
    took_s: float


def ask(endpoint: Endpoint, messages: Sequence[Message], form: type[Reply], *, max_output_tokens: int = 0) -> Answer:
    """Ask once, within the endpoint's time-out over all.

    The server is given the form's JSON schema. One that refuses it (400 or 422 that names it) is asked once more
    without: the messages say the form in words too. One that ignores it is read leniently later on. The same for the
    name of the bound on the output, which servers disagree on.

    Raises: CallFailed.
    """
    from grading.client.transport import Guard  # the HTTP libraries are slow to load, and pages need none of them

    started = time.monotonic()
    guard = Guard(endpoint.timeout_s)
    most = max_output_tokens or endpoint.max_output_tokens
    with _openai(endpoint, guard) as client:
        body, with_schema = _completion(client, endpoint, messages, form, most)
    text, usage = text_and_usage(body, messages, cut_off_after_tokens=most, secret=endpoint.api_key)
    use: SchemaUse = "refused" if not with_schema else "honoured" if _fits(text, form) else "ignored"
    return Answer(text, usage, use, time.monotonic() - started)


def _openai(endpoint: Endpoint, guard: Any) -> "OpenAI":
    import httpx2
    from openai import OpenAI

    from grading.client.transport import GuardedTransport

    http = httpx2.Client(transport=GuardedTransport(guard), follow_redirects=False, trust_env=False)
    return OpenAI(
        base_url=endpoint.base_url,
        api_key=endpoint.api_key or "none",  # servers at home want none
        max_retries=0,
        timeout=endpoint.timeout_s,
        default_headers={"Accept-Encoding": "identity"},
        http_client=http,
    )


def _completion(
    client: "OpenAI", endpoint: Endpoint, messages: Sequence[Message], form: type[Reply], most: int
) -> tuple[bytes, bool]:
    """The body of the answer, and whether the server took the schema."""
    from openai import APIStatusError

    with_schema, bound = True, "max_tokens"
    for _ in range(3):  # as often as there is something to leave out
        request = _request(endpoint, messages, form, with_schema=with_schema, bound=bound, most=most)
        try:
            return _send(client, request, endpoint.host), with_schema
        except APIStatusError as error:
            said = error.message.lower()
            if error.status_code in _STATUS_OF_BAD_REQUESTS and with_schema and any(w in said for w in _SCHEMA_WORDS):
                with_schema = False
            elif error.status_code in _STATUS_OF_BAD_REQUESTS and bound == "max_tokens" and bound in said:
                bound = "max_completion_tokens"
            else:
                raise _failure(error, endpoint) from None
    raise errors.RequestRefused("The endpoint refuses the request in every form.")


def _request(
    endpoint: Endpoint, messages: Sequence[Message], form: type[Reply], *, with_schema: bool, bound: str, most: int
) -> dict[str, Any]:
    sent = [{"role": message.role, "content": message.content} for message in messages]
    request: dict[str, Any] = {"model": endpoint.model, "messages": sent, bound: most}
    if with_schema:
        named = {"name": form.__name__, "strict": True, "schema": json_schema(form)}
        request["response_format"] = {"type": "json_schema", "json_schema": named}
    return request


def _send(client: "OpenAI", request: dict[str, Any], host: str) -> bytes:
    """Raises: APIStatusError for a status that is none of success, CallFailed for everything else."""
    import httpcore2
    from openai import APIConnectionError

    try:
        return client.chat.completions.with_raw_response.create(**request).http_response.content
    except httpcore2.TimeoutException:
        raise errors.TimedOut(f"{host} could not be reached in time: is the server running?") from None
    except (httpcore2.NetworkError, httpcore2.ProtocolError, APIConnectionError) as error:
        raise errors.Cut(_cut(error, host)) from None


def _cut(error: Exception, host: str) -> str:
    """In words, why a connection gave nothing."""
    import httpcore2

    chain = list(_chain(error))
    if any(isinstance(one, ssl.SSLError) for one in chain):
        return f"No secure connection to {host}: does its certificate hold, and does the address begin as it should?"
    if any(isinstance(one, socket.gaierror) for one in chain):
        return f"No connection to {host}: no host of that name is known. Is the address right?"
    if any(isinstance(one, httpcore2.ConnectError) for one in chain):
        return f"No connection to {host}: is the server running?"
    if any(isinstance(one, httpcore2.NetworkError | httpcore2.RemoteProtocolError) for one in chain):
        return f"{host} ended the connection before its reply was whole."
    return f"What {host} sent is no reply in HTTP: is the address right?"


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _failure(error: "APIStatusError", endpoint: Endpoint) -> CallFailed:
    """The typed failure of a status. A server's words are shown, but not where they may hold a part of the key."""
    status = error.status_code
    said = short(error.message, endpoint.api_key)
    match status:
        case 401 | 403:
            return errors.Unauthorized(f"The endpoint does not accept the key ({status}). Look at CRITIC_API_KEY.")
        case 404:
            return errors.NoSuchModel(f"The endpoint knows no model {endpoint.model!r}, or not this address (404).")
        case 429:
            wait_s = retry_after_s(error.response.headers, dt.datetime.now(dt.UTC))
            return errors.Limited("The endpoint takes no more requests for now (429).", retry_after_s=wait_s)
        case _ if 300 <= status < 400:
            return errors.Redirected(f"The endpoint sends requests elsewhere ({status}). Set its own address.")
        case _ if status >= 500 or status == 408:
            wait_s = retry_after_s(error.response.headers, dt.datetime.now(dt.UTC))
            return errors.ServerTrouble(f"The endpoint is in trouble ({status}).", retry_after_s=wait_s)
    return errors.RequestRefused(f"The endpoint refuses the request ({status}). Its words are in the log.", said=said)


def _fits(text: str, form: type[Reply]) -> bool:
    """Whether the text is what a server gives that holds to the schema: that form and nothing around it."""
    try:
        form.model_validate_json(text)
    except ValidationError:
        return False
    return True
