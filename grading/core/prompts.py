"""What a model is told. Versioned: the version and the messages are kept with each critique."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from grading.core.case import Case
from grading.core.checking import CheckedCritique, Dropped

PROMPT_VERSION = "1"


@dataclass(frozen=True)
class Message:
    """One message of a conversation with an endpoint."""

    role: Literal["system", "user"]
    content: str


@dataclass(frozen=True)
class Limits:
    """How much of a submission goes into one request, and how much of one answer."""

    submission_characters: int = 60_000
    answer_characters: int = 6_000


DEFAULT_LIMITS = Limits()


def critique_messages(case: Case, *, nonce: str, limits: Limits = DEFAULT_LIMITS) -> tuple[Message, ...]:
    """Asks for eight critiques and three mutations (form: CritiqueReply).

    `nonce` is unpredictable (`secrets.token_hex(8)`, say) and bounds the block that holds the submission.
    """
    raise NotImplementedError


def anchors_messages(case: Case, *, nonce: str, limits: Limits = DEFAULT_LIMITS) -> tuple[Message, ...]:
    """Asks for a verdict on every anchor, blind to any self-score (form: AnchorsReply)."""
    raise NotImplementedError


def repair_messages(
    case: Case, dropped: Sequence[Dropped], *, nonce: str, limits: Limits = DEFAULT_LIMITS
) -> tuple[Message, ...]:
    """Asks once for the repairable ones again, each with its reason (form: CritiqueReply)."""
    raise NotImplementedError


def answer_messages(
    case: Case, critique: CheckedCritique, answer: str, *, nonce: str, limits: Limits = DEFAULT_LIMITS
) -> tuple[Message, ...]:
    """Asks for the interviewer's reply to the trainee's answer (form: AnswerReply)."""
    raise NotImplementedError


def mutation_messages(
    case: Case, title: str, ask: str, answer: str, *, nonce: str, limits: Limits = DEFAULT_LIMITS
) -> tuple[Message, ...]:
    """Asks for the interviewer's reply to the trainee's answer to a mutation (form: AnswerReply)."""
    raise NotImplementedError
