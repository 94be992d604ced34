"""Nothing that a model says reaches the trainee before this has checked it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from calculator.expressions import Facts
from grading.core import rubric
from grading.core.case import Case
from grading.core.claims import CLAIM_CHARACTERS, Claim, ClaimRefused, Known, check_claim, names_used, unshown_number
from grading.core.language import attacks_person, plain_text, praises, scores
from grading.core.mutations import CHOSEN, choose
from grading.core.schemas import CritiqueDraft, CritiqueReply, MutationDraft
from grading.core.submission import Place, Submission
from grading.core.verification import QuoteProblem, comparable, quote_problem

MOST_SHOWN = 6
OTHER_CLASS = "other"


class Reason(StrEnum):
    """Why a critique was dropped, in the words that are shown and counted."""

    QUOTE_NOT_FOUND = "quote not found"
    QUOTE_TOO_SHORT = "quote too short"
    QUOTE_TOO_LONG = "quote too long"
    QUOTE_IS_HEADING = "quote is only a heading"
    UNKNOWN_SECTION = "unknown section"
    UNKNOWN_CLASS = "unknown defect class"
    CLASS_NAME = "class name does not fit"
    UNKNOWN_LINE = "unknown rubric line"
    EMPTY_TEXT = "nothing is said"
    TEXT_TOO_LONG = "too long"
    EXPRESSION_WRONG = "expression does not evaluate"
    VALUE_MISSING = "claims no value"
    VALUE_UNREADABLE = "claimed value cannot be read"
    VALUE_WRONG = "number is wrong"
    UNKNOWN_INPUT = "number from nowhere"
    UNSHOWN_NUMBER = "number without its arithmetic"
    PRAISE = "praises"
    POINTS = "awards points"
    PERSONAL = "attacks the person"


@dataclass(frozen=True)
class CheckedCritique:
    """A critique that stands. All texts are plain: a page escapes them and renders no markup.

    `place` is None for a built-in finding about what is missing. `value_text` is the value that code worked out.
    """

    quote: str
    place: Place | None
    defect_class: str
    class_name: str
    attack: str
    scenario: str
    rubric_line: int
    expression: str = ""
    with_numbers: str = ""
    claimed_value: str = ""
    value_text: str = ""


@dataclass(frozen=True)
class Dropped:
    """A draft that does not stand, and why. `repairable` tells that asking again with the reason may help."""

    draft: CritiqueDraft
    reason: Reason
    detail: str
    repairable: bool

    @property
    def text(self) -> str:
        """The reason with its detail: "number is wrong: 2 * 3 GiB gives 6 GiB, not 7 GiB"."""
        return f"{self.reason}: {self.detail}" if self.detail else str(self.reason)


@dataclass(frozen=True)
class Checked:
    """What is shown, what was dropped and why, how many were merged into one shown, and how many were beyond six."""

    shown: tuple[CheckedCritique, ...]
    dropped: tuple[Dropped, ...]
    merged: int
    surplus: int = 0


@dataclass(frozen=True)
class CheckedMutation:
    """A change of the problem that is asked of this design; `generic` when it is one of the built-in ones."""

    title: str
    ask: str
    generic: bool


_MOST_CHARACTERS = {"attack": 2_000, "scenario": 1_500, "class_name": 80, "title": 120, "ask": 800, "reply": 4_000}
_FEWEST_CHARACTERS = {"attack": 20, "scenario": 12, "title": 3, "ask": 12, "reply": 2}
MOST_QUOTE_CHARACTERS = 600
_NOT_REPAIRABLE = frozenset({Reason.POINTS, Reason.PERSONAL})
_SECTION = re.compile(r"(?:s|§|section\s*)?\s*(\d{1,2})\b.*", re.IGNORECASE | re.DOTALL)
_CLAIM_REASONS = {
    "name": Reason.UNKNOWN_INPUT,
    "value": Reason.EXPRESSION_WRONG,
    "missing": Reason.VALUE_MISSING,
    "unreadable": Reason.VALUE_UNREADABLE,
    "wrong": Reason.VALUE_WRONG,
    "nowhere": Reason.UNKNOWN_INPUT,
}


class _Refused(Exception):
    """A draft does not stand."""

    def __init__(self, reason: Reason, detail: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.detail = detail


def check_critiques(reply: CritiqueReply, case: Case, facts: Facts, already: Sequence[CheckedCritique] = ()) -> Checked:
    """Which critiques of a reply stand. `already` are those shown before (a repair adds to them).

    `shown` holds `already` first, then what is new, six at most. `dropped`, `merged` and `surplus` count this reply.
    """
    known = Known.of(case)
    shown = list(already)
    dropped: list[Dropped] = []
    merged = surplus = 0
    for draft in reply.critiques:
        try:
            critique = _checked(draft, case, known, facts)
        except _Refused as refusal:
            repairable = refusal.reason not in _NOT_REPAIRABLE
            dropped.append(Dropped(draft, refusal.reason, refusal.detail, repairable))
            continue
        if any(_is_same(critique, other) for other in shown):
            merged += 1
        elif len(shown) >= MOST_SHOWN:
            surplus += 1
        else:
            shown.append(critique)
    return Checked(tuple(shown), tuple(dropped), merged, surplus)


def check_mutations(drafts: Sequence[MutationDraft], case: Case, *, seed: int) -> tuple[CheckedMutation, ...]:
    """Three mutations: the model's that stand, in order, then generic ones chosen by design and seed."""
    checked: list[CheckedMutation] = []
    for draft in drafts:
        if len(checked) == CHOSEN:
            break
        try:
            title, ask = _text("title", draft.title), _text("ask", draft.ask)
        except _Refused:
            continue
        if all(title.casefold() != other.title.casefold() and ask != other.ask for other in checked):
            checked.append(CheckedMutation(title, ask, generic=False))
    for generic in choose(case.slug, seed)[: CHOSEN - len(checked)]:
        checked.append(CheckedMutation(generic.title, generic.ask, generic=True))
    return tuple(checked)


def answer_problem(text: str) -> Reason | None:
    """What is wrong with the text of a model's reply to an answer: it must say something, neither praise nor score."""
    try:
        _text("reply", text)
    except _Refused as refusal:
        return refusal.reason
    return None


def quote_refused(quote: str, submission: Submission) -> Reason | None:
    """What is wrong with a quote wherever one is asked for; None when it stands."""
    if len(quote) > MOST_QUOTE_CHARACTERS:
        return Reason.QUOTE_TOO_LONG
    places = submission.places(quote)
    if not places:
        too_short = quote_problem(quote, submission.text) in (QuoteProblem.EMPTY, QuoteProblem.TOO_SHORT)
        return Reason.QUOTE_TOO_SHORT if too_short else Reason.QUOTE_NOT_FOUND
    return Reason.QUOTE_IS_HEADING if all(submission.only_heading(place) for place in places) else None


def section_key(section: str, submission: Submission) -> str:
    """The part that a section names ("s5", "5", "§5", "section 5", "worksheet", its title); "" for none."""
    wanted = " ".join(section.casefold().split()).strip(".: ")
    for part in submission.parts:
        if wanted in (part.key.casefold(), part.title.casefold()):
            return part.key
    match = _SECTION.fullmatch(wanted)
    key = f"s{int(match[1])}" if match else ""
    return key if submission.part(key) else ""


def _checked(draft: CritiqueDraft, case: Case, known: Known, facts: Facts) -> CheckedCritique:
    place = _place(draft, case.submission)
    if draft.defect_class not in case.defect_classes:
        raise _Refused(Reason.UNKNOWN_CLASS, draft.defect_class[:60])
    class_name = _class_name(draft)
    if draft.rubric_line not in {line.number for line in rubric.LINES}:
        raise _Refused(Reason.UNKNOWN_LINE, str(draft.rubric_line))
    attack, scenario = _text("attack", draft.attack), _text("scenario", draft.scenario)
    expression, claimed = _given(draft.expression), _given(draft.claimed_value)
    if len(claimed) > CLAIM_CHARACTERS:
        raise _Refused(Reason.VALUE_UNREADABLE, f"it has more than {CLAIM_CHARACTERS} characters")
    claim = _claim(expression, claimed, case, known, facts) if expression else None
    inputs = names_used(expression, case, facts) if expression else ()
    for text in (attack, scenario, "" if expression else claimed):
        number = unshown_number(text, known, claim, inputs)
        if number:
            raise _Refused(Reason.UNSHOWN_NUMBER, number)
    return CheckedCritique(
        quote=case.submission.words_at(place),
        place=place,
        defect_class=draft.defect_class,
        class_name=class_name,
        attack=attack,
        scenario=scenario,
        rubric_line=draft.rubric_line,
        expression=claim.expression if claim else "",
        with_numbers=claim.with_numbers if claim else "",
        claimed_value=claim.claimed.text if claim else "",
        value_text=claim.value_text if claim else "",
    )


def _place(draft: CritiqueDraft, submission: Submission) -> Place:
    """Where the quote stands: in the section named, or in the one part that holds it."""
    problem = quote_refused(draft.quote, submission)
    if problem:
        raise _Refused(problem, _shortened(draft.quote))
    key = section_key(draft.section, submission)
    if not key:
        raise _Refused(Reason.UNKNOWN_SECTION, draft.section[:40])
    places = [place for place in submission.places(draft.quote) if not submission.only_heading(place)]
    named = next((place for place in places if place.key == key), None)
    if named is None and len(places) > 1:
        raise _Refused(Reason.UNKNOWN_SECTION, f"the quote stands in {', '.join(place.key for place in places)}")
    return named or places[0]


def _class_name(draft: CritiqueDraft) -> str:
    name = plain_text(draft.class_name)
    if draft.defect_class != OTHER_CLASS:
        return ""
    if not name:
        raise _Refused(Reason.CLASS_NAME, "a defect of class other needs a name of its own")
    return _text("class_name", name)


def _text(field: str, text: str) -> str:
    """A text as it is kept. Raises: _Refused when it is empty, too long, praise, a score, or against the person."""
    kept = plain_text(text)
    if len(kept) < _FEWEST_CHARACTERS.get(field, 1):
        raise _Refused(Reason.EMPTY_TEXT, field)
    if len(kept) > _MOST_CHARACTERS[field]:
        raise _Refused(Reason.TEXT_TOO_LONG, f"{field} has more than {_MOST_CHARACTERS[field]:,} characters")
    for look, reason in ((praises, Reason.PRAISE), (scores, Reason.POINTS), (attacks_person, Reason.PERSONAL)):
        words = look(kept)
        if words:
            raise _Refused(reason, words)
    return kept


def _claim(expression: str, claimed: str, case: Case, known: Known, facts: Facts) -> Claim:
    try:
        return check_claim(expression, claimed, case, known, facts)
    except ClaimRefused as refusal:
        raise _Refused(_CLAIM_REASONS[refusal.kind], refusal.detail) from None


def _given(text: str | None) -> str:
    """An optional text; models write "null", "none" or "n/a" for nothing."""
    stripped = (text or "").strip()
    return "" if stripped.casefold() in ("null", "none", "n/a", "-") else stripped


def _is_same(first: CheckedCritique, second: CheckedCritique) -> bool:
    """Whether two critiques attack the same words for the same defect, or say the same."""
    if comparable(first.attack).casefold() == comparable(second.attack).casefold():
        return True
    if first.place is None or second.place is None or first.place.key != second.place.key:
        return False
    if (first.defect_class, first.class_name.casefold()) != (second.defect_class, second.class_name.casefold()):
        return False
    return first.place.start < second.place.end and second.place.start < first.place.end


def _shortened(text: str) -> str:
    words = " ".join(plain_text(text).split())
    return words if len(words) <= 120 else f"{words[:120]}…"
