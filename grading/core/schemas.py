"""The forms that a model's replies must have. Their JSON schemas go to endpoints that take one."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

MOST_CRITIQUES = 12
MOST_MUTATIONS = 6
MOST_VERDICTS = 300


def _none_as_empty(value: Any) -> Any:
    return "" if value is None else value


def _lower(value: Any) -> Any:
    return value.strip().lower() if isinstance(value, str) else value


Optional = Annotated[str, BeforeValidator(_none_as_empty)]
"""Text that may be left out or null; empty then."""


class Reply(BaseModel):
    """What every form shares: unknown fields are left aside; "4" is read as 4 and 40 as "40"."""

    model_config = ConfigDict(extra="ignore", frozen=True, coerce_numbers_to_str=True)


class CritiqueDraft(Reply):
    """One critique as the model wrote it: nothing of it is believed yet."""

    quote: str
    section: str
    defect_class: str
    class_name: Optional = ""
    attack: str
    scenario: str
    expression: str | None = None
    claimed_value: str | None = None
    rubric_line: int


class MutationDraft(Reply):
    """One change of the problem, and what is asked about it."""

    title: str
    ask: str


class CritiqueReply(Reply):
    """Critiques of a design, and changes of the problem to ask of it."""

    critiques: list[CritiqueDraft] = Field(max_length=MOST_CRITIQUES)
    mutations: list[MutationDraft] = Field(default=[], max_length=MOST_MUTATIONS)


class AnchorDraft(Reply):
    """Met or not, with the words that show it."""

    anchor_id: str
    met: bool
    quote: Optional = ""


class AnchorsReply(Reply):
    """A verdict on each anchor."""

    verdicts: list[AnchorDraft] = Field(max_length=MOST_VERDICTS)


class AnswerReply(Reply):
    """The interviewer's reply to an answer, and whether the answer holds."""

    reply: str
    holds: Annotated[Literal["yes", "partly", "no"], BeforeValidator(_lower)]


_LEFT_OUT = frozenset({"title", "default", "maxItems", "description"})


def json_schema(form: type[Reply]) -> dict[str, Any]:
    """The form's JSON schema as strict endpoints want it: every field required, none beside them."""
    made = _strict(form.model_json_schema())
    assert isinstance(made, dict)
    return made


def _strict(node: Any, *, names: bool = False) -> Any:
    """`names` tells that the keys of `node` are names of fields or of forms, not words of the schema language."""
    if isinstance(node, list):
        return [_strict(item) for item in node]
    if not isinstance(node, dict):
        return node
    if names:
        return {name: _strict(value) for name, value in node.items()}
    strict = {
        key: _strict(value, names=key in ("properties", "$defs")) for key, value in node.items() if key not in _LEFT_OUT
    }
    if strict.get("type") == "object":
        strict["required"] = list(strict.get("properties", {}))
        strict["additionalProperties"] = False
    return strict
