"""Every change to a round's rows. Keyword-only, in one transaction, with `now` as an argument."""

from trainer.rounds.services.clock import (
    arithmetic_begin,
    design_reading_record,
    round_abandon,
    round_pause,
    round_resume,
    round_settle,
    round_start,
    round_submit,
    user_rounds_settle,
    writing_begin,
)
from trainer.rounds.services.questions import question_ask
from trainer.rounds.services.reading import (
    critique_answer,
    critique_first_sentence,
    critique_mark,
    reveal_advance,
)
from trainer.rounds.services.scoring import ScoreInput, scores_record
from trainer.rounds.services.writing import (
    Saved,
    addendum_decide,
    addendum_offer,
    deciding_star,
    document_save,
    focus_record,
)

__all__ = [
    "Saved",
    "ScoreInput",
    "addendum_decide",
    "addendum_offer",
    "arithmetic_begin",
    "critique_answer",
    "critique_first_sentence",
    "critique_mark",
    "deciding_star",
    "design_reading_record",
    "document_save",
    "focus_record",
    "question_ask",
    "reveal_advance",
    "round_abandon",
    "round_pause",
    "round_resume",
    "round_settle",
    "round_start",
    "round_submit",
    "scores_record",
    "user_rounds_settle",
    "writing_begin",
]
