"""What tests of every app use: three people, their clients, a fixed moment, and which tests run on which database."""

import datetime as dt
from pathlib import Path

import pytest
from django.test import Client
from hypothesis import settings as hypothesis_settings
from pytest_django import Settings

from tests.factories import make_user
from trainer.accounts.models import User

hypothesis_settings.register_profile("roofline", deadline=None)  # no test is judged by how busy the machine is
hypothesis_settings.load_profile("roofline")

pytest_plugins = ["tests.services"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--only-database",
        action="store_true",
        help="run only the tests that use the database, and neither a browser nor processes of their own",
    )


def uses_the_database(item: pytest.Item) -> bool:
    fixtures = set(getattr(item, "fixturenames", ()))
    return bool(fixtures & {"db", "transactional_db", "django_db_setup"}) or "django_db" in item.keywords


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        folder = Path(item.path).parent.name
        if folder in ("e2e", "processes"):
            item.add_marker(folder)
    if config.getoption("--only-database"):
        once = {"e2e", "processes", "any_database"}
        wanted = [i for i in items if uses_the_database(i) and not once & set(i.keywords)]
        config.hook.pytest_deselected(items=[item for item in items if item not in set(wanted)])
        items[:] = wanted


@pytest.fixture
def now() -> dt.datetime:
    """A Monday evening. Time is an argument everywhere: tests add to this one."""
    return dt.datetime(2026, 3, 2, 18, 0, tzinfo=dt.UTC)


@pytest.fixture
def hosted(settings: Settings) -> None:
    """The hosted form: nobody is the local trainee, everybody logs in."""
    settings.HOSTED = True


@pytest.fixture
def alice(db: None) -> User:
    return make_user("alice")


@pytest.fixture
def bob(db: None) -> User:
    return make_user("bob")


@pytest.fixture
def stranger(db: None) -> User:
    """Someone with an account who has nothing to do with Alice's and Bob's rounds and cards."""
    return make_user("stranger")


def logged_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def alice_client(alice: User, hosted: None) -> Client:
    return logged_in(alice)


@pytest.fixture
def bob_client(bob: User, hosted: None) -> Client:
    return logged_in(bob)


@pytest.fixture
def stranger_client(stranger: User, hosted: None) -> Client:
    return logged_in(stranger)


@pytest.fixture
def anonymous_client(hosted: None) -> Client:
    """A browser that has not logged in."""
    return Client()
