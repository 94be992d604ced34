"""A round to criticise, and an endpoint on loopback that the settings name."""

import datetime as dt
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest
from pytest_django import Settings

from tests.endpoint import KEY, MODEL, Endpoint, running_endpoint
from tests.trainer.rounds.sitting import Sitting
from trainer.accounts.models import User

PACK = Path(__file__).resolve().parents[1] / "designs" / "pack"
TEXTS = {
    "s3": "The front door takes a batch and gives back a ticket; nobody waits on the line for it.\n"
    "A queue holds the batches until a replica has room for the next one.",
    "s4": "Eight replicas take work from one queue, and each of them holds its own copy of the weights.\n"
    "The scheduler fills each batch up to the longest prompt of the night.",
    "s9": "When a GPU dies the batch is put back into the queue and begins anew on another replica.",
}


@pytest.fixture
def endpoint(settings: Settings) -> Iterator[Endpoint]:
    """An endpoint that answers well unless told otherwise, named by the settings, with a price."""
    with running_endpoint() as endpoint:
        settings.CRITIC_BASE_URL = endpoint.address
        settings.CRITIC_API_KEY = KEY
        settings.CRITIC_MODEL = MODEL
        settings.CRITIC_TIMEOUT_S = 10
        settings.CRITIC_USD_PER_MILLION_INPUT = Decimal(2)
        settings.CRITIC_USD_PER_MILLION_OUTPUT = Decimal(8)
        settings.CRITIC_PRICE_AS_OF = dt.date(2026, 3, 1)
        yield endpoint


@pytest.fixture
def pack(settings: Settings) -> None:
    """A small design that has every part, beside the site's own."""
    settings.CONTENT_DIRS = [*settings.CONTENT_DIRS, PACK]


@pytest.fixture
def sitting(alice: User, now: dt.datetime, pack: None) -> Sitting:
    """Alice's round, submitted, with words to attack."""
    sitting = Sitting(alice, now).to("writing")
    for key, text in TEXTS.items():
        sitting.save(key, text)
    return sitting.to("scoring")
