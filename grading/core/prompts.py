"""What a model is told. Versioned: the version and the messages are kept with each critique.

Whatever a person or a model wrote stands in one block between two lines that hold a nonce. The nonce stands nowhere in
what it bounds, so nothing inside can end the block or begin another; and what shows nothing on a screen is taken out.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from calculator.expressions import formulas
from grading.core import prompt_texts as texts
from grading.core import rubric
from grading.core.case import Case
from grading.core.checking import CheckedCritique, Dropped
from grading.core.submission import Submission, allowances
from grading.core.verification import without_invisible

PROMPT_VERSION = "1"
ASKED_CRITIQUES = 8
ASKED_MUTATIONS = 3
MOST_REPAIRED = 8


@dataclass(frozen=True)
class Message:
    """One message of a conversation with an endpoint."""

    role: Literal["system", "user"]
    content: str


@dataclass(frozen=True)
class Limits:
    """How much of a submission goes into one request, and how much of one answer, in characters."""

    submission_characters: int = 60_000
    answer_characters: int = 6_000


@dataclass(frozen=True)
class Piece:
    """One text inside the data block, with the label that stands above it."""

    label: str
    text: str


DEFAULT_LIMITS = Limits()


def critique_messages(case: Case, *, nonce: str, limits: Limits = DEFAULT_LIMITS) -> tuple[Message, ...]:
    """Asks for eight critiques and three mutations (form: CritiqueReply).

    `nonce` is unpredictable (`secrets.token_hex(8)`, say) and bounds the block that holds the submission.
    """
    task = texts.CRITIQUES.format(count=ASKED_CRITIQUES, mutations=ASKED_MUTATIONS)
    pieces = (*_pieces(case.submission, limits), *_own_names(case))
    return _messages(case, task, pieces, nonce, form=texts.CRITIQUES_FORM)


def anchors_messages(case: Case, *, nonce: str, limits: Limits = DEFAULT_LIMITS) -> tuple[Message, ...]:
    """Asks for a verdict on every anchor, blind to any self-score (form: AnchorsReply)."""
    anchors = "\n".join(f"- {anchor.id}: {anchor.text}" for anchor in case.anchors)
    task = texts.ANCHORS.format(count=len(case.anchors))
    return _messages(
        case,
        task,
        _pieces(case.submission, limits),
        nonce,
        form=texts.ANCHORS_FORM,
        extra=f"STATEMENTS, each with its id\n{anchors}",
        with_names=False,
    )


def repair_messages(
    case: Case, dropped: Sequence[Dropped], *, nonce: str, limits: Limits = DEFAULT_LIMITS
) -> tuple[Message, ...]:
    """Asks once for the repairable ones again, each with its reason (form: CritiqueReply).

    Raises: ValueError when none of them is repairable.
    """
    repairable = [drop for drop in dropped if drop.repairable][:MOST_REPAIRED]
    if not repairable:
        raise ValueError("dropped: none of these can be repaired")
    drafts = tuple(
        Piece(f"refused critique {number}, because: {_one_line(drop.text)}", drop.draft.model_dump_json()[:4_000])
        for number, drop in enumerate(repairable, start=1)
    )
    task = texts.REPAIR.format(count=len(repairable))
    pieces = (*_pieces(case.submission, limits), *_own_names(case), *drafts)
    return _messages(case, task, pieces, nonce, form=texts.CRITIQUES_FORM)


def answer_messages(
    case: Case, critique: CheckedCritique, answer: str, *, nonce: str, limits: Limits = DEFAULT_LIMITS
) -> tuple[Message, ...]:
    """Asks for the interviewer's reply to the trainee's answer (form: AnswerReply)."""
    said = "\n".join(
        line
        for line in (
            f"Quoted: {critique.quote}" if critique.quote else "",
            f"Attack: {critique.attack}",
            f"Scenario: {critique.scenario}",
            f"Arithmetic: {critique.with_numbers} = {critique.value_text}" if critique.expression else "",
        )
        if line
    )
    pieces = (Piece("the critique", said), Piece("the answer to it", _cut(answer, limits.answer_characters)))
    return _messages(case, texts.ANSWER, (*_pieces(case.submission, limits), *pieces), nonce, form=texts.ANSWER_FORM)


def mutation_messages(
    case: Case, title: str, ask: str, answer: str, *, nonce: str, limits: Limits = DEFAULT_LIMITS
) -> tuple[Message, ...]:
    """Asks for the interviewer's reply to the trainee's answer to a mutation (form: AnswerReply)."""
    pieces = (
        Piece("the change of the problem", f"{title}\n{ask}"),
        Piece("the answer to it", _cut(answer, limits.answer_characters)),
    )
    return _messages(case, texts.MUTATION, (*_pieces(case.submission, limits), *pieces), nonce, form=texts.ANSWER_FORM)


def cut_parts(submission: Submission, limit_characters: int) -> dict[str, int]:
    """How many characters of each part do not go into a request; parts that go whole are left out."""
    sizes = {part.key: len(_visible(part.text)) for part in submission.parts}
    allowed = allowances(sizes, limit_characters)
    return {key: size - allowed[key] for key, size in sizes.items() if size > allowed[key]}


def _messages(
    case: Case,
    task: str,
    pieces: Sequence[Piece],
    nonce: str,
    *,
    form: str,
    extra: str = "",
    with_names: bool = True,
) -> tuple[Message, ...]:
    shown = [Piece(_one_line(_visible(piece.label)), _visible(piece.text)) for piece in pieces]
    nonce = _unused(nonce, "\n".join(piece.label + piece.text for piece in shown))
    about = [f"THE PROBLEM AS IT WAS PUT\n{case.title}\n\n{case.prompt}"]
    if with_names:
        about += [_names(case), _lists(case)]
    if extra:
        about.append(extra)
    content = "\n\n".join(
        (
            *about,
            texts.DATA_FOLLOWS.format(nonce=nonce),
            _block(nonce, shown),
            texts.DATA_ENDED.format(nonce=nonce),
            task,
            form,
            texts.LAST.format(nonce=nonce),
        )
    )
    return Message("system", texts.SYSTEM), Message("user", content)


def _block(nonce: str, pieces: Sequence[Piece]) -> str:
    """The one data block. Every line that is ours in it holds the nonce."""
    inside = "\n".join(f"[{nonce}: {piece.label}]\n{piece.text}" for piece in pieces)
    return f"<<<DATA {nonce}\n{inside}\nDATA {nonce}>>>"


def _unused(nonce: str, text: str) -> str:
    """The nonce, or the first one worked out from it that does not stand in the text."""
    nonce = "".join(character for character in nonce if character.isascii() and character.isalnum())[:64]
    if len(nonce) < 8:
        raise ValueError("nonce: must have 8 letters or digits at least")
    folded = text.casefold()
    while nonce.casefold() in folded:
        nonce = hashlib.sha256(f"{nonce}\0{len(text)}".encode()).hexdigest()[:24]
    return nonce


def _pieces(submission: Submission, limits: Limits) -> tuple[Piece, ...]:
    """The submission part by part; what is too long is cut, and the label says so."""
    cut = cut_parts(submission, limits.submission_characters)
    pieces = []
    for part in submission.parts:
        text, label = _visible(part.text), f"{part.key}, {part.title}"
        if part.key in cut:
            text = text[: len(text) - cut[part.key]]
            label += f"; CUT: the last {cut[part.key]:,} characters of this part are not shown"
        pieces.append(Piece(label, text))
    return tuple(pieces) or (Piece("nothing was submitted", ""),)


def _names(case: Case) -> str:
    givens = "\n".join(f"- {given.id} = {given.text} ({given.title})" for given in case.givens)
    return (
        f"NAMES FOR EXPRESSIONS: the prompt's figures\n{givens}\n\n"
        f"FORMULAS FOR EXPRESSIONS\n{', '.join(formula.signature for formula in formulas().values())}"
    )


def _own_names(case: Case) -> tuple[Piece, ...]:
    """The worksheet's lines by name. A trainee chose the names, so they stand inside the data."""
    if not case.own_lines:
        return ()
    lines = "\n".join(
        f"- {line.called} = {line.text} (line {line.number}{_renamed(line.name, line.called)})"
        for line in case.own_lines
    )
    return (Piece("names for expressions: lines of the worksheet, as code evaluated them", lines),)


def _renamed(name: str, called: str) -> str:
    return "" if name == called else f", written as {name}, which is the name of a given"


def _lists(case: Case) -> str:
    classes = "\n".join(f"- {id}: {name}" for id, name in case.defect_classes.items())
    lines = "\n".join(f"- {line.number}: {line.name}. {line.asks}" for line in rubric.LINES)
    keys = ", ".join(part.key for part in case.submission.parts)
    return f"DEFECT CLASSES\n{classes}\n\nRUBRIC LINES\n{lines}\n\nSECTIONS THAT WERE WRITTEN\n{keys or 'none'}"


def _cut(text: str, limit: int) -> str:
    shown = _visible(text)
    return shown if len(shown) <= limit else f"{shown[:limit]}\n[CUT: {len(shown) - limit:,} more characters]"


def _visible(text: str) -> str:
    return without_invisible(text.replace("\r\n", "\n").replace("\r", "\n"))


def _one_line(text: str) -> str:
    return " ".join(text.split())[:300]
