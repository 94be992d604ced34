"""Reads of drills: who may see one, how one stands with each, and which comes next."""

import datetime as dt
import re
import secrets
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from django.http import Http404

from calculator.facts import catalogue_facts
from designs.history import earned_slugs, is_earned
from designs.loaded import LoadedDesign
from trainer.accounts.models import User
from trainer.drills import bank
from trainer.drills.core.drawing import Drawn, draw
from trainer.drills.core.forms import Drill, Kind
from trainer.drills.core.picking import Record, pick
from trainer.drills.core.working import Worked, work_out
from trainer.drills.models import Attempt
from trainer.review.days import study_day_begins_at, study_day_of
from trainer.review.models import Card
from trainer.review.selectors import standing

KEY = "drill/"
CARD_SEED = "card-"
"""How the seeds of cards begin. They are drawn in Review alone: elsewhere a card's answer could be looked up."""
SEED = re.compile(r"[A-Za-z0-9-]{1,40}")
GROUPS: Mapping[str, str] = {
    "D1": "Request lifecycle",
    "D2": "GPU memory and economics",
    "D3": "Throughput techniques",
    "D4": "Autoscaling under non-stationary traffic",
    "D5": "Distributed coordination",
    "D6": "Surrounding systems",
    Kind.OPENER.value: "Openers",
    Kind.COLD.value: "Numbers, cold",
}


@dataclass(frozen=True)
class Filters:
    """What is asked for of the drills; "" is everything."""

    kind: str = ""
    group: str = ""
    concept: str = ""
    chapter: str = ""
    weak: bool = False

    @property
    def narrow(self) -> bool:
        """Whether anything is left out."""
        return self != Filters()

    def takes(self, drill: Drill, record: Record) -> bool:
        """Whether a drill is among them."""
        return (
            self.kind in ("", drill.kind)
            and self.group in ("", drill.group)
            and self.concept in ("", drill.concept)
            and self.chapter in ("", drill.chapter)
            and (not self.weak or record.weak or record.due)
        )


def fresh_seed() -> str:
    """A seed that nobody has had."""
    return secrets.token_hex(4)


def drills_of(user: User) -> dict[str, Drill]:
    """Every drill that this trainee may see: openers of earned designs alone, and the numbers last."""
    drills = bank.bank().drills
    earned = earned_slugs(user)
    opened = {id: bank.opener_of(design) for id, design in bank.openers().items() if design.slug in earned}
    written = {id: drill for id, drill in drills.items() if drill.kind is not Kind.COLD}
    cold = {id: drill for id, drill in drills.items() if drill.kind is Kind.COLD}
    return {**written, **opened, **cold}


def get_drill_for_user(user: User, drill_id: str) -> Drill:
    """The drill; 404 for one that does not exist, and for the opener of a design that is not earned."""
    found = bank.bank().drills.get(drill_id)
    if found is not None:
        return found
    design = bank.openers().get(drill_id)
    if design is None or not is_earned(user, design.slug):
        raise Http404("there is no such drill")
    return bank.opener_of(design)


def design_of(drill: Drill) -> LoadedDesign | None:
    """The design that an opener opens."""
    return bank.openers().get(drill.id)


@lru_cache(maxsize=512)
def drawn(drill: Drill, seed: str) -> tuple[Drawn, Worked]:
    """A drill at a seed, and its working. Raises: DrillRefused."""
    found = draw(drill, seed, facts=catalogue_facts())
    return found, work_out(found)


def attempt_at(user: User, drill: Drill, seed: str) -> Attempt | None:
    """The trainee's answer to this drawing."""
    return Attempt.objects.filter(user=user, drill_id=drill.id, seed=seed).first()


def records_of(user: User, now: dt.datetime, due_cards: Collection[int] | None = None) -> dict[str, Record]:
    """How the trainee stands with every drill tried so far. `due_cards` are ids, where who calls knows them."""
    begins = study_day_begins_at(user, study_day_of(user, now))
    due = _due_ids(user, standing(user, now).due if due_cards is None else due_cards)
    found: dict[str, Record] = {}
    marked = Attempt.objects.filter(user=user, right__isnull=False).order_by("at", "pk")
    for id, right, at in marked.values_list("drill_id", "right", "at"):
        before = found.get(id, Record())
        found[id] = Record(before.tried + 1, before.right + bool(right), right, at)
    for id in due:
        before = found.get(id, Record())
        if before.last_at is None or before.last_at < begins:
            found[id] = Record(before.tried, before.right, before.last_right, before.last_at, due=True)
    return found


def record_of(user: User, drill: Drill) -> Record:
    """How the trainee stands with one drill."""
    rows = Attempt.objects.filter(user=user, drill_id=drill.id, right__isnull=False).order_by("at", "pk")
    answers = list(rows.values_list("right", "at"))
    last_right, last_at = answers[-1] if answers else (None, None)
    return Record(len(answers), sum(bool(right) for right, _ in answers), last_right, last_at)


def next_drill(user: User, filters: Filters, records: Mapping[str, Record], after: str = "") -> Drill | None:
    """The drill to do next, of those that the filters take."""
    drills = drills_of(user)
    ids = [id for id, drill in drills.items() if filters.takes(drill, records.get(id, Record()))]
    chosen = pick(ids, records, after)
    return drills[chosen] if chosen else None


def done_today(user: User, now: dt.datetime) -> int:
    """How many drills were answered this study day, cards of drills aside."""
    begins = study_day_begins_at(user, study_day_of(user, now))
    return Attempt.objects.filter(user=user, at__gte=begins, right__isnull=False, in_review=False).count()


def _due_ids(user: User, due_cards: Collection[int]) -> Iterable[str]:
    if not due_cards:
        return []
    cards = Card.objects.filter(user=user, kind=Card.Kind.DRILL, pk__in=due_cards)
    return [key.removeprefix(KEY) for key in cards.values_list("key", flat=True)]
