"""What the trainee writes: documents by revision, the star, the focus, and text that came too late."""

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from trainer.rounds import worksheet
from trainer.rounds.core import documents, machine
from trainer.rounds.core.documents import Stale, Stored
from trainer.rounds.core.machine import NotAllowed
from trainer.rounds.models import Document, DocumentRevision, Focus, LateAddendum, Round
from trainer.rounds.refusals import RoundRefused
from trainer.rounds.services.clock import locked_round, move, snapshot_of
from trainer.rounds.services.inputs import integer_or_refuse, text_or_refuse

MOST_REVISION = 2**31 - 1
MOST_ADDENDA = 200  # of one round: a browser gone wrong must not fill the disk


@dataclass(frozen=True)
class Saved:
    """The revision that a save came to."""

    revision: int
    saved_at: datetime


def document_save(
    *, round: Round, key: str, text: object, base_revision: object, save_id: object, now: datetime
) -> Saved:
    """Save a document if it builds on the last revision. The same `save_id` again gives the same answer.

    After the seal the text is not thrown away: it is kept as a late addendum, and the save is refused.

    Raises: RoundRefused 404 "unknown", 413 "too_long", 422 "invalid", 409 "stale", "sealed", "paused" or "locked";
    every 409 brings the revision and the text that stand; "stale" also the `save_id` that this text came with, by
    which a browser knows a text of its own whose answer was lost.
    """
    clean = _clean_document(key, text)
    base = integer_or_refuse(base_revision, "base_revision", field="base_revision", least=0, most=MOST_REVISION)
    save = _clean_save_id(save_id)
    with transaction.atomic():
        current = locked_round(round_id=round.pk, now=now)
        document = Document.objects.get(round=current, key=key)
        earlier = _acknowledged(document, save, clean)
        outcome = earlier or _judge_and_write(current, document, clean, base, save, now)
    if isinstance(outcome, RoundRefused):  # raised outside: the late addendum it kept is committed
        raise outcome
    return outcome


@transaction.atomic
def deciding_star(*, round: Round, line_name: str, now: datetime) -> Round:
    """Star the line held to be the deciding number, or take the star back with an empty name.

    Raises: RoundRefused 409 once the bell has rung, 422 for a name without a value in the worksheet.
    """
    current = locked_round(round_id=round.pk, now=now)
    snapshot = snapshot_of(current)
    if snapshot.state not in machine.CLOCKED or snapshot.paused or snapshot.rung(now):
        message = "The star is given while the clock runs, before the bell."
        raise RoundRefused("rung", message, 409, extra={"state": current.state})
    if line_name == current.deciding_line:
        return current
    if not line_name:
        return move(current, snapshot, **_star("", None, None))
    text = Document.objects.values_list("text", flat=True).get(round=current, key=documents.WORKSHEET)
    held = worksheet.held_line(text, line_name) if len(line_name) <= worksheet.NAME_LIMIT_CHARACTERS else None
    if held is None:
        message = f"No line of the saved worksheet named {line_name[:64]!r} has a value."
        raise RoundRefused("invalid", message, 422, field="line")
    return move(current, snapshot, **_star(line_name, held, now))


@transaction.atomic
def focus_record(*, round: Round, key: str, now: datetime) -> None:
    """The trainee turned to a section, the worksheet, the calculator, or away. Twice the same is once.

    Raises: RoundRefused 422 for an unknown place, 409 when no clock runs.
    """
    if key not in documents.FOCUS_KEYS:
        raise RoundRefused("invalid", f"key must be one of {', '.join(documents.FOCUS_KEYS)}.", 422, field="key")
    current = locked_round(round_id=round.pk, now=now)
    if "save" not in machine.allowed(snapshot_of(current), now):
        raise RoundRefused("locked", "No clock runs in this round.", 409, extra={"state": current.state})
    last = Focus.objects.filter(round=current).order_by("-at", "-pk").values_list("key", flat=True).first()
    if last != key:
        Focus.objects.create(round=current, key=key, at=now)


@transaction.atomic
def addendum_offer(*, round: Round, key: str, text: object, save_id: object, now: datetime) -> LateAddendum | None:
    """Keep text that a browser still held after the seal; none when that very text was acknowledged in time.

    Raises: RoundRefused as `document_save` does; 409 "open" while the document can still be saved.
    """
    clean = _clean_document(key, text)
    save = _clean_save_id(save_id)
    current = locked_round(round_id=round.pk, now=now)
    if current.sealed_at is None:
        message = "This round is not sealed yet: save the text instead."
        raise RoundRefused("open", message, 409, extra={"state": current.state})
    return _keep_late(current, key, clean, save, now)


@transaction.atomic
def addendum_decide(*, round: Round, addendum_id: int, decision: str, now: datetime) -> LateAddendum:
    """Keep a late addendum beside the submission, or discard it. Decided once.

    Raises: RoundRefused 404 for one that is not of this round, 422 for another word, 409 when decided otherwise.
    """
    if decision not in (LateAddendum.Decision.KEPT, LateAddendum.Decision.DISCARDED):
        raise RoundRefused("invalid", "Choose to keep it or to discard it.", 422, field="decision")
    addendum = LateAddendum.objects.filter(round=round, pk=addendum_id).first()
    if addendum is None:
        raise RoundRefused("unknown", "This round has no such late addendum.", 404)
    offered = LateAddendum.objects.filter(pk=addendum_id, decision=LateAddendum.Decision.OFFERED)
    if not offered.update(decision=decision):
        addendum.refresh_from_db()
        if addendum.decision != decision:
            message = f"This late addendum was {addendum.decision} already."
            raise RoundRefused("decided", message, 409, extra={"decision": addendum.decision})
    addendum.decision = decision
    return addendum


def _judge_and_write(
    round_: Round, document: Document, text: str, base: int, save_id: str, now: datetime
) -> Saved | RoundRefused:
    stands = {"revision": document.revision, "text": document.text, "state": round_.state}
    stored = Stored(document.revision, document.text)
    try:
        judged = documents.judge_save(snapshot_of(round_), document.key, stored, text=text, base_revision=base, now=now)
    except Stale:
        message = "This text was changed elsewhere since. Nothing was overwritten: compare the two and choose."
        return RoundRefused("stale", message, 409, extra=stands | {"save_id": _last_save_id(document)})
    except NotAllowed as error:
        if round_.sealed_at is not None:
            late = _keep_late(round_, document.key, text, save_id, now)
            stands["addendum"] = late.pk if late else None
        return RoundRefused(error.reason, error.message, 409, extra=stands)
    if not judged.write:
        return Saved(judged.revision, document.saved_at or now)
    return _write(document, text, base, judged.revision, save_id, now)


def _write(document: Document, text: str, base: int, revision: int, save_id: str, now: datetime) -> Saved:
    won = Document.objects.filter(pk=document.pk, revision=base).update(text=text, revision=revision, saved_at=now)
    if not won:
        raise RoundRefused("stale", "This text was changed elsewhere at the same moment. Look again.", 409)
    DocumentRevision.objects.create(document=document, revision=revision, text=text, saved_at=now, save_id=save_id)
    return Saved(revision, now)


def _last_save_id(document: Document) -> str | None:
    saved = DocumentRevision.objects.filter(document=document, revision=document.revision)
    return saved.values_list("save_id", flat=True).first()


def _acknowledged(document: Document, save_id: str, text: str) -> Saved | None:
    earlier = DocumentRevision.objects.filter(document=document, save_id=save_id).first()
    if earlier is None:
        return None
    if earlier.text != text:
        message = "save_id was used for another text of this document: a new text needs a new one."
        raise RoundRefused("invalid", message, 422, field="save_id")
    return Saved(earlier.revision, earlier.saved_at)


def _keep_late(round_: Round, key: str, text: str, save_id: str, now: datetime) -> LateAddendum | None:
    """The late text as an addendum; none when it stands in the submission, or stood there in time."""
    if DocumentRevision.objects.filter(document__round=round_, document__key=key, save_id=save_id).exists():
        return None
    if Document.objects.filter(round=round_, key=key, text=text).exists():
        return None
    same = LateAddendum.objects.filter(round=round_, key=key)
    known = same.filter(save_id=save_id).first() or same.filter(text=text).first()
    if known is not None:
        return known
    if LateAddendum.objects.filter(round=round_).count() >= MOST_ADDENDA:
        raise RoundRefused("too_many", f"A round keeps at most {MOST_ADDENDA} late addenda.", 409)
    return LateAddendum.objects.create(round=round_, key=key, text=text, save_id=save_id, received_at=now)


def _clean_document(key: str, text: object) -> str:
    if key not in documents.KEYS:
        known = f"{documents.SECTION_KEYS[0]} to {documents.SECTION_KEYS[-1]} and {documents.WORKSHEET}"
        raise RoundRefused("unknown", f"A round has no document {key[:32]!r}: there are {known}.", 404)
    name = f"The text of {documents.title_of(key)!r}"
    limit = documents.limit_characters(key)
    return text_or_refuse(text, name, field="text", limit_characters=limit, status_if_long=413)


def _clean_save_id(save_id: object) -> str:
    limit = documents.SAVE_ID_LIMIT_CHARACTERS
    return text_or_refuse(save_id, "save_id", field="save_id", limit_characters=limit, required=True)


def _star(name: str, held: worksheet.HeldLine | None, at: datetime | None) -> dict[str, object]:
    return {
        "deciding_line": name,
        "deciding_starred_at": at,
        "deciding_expression": held.expression if held else "",
        "deciding_value": held.value if held else None,
        "deciding_unit": held.unit if held else "",
    }
