"""The pages of a round in every state: axe, narrow windows, the keyboard alone, and no scripts at all."""

import re
from collections.abc import Iterator
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.e2e.browsing import Desk, ServerClock, let_go, listen_to, serious_faults, sideways_overflow_px
from tests.trainer.rounds.sitting import EVIDENCE, STATES
from trainer.rounds.models import LateAddendum, Round
from trainer.rounds.services import addendum_offer

NARROW: ViewportSize = {"width": 390, "height": 844}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("state", STATES)
def test_axe_finds_nothing_serious_and_nothing_sticks_out(
    desk: Desk, state: str, scheme: Literal["light", "dark"]
) -> None:
    desk.sitting.to(state)
    desk.page.emulate_media(color_scheme=scheme)
    desk.open()
    desk.expect_state(state)
    assert serious_faults(desk.page) == []
    assert sideways_overflow_px(desk.page) == 0
    desk.page.set_viewport_size(NARROW)
    assert sideways_overflow_px(desk.page) == 0
    assert serious_faults(desk.page) == []


def test_axe_finds_nothing_serious_in_what_opens_on_demand(desk: Desk) -> None:
    desk.sitting.to("done")
    desk.open()
    for summary in desk.page.locator("details.fold > summary").all():
        summary.click()
    assert serious_faults(desk.page) == []
    assert sideways_overflow_px(desk.page) == 0
    desk.page.set_viewport_size(NARROW)
    assert sideways_overflow_px(desk.page) == 0


@pytest.mark.parametrize("path", ["/rounds/", "timeline", "/no-such-page/"])
def test_axe_finds_nothing_serious_on_the_other_pages(desk: Desk, path: str) -> None:
    desk.sitting.to("done")
    desk.page.goto(desk.address + (desk.sitting.url("timeline") if path == "timeline" else path))
    assert serious_faults(desk.page) == []
    desk.page.set_viewport_size(NARROW)
    assert sideways_overflow_px(desk.page) == 0


def test_the_clock_and_the_save_state_stay_in_view_on_a_narrow_page(desk: Desk) -> None:
    desk.sitting.to("writing")
    desk.page.set_viewport_size(NARROW)
    desk.open()
    desk.editor("s10").scroll_into_view_if_needed()
    desk.editor("s10").focus()
    expect(desk.page.locator("[data-clock-face]")).to_be_in_viewport()
    expect(desk.page.locator("[data-save-overall]")).to_be_in_viewport()


def test_the_theme_switch_is_remembered(desk: Desk) -> None:
    desk.page.emulate_media(color_scheme="light")
    desk.open()
    desk.page.get_by_role("button", name="Switch to the other colour theme").click()
    expect(desk.page.locator("html")).to_have_attribute("data-theme", "dark")
    desk.page.reload()
    expect(desk.page.locator("html")).to_have_attribute("data-theme", "dark")


def test_the_worksheet_shows_value_and_error_beside_their_lines_and_stars_one(desk: Desk) -> None:
    desk.sitting.to("writing")
    desk.open()
    desk.write("worksheet", "kv = 2 * 80 * 8 * 128 * 2 B -> KiB\n\nbad = 3 GiB + 2 s\npool = 40 GiB")
    gutter = desk.page.locator("[data-gutter] li")
    expect(gutter.nth(0)).to_have_text("320 KiB")
    expect(gutter.nth(1)).to_have_text("\u00a0")
    expect(gutter.nth(2)).to_contain_text("✕")
    expect(desk.page.locator('[data-line="3"] .sheet-error')).to_be_visible()
    desk.page.get_by_role("button", name="pool is the deciding number").click()
    expect(desk.page.get_by_role("button", name="pool is the deciding number")).to_have_attribute(
        "aria-pressed", "true"
    )
    expect(desk.page.get_by_role("button", name="pool is the deciding number")).to_be_focused()
    assert desk.sitting.round.deciding_line == "pool"
    desk.editor("s2").focus()
    desk.page.get_by_role("button", name="Insert kv into the section").click()
    expect(desk.editor("s2")).to_have_value("kv = 320 KiB")
    desk.page.get_by_role("button", name="Insert pool into the section").click()
    expect(desk.editor("s2")).to_have_value("kv = 320 KiB pool = 40.0 GiB")
    desk.expect_saved("s2")


@pytest.mark.parametrize(
    ("state", "said"),
    [
        ("prompt", "start the clock"),
        ("arithmetic", "save now"),
        ("scoring", "the selected words become the evidence"),
        ("reveal", "go on"),
        ("critique", "send the answer"),
    ],
)
def test_the_keys_of_a_state_open_from_its_bar(desk: Desk, state: str, said: str) -> None:
    desk.sitting.to(state)
    desk.open()
    desk.page.get_by_role("button", name="Keys").click()
    expect(desk.page.locator("[data-help]")).to_contain_text(said)


def test_handing_in_says_first_what_is_missing(desk: Desk) -> None:
    desk.sitting.to("arithmetic").save("worksheet", "pool = 40 GiB")
    desk.sitting.write()
    desk.open()
    for number in range(1, 10):
        desk.write(f"s{number}", "some words")
    missing = desk.page.locator("[data-hand-in-missing]")
    opener = desk.page.locator("summary", has_text="Hand in")
    opener.click()
    expect(missing).to_have_text(
        "1 of 10 sections is empty. No line of the worksheet is starred as the deciding number."
    )
    opener.click()
    desk.page.get_by_role("button", name="pool is the deciding number").click()
    expect(desk.page.locator('[data-starred="yes"]')).to_be_visible()
    desk.write("s10", "and the close")
    opener.click()
    expect(missing).to_be_hidden()


def test_a_paused_page_records_no_focus_and_a_resumed_one_does(desk: Desk) -> None:
    Round.objects.filter(pk=desk.sitting.id).update(mode="practice")
    desk.sitting.to("writing")
    desk.open()
    desk.page.get_by_role("button", name="Pause").click()
    expect(desk.page.get_by_role("button", name="Resume the clock")).to_be_visible()
    recorded: list[str] = []
    desk.page.on("request", lambda request: recorded.append(request.url) if "/focus/" in request.url else None)
    desk.page.reload()
    desk.editor("s2").focus()
    desk.editor("worksheet").focus()
    with desk.page.expect_response(lambda response: "/focus/" in response.url) as answered:
        desk.page.get_by_role("button", name="Resume the clock").click()
    assert answered.value.ok
    assert len(recorded) == 1


def test_the_keyboard_alone_writes_hands_in_and_scores(desk: Desk) -> None:
    keyboard = desk.page.keyboard
    desk.open()
    keyboard.press("Control+Enter")
    desk.expect_state("arithmetic")
    expect(desk.editor("worksheet")).to_be_focused()
    keyboard.type("kv = 320 KiB")
    keyboard.press("Control+Enter")
    desk.expect_state("writing")
    desk.page.wait_for_load_state()
    for number, key in ((1, "Alt+1"), (10, "Alt+0")):
        keyboard.press(key)
        expect(desk.editor(f"s{number}")).to_be_focused()
        keyboard.type(f"Section {number}.")
    keyboard.press("Alt+w")
    expect(desk.editor("worksheet")).to_be_focused()
    keyboard.press("Alt+/")
    expect(desk.page.get_by_role("dialog", name="Keys")).to_be_visible()
    keyboard.press("Escape")
    keyboard.press("Control+s")
    desk.expect_saved("s10")
    hand_in = desk.page.locator("summary", has_text="Hand in")
    hand_in.focus()
    keyboard.press("Enter")
    keyboard.press("Tab")
    expect(desk.page.get_by_role("button", name="Hand in now")).to_be_focused()
    keyboard.press("Enter")
    desk.expect_state("scoring")
    desk.page.wait_for_load_state()
    own = desk.page.get_by_role("textbox", name="1 Scope and requirements")
    own.focus()
    keyboard.press("Control+a")
    keyboard.press("Alt+1")
    expect(desk.page.locator("#quote_1")).to_have_value("Section 1.")
    expect(desk.page.locator('[name="level_1"][value="0"]')).to_be_focused()
    keyboard.press("ArrowRight")
    keyboard.press("ArrowRight")
    expect(desk.page.locator('[name="level_1"][value="2"]')).to_be_checked()


def test_a_score_without_its_quote_is_refused_at_its_line_and_the_rest_is_kept(desk: Desk) -> None:
    desk.sitting.to("scoring")
    desk.open()
    for line in range(1, 9):
        desk.page.locator(f'[name="level_{line}"][value="3"]').check()
        desk.page.locator(f"#quote_{line}").fill(EVIDENCE)
        desk.page.locator(f"#confidence_{line}").fill("70")
    desk.page.locator("#quote_4").fill("words that nobody wrote")
    desk.page.locator("#quote_5").fill("")
    desk.page.get_by_role("button", name="Record the scores").click()
    expect(desk.page.locator("#quote_4-error")).not_to_be_empty()
    expect(desk.page.locator("#quote_5-error")).not_to_be_empty()
    expect(desk.page.locator("#quote_4")).to_have_value("words that nobody wrote")
    expect(desk.page.locator("#quote_4")).to_be_focused()
    expect(desk.page.locator("#quote_1")).to_have_value(EVIDENCE)
    desk.page.locator("#quote_4").fill(EVIDENCE)
    desk.page.locator("#quote_5").fill(EVIDENCE)
    desk.page.get_by_role("button", name="Record the scores").click()
    desk.expect_state("reveal")


def test_half_filled_scores_are_there_after_a_reload(desk: Desk) -> None:
    desk.sitting.to("scoring")
    desk.open()
    desk.page.locator('[name="level_2"][value="4"]').check()
    desk.page.locator("#quote_2").fill("a quote in the making")
    desk.page.reload()
    expect(desk.page.locator('[name="level_2"][value="4"]')).to_be_checked()
    expect(desk.page.locator("#quote_2")).to_have_value("a quote in the making")


def test_the_second_of_two_scoring_tabs_is_told_that_the_round_is_scored(desk: Desk) -> None:
    """B049."""
    desk.sitting.to("scoring")
    desk.open()
    stale = desk.page.context.new_page()
    stale.route("**/clock.json", lambda route: route.abort())
    stale.goto(desk.address + desk.sitting.url())
    desk.sitting.to("reveal")
    for line in range(1, 9):
        stale.locator(f'[name="level_{line}"][value="0"]').check()
        stale.locator(f"#confidence_{line}").fill("50")
    stale.get_by_role("button", name="Record the scores").click()
    expect(stale.get_by_role("alert").filter(has_text="already scored")).to_be_visible()
    assert set(desk.sitting.round.line_scores.values_list("level", flat=True)) == {3}


def test_a_late_addendum_is_discarded_on_request(desk: Desk, clock: ServerClock) -> None:
    desk.sitting.to("scoring")
    addendum_offer(round=desk.sitting.round, key="s3", text="Too late.", save_id="late", now=clock.now())
    desk.open()
    expect(desk.page.get_by_text("Too late.")).to_be_visible()
    desk.page.get_by_role("button", name="Discard it").click()
    expect(desk.page.get_by_text("Too late.")).to_have_count(0)
    assert LateAddendum.objects.get().decision == "discarded"


def test_the_time_line_replays_the_drafts(desk: Desk) -> None:
    desk.sitting.to("writing").save("s1", "First draft.")
    desk.sitting.after(60).save("s1", "Second draft.")
    desk.sitting.to("scoring")
    desk.page.goto(desk.address + desk.sitting.url("timeline"))
    pane = desk.page.locator('[data-pane="s1"] [data-pane-text]')
    slider = desk.page.get_by_role("slider", name="Moment")
    expect(pane).to_have_text(EVIDENCE)
    slider.press("ArrowLeft")
    expect(pane).to_have_text("Second draft.")
    slider.press("ArrowLeft")
    expect(pane).to_have_text("First draft.")
    slider.press("ArrowLeft")
    expect(desk.page.locator('[data-pane="s1"]')).to_be_hidden()


@pytest.fixture
def plain(desk: Desk, browser: Browser, complaints: list[str]) -> Iterator[Page]:
    """A browser without scripts."""
    context = browser.new_context(java_script_enabled=False)
    listen_to(context, complaints)
    yield context.new_page()
    let_go(context)
    context.close()


def test_without_scripts_the_forms_carry_a_round_from_the_prompt_to_the_critiques(desk: Desk, plain: Page) -> None:
    def state(name: str) -> None:
        expect(plain.locator(f'[data-round][data-state="{name}"]')).to_be_attached()

    plain.goto(desk.address + desk.sitting.url())
    plain.get_by_label("Your question").fill("May I assume one region?")
    plain.get_by_role("button", name="Ask").click()
    expect(plain.get_by_text("May I assume one region?")).to_be_visible()
    plain.get_by_role("button", name="Start the clock").click()
    state("arithmetic")
    plain.locator("#text-worksheet").fill("kv = 320 KiB")
    plain.get_by_role("button", name="Save and evaluate").click()
    plain.get_by_role("button", name="kv is the deciding number").click()
    expect(plain.get_by_role("button", name="kv is the deciding number")).to_have_attribute("aria-pressed", "true")
    plain.get_by_role("button", name="Begin writing").click()
    state("writing")
    plain.locator("#text-s1").fill(EVIDENCE)
    plain.get_by_role("button", name="Save section 1", exact=True).click()
    expect(plain.locator("#text-s1")).to_have_value(EVIDENCE)
    plain.locator("summary", has_text="Hand in").click()
    plain.get_by_role("button", name="Hand in now").click()
    state("scoring")
    for line in range(1, 9):
        plain.locator(f'[name="level_{line}"][value="3"]').check()
        plain.locator(f"#quote_{line}").fill(EVIDENCE)
        plain.locator(f"#confidence_{line}").fill("70")
    plain.get_by_role("button", name="Record the scores").click()
    state("reveal")
    for _ in range(10):
        plain.get_by_role("button", name=re.compile("^Read ")).click()
    plain.get_by_role("button", name="Go to the critiques").click()
    state("critique")
    plain.get_by_label("Your answer").fill("Conceded.")
    plain.get_by_role("button", name="Answer, and see the revision").click()
    expect(plain.get_by_role("heading", name="The revision")).to_be_visible()
    plain.get_by_role("button", name="Hit").click()
    expect(plain.get_by_text("Critique 2 of 6")).to_be_visible()


def test_the_calculator_answers_beside_the_worksheet_and_the_round_stays(desk: Desk) -> None:
    desk.sitting.to("arithmetic")
    desk.open()
    desk.write("worksheet", "kv = 320 KiB")
    desk.page.locator("[data-calculator] > summary").click()
    answer = desk.page.locator(".calc-panel-answer")
    expect(answer).to_contain_text("320 KiB of KV cache")
    desk.page.get_by_label("GPUs one replica").fill("1")
    expect(answer).to_contain_text("needs at least 2")
    desk.page.get_by_label("Batch sequences").fill("many")
    expect(answer).to_contain_text("Batch")
    expect(answer).to_contain_text("No answer for what is typed")
    assert serious_faults(desk.page) == []
    assert desk.page.url.endswith(desk.sitting.url())
    desk.expect_saved("worksheet")
    desk.page.set_viewport_size(NARROW)
    assert sideways_overflow_px(desk.page) == 0
