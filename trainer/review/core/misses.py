"""A miss: what went wrong, and the card that it becomes."""

from dataclasses import dataclass
from enum import StrEnum

MAX_KEY_CHARACTERS = 120
MAX_LINK_CHARACTERS = 200


class MissKind(StrEnum):
    """What kind of thing was missed."""

    RUBRIC_LINE = "rubric_line"
    CRITIQUE = "critique"
    DECIDING_NUMBER = "deciding_number"
    INTERJECTION = "interjection"
    DRILL = "drill"
    CONCEPT = "concept"
    MUTATION = "mutation"
    MODEL_CRITIQUE = "model_critique"


@dataclass(frozen=True)
class Miss:
    """One miss. Its key says which thing was missed: the same key is the same card, however often it is missed.

    `front` and `back` are Markdown; `link` is a path of this site, to the section that the back comes from.
    Raises: ValueError that names the field.
    """

    kind: MissKind | str
    key: str
    slug: str
    front: str
    back: str
    link: str = ""

    def __post_init__(self) -> None:
        if self.kind not in MissKind:
            raise ValueError(f"kind: must be one of {', '.join(MissKind)}, not {self.kind!r}")
        if not 0 < len(self.key) <= MAX_KEY_CHARACTERS:
            raise ValueError(f"key: must have 1 to {MAX_KEY_CHARACTERS} characters, not {len(self.key)}")
        if not self.front.strip():
            raise ValueError("front: must say what was asked")
        if not self.back.strip():
            raise ValueError("back: must say what the design says")
        if len(self.link) > MAX_LINK_CHARACTERS:
            raise ValueError(f"link: must have at most {MAX_LINK_CHARACTERS} characters, not {len(self.link)}")
        if self.link and (not self.link.startswith("/") or self.link.startswith("//")):
            raise ValueError(f"link: must be a path of this site, not {self.link!r}")


def rubric_line_key(slug: str, line: int) -> str:
    """The key of a rubric line scored too low on a design."""
    return f"{slug}/line/{line}"


def critique_key(slug: str, number: int) -> str:
    """The key of a worked critique marked partial or miss."""
    return f"{slug}/critique/{number}"


def deciding_number_key(slug: str) -> str:
    """The key of a deciding number that was absent or off."""
    return f"{slug}/deciding-number"


def interjection_key(slug: str, interjection: str) -> str:
    """The key of an interjection left unanswered."""
    return f"{slug}/interjection/{interjection}"
