"""One's own texts: in the editors while the clock runs, read-only after the seal."""

from trainer.rounds import worksheet
from trainer.rounds.core import documents
from trainer.rounds.models import Document, Round
from trainer.rounds.parts import Addendum, EditorDocument, OwnText, Worksheet


def worksheet_of(round_: Round) -> Worksheet:
    """The worksheet as last saved, evaluated."""
    document = Document.objects.get(round=round_, key=documents.WORKSHEET)
    rows = worksheet.rows_of(document.text, starred=round_.deciding_line)
    return Worksheet(
        text=document.text,
        revision=document.revision,
        saved_at=document.saved_at,
        rows=rows,
        starred_name=round_.deciding_line,
        starred_at=round_.deciding_starred_at,
        starred_stands=any(row.starred for row in rows),
    )


def documents_of(round_: Round) -> tuple[EditorDocument, ...]:
    """The ten sections in order, ready to be edited."""
    stored = {document.key: document for document in Document.objects.filter(round=round_)}
    return tuple(
        EditorDocument(
            key=key,
            number=documents.section_number(key),
            title=documents.title_of(key),
            hint=documents.SECTION_HINTS[documents.section_number(key)],
            text=stored[key].text,
            revision=stored[key].revision,
            saved_at=stored[key].saved_at,
        )
        for key in documents.SECTION_KEYS
    )


def submission_of(round_: Round) -> tuple[OwnText, ...]:
    """What was sealed: the ten sections, then the worksheet."""
    stored = dict(Document.objects.filter(round=round_).values_list("key", "text"))
    return tuple(
        OwnText(key=key, number=documents.section_number(key), title=documents.title_of(key), text=stored[key])
        for key in documents.KEYS
    )


def addenda_of(round_: Round) -> tuple[Addendum, ...]:
    """Text that arrived after the seal, in the order it came."""
    return tuple(
        Addendum(
            id=row.pk,
            key=row.key,
            title=documents.title_of(row.key),
            text=row.text,
            received_at=row.received_at,
            decision=row.decision,
        )
        for row in round_.late_addenda.order_by("received_at", "pk")
    )
