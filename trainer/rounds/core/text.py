"""Text from outside: what can be stored, what cannot, said by name."""

NUL = "\x00"


class BadText(Exception):
    """Text that cannot be stored. `kind` is "type", "characters", "empty" or "length"."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message


def clean_text(value: object, name: str, *, limit_characters: int, required: bool = False) -> str:
    """The text itself with line ends as LF, once it is known to be storable. Nothing else is changed.

    Raises: BadText for another type, NUL characters, half surrogate pairs, nothing where something is required, or more
    than `limit_characters`.
    """
    if not isinstance(value, str):
        raise BadText("type", f"{name} must be text.")
    if NUL in value:
        raise BadText("characters", f"{name} holds a NUL character, which cannot be stored. Take it out.")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise BadText(
            "characters", f"{name} holds half of a surrogate pair, which is no character. Take it out."
        ) from error
    text = value.replace("\r\n", "\n").replace("\r", "\n")
    if required and not text.strip():
        raise BadText("empty", f"{name} is empty.")
    if len(text) > limit_characters:
        raise BadText(
            "length", f"{name} has {len(text):,} characters; at most {limit_characters:,} are kept. Shorten it."
        )
    return text


def clean_integer(value: object, name: str, *, least: int, most: int) -> int:
    """A whole number within the range, given as a number or in digits.

    Raises: BadText for anything else.
    """
    if isinstance(value, str) and value.strip().isascii() and value.strip().isdigit() and len(value) <= 12:
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise BadText("type", f"{name} must be a whole number from {least} to {most}.")
    return value
