"""A critique or a mutation that was not answered well becomes a card. All of it has been shown by then."""

import datetime as dt
import hashlib

from django.urls import reverse
from django.utils.text import slugify

from designs.core.prose import fill
from designs.loaded import LoadedDesign
from designs.selectors import design_of
from grading.core import rubric
from grading.findings import worked_step
from grading.models import Asked, Critique, CritiqueItem, Mutation
from trainer.review.core.misses import Miss, MissKind
from trainer.review.services import card_record_miss
from trainer.rounds.services.misses import anchors_of

LINE_OF_MUTATIONS = 6  # failure and degradation
_TITLE_CHARACTERS = 60


def miss_record(*, asked: Asked, now: dt.datetime) -> None:
    """The card of a critique or a mutation: made, or reset when the same was missed before."""
    round_ = asked.critique.round
    loaded = design_of(round_.design_version)
    miss = _item_miss(asked, loaded) if isinstance(asked, CritiqueItem) else _mutation_miss(asked, loaded)
    card_record_miss(user=round_.user, miss=miss, own_words=asked.answer, round=round_, now=now)


def _item_miss(item: CritiqueItem, loaded: LoadedDesign) -> Miss:
    quoted = f"You wrote: “{_plain(item.quote)}”\n\n" if item.quote else ""
    asks = "\n\n".join(filter(None, [_plain(item.attack), _plain(item.scenario)]))
    return Miss(
        kind=MissKind.MODEL_CRITIQUE,
        key=_item_key(item, loaded.slug),
        slug=loaded.slug,
        front=f"**{loaded.title}**. {quoted}{asks}\n\nMend it.",
        back="\n\n".join(
            filter(None, [_plain(item.reply), _worked(item, loaded), _levels(loaded, item.rubric_line or 1)])
        ),
        link=_link(item),
    )


def _mutation_miss(asked: Mutation, loaded: LoadedDesign) -> Miss:
    return Miss(
        kind=MissKind.MUTATION,
        key=f"{loaded.slug}/mutation/{slugify(asked.title)[:_TITLE_CHARACTERS] or asked.number}",
        slug=loaded.slug,
        front=f"**{loaded.title}**. {_plain(asked.title)}: {_plain(asked.ask)}",
        back="\n\n".join(filter(None, [_plain(asked.reply), _levels(loaded, LINE_OF_MUTATIONS)])),
        link=_link(asked),
    )


def _worked(item: CritiqueItem, loaded: LoadedDesign) -> str:
    """Where its number comes from: a step of the worked design by its formula, whose names say something."""
    if not item.expression:
        return ""
    step = worked_step(item, loaded)
    written = step.formula if step else item.expression
    return " = ".join(filter(None, [f"`{written}`" if written else "", item.with_numbers, item.value_text]))


def _item_key(item: CritiqueItem, slug: str) -> str:
    """The built-in critic says the same of the same gap, so that is one card; a model's critique is its own."""
    if item.critique.kind == Critique.Kind.BUILTIN:
        return f"{slug}/built-in/{hashlib.sha256(item.attack.encode()).hexdigest()[:16]}"
    return f"{slug}/model-critique/{item.pk}"


def _levels(loaded: LoadedDesign, number: int) -> str:
    line = rubric.line(number)
    anchors = [
        f"- **{level}** {fill(text, loaded.derivation, facts=loaded.facts)}" for level, text in anchors_of(loaded, line)
    ]
    return "\n".join([f"What the levels of “{line.name}” say here:", "", *anchors])


def _plain(text: str) -> str:
    """A model's text as text: what Markdown or HTML would make of it is taken from it."""
    return "".join(f"\\{character}" if character in _MARKUP else character for character in " ".join(text.split()))


_MARKUP = frozenset("\\`*_{}[]<>()#+-.!|~&^")


def _link(asked: Asked) -> str:
    return reverse("rounds:round", args=[asked.critique.round_id])
