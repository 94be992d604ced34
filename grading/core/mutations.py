"""Changes of the problem that can be asked of any design, and which designs and sections each bites hardest."""

from dataclasses import dataclass

CHOSEN = 3


@dataclass(frozen=True)
class Mutation:
    """`slugs` are the designs that it bites hardest; `sections` the sections to look at again."""

    id: str
    title: str
    ask: str
    slugs: frozenset[str]
    sections: tuple[int, ...]


def choose(slug: str, seed: int, count: int = CHOSEN) -> tuple[Mutation, ...]:
    """Different mutations for a design: those that bite it come first, the seed picks among them."""
    raise NotImplementedError
