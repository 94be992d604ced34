"""Answers to drills. Every answer counts once, and a wrong or half one becomes a card."""

import datetime as dt
from collections.abc import Collection

from django.db import IntegrityError, transaction

from trainer.accounts.models import User
from trainer.drills import selectors
from trainer.drills.core.drawing import Drawn
from trainer.drills.core.forms import Drill, Kind
from trainer.drills.core.grading import Unreadable, Verdict, grade, grade_beats, grade_choice
from trainer.drills.core.working import Worked
from trainer.drills.miss import miss_of
from trainer.drills.models import Attempt
from trainer.drills.openers import opened
from trainer.drills.refusals import DrillAnswerRefused
from trainer.drills.token import PageToken
from trainer.review.services import card_record_miss

MOST_WORDS_CHARACTERS = 5_000


@transaction.atomic
def attempt_record(
    *,
    user: User,
    drill: Drill,
    seed: str,
    typed: str,
    words: str,
    given_up: bool,
    timed: bool,
    page: PageToken,
    now: dt.datetime,
) -> Attempt:
    """One answer to a drawing. The first one counts: the same page posted twice, or a second page, gives that one.

    What is said aloud, and an opener, wait for their marks. Raises: DrillAnswerRefused when it cannot be read.
    """
    before = selectors.attempt_at(user, drill, seed) or user_attempt(user, page)
    if before is not None:
        return before
    if len(words) > MOST_WORDS_CHARACTERS:
        message = f"Words: at most {MOST_WORDS_CHARACTERS:,} characters, not {len(words):,}."
        raise DrillAnswerRefused(message, field="words")
    if "\0" in words:
        raise DrillAnswerRefused("Words: hold a null character.", field="words")
    verdict = Verdict(False) if given_up else verdict_on(drill, seed, typed)
    attempt = Attempt(
        user=user,
        drill_id=drill.id,
        kind=drill.kind,
        seed=seed,
        typed="" if given_up or drill.kind is Kind.ALOUD else typed.strip(),
        words=words.strip(),
        given_up=given_up,
        right=None if _waits(drill) and not given_up else verdict.right,
        slip=verdict.slip,
        timed=timed,
        seconds=page.seconds(now),
        client_id=page.client_id,
        at=now,
    )
    try:
        with transaction.atomic():
            attempt.save(force_insert=True)
    except IntegrityError:
        won = selectors.attempt_at(user, drill, seed) or user_attempt(user, page)
        if won is None:
            raise
        return won
    if attempt.right is False:
        _card(user, drill, attempt, now)
    return attempt


@transaction.atomic
def attempt_mark(
    *, user: User, drill: Drill, seed: str, ticks: Collection[int], said: bool, now: dt.datetime
) -> Attempt:
    """The marks of an answer said aloud, or of an opener's sentence. The first marks count.

    Raises: DrillAnswerRefused when nothing was answered yet, or a beat is none.
    """
    attempt = selectors.attempt_at(user, drill, seed)
    if attempt is None or not _waits(drill):
        raise DrillAnswerRefused("Answer first, then mark it.", status=409)
    verdict = _marks(drill, attempt, ticks, said)
    won = Attempt.objects.filter(pk=attempt.pk, right__isnull=True).update(
        right=verdict.right, slip=verdict.slip, ticks=sorted(set(ticks))
    )
    attempt.refresh_from_db()
    if won and not verdict.right:
        _card(user, drill, attempt, now)
    return attempt


@transaction.atomic
def attempt_record_in_review(
    *, user: User, drill: Drill, seed: str, typed: str, verdict: Verdict, given_up: bool, now: dt.datetime
) -> None:
    """An answer given to a card, for the record. The card's own rating says when it comes back."""
    Attempt.objects.get_or_create(
        user=user,
        client_id=f"review-{seed}",
        defaults={
            "drill_id": drill.id,
            "kind": drill.kind,
            "seed": seed,
            "typed": "" if given_up else typed.strip(),
            "given_up": given_up,
            "right": verdict.right,
            "slip": verdict.slip,
            "in_review": True,
            "at": now,
        },
    )


def verdict_on(drill: Drill, seed: str, typed: str) -> Verdict:
    """The verdict on a typed number or a choice. Raises: DrillAnswerRefused when it cannot be read."""
    try:
        if drill.kind is Kind.OPENER:
            design = selectors.design_of(drill)
            assert design is not None  # whoever calls has found the drill
            return Verdict(opened(typed, design).agrees)
        if drill.kind is Kind.ALOUD:
            return Verdict(False)
        return verdict_at(*selectors.drawn(drill, seed), typed)
    except Unreadable as error:
        raise DrillAnswerRefused(error.message, field="answer") from None


def verdict_at(drawn: Drawn, worked: Worked, typed: str) -> Verdict:
    """The same at a drawing. Raises: Unreadable."""
    return grade(drawn, worked, typed) if drawn.drill.kind.typed else grade_choice(drawn, typed)


def user_attempt(user: User, page: PageToken) -> Attempt | None:
    """What the same page was answered with before."""
    return Attempt.objects.filter(user=user, client_id=page.client_id).first()


def _waits(drill: Drill) -> bool:
    return drill.kind in (Kind.ALOUD, Kind.OPENER)


def _marks(drill: Drill, attempt: Attempt, ticks: Collection[int], said: bool) -> Verdict:
    if drill.kind is Kind.ALOUD:
        try:
            return grade_beats(drill, ticks)
        except Unreadable as error:
            raise DrillAnswerRefused(error.message, field="beat") from None
    number = not attempt.given_up and verdict_on(drill, attempt.seed, attempt.typed).right
    if number and said:
        return Verdict(True)
    missing = [
        *([] if number else ["the number is not the design's"]),
        *([] if said else ["its consequence was not said"]),
    ]
    return Verdict(False, slip=f"{' and '.join(missing).capitalize()}.")


def _card(user: User, drill: Drill, attempt: Attempt, now: dt.datetime) -> None:
    miss = miss_of(drill, attempt.seed)
    own = "\n".join(text for text in (attempt.typed if not drill.kind.chosen else "", attempt.words) if text)
    card_record_miss(user=user, miss=miss, own_words=own, round=None, now=now)
