"""A round as a critic is told it: the sealed texts, and the version of the design that the round began with."""

from calculator.expressions import Facts
from calculator.facts import catalogue_facts
from designs.loaded import LoadedDesign
from designs.selectors import design_of
from grading.core.case import Case, FirstOf, case_for
from grading.core.submission import Submission
from trainer.rounds.models import Round
from trainer.rounds.selectors.writing import submission_of


def submission_for(round_: Round) -> Submission:
    """The sections and the worksheet as they were sealed. No late addendum."""
    parts = submission_of(round_)
    return Submission.of({part.key: part.text for part in parts}, {part.key: part.title for part in parts})


def case_of(round_: Round) -> tuple[Case, LoadedDesign]:
    """What the critics are told, and the worked design for what only code may look at."""
    loaded = design_of(round_.design_version)
    return case_for(loaded.design, loaded.derivation, submission_for(round_), facts=facts_for(loaded)), loaded


def facts_for(loaded: LoadedDesign) -> Facts:
    """What the trainee's worksheet could use: the facts that the design's version keeps, then the catalogue's."""
    return FirstOf(loaded.facts, catalogue_facts())
