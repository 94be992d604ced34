"""Drills in a real Chromium: one of each kind by the keyboard alone, without scripts, and a numeric card in Review."""

import datetime as dt
import re

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from tests.e2e.browsing import serious_faults, sideways_overflow_px
from tests.trainer.drills.conftest import small_bank  # noqa: F401  fixture
from trainer.drills import bank, selectors
from trainer.drills.miss import miss_of
from trainer.drills.models import Attempt
from trainer.review.models import Card, ReviewEvent
from trainer.review.services import card_record_miss
from trainer.rounds.models import DesignReading

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("small_bank")]

EACH = ("floor", "wrong-claim", "spikes", "pick-one", "ninety", "cold-h100-hbm-bandwidth")


def at(live_server, id: str, seed: str = "a", rest: str = "") -> str:
    return f"{live_server.url}{reverse('drills:drill', args=[id])}?seed={seed}{rest}"


def floor_ms(seed: str) -> float:
    names = selectors.drawn(bank.bank().drills["floor"], seed)[0].scene.names
    return names["weights"].value / names["bandwidth"].value * 1e3


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def answered(page: Page, words: str) -> None:
    """The verdict stands, and the page's script listens to keys."""
    expect(page.get_by_role("status").filter(has_text=words)).to_be_visible()
    page.wait_for_load_state()


def test_a_number_is_typed_graded_and_asked_anew_by_keys_alone(live_server, page, trainee):
    page.goto(at(live_server, "floor"))
    expect(page.get_by_label("Your answer")).to_be_focused()
    page.keyboard.type(f"{floor_ms('a') * 3:.4g} ms")
    press(page, "Enter")
    answered(page, "The weights are read once, not three times.")
    expect(page.get_by_role("heading", name="The working")).to_be_visible()
    press(page, "Enter")
    expect(page.get_by_label("Your answer")).to_be_focused()
    seed = re.search(r"seed=([0-9a-f]{8})", page.url)[1]
    page.keyboard.type(f"{floor_ms(seed):.4g}")
    press(page, "Enter")
    answered(page, "Right.")
    press(page, "n")
    expect(page).to_have_url(re.compile("/drills/kv-per-token/"))
    assert [attempt.right for attempt in Attempt.objects.order_by("pk")] == [False, True]


def test_what_cannot_be_read_stays_in_the_field(live_server, page, trainee):
    page.goto(at(live_server, "floor"))
    page.keyboard.type("5 GB")
    press(page, "Enter")
    expect(page.get_by_text("The answer is wanted in ms.")).to_be_visible()
    expect(page.get_by_label("Your answer")).to_have_value("5 GB")
    assert Attempt.objects.count() == 0


@pytest.mark.parametrize(("id", "key"), [("wrong-claim", 1), ("spikes", 0), ("pick-one", 0)])
def test_a_sentence_is_chosen_by_keys_alone(live_server, page, trainee, id, key):
    page.goto(at(live_server, id))
    place = selectors.drawn(bank.bank().drills[id], "a")[0].order.index(key)
    expect(page.get_by_role("radio").first).to_be_focused()
    press(page, "Space", *["ArrowDown"] * place)
    expect(page.get_by_role("radio").nth(place)).to_be_checked()
    press(page, "Enter")
    answered(page, "Right.")


def test_ninety_seconds_are_said_and_ticked_by_keys_alone(live_server, page, trainee):
    page.goto(at(live_server, "ninety"))
    press(page, "Space")
    expect(page.locator("[data-clock-face]")).to_have_text(re.compile(r"^(90|8\d) s$"))
    expect(page.get_by_label("What you said")).to_be_focused()
    page.keyboard.type("One token reads every weight.")
    press(page, "Tab", "Enter")
    expect(page.get_by_role("checkbox").first).to_be_focused()
    press(page, "Space", "Tab", "Space", "Enter")
    answered(page, "Passed.")
    assert Attempt.objects.get().ticks == [0, 1]


def test_a_number_cold_against_the_clock(live_server, page, trainee):
    page.goto(at(live_server, "cold-h100-hbm-bandwidth", rest="&timed=1"))
    expect(page.locator("[data-clock-face]")).to_have_text(re.compile(r"^1\d s$"))
    page.keyboard.type("3.35")
    press(page, "Enter")
    answered(page, "Right.")
    expect(page.get_by_text(re.compile(r"of 15 s"))).to_be_visible()


def test_running_out_of_time_says_so_and_grades_nothing(live_server, page, trainee):
    page.clock.install()
    page.goto(at(live_server, "cold-h100-hbm-bandwidth", rest="&timed=1"))
    page.clock.run_for(16_000)
    expect(page.locator("[data-clock-face]")).to_contain_text("The time is up.")
    expect(page.get_by_label("Your answer")).to_be_visible()
    assert Attempt.objects.count() == 0


def test_an_opener_is_said_compared_and_marked_by_keys_alone(live_server, page, trainee, pack):
    DesignReading.objects.create(user=trainee, slug="x01", at=dt.datetime.now(dt.UTC))
    step = bank.openers()["opener-x01"].derivation.deciding
    page.goto(at(live_server, "opener-x01"))
    page.keyboard.type(step.quantity.text(4).replace(",", ""))
    press(page, "Tab")
    page.keyboard.type("So it is done in time.")
    press(page, "Tab", "Enter")
    answered(page, "The number agrees.")
    page.get_by_role("button", name="Yes, said").press("Enter")
    expect(page.get_by_role("link", name="Once more")).to_be_visible()
    assert Attempt.objects.get().right is True


@pytest.mark.parametrize("id", EACH)
def test_each_kind_works_without_scripts(live_server, browser, trainee, id):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(at(live_server, id))
    if page.get_by_role("radio").count():
        page.get_by_role("radio").first.check()
    elif id == "ninety":
        page.get_by_label("What you said").fill("All of it.")
    else:
        page.get_by_role("textbox", name="Your answer").fill("1")
    page.locator("button.button-primary").click()
    if id == "ninety":
        page.get_by_role("button", name="Keep these marks").click()
    expect(page.get_by_role("link", name=re.compile("Another one like it|Once more"))).to_be_visible()
    assert Attempt.objects.count() == 1
    context.close()


def test_a_numeric_card_is_typed_graded_and_rated_by_keys_alone(live_server, page, trainee):
    before = dt.datetime.now(dt.UTC) - dt.timedelta(days=2)
    miss = miss_of(bank.bank().drills["floor"], "a")
    card = card_record_miss(user=trainee, miss=miss, own_words="1 s", round=None, now=before)
    page.goto(live_server.url + reverse("review:index"))
    expect(page.get_by_label("Your answer")).to_be_focused()
    page.keyboard.type(f"{floor_ms(f'card-{card.pk}-{card.revision}'):.4g} ms")
    press(page, "Enter")
    answered(page, "Right.")
    expect(page.get_by_text("Good fits")).to_be_visible()
    press(page, "3")
    expect(page.get_by_text("Good: next in")).to_be_visible()
    assert ReviewEvent.objects.get(kind="rating").rating == 3
    assert Card.objects.count() == 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(live_server, page, trainee, scheme):
    page.emulate_media(color_scheme=scheme)
    page.goto(live_server.url + reverse("drills:index"))
    assert serious_faults(page) == []
    for id in EACH:
        page.goto(at(live_server, id, scheme))
        assert (id, serious_faults(page)) == (id, [])
        if page.get_by_role("radio").count():
            page.get_by_role("radio").first.check()
        elif id != "ninety":
            page.get_by_label("Your answer").fill("1")
        page.locator("button.button-primary").click()
        expect(page.locator("#result")).to_be_visible()
        assert (id, serious_faults(page)) == (id, [])


def test_no_page_is_wider_than_a_phone(live_server, page, trainee):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(live_server.url + reverse("drills:index"))
    assert sideways_overflow_px(page) == 0
    for id in EACH:
        page.goto(at(live_server, id))
        assert (id, sideways_overflow_px(page)) == (id, 0)
