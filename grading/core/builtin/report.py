"""Puts the findings together: six attacks at most, in the form of checked critiques, then three mutations."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace

from calculator.expressions import Facts
from designs.core.derivation import Derivation
from designs.core.document import Design
from designs.core.prose import fill
from grading.core.builtin.findings import SAYS, AbsentFigure, AbsentNumber, AbsentRemedy, OffLine, Unread
from grading.core.builtin.lines import off_lines
from grading.core.builtin.numbers import Said, absent_figures, absent_numbers
from grading.core.builtin.wording import Sentence, nearest, sentences_of, spaced, stands, unmarked
from grading.core.case import Case
from grading.core.checking import MOST_SHOWN, CheckedCritique, CheckedMutation, check_mutations
from grading.core.rubric import DECIDING_LINE
from grading.core.submission import WORKSHEET_KEY, Place

LABEL = "built-in"
MOST_CHARACTERS = 120_000
"""Read of a submission: many times what is written in a round, and little enough to be read at once."""
NOTHING_NEAR = "No sentence of yours is near it."
_ARITHMETIC = "arithmetic-never-done"
_SECTION_LINES = {1: 2, 2: DECIDING_LINE, 3: 3, 4: 3, 7: 7, 8: 7, 9: 6, 10: DECIDING_LINE}
_FIRST_SHARES = {"lines": 2, "remedies": 3, "numbers": 2, "figures": 1}  # before what is left is filled up


@dataclass(frozen=True)
class BuiltinReport:
    """All that was found, and what is made of it. `critiques` and `mutations` have the form of a model's, checked."""

    absent_numbers: tuple[AbsentNumber, ...]
    off_lines: tuple[OffLine, ...]
    absent_remedies: tuple[AbsentRemedy, ...]
    absent_figures: tuple[AbsentFigure, ...]
    critiques: tuple[CheckedCritique, ...]
    mutations: tuple[CheckedMutation, ...]
    unread: tuple[Unread, ...] = ()
    label: str = LABEL

    @property
    def finding_count(self) -> int:
        """How many things were found in all, before the six are chosen."""
        found = (self.absent_numbers, self.off_lines, self.absent_remedies, self.absent_figures)
        return sum(len(kind) for kind in found)


def builtin_report(case: Case, design: Design, derivation: Derivation, *, facts: Facts, seed: int) -> BuiltinReport:
    """The built-in critic's reading of one submission. Same inputs, same report.

    It gives the worked answer away, so it is for a round that is done.
    """
    whole, case = case, replace(case, submission=case.submission.first(MOST_CHARACTERS))
    said = Said(case, facts)
    numbers = absent_numbers(case, design, derivation, said)
    lines = off_lines(case, derivation, facts=facts)
    remedies = absent_remedies(case, design, derivation, facts=facts)
    figures = absent_figures(case, design, derivation, said)
    writer = _Writer(case, design, derivation, facts, sentences_of(case.submission))
    return BuiltinReport(
        absent_numbers=numbers,
        off_lines=lines,
        absent_remedies=remedies,
        absent_figures=figures,
        critiques=_chosen(writer, numbers, lines, remedies, figures),
        mutations=check_mutations((), case, seed=seed),
        unread=tuple(
            Unread(part.title, len(part.text) - len(read.text))
            for part, read in zip(whole.submission.parts, case.submission.parts, strict=True)
            if len(part.text) > len(read.text)
        ),
    )


def absent_remedies(case: Case, design: Design, derivation: Derivation, *, facts: Facts) -> tuple[AbsentRemedy, ...]:
    """The worked critiques none of whose remedies stands in the submission."""
    words = spaced(part.text for part in case.submission.parts)
    return tuple(
        AbsentRemedy(
            number=critique.number,
            title=fill(critique.title.source, derivation, facts=facts),
            defect_class=critique.defect_class,
            class_name=critique.class_name,
            attacks=critique.attacks,
            looked_for=critique.remedies,
        )
        for critique in design.critiques
        if not any(stands(remedy, words) for remedy in critique.remedies)
    )


def _chosen(
    writer: "_Writer",
    numbers: tuple[AbsentNumber, ...],
    lines: tuple[OffLine, ...],
    remedies: tuple[AbsentRemedy, ...],
    figures: tuple[AbsentFigure, ...],
) -> tuple[CheckedCritique, ...]:
    """The deciding number first, then some of each kind, then whatever there is room for."""
    deciding = [number for number in numbers if number.deciding]
    named = {number.step_id for number in numbers}
    queues: dict[str, Iterator[CheckedCritique]] = {
        "lines": (writer.off_line(line) for line in lines),
        "remedies": (writer.remedy(remedy) for remedy in remedies),
        "numbers": (writer.number(number) for number in numbers if not number.deciding),
        "figures": (writer.figure(figure) for figure in figures if not writer.is_told(figure, named)),
    }
    chosen = [writer.number(number) for number in deciding]
    for kind, share in _FIRST_SHARES.items():
        chosen += [critique for critique, _ in zip(queues[kind], range(share), strict=False)]
    for queue in queues.values():
        chosen += list(queue) if len(chosen) < MOST_SHOWN else []
    return tuple(chosen[:MOST_SHOWN])


class _Writer:
    """Writes one attack for one finding."""

    def __init__(
        self, case: Case, design: Design, derivation: Derivation, facts: Facts, sentences: tuple[Sentence, ...]
    ) -> None:
        self.case = case
        self.design = design
        self.derivation = derivation
        self.facts = facts
        self.sentences = sentences

    def number(self, number: AbsentNumber) -> CheckedCritique:
        """A number that is said nowhere."""
        place = nearest(self.sentences, f"{number.title} {number.consequence}", fewest=3, prefer="s2")
        what = "The number that this design turns on" if number.deciding else "A number of section 2"
        attack = f"{what} {SAYS['absent_numbers'].format(**asdict(number))}"
        scenario = f"It is {number.value_text}. What follows from it: {number.consequence}"
        return self._attack(
            place,
            _ARITHMETIC,
            "",
            attack,
            scenario,
            DECIDING_LINE,
            expression=number.expression,
            with_numbers=number.with_numbers,
            value_text=number.value_text,
        )

    def off_line(self, line: OffLine) -> CheckedCritique:
        """A worksheet line that comes to something else."""
        place = self.case.submission.place_in(WORKSHEET_KEY, line.line_source)
        times = f"{line.ratio:.3g}" if line.ratio >= 0.001 else f"{line.ratio:.2e}"
        likely = f" Likely: {line.slip}." if line.slip else ""
        attack = (
            f"{SAYS['off_lines'].format(**asdict(line))} By its name it is this: {line.title}. "
            f"That is {line.value_text}; yours is {times} times that.{likely}"
        )
        step = self.derivation.step(line.step_id)
        consequence = fill(step.decides, self.derivation, facts=self.facts) if step else ""
        return self._attack(
            place,
            _ARITHMETIC,
            "",
            attack,
            f"Everything that is built on this line is off by as much. What follows from the number: {consequence}",
            DECIDING_LINE,
            expression=step.expression if step else "",
            with_numbers=step.with_numbers if step else "",
            value_text=line.value_text,
            silent=True,
        )

    def remedy(self, remedy: AbsentRemedy) -> CheckedCritique:
        """A worked critique whose remedy is not found.

        It is about the worked draft, so nothing of it is said of the trainee's: neither its title nor its argument.
        """
        critique = self.design.critique(remedy.number)
        assert critique is not None
        quote = fill(critique.quote.source, self.derivation, facts=self.facts)
        place = nearest(self.sentences, f"{remedy.title} {quote}", fewest=3, prefer=f"s{remedy.attacks}")
        looked_for = ", ".join(f"“{word}”" for word in remedy.looked_for)
        attack = (
            f"{SAYS['absent_remedies'].format(**asdict(remedy))} Looked for in your text and not found: {looked_for}. "
            "The remedy may be there in other words."
        )
        return self._attack(
            place,
            remedy.defect_class,
            remedy.class_name,
            attack,
            f"The worked draft, section {remedy.attacks}, wrote: “{' '.join(unmarked(quote).split())}”",
            self._line_of(remedy.attacks),
        )

    def figure(self, figure: AbsentFigure) -> CheckedCritique:
        """An anchor whose figure stands nowhere."""
        place = nearest(self.sentences, figure.text, fewest=3)
        attack = SAYS["absent_figures"].format(**asdict(figure))
        scenario = "Looked for in the worksheet's values and in the text, within a tenth."
        return self._attack(place, _ARITHMETIC, "", attack, scenario, figure.line)

    def is_told(self, figure: AbsentFigure, step_ids: set[str]) -> bool:
        """Whether an absent number says the same already."""
        anchor = next(anchor for anchor in self.design.anchors if anchor.id == figure.anchor_id)
        return any(f"{{{{ {step_id} " in anchor.text.source for step_id in step_ids)

    def _line_of(self, section: int) -> int:
        if section in self.design.hard_parts:
            return 4 + self.design.hard_parts.index(section)
        return _SECTION_LINES.get(section, 3)

    def _attack(
        self,
        place: Place | None,
        defect_class: str,
        class_name: str,
        attack: str,
        scenario: str,
        line: int,
        *,
        expression: str = "",
        with_numbers: str = "",
        value_text: str = "",
        silent: bool = False,
    ) -> CheckedCritique:
        return CheckedCritique(
            quote=self.case.submission.words_at(place) if place else "",
            place=place,
            defect_class=defect_class,
            class_name=class_name,
            attack=attack if place or silent else f"{attack} {NOTHING_NEAR}",
            scenario=scenario,
            rubric_line=line,
            expression=expression,
            with_numbers=with_numbers,
            claimed_value="",
            value_text=value_text,
        )
