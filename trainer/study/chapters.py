"""A chapter worked out: a topic's answer at the reader's inputs, and the prose that is filled from it."""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from django.template.loader import render_to_string
from django.utils.http import urlencode
from django.utils.safestring import SafeString, mark_safe

from calculator.core.inputs import InputError, InputErrors
from calculator.expressions import ExpressionError, evaluate, evaluate_worksheet
from calculator.facts import catalogue_facts
from calculator.topic_answers import StepAnswer, TopicAnswer, filled, row_name, work_out
from calculator.topic_charts import flip_texts, topic_chart
from calculator.topic_plots import Curves, curves
from calculator.topics import Topic, topic_of
from designs.core.derivation import Derivation
from designs.core.document import Problem, Text
from designs.core.prose import PLACEHOLDER, fill, placeholder_problems
from designs.diagrams import DiagramRefused, draw
from designs.markdown import inline_html, to_html
from designs.mathml import formula_html
from trainer.study.core import chapters as core
from trainer.study.core.chapters import Chapter
from trainer.study.core.checks import prose_figures, typed_values


class ChapterRefused(ValueError):
    """The chapter cannot be shown."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(map(str, problems)))


@dataclass(frozen=True, eq=False)
class LoadedChapter:
    """A chapter that can be shown, at least at its own inputs. `problems` are what is wrong with it nevertheless."""

    chapter: Chapter
    topic: Topic
    problems: tuple[Problem, ...] = ()

    @property
    def slug(self) -> str:
        return self.chapter.slug

    @property
    def title(self) -> str:
        return self.chapter.title

    @cached_property
    def summary_html(self) -> SafeString:
        return inline_html(self.chapter.summary)

    @cached_property
    def drawing(self) -> SafeString:
        """The SVG; "" where there is none or it cannot be drawn."""
        if self.chapter.dot is None:
            return mark_safe("")
        words = self.chapter.words.source if self.chapter.words else self.chapter.summary
        try:
            svg = draw(self.chapter.dot.source, title=self.title, description=" ".join(words.split()), prefix="drawing")
        except DiagramRefused:
            return mark_safe("")
        return mark_safe(svg)


@dataclass(frozen=True)
class ChapterPage:
    """What a chapter's page shows at one set of inputs."""

    loaded: LoadedChapter
    answer: TopicAnswer
    text: str  # as HTML, with a mark in the place of each block
    drawn: tuple[str, ...]
    contents: tuple[tuple[str, str], ...]
    worksheet: str

    def html(self, link: Callable[[str], str]) -> SafeString:
        """The whole text; `link` is given the prose alone, without plots and workings."""
        return mark_safe(core.put_in_blocks(link(self.text), self.drawn))


def build(slug: str, toml: str, body: str, dot: str | None) -> LoadedChapter:
    """Raises: ChapterRefused with everything that stands in the way of showing it."""
    file = f"chapters/{slug}.toml"
    try:
        table = tomllib.loads(toml)
        for key in ("plot", "script", "input", "step"):
            table.setdefault(key, [])
        chapter, problems = core.read_chapter(slug, table, body, dot)
        topic = topic_of(slug, table)
    except tomllib.TOMLDecodeError as error:
        raise ChapterRefused([Problem(file, 0, f"[{slug}] is not valid TOML: {error}")]) from None
    except KeyError as error:
        raise ChapterRefused([Problem(file, 0, f"[{slug}] the key {error} is missing, here or in a table")]) from None
    except (TypeError, ValueError, IndexError, AttributeError) as error:
        raise ChapterRefused([Problem(file, 0, f"[{slug}] cannot be read: {error}")]) from None
    loaded = LoadedChapter(chapter, topic)
    fatal = _fatal(loaded)
    if fatal:
        raise ChapterRefused(fatal)
    return LoadedChapter(chapter, topic, tuple(problems))


@lru_cache(maxsize=128)
def _page(loaded: LoadedChapter, typed: tuple[tuple[str, str], ...]) -> ChapterPage:
    return shown(loaded, work_out(loaded.topic, dict(typed)))


def chapter_page(loaded: LoadedChapter, typed: Mapping[str, str]) -> ChapterPage:
    """The page at typed inputs. Raises: InputErrors."""
    return _page(loaded, tuple(sorted(typed.items())))


def shown(loaded: LoadedChapter, answer: TopicAnswer) -> ChapterPage:
    """The prose at an answer. Raises: InputErrors where the inputs leave a sentence without its figure."""
    derivation = derivation_of(answer)
    source = core.with_marks(loaded.chapter.body.source)
    try:
        source = core.said(source, sayings(loaded, answer, derivation))
        source = fill(_with_rows(source, answer), derivation, facts=catalogue_facts())
        drawn = [_block(loaded, answer, block) for block in core.blocks(loaded.chapter.body.source)]
    except ExpressionError as error:
        raise InputErrors([_beyond(loaded.topic, error.message)]) from None
    except (ArithmeticError, ValueError) as error:
        raise InputErrors([_beyond(loaded.topic, str(error))]) from None
    html, contents = core.with_heading_ids(to_html(_with_sources(loaded.chapter, source), prefix="chapter", shift=0))
    return ChapterPage(loaded, answer, html, tuple(drawn), tuple(contents), urlencode({"text": answer.worksheet()}))


def derivation_of(answer: TopicAnswer) -> Derivation:
    """The names that prose may use, each with how it shows."""
    names = dict(answer.setting.names) | {one.step.id: one.quantity for one in answer.steps}
    texts = {name: filled(f"{{{{ {name} }}}}", answer.setting, names, {}) for name in answer.setting.names}
    texts |= {one.step.id: one.text for one in answer.steps}
    return Derivation(names, texts, givens=(), steps=())


def sayings(loaded: LoadedChapter, answer: TopicAnswer, derivation: Derivation) -> dict[str, str]:
    """What each step that has sayings says here. Raises: ExpressionError."""
    return {
        id: next((one.text for one in said if _holds(one.condition, answer, derivation)), "")
        for id, said in loaded.chapter.sayings.items()
    }


def _holds(condition: str, answer: TopicAnswer, derivation: Derivation) -> bool:
    if not condition:
        return True
    expression = answer.setting.expression(condition)
    return evaluate(expression, names=derivation.names, facts=catalogue_facts()).quantity.value > 0


def _with_rows(source: str, answer: TopicAnswer) -> str:
    titles = {name: row_name(key) for name, key in answer.setting.keys.items()}
    return core.with_keys(source, answer.setting.keys, core.row_names(answer.setting.keys, titles))


def _with_sources(chapter: Chapter, source: str) -> str:
    notes = [f"[^{one.id}]: {one.markdown}" for one in chapter.sources if f"[^{one.id}]" in source]
    return "\n\n".join([source, *notes])


def _block(loaded: LoadedChapter, answer: TopicAnswer, block: core.Block) -> str:
    if block.kind == "drawing":
        words = to_html(loaded.chapter.words.source) if loaded.chapter.words else ""
        return render_to_string("study/drawing.html", {"drawing": loaded.drawing, "words": words})
    if block.kind == "plot":
        found = next(one for one in _curves(answer) if one.plot.id == block.ids[0])
        return render_to_string("study/plot.html", {"chart": topic_chart(found), "flips": flip_texts(found)})
    steps = [one for id in block.ids for one in answer.steps if one.step.id == id]
    return render_to_string("study/worked.html", {"steps": [worked(one) for one in steps]})


@lru_cache(maxsize=32)
def _curves_of(topic: Topic, typed: tuple[tuple[str, str], ...]) -> tuple[Curves, ...]:
    return curves(work_out(topic, dict(typed)))


def _curves(answer: TopicAnswer) -> tuple[Curves, ...]:
    return _curves_of(answer.topic, tuple(answer.inputs.items()))


@dataclass(frozen=True)
class Worked:
    """One step as a worked block has it."""

    id: str
    title: str
    text: str
    formula: str
    with_numbers: str
    decides: str
    source: str

    @property
    def formula_html(self) -> SafeString:
        """As it is set."""
        return formula_html(self.formula)


def worked(one: StepAnswer) -> Worked:
    """A step with its working."""
    step = one.step
    return Worked(step.id, step.title, one.text, step.formula, one.with_numbers, one.decides, step.source)


def _beyond(topic: Topic, message: str) -> InputError:
    first = topic.inputs[0]
    return InputError(
        first.name, f"a sentence of the chapter has no figure here ({message})", first.allowed, first.default
    )


def _fatal(loaded: LoadedChapter) -> list[Problem]:
    """What keeps the chapter from being shown at its own inputs."""
    chapter, topic = loaded.chapter, loaded.topic
    file = f"chapters/{chapter.slug}.toml"
    if not topic.inputs or not topic.steps:
        return [Problem(file, 0, f"[{chapter.slug}] needs at least one [[input]] and one [[step]]")]
    blocks = list(core.block_problems(chapter, [one.id for one in topic.steps], [one.id for one in topic.plots]))
    if blocks:
        return blocks
    try:
        answer = work_out(topic, {})
        derivation = derivation_of(answer)
        sayings(loaded, answer, derivation)
    except InputErrors as refused:
        return [Problem(file, 0, f"[{chapter.slug}] at its own inputs: {one}") for one in refused.errors]
    except (ExpressionError, KeyError, ValueError, ArithmeticError) as error:
        return [Problem(file, 0, f"[{chapter.slug}] cannot be worked out: {error}")]
    found = _placeholders(chapter.body, answer, derivation, chapter.slug)
    for id, said in chapter.sayings.items():
        for one in said:
            found += _placeholders(Text(one.text, file), answer, derivation, f"{chapter.slug}, says of {id}")
    return found


def _placeholders(text: Text, answer: TopicAnswer, derivation: Derivation, slug: str) -> list[Problem]:
    source = "\n".join("" if core.blocks(line) else line for line in text.source.split("\n"))
    source = core.said(source, dict.fromkeys(core.sayings_of(source), ""))
    filled_text = Text(_with_rows(source, answer), text.file, text.line)
    return [
        Problem(one.file, one.line, f"[{slug}] {one.message}")
        for one in placeholder_problems(filled_text, derivation, facts=catalogue_facts())
    ]


def chapter_problems(loaded: LoadedChapter) -> list[Problem]:
    """What is wrong with a chapter that can be shown: figures, sources, length, plots and drawing."""
    chapter = loaded.chapter
    typed = typed_values("\n".join(one.expression for one in loaded.topic.steps), catalogue_facts())
    plain = Text(PLACEHOLDER.sub("{{ 1 }}", chapter.body.source), chapter.body.file, chapter.body.line)
    found = [*loaded.problems, *_drawn(loaded)]
    found += [
        Problem(one.file, one.line, f"[{chapter.slug}] {one.message}")
        for one in prose_figures(plain, typed, chapter.notes())
    ]
    if chapter.words is not None and PLACEHOLDER.search(chapter.words.source):
        found.append(Problem(chapter.words.file, 0, f"[{chapter.slug}] the drawing's words take no placeholder"))
    used = {id for id in chapter.notes() if f"[^{id}]" in chapter.body.source}
    file = f"chapters/{chapter.slug}.toml"
    for one in chapter.sources:
        if not chapter.notes()[one.id].sourced and one.id in used:
            found.append(Problem(file, 0, f"[{chapter.slug}] the source {one.id} must name a source and a year"))
    words = core.word_count(chapter.body.source)
    if not 800 <= words <= 1800:
        found.append(Problem(chapter.body.file, 0, f"[{chapter.slug}] has {words} words, not 800 to 1,800"))
    if not loaded.topic.plots and chapter.dot is None:
        found.append(Problem(file, 0, f"[{chapter.slug}] has neither a plot nor a drawing"))
    placed = list(core.blocks(chapter.body.source))
    for plot in loaded.topic.plots:
        if not any(block.kind == "plot" and plot.id in block.ids for block in placed):
            found.append(
                Problem(file, 0, f"[{chapter.slug}] the plot {plot.id} stands nowhere in the text", warning=True)
            )
    return found


def _drawn(loaded: LoadedChapter) -> list[Problem]:
    """Plots, drawing and worksheet, made once: what fails there is an empty place on the page."""
    chapter = loaded.chapter
    if chapter.dot is not None and not loaded.drawing:
        return [Problem(chapter.dot.file, 0, f"[{chapter.slug}] cannot be drawn")]
    try:
        page = chapter_page(loaded, {})
    except InputErrors as refused:
        return [Problem(f"chapters/{chapter.slug}.toml", 0, f"[{chapter.slug}] {one}") for one in refused.errors]
    return [
        Problem(f"chapters/{chapter.slug}.toml", 0, f"[{chapter.slug}] in the worksheet: {line.error.message}")
        for line in evaluate_worksheet(page.answer.worksheet(), facts=catalogue_facts())
        if line.error
    ]
