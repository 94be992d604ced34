"""Numbers, days and addresses out of the environment, each refused by name and range."""

import datetime as dt
import os
from decimal import Decimal, InvalidOperation
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured


def whole_number(name: str, default: int, *, least: int, most: int) -> int:
    """Raises: ImproperlyConfigured when `name` is no whole number of the range."""
    text = os.environ.get(name, "").strip()
    if not text:
        return default
    if not text.isascii() or not text.isdecimal() or not least <= int(text) <= most:
        raise ImproperlyConfigured(f"{name} is {text!r}; it must be a whole number from {least} to {most}.")
    return int(text)


def amount(name: str, default: Decimal | None, *, most: int) -> Decimal | None:
    """A sum of money or a price. Raises: ImproperlyConfigured when `name` is no number from 0 to `most`."""
    text = os.environ.get(name, "").strip()
    if not text:
        return default
    try:
        value = Decimal(text)
    except InvalidOperation:
        value = Decimal(-1)
    if not value.is_finite() or not 0 <= value <= most:
        raise ImproperlyConfigured(f"{name} is {text!r}; it must be a number from 0 to {most}.")
    return value


def day(name: str) -> dt.date | None:
    """Raises: ImproperlyConfigured when `name` is no day."""
    text = os.environ.get(name, "").strip()
    if not text:
        return None
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        raise ImproperlyConfigured(f"{name} is {text!r}; it must be a day such as 2026-03-02.") from None


def address(name: str) -> str:
    """An http(s) address without a password, a query or an ending slash; "" when it is not set.

    Raises: ImproperlyConfigured, without the address where it holds a password.
    """
    text = os.environ.get(name, "").strip()
    if not text:
        return ""
    try:
        parts = urlsplit(text)
        host = parts.hostname if parts.port is None or parts.port else None
    except ValueError:
        raise ImproperlyConfigured(f"{name}: it must be an address such as http://127.0.0.1:8080/v1.") from None
    if parts.username or parts.password:
        raise ImproperlyConfigured(f"{name}: it must hold no password; a key has a variable of its own.")
    if parts.scheme not in ("http", "https") or not host or parts.query or parts.fragment:
        raise ImproperlyConfigured(f"{name} is {text!r}; it must be an address such as http://127.0.0.1:8080/v1.")
    return text.rstrip("/")


def secret(name: str) -> str:
    """A key that can stand in a header; "" when it is not set. Raises: ImproperlyConfigured, without the key."""
    text = os.environ.get(name, "").strip()
    if not text.isascii() or not text.isprintable() or " " in text:
        raise ImproperlyConfigured(f"{name} holds a character that no key has: a space, or one beyond ASCII.")
    return text
