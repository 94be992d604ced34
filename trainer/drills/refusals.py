"""Why an answer was refused: a sentence for the person, and the field it belongs to. Nothing is lost or counted."""


class DrillAnswerRefused(Exception):
    """An answer that cannot be taken: 422, or 409 where something else has to come first."""

    def __init__(self, message: str, *, field: str = "", status: int = 422) -> None:
        super().__init__(message)
        self.message = message
        self.field = field
        self.status = status
