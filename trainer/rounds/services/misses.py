"""A round's misses become cards, each once the text of its back has been revealed."""

from datetime import datetime

from django.urls import reverse

from designs.core.document import Critique
from designs.core.prose import fill
from designs.loaded import LoadedDesign
from designs.selectors import design_of
from grading.core import rubric
from grading.models import LineScore
from trainer.review.core.misses import Miss, MissKind, critique_key, deciding_number_key, rubric_line_key
from trainer.review.services import card_record_miss
from trainer.rounds import deciding
from trainer.rounds.core import agreement
from trainer.rounds.models import CritiqueAnswer, Round

# Where in the round's page a line of the rubric is read about; the two hard parts are the design's own.
_SECTION_OF_LINE = {1: 2, 2: 1, 3: 4, 6: 9, 7: 7, 8: 9}
_HARD_PART_OF_LINE = {4: 0, 5: 1}


def deciding_number_miss_record(*, round_: Round, now: datetime) -> None:
    """A card when the deciding number was absent or off. Its back is what the reveal starts with."""
    loaded = design_of(round_.design_version)
    verdict = deciding.agreement_of(round_, loaded)
    if not verdict.is_miss:
        return
    miss = Miss(
        kind=MissKind.DECIDING_NUMBER,
        key=deciding_number_key(round_.slug),
        slug=round_.slug,
        front=f"**{loaded.title}**: derive the deciding number, and say what it decides.",
        back=_deciding_back(loaded),
        link=_link(round_, "deciding-title"),
    )
    own = deciding.own_text(round_) or "No line was starred."
    if verdict.verdict == agreement.OTHER_UNIT:
        own += " (of another dimension than the design's number)"
    card_record_miss(user=round_.user, miss=miss, own_words=own, round=round_, now=now)


def rubric_line_misses_record(*, round_: Round, now: datetime) -> None:
    """A card for every line scored below 3. The worked design has been read to its end by then."""
    loaded = design_of(round_.design_version)
    scores = LineScore.objects.filter(
        round=round_, scorer=LineScore.Scorer.SELF, level__lt=rubric.MISS_BELOW_LEVEL
    ).order_by("line")
    for score in scores:
        line = rubric.line(score.line)
        miss = Miss(
            kind=MissKind.RUBRIC_LINE,
            key=rubric_line_key(round_.slug, line.number),
            slug=round_.slug,
            front=f"**{loaded.title}** · {_line_name(loaded, line)}. {line.asks}\n\nWhat would a 3 and a 4 say here?",
            back=_line_back(loaded, line),
            link=_link(round_, f"section-{_section_of(loaded, line.number)}"),
        )
        card_record_miss(user=round_.user, miss=miss, own_words=score.quote, round=round_, now=now)


def critique_miss_record(*, round_: Round, answer: CritiqueAnswer, now: datetime) -> None:
    """A card for a critique marked partial or miss: the attack in front, the revision behind."""
    loaded = design_of(round_.design_version)
    critique = loaded.design.critique(answer.number)
    if critique is None:
        raise ValueError(f"the design {round_.slug} has no critique {answer.number}")
    miss = Miss(
        kind=MissKind.CRITIQUE,
        key=critique_key(round_.slug, critique.number),
        slug=round_.slug,
        front=_critique_front(loaded, critique),
        back=loaded.text(critique.revision),
        link=_link(round_, f"critique-{critique.number}-title"),
    )
    card_record_miss(user=round_.user, miss=miss, own_words=answer.text, round=round_, now=now)


def anchors_of(loaded: LoadedDesign, line: rubric.RubricLine) -> list[tuple[int, str]]:
    """(level, text with its placeholders) of a line: the design's own anchors, or the generic ones."""
    own = [(anchor.level, anchor.text.source) for anchor in loaded.design.anchors if anchor.line == line.number]
    generic = [(level, text) for level, texts in line.generic_anchors.items() for text in texts]
    return sorted(own or generic, key=lambda anchor: anchor[0])


def _deciding_back(loaded: LoadedDesign) -> str:
    step = loaded.derivation.deciding
    parts = [
        f"**{loaded.step_title(step)}: {step.text}**",
        step.formula,
        f"`{step.expression}`",
        f"= {step.with_numbers}",
    ]
    return "\n\n".join([*filter(None, parts), loaded.step_consequence(step)])


def _line_name(loaded: LoadedDesign, line: rubric.RubricLine) -> str:
    """The line's name, with what the hard part is in this design."""
    if line.number not in _HARD_PART_OF_LINE:
        return line.name
    return f"{line.name}: {loaded.hard_part_titles[_HARD_PART_OF_LINE[line.number]]}"


def _line_back(loaded: LoadedDesign, line: rubric.RubricLine) -> str:
    anchors = [f"- **{level}** {_filled(loaded, text)}" for level, text in anchors_of(loaded, line)]
    number = _section_of(loaded, line.number)
    title = f"§{number} {loaded.section_title(number)}"
    return "\n".join([f"What the levels say here ({title}):", "", *anchors])


def _critique_front(loaded: LoadedDesign, critique: Critique) -> str:
    quoted = " ".join(loaded.critique_quote(critique.number).split())
    attack = loaded.text(critique.critique)
    return f"**{loaded.title}**, §{critique.attacks} says: “{quoted}”\n\n{attack}\n\nMend it."


def _section_of(loaded: LoadedDesign, line: int) -> int:
    if line in _HARD_PART_OF_LINE:
        return loaded.design.hard_parts[_HARD_PART_OF_LINE[line]]
    return _SECTION_OF_LINE[line]


def _filled(loaded: LoadedDesign, markdown: str) -> str:
    return fill(markdown, loaded.derivation, facts=loaded.facts)


def _link(round_: Round, fragment: str) -> str:
    return f"{reverse('rounds:round', args=[round_.pk])}#{fragment}"
