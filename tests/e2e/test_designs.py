"""A design's page, its steps in the worksheet and the search, in a real browser."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from django.conf import settings as site
from django.utils import timezone
from playwright.sync_api import Browser, Page, ViewportSize, expect
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from tests.e2e.browsing import let_go, serious_faults, sideways_overflow_px
from trainer.accounts.models import User
from trainer.rounds.models import DesignReading

SIZES: list[ViewportSize] = [{"width": 1280, "height": 900}, {"width": 390, "height": 844}]
PAGES = ["/designs/m01/", "/designs/m01/steps/heavy_share/", "/designs/search/?q=replica", "/calculator/worksheet/"]


@pytest.fixture
def earned(trainee: User, settings: Settings) -> None:
    """m01, which the trainee of the machine has read."""
    settings.CONTENT_DIRS = [Path(site.BASE_DIR, "designs", "content")]
    DesignReading.objects.create(user=trainee, slug="m01", at=timezone.now())


@pytest.fixture
def reader(page: Page, live_server: LiveServer, earned: None) -> Iterator[Page]:
    page.goto(live_server.url + "/designs/m01/")
    yield page
    let_go(page.context)


def test_only_the_deciding_step_is_open_and_a_link_to_another_opens_what_it_is_folded_in(reader: Page) -> None:
    expect(reader.locator("#s2 .step-row > details[open]")).to_have_count(1)
    expect(reader.locator("#step-heavy_share .step-working")).to_be_visible()
    folded = reader.locator("#step-tpot_96 > details > summary")
    expect(folded).not_to_be_visible()
    reader.goto(reader.url + "#step-tpot_96")
    expect(folded).to_be_visible()


def test_a_step_is_changed_in_the_worksheet_and_what_follows_changes_with_it(reader: Page) -> None:
    reader.locator("#step-heavy_share").get_by_role("link", name=re.compile("Open in the worksheet")).click()
    reader.wait_for_load_state()  # its scripts run: what is typed from here on is heard
    rows = reader.locator("#worksheet-rows li")
    expect(rows.last).to_contain_text("heavy_share = 23.04%")
    text = reader.locator("#worksheet-text")
    text.fill(text.input_value().replace("131072", "65536"))
    expect(rows.last).to_contain_text("heavy_share = 11.52%")
    expect(reader).to_have_url(re.compile(r"/calculator/worksheet/\?text=.*65536"))
    text.fill("a = 2 GiB +")
    expect(rows).to_have_count(1)
    expect(rows.first).to_contain_text(re.compile(r"column \d+"))
    reader.reload()
    expect(text).to_have_value("a = 2 GiB +")


def test_a_revision_opens_after_an_answer_or_when_asked_twice(reader: Page) -> None:
    first, second = reader.locator("#r1"), reader.locator("#r2")
    first.locator("[data-revision] > summary").click()
    expect(first.locator("[data-answer-first]")).to_be_visible()
    expect(first.locator("[data-answer]")).to_be_focused()
    expect(first.get_by_role("heading", name="Partial credit")).not_to_be_visible()
    first.locator("[data-revision] > summary").click()
    expect(first.get_by_role("heading", name="Partial credit")).to_be_visible()
    second.locator("[data-answer]").fill("Compute it.")
    second.locator("[data-revision] > summary").click()
    expect(second.get_by_role("heading", name="Partial credit")).to_be_visible()
    expect(second.locator("[data-answer-first]")).not_to_be_visible()


def test_without_scripts_a_revision_opens_and_a_worksheet_is_worked_out(
    browser: Browser, live_server: LiveServer, earned: None
) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(live_server.url + "/designs/m01/")
    page.locator("#r1 [data-revision] > summary").click()
    expect(page.locator("#r1").get_by_role("heading", name="Partial credit")).to_be_visible()
    page.goto(live_server.url + "/calculator/worksheet/")
    page.locator("#worksheet-text").fill("n = 6 * 7")
    page.get_by_role("button", name="Work it out").click()
    expect(page.locator("#worksheet-rows")).to_contain_text("n = 42")
    let_go(context)


def test_on_paper_every_step_and_revision_is_open_and_no_control_is_left(reader: Page) -> None:
    reader.emulate_media(media="print")
    expect(reader.locator("#step-tpot_96 .step-working")).to_be_visible()
    expect(reader.locator("#r1").get_by_role("heading", name="Partial credit")).to_be_visible()
    for control in ("#step-heavy_share .step-open", "#answer-1", ".contents"):
        expect(reader.locator(control)).not_to_be_visible()


def test_a_search_leads_to_the_place(reader: Page, live_server: LiveServer) -> None:
    reader.goto(live_server.url + "/designs/")
    reader.get_by_role("searchbox").fill("preemption recompute")
    reader.get_by_role("searchbox").press("Enter")
    expect(reader.locator("mark").first).to_have_text(re.compile("preemption", re.IGNORECASE))
    reader.locator(".found a").last.click()
    expect(reader).to_have_url(re.compile(r"/designs/m01/#\w+"))


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_pages_fit_their_window_and_have_no_serious_fault(
    reader: Page, live_server: LiveServer, path: str, scheme: Literal["light", "dark"]
) -> None:
    reader.emulate_media(color_scheme=scheme)
    for size in SIZES:
        reader.set_viewport_size(size)
        reader.goto(live_server.url + path)
        assert sideways_overflow_px(reader) == 0
    assert serious_faults(reader) == []


def test_on_a_narrow_screen_the_text_comes_before_the_list_of_contents(reader: Page) -> None:
    section = reader.get_by_role("link", name="Six critiques")
    expect(section).to_be_visible()
    reader.set_viewport_size({"width": 390, "height": 844})
    reader.reload()
    expect(section).not_to_be_visible()
    expect(reader.get_by_role("heading", name="Prompt", exact=True)).to_be_in_viewport()
    reader.get_by_role("navigation", name="Contents").get_by_text("Contents").click()
    expect(section).to_be_visible()
