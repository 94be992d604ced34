"""Marks: what a trainee could say aloud and what not yet. A "not yet" becomes a card."""

import datetime as dt
from collections.abc import Mapping

from django.db import transaction

from trainer.accounts.models import User
from trainer.review.core.misses import Miss, MissKind
from trainer.review.days import study_day_of
from trainer.review.services import card_record_miss
from trainer.study.cards import concept_miss, item_miss
from trainer.study.models import LEVELS, ConceptMark, SelfMark
from trainer.study.worked import WorkedEntry

CARD_BELOW = 2


class MarkRefused(ValueError):
    """A mark that is none: nothing was kept. `field` is the form's."""

    def __init__(self, message: str, field: str) -> None:
        super().__init__(message)
        self.message, self.field = message, field


@transaction.atomic
def concept_mark(*, user: User, concept: WorkedEntry, state: str, now: dt.datetime) -> ConceptMark:
    """Mark one concept. The same mark again within a study day counts once; a "not yet" makes or resets its card.

    A later "could say it aloud" leaves the card as it is: it is put away by reviewing it.
    Raises: MarkRefused.
    """
    if state not in ConceptMark.State.values:
        raise MarkRefused(f"Mark: {' or '.join(ConceptMark.State.values)}.", "state")
    User.objects.select_for_update().get(pk=user.pk)
    last = ConceptMark.objects.filter(user=user, concept=concept.id).order_by("-at", "-pk").first()
    if last and last.state == state and study_day_of(user, last.at) == study_day_of(user, now):
        return last
    mark = ConceptMark.objects.create(user=user, concept=concept.id, state=state, at=now)
    if state == ConceptMark.State.NOT_YET:
        _missed(user, concept_miss(concept), now)
    return mark


@transaction.atomic
def self_assessment_record(
    *, user: User, levels: Mapping[str, int], items: Mapping[str, WorkedEntry], now: dt.datetime
) -> list[SelfMark]:
    """Mark items of the self-assessment, all of them or none. One below 2 makes or resets its card.

    A level that is given again within a study day counts once. Raises: MarkRefused.
    """
    for item, level in levels.items():
        if item not in items:
            raise MarkRefused(f"There is no item {item[:60]!r}.", item)
        if level not in LEVELS:
            raise MarkRefused(f"Level: a whole number from {LEVELS[0]} to {LEVELS[-1]}.", item)
    User.objects.select_for_update().get(pk=user.pk)
    kept = []
    for item, level in levels.items():
        last = SelfMark.objects.filter(user=user, item=item).order_by("-at", "-pk").first()
        if last and last.level == level and study_day_of(user, last.at) == study_day_of(user, now):
            continue
        kept.append(SelfMark.objects.create(user=user, item=item, level=level, at=now))
        if level < CARD_BELOW:
            _missed(user, item_miss(items[item]), now)
    return kept


def _missed(user: User, miss: Miss, now: dt.datetime) -> None:
    assert miss.kind == MissKind.CONCEPT
    card_record_miss(user=user, miss=miss, own_words="", round=None, now=now)
