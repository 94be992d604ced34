"""Input from outside, checked: a value that can be stored, or a refusal at its field."""

from trainer.rounds.core.text import BadText, clean_integer, clean_text
from trainer.rounds.refusals import RoundRefused


def text_or_refuse(
    value: object, name: str, *, field: str, limit_characters: int, required: bool = False, status_if_long: int = 422
) -> str:
    """The text with line ends as LF. Raises: RoundRefused 422 at `field`, or `status_if_long` for too much of it."""
    try:
        return clean_text(value, name, limit_characters=limit_characters, required=required)
    except BadText as error:
        if error.kind == "length":
            raise RoundRefused("too_long", error.message, status_if_long, field=field) from error
        raise RoundRefused("invalid", error.message, 422, field=field) from error


def integer_or_refuse(value: object, name: str, *, field: str, least: int, most: int) -> int:
    """A whole number within the range. Raises: RoundRefused 422 at `field`."""
    try:
        return clean_integer(value, name, least=least, most=most)
    except BadText as error:
        raise RoundRefused("invalid", error.message, 422, field=field) from error
