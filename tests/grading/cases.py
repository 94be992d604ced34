"""Cases to judge: submissions of known quality to the worked designs, and small ones of a test's own."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from calculator.facts import catalogue_facts
from grading.core.builtin import BuiltinReport, builtin_report
from grading.core.case import Case, case_for
from grading.core.schemas import CritiqueDraft, CritiqueReply
from grading.core.submission import Submission
from tests.designs.worked import derivation_of, design_of
from trainer.rounds.core.documents import KEYS, WORKSHEET, title_of

FOLDER = Path(__file__).parent / "submissions"
SLUGS = ("m01", "m02", "m08")
QUALITIES = ("weak", "middling", "strong")
FACTS = catalogue_facts()

QUOTE = "The router therefore stops sending to a replica at 85 % of its KV pool."


def submission(texts: Mapping[str, str]) -> Submission:
    """The parts in the order of a round, with the template's titles."""
    return Submission.of({key: texts.get(key, "") for key in KEYS}, {key: title_of(key) for key in KEYS})


@cache
def texts_of(slug: str, quality: str) -> Mapping[str, str]:
    """The texts of one of the submissions of known quality."""
    paths = {key: FOLDER / slug / quality / ("worksheet.txt" if key == WORKSHEET else f"{key}.md") for key in KEYS}
    return {key: path.read_text(encoding="utf-8") for key, path in paths.items() if path.exists()}


@cache
def expected_of(slug: str, quality: str) -> Mapping[str, bool]:
    """What a careful reader says of each anchor."""
    read = tomllib.loads((FOLDER / slug / quality / "expected.toml").read_text(encoding="utf-8"))
    return dict(read["anchors"])


def case_of(slug: str, texts: Mapping[str, str]) -> Case:
    return case_for(design_of(slug), derivation_of(slug), submission(texts), facts=FACTS)


@cache
def known_case(slug: str, quality: str) -> Case:
    return case_of(slug, texts_of(slug, quality))


def report_of(case: Case, seed: int = 1) -> BuiltinReport:
    return builtin_report(case, design_of(case.slug), derivation_of(case.slug), facts=FACTS, seed=seed)


def draft(**changes: object) -> CritiqueDraft:
    """A critique of the middling answer to m01 that stands, but for what a test changes."""
    fields: dict[str, object] = {
        "quote": QUOTE,
        "section": "s6",
        "defect_class": "threshold-on-unsized-resource",
        "class_name": "",
        "attack": "The gate looks at what residents hold now. They were let in to grow, and nobody sized that.",
        "scenario": "A burst of reasoning prompts passes the gate together and outgrows the pool within seconds.",
        "expression": None,
        "claimed_value": None,
        "rubric_line": 5,
    }
    return CritiqueDraft.model_validate(fields | changes)


def reply(*drafts: CritiqueDraft) -> CritiqueReply:
    return CritiqueReply(critiques=list(drafts))
