"""Openers of the designs on disk: each takes its own deciding number, however it is typed, and no other."""

import pytest

from designs.loader import load_designs
from trainer.drills import bank
from trainer.drills.core.grading import Unreadable
from trainer.drills.openers import given_up, opened

DESIGNS = list(load_designs().designs.values())


def test_there_is_an_opener_for_each_design():
    assert set(bank.openers()) == {f"opener-{design.slug}" for design in DESIGNS}
    assert len(DESIGNS) >= 9


@pytest.mark.parametrize("design", DESIGNS, ids=lambda design: design.slug)
def test_an_opener_agrees_with_each_number_that_is_as_good_an_answer(design):
    for step in design.derivation.accepted:
        typed = f"{step.quantity.magnitude:.6g} {step.quantity.unit}"
        found = opened(typed, design)
        assert found.agrees
        assert found.step.quantity.value == pytest.approx(step.quantity.value, rel=0.11)


@pytest.mark.parametrize("design", DESIGNS, ids=lambda design: design.slug)
def test_a_plain_number_counts_the_unit_of_the_deciding_number(design):
    step = design.derivation.deciding
    assert opened(f"{step.quantity.magnitude:.6g}", design).agrees
    assert not opened(f"{step.quantity.magnitude * 37:.6g}", design).agrees


@pytest.mark.parametrize("design", DESIGNS, ids=lambda design: design.slug)
def test_nothing_typed_agrees_with_nothing(design):
    assert not given_up(design).agrees


@pytest.mark.parametrize("typed", ["", "x" * 201, "1 +", "nothing"])
def test_what_is_no_number_is_refused(typed):
    with pytest.raises(Unreadable, match="Number:"):
        opened(typed, DESIGNS[0])


@pytest.mark.parametrize("design", DESIGNS, ids=lambda design: design.slug)
def test_an_opener_says_nothing_of_its_number_before(design):
    drill = bank.opener_of(design)
    assert design.derivation.deciding.text not in f"{drill.title} {drill.ask}"
