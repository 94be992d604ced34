"""Why a request on a round was refused: one typed error for every service, turned into a response by the views."""

from collections.abc import Mapping
from typing import Any


class RoundRefused(Exception):
    """A request that the round does not allow. Nothing typed is lost by it.

    `reason` is a stable word for programs ("stale", "sealed", "paused", "locked", "clock_running", "out_of_order",
    "too_long", "invalid", "unknown" ...), `message` a sentence for the person, `status` 404, 409, 413 or 422, `field`
    the form field it belongs to, `extra` more for programs. `extra["errors"]` maps fields to messages when several
    fields are at fault.
    """

    def __init__(
        self, reason: str, message: str, status: int, *, field: str = "", extra: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.status = status
        self.field = field
        self.extra = dict(extra or {})

    @property
    def errors(self) -> dict[str, str]:
        """Messages by field; the one message under its field when there is only one."""
        return self.extra.get("errors") or ({self.field: self.message} if self.field else {})
