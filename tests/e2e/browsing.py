"""What the browser tests share: the server's clock in the test's hand, a page that may not complain, and axe."""

import datetime as dt
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from unittest import mock

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.utils import timezone
from playwright.sync_api import BrowserContext, ConsoleMessage, Locator, Page, expect
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from tests.trainer.rounds.sitting import SLUG, Sitting
from trainer.accounts.middleware import LOCAL_USERNAME
from trainer.accounts.models import User

PACK = Path(__file__).parents[1] / "designs" / "pack"
WAIT_MS = 15_000
expect.set_options(timeout=WAIT_MS)

# What a browser reports of requests that a test made fail on purpose. A 500 is never on purpose.
EXPECTED = ("net::ERR_", "status of 401", "status of 403", "status of 404", "status of 409", "status of 413", "of 422")


@dataclass
class ServerClock:
    """The site's own time: the real one, moved on by the test."""

    offset: dt.timedelta = field(default_factory=dt.timedelta)
    _real: Callable[[], dt.datetime] = timezone.now

    def now(self) -> dt.datetime:
        return self._real() + self.offset

    def advance(self, **by: float) -> None:
        self.offset += dt.timedelta(**by)


@pytest.fixture
def clock() -> Iterator[ServerClock]:
    """Moves the server's time: `clock.advance(minutes=44)`."""
    moved = ServerClock()
    with mock.patch("django.utils.timezone.now", side_effect=moved.now):
        yield moved


@pytest.fixture
def pack(settings: Settings) -> None:
    """The small example design in the place of the real ones."""
    settings.CONTENT_DIRS = [PACK]


@pytest.fixture
def trainee(transactional_db: None) -> User:
    """The one trainee of a machine at home. A last request of the page before may have made them already."""
    return User.objects.get_or_create(username=LOCAL_USERNAME)[0]


@pytest.fixture
def sitting(trainee: User, pack: None, clock: ServerClock) -> Sitting:
    """An exam round of the example design, at the prompt."""
    return Sitting(trainee, clock.now(), slug=SLUG)


@pytest.fixture(autouse=True)
def complaints(request: pytest.FixtureRequest) -> Iterator[list[str]]:
    """Errors in the browser's console (a breach of the Content-Security-Policy is one) fail the test."""
    found: list[str] = []
    if "context" in request.fixturenames:
        listen_to(request.getfixturevalue("context"), found)
    yield found
    assert found == []


def listen_to(context: BrowserContext, found: list[str]) -> None:
    def on_console(message: ConsoleMessage) -> None:
        if message.type == "error" and not any(word in message.text for word in EXPECTED):
            found.append(message.text)

    context.on("console", on_console)
    context.on("weberror", lambda error: found.append(str(error.error)))


@dataclass
class Desk:
    """The page of a round."""

    page: Page
    address: str
    sitting: Sitting

    def open(self) -> "Desk":
        self.page.goto(self.address + self.sitting.url())
        return self

    def look_now(self) -> None:
        """What coming back to the tab does: the page asks the server's clock again."""
        self.page.evaluate("() => window.dispatchEvent(new Event('focus'))")

    def editor(self, key: str) -> Locator:
        return self.page.locator(f"#text-{key}")

    def status(self, key: str) -> Locator:
        return self.page.locator(f'[data-document="{key}"] [data-doc-state]')

    def write(self, key: str, text: str) -> None:
        self.editor(key).fill(text)

    def expect_saved(self, key: str) -> None:
        expect(self.status(key)).to_have_text("Saved")

    def expect_state(self, state: str) -> None:
        expect(self.page.locator(f'[data-round][data-state="{state}"]')).to_be_visible()


@pytest.fixture
def desk(page: Page, live_server: LiveServer, sitting: Sitting) -> Iterator[Desk]:
    yield Desk(page, live_server.url, sitting)
    let_go(page.context)


def let_go(context: BrowserContext) -> None:
    """Close the pages without their last words: the server is about to lose its database."""
    context.set_offline(True)
    for page in context.pages:
        page.close()


def serious_faults(page: Page) -> list[str]:
    """What axe finds that is serious or critical, in words."""
    violations = Axe().run(page).response["violations"]
    return [
        f"{violation['id']}: {violation['help']} at {[node['target'] for node in violation['nodes']][:3]}"
        for violation in violations
        if violation["impact"] in ("serious", "critical")
    ]


def sideways_overflow_px(page: Page) -> int:
    """How far the page runs out to the right of its window."""
    root = page.locator("html")
    return int(root.evaluate("(element) => element.scrollWidth - element.clientWidth"))
