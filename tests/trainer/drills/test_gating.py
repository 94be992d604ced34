"""No drill holds a part of a design: what is asked, worked out and said afterwards is open to everybody."""

from collections.abc import Iterator

import pytest

from calculator.facts import catalogue_facts
from designs.loader import load_designs
from tests.trainer.rounds.test_gating import words
from tests.trainer.study.test_gating import told
from trainer.drills import bank
from trainer.drills.core.drawing import draw
from trainer.drills.core.forms import Drill
from trainer.drills.core.working import work_out

SEEDS = ("0", "1", "2")


def said(drill: Drill) -> Iterator[str]:
    """Every text of a drill as it is written, and as some draws fill it, with the reasons of its working.

    The lines themselves are left out: the figures of an open formula are the same wherever the same GPU stands in it.
    """
    written = [drill.title, *drill.texts, *(choice.text for choice in drill.choices)]
    if drill.plot is not None:
        written += [drill.plot.x_title, drill.plot.y_title, *(series.name for series in drill.plot.series)]
    yield from written
    for seed in SEEDS:
        drawn = draw(drill, seed, facts=catalogue_facts())
        worked = work_out(drawn)
        reasons = [line.why for line in (*worked.given, *worked.lines)]
        yield from (drawn.ask, *(worked.scene.fill(text) for text in drill.texts), *reasons)


@pytest.mark.parametrize("name", sorted({drill.file for drill in bank.all_drills()[0]}))
def test_no_drill_holds_five_words_in_a_row_of_a_design(name: str):
    drills = [drill for drill in bank.all_drills()[0] if drill.file == name]
    assert drills
    found = {(drill.id, run) for drill in drills for text in said(drill) for run in told(text)}
    assert not found, "\n".join(f"{id}: {run}" for id, run in sorted(found))


def test_a_sentence_of_a_design_in_a_drill_is_found(small_bank: dict[str, Drill]):
    slug, design = next(iter(load_designs().designs.items()))
    sentence = " ".join(words(design.text(design.design.sections[4].body))[40:60])
    path = bank.CONTENT / "sample.toml"
    path.write_text(path.read_text().replace('consequence = "So ', f'consequence = "So {sentence} '))
    found = {run for drill in bank.bank().drills.values() for text in said(drill) for run in told(text)}
    assert any(run.startswith(f"{slug}:") for run in found)
