"""The self-score: eight lines, each with a level, a confidence and words of one's own submission."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from grading.core import rubric
from grading.core.verification import quote_problem
from grading.models import LineScore
from trainer.rounds.core import machine
from trainer.rounds.models import AskedQuestion, Document, DraftScore, Round
from trainer.rounds.refusals import RoundRefused
from trainer.rounds.services.clock import locked_round, move, snapshot_of
from trainer.rounds.services.inputs import integer_or_refuse, text_or_refuse
from trainer.rounds.services.misses import deciding_number_miss_record

QUOTE_LIMIT_CHARACTERS = 2_000


@dataclass(frozen=True)
class ScoreInput:
    """One line of the form, as posted."""

    level: object
    quote: object
    confidence: object


@dataclass(frozen=True)
class CleanScore:
    """One line that is fine by itself."""

    level: int
    quote: str
    confidence: int


def scores_record(*, round: Round, scores: Mapping[int, ScoreInput], now: datetime) -> Round:
    """Score all eight lines, which opens the reveal. Lines that are fine are kept while another one is refused.

    The same scores again change nothing.

    Raises: RoundRefused 422 with a message at every field at fault; 409 "already_scored" with what stands; 409 before
    the submission.
    """
    with transaction.atomic():
        current = locked_round(round_id=round.pk, now=now)
        texts = submission_texts(current)
        clean, errors = _clean_scores(scores, texts)
        if current.state != machine.SCORING:
            return _scored_already(current, clean if not errors else None)
        _drafts_store(current, clean, now)
        if not errors:
            return _scores_store(current, clean, now)
    raise RoundRefused("invalid", _count_message(errors), 422, field=next(iter(errors)), extra={"errors": errors})


def submission_texts(round_: Round) -> list[str]:
    """The texts that a quote may stand in: the sections, the worksheet, the questions asked. No late addendum."""
    documents = Document.objects.filter(round=round_).exclude(text="").order_by("key").values_list("text", flat=True)
    asked = AskedQuestion.objects.filter(round=round_).order_by("asked_at").values_list("text", flat=True)
    return [*documents, *asked]


def _clean_scores(scores: Mapping[int, ScoreInput], texts: list[str]) -> tuple[dict[int, CleanScore], dict[str, str]]:
    clean: dict[int, CleanScore] = {}
    errors: dict[str, str] = {}
    for line in rubric.LINES:
        found: dict[str, str] = {}
        score = _clean_line(line.number, scores.get(line.number, ScoreInput("", "", "")), texts, found)
        errors |= found
        if score is not None and not found:
            clean[line.number] = score
    return clean, errors


def _clean_line(number: int, score: ScoreInput, texts: list[str], errors: dict[str, str]) -> CleanScore | None:
    """The line checked field by field; every message goes to `errors` under its field's name."""
    level = confidence = None
    quote = ""
    try:
        level = _clean_level(number, score.level)
    except RoundRefused as refusal:
        errors |= refusal.errors
    try:
        quote = _clean_quote(number, score.quote, level, texts)
    except RoundRefused as refusal:
        errors.update(refusal.errors)
    try:
        field = f"confidence_{number}"
        confidence = integer_or_refuse(
            score.confidence, f"How sure you are of line {number}, in percent,", field=field, least=0, most=100
        )
    except RoundRefused as refusal:
        errors.update(refusal.errors)
    if level is None or confidence is None:
        return None
    return CleanScore(level, quote, confidence)


def _clean_level(number: int, value: object) -> int:
    field = f"level_{number}"
    if value is None or (isinstance(value, str) and not value.strip()):
        raise RoundRefused("invalid", "Choose a level.", 422, field=field)
    return integer_or_refuse(
        value, f"The level of line {number}", field=field, least=rubric.LOWEST_LEVEL, most=rubric.HIGHEST_LEVEL
    )


def _clean_quote(number: int, value: object, level: int | None, texts: list[str]) -> str:
    """The quote, once it stands in the submission. A level of 0 needs none."""
    field = f"quote_{number}"
    quote = text_or_refuse(
        value, f"The quote for line {number}", field=field, limit_characters=QUOTE_LIMIT_CHARACTERS
    ).strip()
    if not quote and (level is None or level == rubric.LOWEST_LEVEL):
        return ""
    problems = [quote_problem(quote, text) for text in texts] or [quote_problem(quote, "")]
    if None in problems:
        return quote
    assert problems[0] is not None
    raise RoundRefused("invalid", problems[0].message, 422, field=field)


def _drafts_store(round_: Round, clean: Mapping[int, CleanScore], now: datetime) -> None:
    for number, score in clean.items():
        DraftScore.objects.update_or_create(
            round=round_,
            line=number,
            defaults={"level": score.level, "quote": score.quote, "confidence": score.confidence, "saved_at": now},
        )


def _scores_store(round_: Round, clean: Mapping[int, CleanScore], now: datetime) -> Round:
    round_ = move(round_, machine.score(snapshot_of(round_), now), rubric_version=rubric.VERSION)
    LineScore.objects.bulk_create(
        LineScore(
            round=round_,
            line=number,
            level=score.level,
            quote=score.quote,
            confidence=score.confidence,
            scored_at=now,
        )
        for number, score in clean.items()
    )
    DraftScore.objects.filter(round=round_).delete()
    deciding_number_miss_record(round_=round_, now=now)
    return round_


def _scored_already(round_: Round, posted: Mapping[int, CleanScore] | None) -> Round:
    """Scores for a round that is not at scoring: fine if they are the ones that stand, else refused."""
    if round_.state not in machine.SUBMITTED:
        message = f"Scores follow the submission; this round is {machine.STATE_NAMES[round_.state]}."
        raise RoundRefused("out_of_order", message, 409, extra={"state": round_.state})
    stored = {
        score.line: CleanScore(score.level, score.quote, score.stated_confidence)
        for score in LineScore.objects.filter(round=round_, scorer=LineScore.Scorer.SELF)
    }
    if posted is not None and dict(posted) == stored:
        return round_
    values = {
        str(line): {"level": score.level, "quote": score.quote, "confidence": score.confidence}
        for line, score in sorted(stored.items())
    }
    message = "This round is already scored. The first scores stand; they are shown here."
    raise RoundRefused("already_scored", message, 409, extra={"scores": values, "state": round_.state})


def _count_message(errors: Mapping[str, str]) -> str:
    lines = sorted({int(field.rsplit("_", 1)[1]) for field in errors})
    named = ", ".join(str(line) for line in lines)
    return f"Line{'s' if len(lines) > 1 else ''} {named}: see the fields. The other lines are kept."
