"""Many steps in an order to read: under the headings of the prose that uses them, and apart those that it does not."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from designs.core.derivation import DerivedStep
from designs.core.opened import names_in
from designs.core.prose import PLACEHOLDER

FEW = 8
"""So many steps need no groups."""
_HEADING = re.compile(r"^#{2,6}\s+(.+?)\s*#*$", re.MULTILINE)


@dataclass(frozen=True)
class StepGroup:
    """Steps that the text under one heading uses, and those that only lead up to them, both in order.

    `heading` is as the writer typed it; None for the text before the first one, and where there is one group alone.
    In the last group `elsewhere` is true when no figure of the section comes out of it: other parts use these.
    """

    heading: str | None
    told: tuple[DerivedStep, ...]
    rest: tuple[DerivedStep, ...]
    elsewhere: bool = False

    @property
    def deciding(self) -> bool:
        """Whether the deciding step is among them."""
        return any(step.deciding for step in self.told)

    @property
    def count(self) -> int:
        return len(self.told) + len(self.rest)


def step_groups(steps: Sequence[DerivedStep], body: str) -> tuple[StepGroup, ...]:
    """The steps of one part of a design, grouped by its Markdown `body`; each step stands in one group."""
    if not steps:
        return ()
    if len(steps) <= FEW:
        return (StepGroup(None, tuple(steps), ()),)
    texts = list(_by_heading(body))
    told = _told_in(steps, [text for _, text in texts])
    homes = _homes(steps, told, elsewhere=len(texts))
    groups = []
    for place, heading in enumerate([*(heading for heading, _ in texts), None]):
        here = [step for step in steps if homes[step.id] == place]
        if here:
            groups.append(
                StepGroup(
                    heading,
                    tuple(step for step in here if step.id in told),
                    tuple(step for step in here if step.id not in told),
                    elsewhere=place == len(texts),
                )
            )
    return tuple(groups)


def _by_heading(body: str) -> Iterator[tuple[str | None, str]]:
    """The texts of a body, each with its heading; the one before the first heading has none."""
    heading, start = None, 0
    for match in _HEADING.finditer(body):
        yield heading, body[start : match.start()]
        heading, start = match[1], match.start()
    yield heading, body[start:]


def _told_in(steps: Sequence[DerivedStep], texts: Sequence[str]) -> dict[str, int]:
    """The place of the first text that a step's value is put into; the deciding one is told in the first at least."""
    found: dict[str, int] = {}
    for place, text in enumerate(texts):
        for inner in PLACEHOLDER.findall(text):
            for name in re.findall(r"[a-z]\w*", inner):
                found.setdefault(name, place)
    told = {step.id: found[step.id] for step in steps if step.id in found}
    return {step.id: 0 for step in steps if step.deciding} | told


def _homes(steps: Sequence[DerivedStep], told: dict[str, int], *, elsewhere: int) -> dict[str, int]:
    """Where each step stands: where it is told, or with the earliest step that is worked out from it."""
    homes = {step.id: told.get(step.id, elsewhere) for step in steps}
    for step in reversed(steps):
        for name in names_in(step.expression):
            if name in homes and name not in told:
                homes[name] = min(homes[name], homes[step.id])
    return homes
