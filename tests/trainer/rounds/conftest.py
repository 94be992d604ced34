"""Rounds of a small design that has every part."""

import datetime as dt
from pathlib import Path

import pytest
from pytest_django import Settings

from designs.loaded import LoadedDesign
from designs.loader import load_designs
from tests.trainer.rounds.sitting import SLUG, Sitting
from trainer.accounts.models import User

PACK = Path(__file__).parents[2] / "designs" / "pack"


@pytest.fixture(autouse=True)
def pack(settings: Settings) -> None:
    settings.CONTENT_DIRS = [PACK]


@pytest.fixture
def design(pack: None) -> LoadedDesign:
    return load_designs().designs[SLUG]


@pytest.fixture
def sitting(alice: User, now: dt.datetime) -> Sitting:
    """An exam round of Alice's, at the prompt."""
    return Sitting(alice, now)


@pytest.fixture
def practice(alice: User, now: dt.datetime) -> Sitting:
    """A practice round of Alice's, at the prompt."""
    return Sitting(alice, now, mode="practice")
