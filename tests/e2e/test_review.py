"""The review page in a real browser: keys do what the buttons do, and nothing on the wrong side."""

import datetime as dt

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse
from playwright.sync_api import Page, expect

from tests.factories import make_user
from tests.trainer.review.helpers import record
from trainer.accounts.middleware import LOCAL_USERNAME
from trainer.accounts.models import User
from trainer.review.models import Card, ReviewEvent

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def local(live_server) -> User:
    """The trainee at home, with three cards due since yesterday's study day."""
    user = make_user(LOCAL_USERNAME)
    for number in (1, 2, 3):
        record(user, dt.datetime.now(dt.UTC) - dt.timedelta(days=2), number)
    return user


def answer(page: Page):
    return page.get_by_role("heading", name="What the design says")


def question(page: Page, number: int):
    return page.get_by_text(f"Critique {number}: what bounds the batch?")


def test_space_shows_a_digit_rates_and_u_undoes(live_server, page, local):
    page.goto(live_server.url + reverse("review:index"))
    expect(question(page, 1)).to_be_visible()
    page.keyboard.press("3")
    expect(answer(page)).to_be_hidden()
    page.keyboard.press("Space")
    expect(answer(page)).to_be_visible()
    page.keyboard.press("3")
    expect(page.get_by_text("Good: next in")).to_be_visible()
    expect(question(page, 2)).to_be_visible()
    assert ReviewEvent.objects.filter(kind="rating", rating=3).count() == 1
    page.keyboard.press("u")
    expect(page.get_by_text("Undone")).to_be_visible()
    expect(question(page, 1)).to_be_visible()


def test_s_sets_aside_b_leaves_out_and_e_edits(live_server, page, local):
    page.goto(live_server.url + reverse("review:index"))
    page.keyboard.press("s")
    expect(page.get_by_text("Set aside.")).to_be_visible()
    page.keyboard.press("b")
    expect(page.get_by_text("Left out until tomorrow.")).to_be_visible()
    page.keyboard.press("Space")
    expect(answer(page)).to_be_visible()
    page.keyboard.press("e")
    front = page.get_by_label("Front")
    expect(front).to_be_focused()
    front.fill("1 2 3 u s b, my own words")
    assert ReviewEvent.objects.filter(kind="rating").count() == 0
    page.get_by_role("button", name="Keep this wording").click()
    expect(page.get_by_text("Your wording is kept.")).to_be_visible()
    assert Card.objects.get(pk=local.cards.last().pk).edited_front == "1 2 3 u s b, my own words"


def test_the_review_works_without_scripts(live_server, browser, local):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(live_server.url + reverse("review:index"))
    page.get_by_role("button", name="Show the answer").click()
    page.get_by_role("button", name="Good").click()
    expect(page.get_by_text("Good: next in")).to_be_visible()
    context.close()


@pytest.mark.parametrize("name", ["home:today", "review:index", "review:cards", "review:card", "show"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(live_server, page, local, name, scheme):
    page.emulate_media(color_scheme=scheme)
    if name == "show":
        page.goto(live_server.url + reverse("review:index"))
        page.get_by_role("button", name="Show the answer").click()
        expect(answer(page)).to_be_visible()
    else:
        arguments = [local.cards.first().pk] if name == "review:card" else []
        page.goto(live_server.url + reverse(name, args=arguments))
    found = Axe().run(page).response["violations"]
    assert [violation["id"] for violation in found if violation["impact"] in ("serious", "critical")] == []


@pytest.mark.parametrize("name", ["home:today", "review:index", "review:cards"])
def test_no_page_is_wider_than_a_phone(live_server, page, local, name):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(live_server.url + reverse(name))
    assert page.locator("html").evaluate("root => root.scrollWidth") <= 390
