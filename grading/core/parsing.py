"""From the text of a reply to its form. Whatever cannot be read ends in one typed refusal."""

from typing import Literal

from grading.core.schemas import Reply

MOST_CHARACTERS = 400_000

RefusalKind = Literal["empty", "too large", "refusal", "no JSON", "cut off", "wrong schema", "too many"]


class ReplyRefused(ValueError):
    """A reply that cannot be used: `kind` for code, `message` for a reader, `field` where one field is at fault."""

    def __init__(self, kind: RefusalKind, message: str, field: str = "") -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.field = field


def parse_reply[Form: Reply](text: str | None, form: type[Form], *, cut_off: bool = False) -> Form:
    """The reply in its form. `cut_off` tells that the endpoint said so (finish_reason "length").

    Raises: ReplyRefused, and nothing else.
    """
    raise NotImplementedError
