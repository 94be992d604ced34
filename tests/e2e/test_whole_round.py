"""One evening: from the first visit through a whole round of m01 by the server's clock, to the cards of tomorrow."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.e2e.browsing import ServerClock, let_go, serious_faults
from trainer.accounts.models import User
from trainer.review.models import Card
from trainer.rounds.models import Round

SCOPE = "The engine behind three properties. One 128k request holds 40 GiB: requests cannot be the currency."
CLOSE = "Capacity is tokens held, so admission counts tokens."
WORKSHEET = """kv = kv_cache_bytes_per_token(llama70b)
pool = 4 * 80 GiB * 0.95 - 140 GB
one = 131072 * kv
share = one / pool -> %"""
SECTIONS = 10
CRITIQUES = 6


def state(page: Page, name: str) -> None:
    expect(page.locator(f'[data-round][data-state="{name}"]')).to_be_visible()


def press(page: Page, key: str) -> None:
    """Press a key once the page's scripts listen."""
    page.wait_for_load_state()
    page.keyboard.press(key)


def come_back(page: Page) -> None:
    page.wait_for_load_state()
    page.evaluate("() => window.dispatchEvent(new Event('focus'))")


@pytest.fixture
def visitor(page: Page, trainee: User) -> Iterator[Page]:
    """The trainee's browser, which falls silent before the server loses its database."""
    yield page
    let_go(page.context)


def test_a_whole_round_from_the_first_visit_to_the_cards_of_tomorrow(
    visitor: Page, live_server: LiveServer, clock: ServerClock
) -> None:
    page = visitor
    start_at_today(page, live_server.url)
    ask_and_start(page)
    do_the_arithmetic(page)
    write_until_the_bell(page, clock)
    score(page)
    read_the_design(page)
    answer_the_critiques(page)
    read_the_summary(page)
    meet_the_misses_tomorrow_and_not_before(page, live_server.url, clock)


def start_at_today(page: Page, address: str) -> None:
    page.goto(address)
    expect(page.get_by_role("heading", name="Say the number, then the consequence.")).to_be_visible()
    expect(page.locator(".button-primary")).to_have_count(1)
    page.get_by_label("Exam").check()
    page.get_by_role("button", name="Open the prompt").click()
    state(page, "prompt")
    assert Round.objects.get().slug == "m01"


def ask_and_start(page: Page) -> None:
    page.get_by_label("Your question").fill("Are output lengths known when a request arrives?")
    page.get_by_role("button", name="Ask").click()
    expect(page.get_by_text("is optional, and our SDK fills in")).to_be_visible()
    page.get_by_label("Your question").fill("Which colour is the rack?")
    page.get_by_role("button", name="Ask").click()
    expect(page.get_by_text("Assume, and say so.")).to_be_visible()
    page.get_by_role("button", name="Start the clock").click()


def do_the_arithmetic(page: Page) -> None:
    state(page, "arithmetic")
    expect(page.locator("[data-clock-face]")).to_have_text(re.compile(r"^[45]:\d\d$"))
    page.locator("#text-worksheet").fill(WORKSHEET)
    gutter = page.locator("[data-gutter] li")
    expect(gutter.nth(0)).to_contain_text("320 KiB")
    expect(gutter.nth(2)).to_contain_text("40.0 GiB")
    expect(gutter.nth(3)).to_contain_text("23.0%")
    page.get_by_role("button", name="share is the deciding number").click()
    expect(page.get_by_role("button", name="share is the deciding number")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Begin writing").click()


def write_until_the_bell(page: Page, clock: ServerClock) -> None:
    state(page, "writing")
    page.locator("#text-s1").fill(SCOPE)
    press(page, "Alt+0")
    page.keyboard.type(CLOSE)
    for key in ("s1", "s10"):
        expect(page.locator(f'[data-document="{key}"] [data-doc-state]')).to_have_text("Saved")
    clock.advance(minutes=40)
    come_back(page)
    expect(page.locator("[data-clock-face]")).to_have_text(re.compile(r"^4:\d\d$"))
    clock.advance(minutes=6)
    come_back(page)


def score(page: Page) -> None:
    state(page, "scoring")
    assert Round.objects.get().submitted_by_bell
    expect(page.get_by_role("textbox", name="1 Scope and requirements")).to_have_value(SCOPE)
    for line, level in enumerate((4, 2, 3, 3, 2, 1, 0, 3), start=1):
        page.locator(f'[name="level_{line}"][value="{level}"]').check()
        page.locator(f"#confidence_{line}").fill("70")
        if level:
            page.locator(f"#quote_{line}").fill("One 128k request holds 40 GiB")
    page.get_by_role("button", name="Record the scores").click()


def read_the_design(page: Page) -> None:
    state(page, "reveal")
    expect(page.get_by_role("heading", name="Yours")).to_be_visible()
    expect(page.get_by_text("agrees within 10%")).to_be_visible()
    for number in range(1, SECTIONS + 1):
        press(page, "Control+Enter")
        expect(page.get_by_text(f"Section {number} of {SECTIONS}")).to_be_visible()
    expect(page.locator(".own", has_text=CLOSE).first).to_be_visible()
    page.get_by_role("button", name="Go to the critiques").click()


def answer_the_critiques(page: Page) -> None:
    state(page, "critique")
    for number in range(1, CRITIQUES + 1):
        expect(page.get_by_text(f"Critique {number} of {CRITIQUES}").first).to_be_visible()
        expect(page.get_by_role("heading", name="The revision")).to_have_count(0)
        expect(page.locator('[data-until="first"]')).to_have_text(re.compile(r"1:\d\d"))
        page.get_by_label("Your answer").fill("Conceded. The estimate must follow the measured step time.")
        expect(page.locator('[data-until="first"]')).to_have_text("said")
        press(page, "Control+Enter")
        expect(page.get_by_role("heading", name="The revision").first).to_be_visible()
        page.get_by_role("button", name="Partial" if number == 3 else "Hit").click()


def read_the_summary(page: Page) -> None:
    state(page, "done")
    expect(page.get_by_text("Hire bar, by your own scores")).to_be_visible()
    expect(page.locator(".verdict-name")).to_have_text("hire at senior")
    expect(page.get_by_role("table").filter(has_text="Measurement before architecture").first).to_be_visible()
    expect(page.locator(".card-list li")).to_have_count(Card.objects.count())
    assert set(Card.objects.values_list("kind", flat=True)) == {"rubric_line", "critique"}
    assert serious_faults(page) == []


def meet_the_misses_tomorrow_and_not_before(page: Page, address: str, clock: ServerClock) -> None:
    page.get_by_role("link", name="Go to Today").click()
    expect(page.get_by_role("heading", name="No card is due")).to_be_visible()
    clock.advance(hours=24)
    page.reload()
    expect(page.get_by_role("heading", name=re.compile(rf"{Card.objects.count()} cards to review"))).to_be_visible()
    page.get_by_role("link", name="Review", exact=True).last.click()
    expect(page).to_have_url(f"{address}/review/")
    press(page, "Space")
    expect(page.get_by_role("heading", name="What the design says")).to_be_visible()
    press(page, "3")
    expect(page.get_by_text("Good: next in")).to_be_visible()
