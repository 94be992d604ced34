"""What a server sent, read with as few expectations as its use allows."""

import datetime as dt
import email.utils
from collections.abc import Mapping, Sequence

from pydantic import BaseModel, ConfigDict, ValidationError

from grading.client.errors import CutOff, Empty, Refused, Usage, WrongForm
from grading.core.prompts import Message

SHOWN_CHARACTERS = 300
FEWEST_SECRET_CHARACTERS = 6  # a shorter key is a placeholder ("none", "test"), and may be a word of the reply
MOST_TOKENS = 100_000_000  # of one call; a server that counts more than this counts nonsense
CHARACTERS_PER_TOKEN = 4  # a rough mean of English text, where a server does not count


class _Part(BaseModel):
    model_config = ConfigDict(extra="ignore")


class _Message(_Part):
    content: str | None = None
    refusal: str | None = None


class _Choice(_Part):
    message: _Message
    finish_reason: str | None = None


class _Tokens(_Part):
    prompt_tokens: int
    completion_tokens: int


class _Completion(_Part):
    choices: list[_Choice]
    usage: object = None


def text_and_usage(
    body: bytes, messages: Sequence[Message], *, cut_off_after_tokens: int, secret: str = ""
) -> tuple[str, Usage]:
    """The reply's text, without the secret, and what it took.

    Raises: WrongForm, Empty, Refused, CutOff; the last three with the usage, which is owed all the same.
    """
    try:
        completion = _Completion.model_validate_json(body)
    except ValidationError:
        raise WrongForm("The endpoint's answer is no chat completion.") from None
    choice = completion.choices[0] if completion.choices else None
    text = without(secret, (choice.message.content or "") if choice else "")
    usage = _usage(completion.usage, messages, text)
    if choice and choice.message.refusal:
        raise Refused("The model refuses.", said=short(choice.message.refusal, secret), usage=usage)
    if choice and choice.finish_reason == "content_filter":
        raise Refused("The endpoint's filter stopped the reply.", usage=usage)
    if choice and choice.finish_reason == "length":
        message = f"The reply was cut off: CRITIC_MAX_OUTPUT_TOKENS allows {cut_off_after_tokens:,} tokens."
        raise CutOff(message, reply=text, usage=usage)
    if not text.strip():
        raise Empty("The endpoint's reply is empty.", usage=usage)
    return text, usage


def short(text: str, secret: str = "") -> str:
    """A server's words on one line, without the key, at a length that can be shown."""
    line = " ".join(without(secret, text).split())
    return line if len(line) <= SHOWN_CHARACTERS else line[:SHOWN_CHARACTERS] + "…"


def without(secret: str, text: str) -> str:
    """A server knows the key, and may say it where others read."""
    return text.replace(secret, "…") if len(secret) >= FEWEST_SECRET_CHARACTERS else text


def retry_after_s(headers: Mapping[str, str], now: dt.datetime) -> float | None:
    """How long the server wants to be left alone: seconds, or a date."""
    text = headers.get("retry-after", "").strip()
    if text.isascii() and text.isdecimal():
        return float(text)
    try:
        wait_s = (email.utils.parsedate_to_datetime(text) - now).total_seconds()
    except (TypeError, ValueError):
        return None
    return max(0.0, wait_s)


def _usage(reported: object, messages: Sequence[Message], text: str) -> Usage:
    try:
        tokens = _Tokens.model_validate(reported)
    except ValidationError:
        tokens = None
    if tokens and all(0 <= count <= MOST_TOKENS for count in (tokens.prompt_tokens, tokens.completion_tokens)):
        return Usage(tokens.prompt_tokens, tokens.completion_tokens)
    asked = sum(len(message.content) for message in messages)
    return Usage(-(-asked // CHARACTERS_PER_TOKEN), -(-len(text) // CHARACTERS_PER_TOKEN), estimated=True)
