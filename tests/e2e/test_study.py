"""The study pages in a real browser: at two widths, by keyboard, and on paper."""

import datetime as dt
from pathlib import Path

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect
from pypdf import PdfReader
from pytest_django.live_server_helper import LiveServer

from designs.loader import load_designs
from tests.e2e.browsing import serious_faults, sideways_overflow_px
from tests.trainer.study.pages import LISTS
from trainer.accounts.models import User
from trainer.rounds.models import DesignReading
from trainer.study.loader import load_study
from trainer.study.models import ConceptMark

WIDTHS = (1280, 390)


def address(live_server: LiveServer, path: str) -> str:
    return f"{live_server.url}{path}"


@pytest.mark.parametrize("width", WIDTHS)
def test_every_page_fits_its_window_and_has_no_serious_fault(
    width: int, page: Page, live_server: LiveServer, trainee: User
) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    chapter = next(iter(load_study().chapters))
    for path in (*LISTS, f"/study/{chapter}/", "/study/concepts/D1.1/"):
        page.goto(address(live_server, path))
        assert sideways_overflow_px(page) == 0, path
        assert serious_faults(page) == [], path


def test_a_mark_by_keyboard_stays_where_it_was_pressed(page: Page, live_server: LiveServer, trainee: User) -> None:
    page.goto(address(live_server, "/study/concepts/"))
    button = page.locator("#mark-D1\\.1").get_by_role("button", name="Not yet")
    button.focus()
    page.keyboard.press("Enter")
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(button).to_be_focused()
    expect(page.locator("#mark-D1\\.1")).to_contain_text("Its card is in the review")
    assert page.url.endswith("/study/concepts/")
    assert ConceptMark.objects.get(user=trainee).state == "not_yet"


def test_a_chapters_figures_follow_what_is_typed(page: Page, live_server: LiveServer, trainee: User) -> None:
    slug, loaded = next(iter(load_study().chapters.items()))
    accelerator = next(one.name for one in loaded.topic.inputs if one.kind == "accelerator")
    page.goto(address(live_server, f"/study/{slug}/"))
    text = page.locator("#chapter-text")
    field = page.locator(f"#field-{accelerator}")
    before = text.inner_text()
    field.fill("zebra")
    refused = page.locator("#chapter-refused")
    expect(refused).to_contain_text("The figures below are those from before.")
    expect(refused).to_contain_text("'zebra' is unknown")
    expect(page.locator(f"#field-{accelerator}-error")).to_contain_text("'zebra' is unknown")
    expect(text).to_have_class("is-from-before")
    assert text.inner_text() == before
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_be_focused()
    field.fill("h200")
    expect(text).to_contain_text("H200")
    expect(text).not_to_have_class("is-from-before")
    expect(refused).to_be_empty()
    expect(field).not_to_have_attribute("aria-invalid", "true")
    expect(page).to_have_url(address(live_server, f"/study/{slug}/?{accelerator}=h200"))


@pytest.mark.parametrize("path", ["/study/kv-cache/", "/study/memory-budget/", "/calculator/topics/kv-seconds/"])
def test_fields_of_one_row_stand_at_one_height(path: str, page: Page, live_server: LiveServer, trainee: User) -> None:
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(address(live_server, path))
    page.evaluate("document.querySelectorAll('details.calculator-group').forEach((one) => { one.open = true; })")
    rows = page.evaluate(
        """() => [...document.querySelectorAll(".calculator-fields")].map((grid) =>
          [...grid.querySelectorAll(".field")].map((field) => ({
            row: field.getBoundingClientRect().top,
            top: field.querySelector("input, select").getBoundingClientRect().top,
            label: field.querySelector("label").getBoundingClientRect().height,
          })))"""
    )
    pairs = [(one, other) for row in rows for one in row for other in row if one["row"] == other["row"]]
    assert any(one["label"] != other["label"] for one, other in pairs), "no row has labels of two heights"
    assert all(abs(one["top"] - other["top"]) < 1 for one, other in pairs)


def test_a_table_that_scrolls_sideways_shows_it(page: Page, live_server: LiveServer, trainee: User) -> None:
    page.set_viewport_size({"width": 390, "height": 900})
    page.goto(address(live_server, "/study/parallelism/"))
    box = page.locator(".study-prose .table-scroll").first
    assert box.evaluate("(box) => box.scrollWidth > box.clientWidth")
    assert "gradient" in box.evaluate("(box) => getComputedStyle(box).backgroundImage")
    assert sideways_overflow_px(page) == 0


@pytest.mark.parametrize("everything_earned", [False, True])
@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_the_cheat_sheet_is_one_page_of_paper(
    paper: str, everything_earned: bool, page: Page, live_server: LiveServer, trainee: User, tmp_path: Path
) -> None:
    if everything_earned:
        now: dt.datetime = timezone.now()
        for slug in load_designs().designs:
            DesignReading.objects.create(user=trainee, slug=slug, at=now)
    page.goto(address(live_server, "/study/cheat-sheet/"))
    target = tmp_path / "sheet.pdf"
    page.pdf(path=target, format=paper)
    pages = PdfReader(target).pages
    assert len(pages) == 1
    text = pages[0].extract_text()
    assert "KV per token" in text
    assert "Concepts" not in text  # the site's own frame stays on the screen
    assert ("after their rounds" in text) is not everything_earned
