"""Reads the content before anyone asks for it: designs, chapters and drills take seconds the first time."""

import logging
from collections.abc import Callable, Iterator
from functools import partial
from threading import Event, Thread

LOG = logging.getLogger(__name__)
LONGEST_WAIT_S = 3.0
"""After which a process that nobody has asked anything begins on its own."""

type Part = tuple[str, Callable[[], object]]


def start_warming(answered: Event, *, longest_wait_s: float = LONGEST_WAIT_S) -> Thread:
    """A thread that reads the content once the process has given its first answer."""

    def later() -> None:
        answered.wait(longest_wait_s)
        warm()

    thread = Thread(target=later, name="warming", daemon=True)
    thread.start()
    return thread


def warm() -> None:
    """Everything that is read and worked out when it is first shown. What fails is logged, and the rest goes on."""
    try:
        for name, part in parts():
            try:
                part()
            except Exception:  # its page says what is wrong with it
                LOG.exception("could not read %s ahead", name)
    except Exception:
        LOG.exception("could not read the content ahead")


def parts() -> Iterator[Part]:
    """What is read ahead, piece by piece: what a first visit shows comes first."""
    from designs.loader import load_designs
    from trainer.drills.bank import bank
    from trainer.study.chapters import chapter_page
    from trainer.study.loader import load_study

    yield "designs", load_designs
    yield "chapters", lambda: load_study().chapters
    for slug, loaded in load_study().chapters.items():
        yield f"the chapter {slug}", partial(chapter_page, loaded, {})
    yield "lists and concepts", lambda: load_study().left_out()
    yield "drills", bank
