"""The quoted figures and the errata in a real browser, every design earned: axe, a narrow window, the worksheet."""

import datetime as dt
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, ViewportSize, expect
from pytest_django.live_server_helper import LiveServer

from designs.quoted.errata import errata
from designs.quoted.figures import figures
from tests.e2e.browsing import let_go, serious_faults, sideways_overflow_px
from trainer.accounts.models import User
from trainer.rounds.models import DesignReading

NARROW: ViewportSize = {"width": 390, "height": 844}
PATHS = ["/errata/", "/calculator/figures/"]


@pytest.fixture
def reader(trainee: User, page: Page, live_server: LiveServer, now: dt.datetime) -> Iterator[Page]:
    """A page of someone who has earned every design."""
    held = [row.designs for row in figures()] + [row.designs for row in errata()]
    for slug in {slug for slugs in held for slug in slugs}:
        DesignReading.objects.create(user=trainee, slug=slug, at=now)
    yield page
    let_go(page.context)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_and_nothing_runs_out_of_a_narrow_window(
    path: str, scheme: str, reader: Page, live_server: LiveServer
) -> None:
    reader.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    reader.goto(live_server.url + path)
    reader.evaluate("() => document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert serious_faults(reader) == []
    reader.set_viewport_size(NARROW)
    assert sideways_overflow_px(reader) == 0


def test_a_figure_opens_by_keyboard_and_its_arithmetic_in_the_worksheet(reader: Page, live_server: LiveServer) -> None:
    reader.goto(live_server.url + "/calculator/figures/")
    figure = reader.locator("#figure-7")
    expect(figure.locator(".quoted-steps")).not_to_be_visible()
    figure.locator("summary").press("Enter")
    expect(figure.locator(".quoted-steps li")).to_have_count(3)
    figure.get_by_role("link", name="Open in the worksheet").click()
    expect(reader.locator("#worksheet-rows")).to_contain_text("23.04%")


def test_an_erratum_leads_from_its_figure_and_has_its_plot_with_a_table(reader: Page, live_server: LiveServer) -> None:
    reader.goto(live_server.url + "/calculator/figures/")
    figure = reader.locator("#figure-10")
    figure.locator("summary").press("Enter")
    figure.get_by_role("link", name="E2 in the errata").click()
    erratum = reader.locator("#E02")
    expect(erratum).to_be_in_viewport()
    expect(erratum.get_by_role("img", name="Break-even bandwidth over the prefix")).to_be_visible()
    erratum.get_by_text("As a table").click()
    expect(erratum.locator(".chart-table tbody tr").first).to_contain_text("1,024")
