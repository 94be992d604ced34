"""The card that a concept, or an item of the self-assessment, becomes when it cannot be said aloud yet."""

from django.urls import reverse

from trainer.review.core.misses import Miss, MissKind
from trainer.study.loader import load_study
from trainer.study.worked import WorkedEntry


def concept_miss(concept: WorkedEntry) -> Miss:
    """Front: the concept's name. Back: what it is, its number, its trap, and what an answer holds."""
    return Miss(
        kind=MissKind.CONCEPT,
        key=f"concept/{concept.id}",
        slug="",
        front=f"Say it aloud, in about twenty seconds: **{concept.filled('title')}**",
        back=concept_back(concept),
        link=reverse("study:concept", args=[concept.id]),
    )


def concept_back(concept: WorkedEntry) -> str:
    """A concept as Markdown."""
    return "\n\n".join(
        [
            concept.filled("text"),
            f"**The number.** {concept.filled('number')}",
            f"**The trap.** {concept.filled('trap')}",
            f"**A good answer holds:** {concept.filled('aloud')}",
        ]
    )


def item_miss(item: WorkedEntry) -> Miss:
    """Front: what one should be able to do. Back: the concepts that it is made of."""
    concepts = {one.id: one for one in load_study().entries("concepts", "concept")}
    named = [concepts[id] for id in item.lists.get("concepts", ()) if id in concepts]
    parts = [f"### {one.id} {one.filled('title')}\n\n{concept_back(one)}" for one in named]
    own = item.filled("answer")
    return Miss(
        kind=MissKind.CONCEPT,
        key=f"self-assessment/{item.id}",
        slug="",
        front=f"Aloud, without notes: {item.filled('text')}",
        back="\n\n".join([*([own] if own else []), *parts]) or item.filled("text"),
        link=f"{reverse('study:self_assessment')}#item-{item.id}",
    )
