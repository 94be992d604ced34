"""Values out of the environment: read, or refused by name and range."""

import datetime as dt
import re
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from tests.processes import compose
from tests.processes.test_hosted import SET
from trainer import environment

ROOT = Path(__file__).resolve().parents[2]
NAME = "CRITIC_SOMETHING"


def whole() -> object:
    return environment.whole_number(NAME, 7, least=1, most=140)


def amount() -> object:
    return environment.amount(NAME, Decimal(2), most=10)


def day() -> object:
    return environment.day(NAME)


def address() -> object:
    return environment.address(NAME)


def secret() -> object:
    return environment.secret(NAME)


@pytest.mark.parametrize(
    ("read", "text", "value"),
    [
        (whole, "", 7),
        (whole, " 140 ", 140),
        (amount, "", Decimal(2)),
        (amount, "0", Decimal(0)),
        (amount, "2.5", Decimal("2.5")),
        (day, "", None),
        (day, "2026-03-02", dt.date(2026, 3, 2)),
        (address, "", ""),
        (address, "https://models.example/v1/", "https://models.example/v1"),
        (address, "http://[::1]:8080/v1", "http://[::1]:8080/v1"),
        (secret, " sk-abc ", "sk-abc"),
    ],
)
def test_a_value_is_read(monkeypatch: pytest.MonkeyPatch, read: Callable[[], Any], text: str, value: object) -> None:
    monkeypatch.setenv(NAME, text)
    assert read() == value


@pytest.mark.parametrize(
    ("read", "text", "words"),
    [
        (whole, "0", "1 to 140"),
        (whole, "141", "1 to 140"),
        (whole, "1.5", "1 to 140"),
        (whole, "-1", "1 to 140"),
        (whole, "٣", "1 to 140"),
        (amount, "-1", "0 to 10"),
        (amount, "11", "0 to 10"),
        (amount, "nan", "0 to 10"),
        (amount, "cheap", "0 to 10"),
        (day, "02.03.2026", "2026-03-02"),
        (address, "models.example/v1", "http"),
        (address, "ftp://models.example", "http"),
        (address, "file:///etc/passwd", "http"),
        (address, "http://", "http"),
        (address, "http://models.example:70000", "http"),
        (address, "http://models.example/?key=1", "http"),
        (secret, "sk abc", "no key has"),
        (secret, "sk-ä", "no key has"),
    ],
)
def test_a_value_that_is_none_is_refused_by_name_and_range(
    monkeypatch: pytest.MonkeyPatch, read: Callable[[], Any], text: str, words: str
) -> None:
    monkeypatch.setenv(NAME, text)
    with pytest.raises(ImproperlyConfigured, match=NAME) as refused:
        read()
    assert words in str(refused.value)


def test_a_password_in_an_address_and_a_bad_key_are_refused_without_saying_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for read, text in ((address, "https://me:hidden@models.example/v1"), (secret, "hidden key")):
        monkeypatch.setenv(NAME, text)
        with pytest.raises(ImproperlyConfigured) as refused:
            read()
        assert "hidden" not in str(refused.value)


def test_every_variable_of_the_critic_is_documented_and_reaches_the_hosted_form() -> None:
    source = (ROOT / "trainer" / "settings.py").read_text()
    variables = set(re.findall(r"^(CRITIC_\w+) =", source, re.MULTILINE))
    assert len(variables) > 10
    documented = set(re.findall(r"`(CRITIC_\w+)`", (ROOT / "docs" / "critic.md").read_text()))
    assert variables <= documented
    services = compose.services({**SET, **dict.fromkeys(variables, "given")})
    passed = {name for name, value in services["critic"]["environment"].items() if value == "given"}
    assert variables - {"CRITIC_CONCURRENCY"} <= passed  # that one is on the command line
    assert "given" in services["critic"]["command"]
