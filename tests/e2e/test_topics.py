"""The topics in a real browser: they answer as one types, axe finds nothing, and nothing sticks out."""

import re

import pytest
from playwright.sync_api import Page, ViewportSize, expect
from pytest_django.live_server_helper import LiveServer

from calculator.topics import topic_slugs
from tests.e2e.browsing import let_go, serious_faults, sideways_overflow_px

NARROW: ViewportSize = {"width": 390, "height": 844}

pytestmark = [pytest.mark.e2e, pytest.mark.django_db(transaction=True)]


def test_every_topic_is_clean_to_axe_opened_and_narrow(page: Page, live_server: LiveServer) -> None:
    for slug in ("", *topic_slugs()):
        page.goto(f"{live_server.url}/calculator/topics/{slug}/".replace("//", "/").replace(":/", "://"))
        for summary in page.locator("main details > summary").all():
            summary.click()
        assert (slug, serious_faults(page)) == (slug, [])
        page.set_viewport_size(NARROW)
        assert (slug, sideways_overflow_px(page)) == (slug, 0)
        page.set_viewport_size({"width": 1280, "height": 900})
    let_go(page.context)


def test_typing_changes_the_answer_and_the_address_and_keeps_what_is_open(page: Page, live_server: LiveServer) -> None:
    page.goto(f"{live_server.url}/calculator/topics/goodput/")
    page.locator("#step-tau summary").click()
    page.locator("#field-save").fill("2")
    expect(page).to_have_url(re.compile("save=2"))
    expect(page.locator("#step-tau")).to_contain_text("3.52 min")
    expect(page.locator("#step-tau")).to_have_attribute("open", "")
    page.locator("#field-save").fill("-1")
    expect(page.locator("#field-save-error")).to_have_text(re.compile("out of range"))
    expect(page.locator("#field-save")).to_have_attribute("aria-invalid", "true")
    let_go(page.context)
