"""What a page of a drill carries in its form: an id of its own, so that it counts once, and when it was made."""

import datetime as dt
import uuid
from dataclasses import dataclass

from django.core import signing

from trainer.drills.refusals import DrillAnswerRefused

_SALT = "drills.page"


@dataclass(frozen=True)
class PageToken:
    """One showing of a drill."""

    client_id: str
    begun_at: dt.datetime

    def seconds(self, now: dt.datetime) -> int:
        """Whole seconds since the page was made."""
        return max(0, int((now - self.begun_at).total_seconds()))


def sign_page(now: dt.datetime) -> str:
    """The token of a page made now."""
    return signing.dumps({"id": uuid.uuid4().hex, "at": now.isoformat()}, salt=_SALT)


def read_page(token: str) -> PageToken:
    """Raises: DrillAnswerRefused when the token is of no page of this site."""
    try:
        facts = signing.loads(token, salt=_SALT)
    except signing.BadSignature:
        raise DrillAnswerRefused(
            "Page: this form has no valid page id. Load the page again and answer there."
        ) from None
    return PageToken(facts["id"], dt.datetime.fromisoformat(facts["at"]))
