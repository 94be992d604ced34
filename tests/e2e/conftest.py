"""A real Chromium against a live server."""

import os
from typing import Any

import pytest

from tests.e2e.browsing import clock, complaints, desk, pack, sitting, trainee  # noqa: F401  fixtures
from trainer.ops.chromium import find_chromium

# The ORM is used beside playwright's event loop, which runs in the same thread.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    return {**browser_type_launch_args, "executable_path": str(find_chromium()), "args": FLAGS}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    return {**browser_context_args, "locale": "en-GB", "viewport": {"width": 1280, "height": 900}}


@pytest.fixture(scope="session")
def base_url() -> None:
    """The plugin's own fixture of this name is written in a way that pytest warns of; addresses are whole here."""
