"""The forms that a model's replies must have. Their JSON schemas go to endpoints that take one."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

MOST_CRITIQUES = 12
MOST_MUTATIONS = 6
MOST_VERDICTS = 300


class Reply(BaseModel):
    """What every form shares: unknown fields are left aside, values are not converted."""

    model_config = ConfigDict(extra="ignore", strict=True, frozen=True)


class CritiqueDraft(Reply):
    """One critique as the model wrote it: nothing of it is believed yet."""

    quote: str
    section: str
    defect_class: str
    class_name: str = ""
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
    critiques: list[CritiqueDraft]
    mutations: list[MutationDraft] = []


class MutationReply(Reply):
    mutations: list[MutationDraft]


class AnchorDraft(Reply):
    """Met or not, with the words that show it."""

    anchor_id: str
    met: bool
    quote: str = ""


class AnchorsReply(Reply):
    verdicts: list[AnchorDraft]


class AnswerReply(Reply):
    """The interviewer's reply to an answer, and whether the answer holds."""

    reply: str
    holds: Literal["yes", "partly", "no"]


def json_schema(form: type[Reply]) -> dict[str, Any]:
    """The form's JSON schema as strict endpoints want it: every field required, none beside them."""
    raise NotImplementedError
