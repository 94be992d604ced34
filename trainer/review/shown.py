"""Proof that an answer was shown: without it, no rating is scheduled and no back is edited.

The answer's page carries it in its forms. It says which card was shown, at which revision and on which study day, and
holds an id of its own, so that the same page posted twice counts once.
"""

import datetime as dt
import uuid
from dataclasses import dataclass

from django.core import signing

from trainer.review.models import Card
from trainer.review.refusals import ReviewRefused

_SALT = "review.shown"


@dataclass(frozen=True)
class Shown:
    """An answer as it was shown."""

    revision: int
    day: dt.date
    client_id: str


def sign_shown(card: Card, day: dt.date) -> str:
    """A token for the forms of one showing of a card's answer."""
    facts = {"card": card.pk, "revision": card.revision, "day": day.isoformat(), "id": uuid.uuid4().hex}
    return signing.dumps(facts, salt=_SALT)


def read_shown(card: Card, token: str) -> Shown:
    """What the token proves.

    Raises: ReviewRefused when it proves nothing about this card: its answer has not been shown.
    """
    try:
        facts = signing.loads(token, salt=_SALT)
    except signing.BadSignature:
        facts = {}
    if facts.get("card") != card.pk:
        raise ReviewRefused("not_shown", "Show the answer first, then rate it.", 409)
    return Shown(facts["revision"], dt.date.fromisoformat(facts["day"]), facts["id"])
