"""Changes of the problem that can be asked of any design, and which designs and sections each bites hardest."""

import hashlib
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


def _mutation(id: str, title: str, ask: str, slugs: str, *sections: int) -> Mutation:
    return Mutation(id, title, ask, frozenset(slugs.split()), sections)


MUTATIONS: tuple[Mutation, ...] = (
    _mutation(
        "gpu-dies",
        "A GPU dies in the middle of a batch",
        "One GPU is gone, now, with work on it. Follow that work: what is lost, who notices and after how long, what "
        "is done again, and which of your numbers no longer holds while the GPU is away?",
        "m01 m03 m07 m08 chatgpt",
        5,
        9,
    ),
    _mutation(
        "lengths-double",
        "Lengths double overnight",
        "From tomorrow every input and every output is twice as long, at the same number of requests. Which of your "
        "resources runs out first, by which line of your arithmetic, and what do you do before it does?",
        "m01 m02 m06 m07 chatgpt",
        2,
        6,
    ),
    _mutation(
        "poison-input",
        "One poison input",
        "One input makes whatever touches it crash or hang, and its owner retries it. How far does it spread in your "
        "design, what stops it, and what does everyone else see until then?",
        "m01 m04 m05 m06 m07",
        4,
        9,
    ),
    _mutation(
        "cache-cold",
        "Everything that was warm is cold",
        "A restart empties every cache, pool and memory of the past at once, at peak. Work out the load in the first "
        "minutes against what you have, and say what brings the system back rather than keeping it down.",
        "m02 m06 m07 chatgpt",
        2,
        9,
    ),
    _mutation(
        "one-takes-half",
        "One party becomes half of the load",
        "Over a month the largest of those you serve grows to half of everything. What do the others feel first, which "
        "of your limits was written for many small ones, and what do you change?",
        "m01 m03 m05 m07",
        5,
        6,
    ),
    _mutation(
        "half-the-money",
        "The same, for half the money",
        "The budget is halved and the promises stay. Say in numbers what half of your fleet can hold, which promise "
        "you would give back first, and what it saves.",
        "m01 m02 m03 m06 chatgpt",
        2,
        9,
    ),
    _mutation(
        "partition",
        "The parts no longer hear each other",
        "For five minutes the control plane and the workers cannot talk; both run. What does each go on doing, what is "
        "decided twice, and what has to be settled once they meet again?",
        "m01 m03 m04 m08",
        7,
        9,
    ),
    _mutation(
        "ten-times",
        "Ten times the size",
        "Everything is ten times as large: load, machines, data. Which of your mechanisms is linear, which is not, and "
        "which one do you throw away?",
        "m03 m04 m05 m08 chatgpt",
        2,
        5,
    ),
    _mutation(
        "wrong-not-slow",
        "Wrong, and nothing is slow",
        "Since last week one answer in ten thousand is wrong: another's data, a stale version, a corrupted value. "
        "Every signal is green. How do you find out, how far back must you go, and what have you kept to go there?",
        "m02 m04 m05 m06 m08",
        7,
        8,
    ),
    _mutation(
        "rollback",
        "The new version is worse",
        "A new version is live everywhere and has to go. What that it wrote can the old one not read, what is in "
        "flight while you turn back, and how long does it take?",
        "m02 m04 m05 m06 m07",
        8,
        9,
    ),
)


def choose(slug: str, seed: int, count: int = CHOSEN) -> tuple[Mutation, ...]:
    """Different mutations for a design: those that bite it come first, the seed picks among them.

    The same slug and seed give the same ones. Raises: ValueError when more are asked for than there are.
    """
    if not 1 <= count <= len(MUTATIONS):
        raise ValueError(f"count must be from 1 to {len(MUTATIONS)}, not {count}")
    ranked = sorted(MUTATIONS, key=lambda mutation: (slug not in mutation.slugs, _draw(slug, seed, mutation.id)))
    return tuple(ranked[:count])


def _draw(slug: str, seed: int, id: str) -> bytes:
    return hashlib.sha256(f"{slug}\0{seed}\0{id}".encode()).digest()
