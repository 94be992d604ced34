"""Why a request on a critique was refused: one typed error for every service, turned into a response by the views."""


class CritiqueRefused(Exception):
    """A request that the critique does not allow. Nothing typed is lost by it.

    `reason` is a stable word for programs, `message` a sentence for the person, `status` 404, 409 or 422, `field` the
    form field it belongs to.
    """

    def __init__(self, reason: str, message: str, status: int, *, field: str = "") -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.status = status
        self.field = field


class LeaseLost(Exception):
    """Another worker has taken the work over. What this one found is thrown away."""
