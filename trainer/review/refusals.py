"""Why a request on a card was refused: one typed error for every service, turned into a response by the views."""


class ReviewRefused(Exception):
    """A request that the card does not allow. Nothing changes by it.

    `reason` is a stable word for programs, `message` a sentence for the person, `status` 409 or 422, `field` the form
    field it belongs to.
    """

    def __init__(self, reason: str, message: str, status: int, *, field: str = "") -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.status = status
        self.field = field


def changed() -> ReviewRefused:
    """The card is not as the page showed it."""
    return ReviewRefused("stale", "This card has changed since the page was loaded. Here it is as it stands now.", 409)
