"""What the card of a missed drill holds: the question with its numbers, and the answer with its working."""

from django.urls import reverse

from trainer.drills import selectors
from trainer.drills.core.drawing import Drawn
from trainer.drills.core.forms import Drill, Kind
from trainer.drills.core.working import Worked
from trainer.review.core.misses import Miss, MissKind


def miss_of(drill: Drill, seed: str) -> Miss:
    """The miss of a drill, as this seed drew it."""
    slug = ""
    if drill.kind is Kind.OPENER:
        front, back, slug = _opener(drill)
    else:
        drawn, worked = selectors.drawn(drill, seed)
        front, back = _front(drawn), _back(drawn, worked)
    return Miss(
        kind=MissKind.DRILL,
        key=f"{selectors.KEY}{drill.id}",
        slug=slug,
        front=front,
        back=back,
        link=reverse("drills:drill", args=[drill.id]),
    )


def _front(drawn: Drawn) -> str:
    texts = [drawn.scene.fill(drawn.drill.choices[index].text) for index in drawn.order]
    choices = "\n".join(f"{place}. {' '.join(text.split())}" for place, text in enumerate(texts, 1))
    return f"{drawn.ask}\n\n{choices}".strip()


def _back(drawn: Drawn, worked: Worked) -> str:
    drill = drawn.drill
    parts = []
    if worked.answer is not None:
        parts.append(f"**{worked.text}**")
    parts += [drawn.scene.fill(choice.text) for choice in drill.choices if choice.key]
    parts += [f"- {worked.scene.fill(beat.text)}{' (essential)' if beat.essential else ''}" for beat in drill.beats]
    if worked.lines:
        parts.append("\n".join(f"    {line.name or 'so'} = {line.put_in} = {line.text}" for line in worked.lines))
    parts += [text for text in (worked.why, worked.consequence) if text]
    parts += [worked.scene.fill(choice.why) for choice in drill.choices if choice.key and choice.why]
    return "\n\n".join(parts) or drill.title


def _opener(drill: Drill) -> tuple[str, str, str]:
    design = selectors.design_of(drill)
    assert design is not None  # whoever calls has found the drill
    step = design.derivation.deciding
    return drill.ask, f"**{step.text}**\n\n{design.step_consequence(step)}", design.slug
