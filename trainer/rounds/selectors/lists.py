"""The list of one's rounds, and the history of one round's drafts."""

from collections import Counter, defaultdict
from uuid import UUID

from designs.loader import load_designs
from designs.selectors import design_of
from grading.models import LineScore
from trainer.accounts.models import User
from trainer.rounds.core import documents, machine
from trainer.rounds.models import DesignReading, DocumentRevision, Round, State
from trainer.rounds.parts import Draft, RoundRow, RoundsIndex, StartableDesign, Timeline
from trainer.rounds.refusals import RoundRefused
from trainer.rounds.selectors.summary import bar_of


def rounds_index(user: User) -> RoundsIndex:
    """One's rounds, newest first, and the designs that a round can be started on, in the recommended order."""
    rounds = list(Round.objects.filter(user=user).select_related("design_version").order_by("-created_at"))
    levels = _levels_of(rounds)
    rows = {round_.pk: _row(round_, levels[round_.pk]) for round_ in rounds}
    running = next((rows[round_.pk] for round_ in rounds if round_.deadline_at is not None), None)
    return RoundsIndex(rounds=tuple(rows.values()), designs=_startable(user, rounds), running=running)


def timeline(round_: Round) -> Timeline:
    """Every acknowledged text of a sealed round, oldest first.

    Raises: RoundRefused 409 before the seal.
    """
    if round_.sealed_at is None:
        message = "The time line of the drafts opens once the round is submitted."
        raise RoundRefused("out_of_order", message, 409, extra={"state": round_.state})
    start = round_.arithmetic_started_at or round_.created_at
    revisions = DocumentRevision.objects.filter(document__round=round_).select_related("document")
    moments = {
        "arithmetic": round_.arithmetic_started_at,
        "writing": round_.writing_started_at,
        "submitted": round_.submitted_at,
    }
    return Timeline(
        page_id=round_.pk,
        title=design_of(round_.design_version).title,
        drafts=tuple(
            Draft(
                key=row.document.key,
                title=documents.title_of(row.document.key),
                revision=row.revision,
                saved_at=row.saved_at,
                offset=row.saved_at - start,
                text=row.text,
            )
            for row in revisions.order_by("saved_at", "pk")
        ),
        phases={name: at for name, at in moments.items() if at is not None},
    )


def _levels_of(rounds: list[Round]) -> dict[UUID, dict[int, int]]:
    levels: dict[UUID, dict[int, int]] = defaultdict(dict)
    for score in LineScore.objects.filter(round__in=rounds, scorer=LineScore.Scorer.SELF):
        levels[score.round_id][score.line] = score.level
    return levels


def _row(round_: Round, levels: dict[int, int]) -> RoundRow:
    bar = bar_of(levels, round_) if levels else None
    return RoundRow(
        id=round_.pk,
        slug=round_.slug,
        title=design_of(round_.design_version).title,
        state=round_.state,
        mode=round_.mode,
        read_before=round_.read_before,
        created_at=round_.created_at,
        submitted_at=round_.submitted_at,
        percentage=bar.percentage if bar else None,
        bar_name=bar.name if bar else "",
        unfinished=round_.state not in machine.FINISHED,
    )


def _startable(user: User, rounds: list[Round]) -> tuple[StartableDesign, ...]:
    read = set(DesignReading.objects.filter(user=user).values_list("slug", flat=True))
    attempts = Counter(round_.slug for round_ in rounds if round_.submitted_at is not None)
    waiting = {round_.slug: round_.pk for round_ in reversed(rounds) if round_.state == State.PROMPT}
    return tuple(
        StartableDesign(
            slug=slug,
            title=loaded.title,
            read_before=slug in read,
            attempts=attempts[slug],
            waiting_round_id=waiting.get(slug),
        )
        for slug, loaded in load_designs().designs.items()
    )
