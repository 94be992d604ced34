"""From the text of a reply to its form. Whatever cannot be read ends in one typed refusal."""

import json
import re
from typing import Any, Literal

from pydantic import ValidationError

from grading.core.schemas import Reply

MOST_CHARACTERS = 400_000
_MOST_STARTS = 40
_SHOWN_CHARACTERS = 120

RefusalKind = Literal["empty", "too large", "refusal", "no JSON", "cut off", "wrong schema", "too many"]

_THOUGHT = re.compile(r"\s*<(think|thinking|reasoning)>.*?</\1>", re.DOTALL | re.IGNORECASE)
_OPEN_THOUGHT = re.compile(r"\s*<(think|thinking|reasoning)>", re.IGNORECASE)
_LOOKS_BEGUN = re.compile(r"\{\s*\"|\[\s*\{")
_REFUSAL = re.compile(
    r"\b(i|we)(?:'m| am|'re| are)? (?:can(?:'|no)t|can not|cannot|won't|will not|unable|sorry|not able|must decline|"
    r"decline|apologi[sz]e)\b|\bas an ai\b|\bi'm sorry\b|\bagainst my (?:guidelines|policy)\b",
    re.IGNORECASE,
)


class ReplyRefused(ValueError):
    """A reply that cannot be used: `kind` for code, `message` for a reader, `field` where one field is at fault.

    `said` is how the reply begins, where that tells more. The message holds no word of it.
    """

    def __init__(self, kind: RefusalKind, message: str, field: str = "", said: str = "") -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.field = field
        self.said = said

    @property
    def in_full(self) -> str:
        """The message, and how the reply begins."""
        return f"{self.message} It says: {self.said}" if self.said else self.message


def parse_reply[Form: Reply](text: str | None, form: type[Form], *, cut_off: bool = False) -> Form:
    """The reply in its form. `cut_off` tells that the endpoint said so (finish_reason "length").

    A code fence, prose before and after, a model's thoughts in tags, and a list where the form has one list are read
    leniently. Raises: ReplyRefused, and nothing else.
    """
    if text is None or not text.strip():
        raise ReplyRefused("empty", "The model answered with nothing.")
    if len(text) > MOST_CHARACTERS:
        raise ReplyRefused(
            "too large", f"The reply has {len(text):,} characters; at most {MOST_CHARACTERS:,} are read."
        )
    body = _without_thoughts(text)
    found = list(_documents(body))
    problems = []
    for document in found:
        try:
            return form.model_validate(_wrapped(document, form))
        except ValidationError as error:
            problems.append(_refused(error))
        except RecursionError:
            problems.append(ReplyRefused("wrong schema", "The reply is nested too deeply."))
    if cut_off or _is_open(body):
        raise ReplyRefused("cut off", "The reply was cut off before its JSON was complete.")
    if problems:
        raise max(problems, key=lambda problem: problem.kind == "too many")
    if _REFUSAL.search(body[:500].replace("’", "'")):
        raise ReplyRefused("refusal", "The model refused.", said=_shortened(body))
    raise ReplyRefused("no JSON", "The reply holds no JSON object.", said=_shortened(body))


def _without_thoughts(text: str) -> str:
    """The reply behind what a reasoning model thought aloud."""
    body = text.lstrip("\ufeff")
    thought = _THOUGHT.match(body)
    if thought:
        return body[thought.end() :]
    if _OPEN_THOUGHT.match(body):
        raise ReplyRefused("cut off", "The reply was cut off while the model was still thinking.")
    return body


def _documents(text: str) -> list[Any]:
    """Every JSON object or list that begins outside of another one, those inside of prose too."""
    decoder = json.JSONDecoder(parse_constant=_no_constant)
    found: list[Any] = []
    position = 0
    for _ in range(_MOST_STARTS):
        start = min((at for at in (text.find("{", position), text.find("[", position)) if at >= 0), default=-1)
        if start < 0:
            break
        try:
            document, position = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            if _LOOKS_BEGUN.match(text, start) and _is_open(text[start:]):
                break  # what follows are pieces of a document that was cut off
            position = start + 1
            continue
        if isinstance(document, dict) or (isinstance(document, list) and any(isinstance(x, dict) for x in document)):
            found.append(document)
    return found


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


def _is_open(text: str) -> bool:
    """Whether the first JSON object of the text is never closed."""
    start = text.find("{")
    if start < 0:
        return False
    depth, in_string, escaped = 0, False, False
    for character in text[start:]:
        if in_string:
            if escaped:
                escaped = False
            elif character == "\\":
                escaped = True
            elif character == '"':
                in_string = False
        elif character == '"':
            in_string = True
        elif character in "{[":
            depth += 1
        elif character in "}]":
            depth -= 1
            if depth == 0:
                return False
    return True


def _wrapped(document: Any, form: type[Reply]) -> Any:
    """A bare list as the form's first field, which is a list in every form that one is accepted for."""
    if not isinstance(document, list):
        return document
    return {next(iter(form.model_fields)): document}


def _refused(error: ValidationError) -> ReplyRefused:
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    field = ".".join(str(part + 1) if isinstance(part, int) else part for part in first["loc"]) or "reply"
    if first["type"] == "too_long":
        return ReplyRefused("too many", f"{field}: {first['msg']}.", field)
    return ReplyRefused("wrong schema", f"{field}: {first['msg']}.", field)


def _shortened(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= _SHOWN_CHARACTERS else f"{words[:_SHOWN_CHARACTERS]}…"
