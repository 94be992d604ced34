"""The clock is the server's: what the page shows, and what happens at the bell."""

from playwright.sync_api import Page, Route, expect

from tests.e2e.browsing import Desk, ServerClock
from tests.services import wait_for
from tests.trainer.rounds.sitting import Sitting

CLOSE_S = 2
BEFORE_THE_NEXT_LOOK_MS = 10_000  # the page looks at the server's clock every 30 s in any case


def seconds_shown(desk: Desk) -> int | None:
    minutes, colon, seconds = desk.page.locator("[data-clock-face]").inner_text().partition(":")
    return int(minutes) * 60 + int(seconds) if colon else None


def seconds_left(desk: Desk, clock: ServerClock) -> float:
    deadline = desk.sitting.round.deadline_at
    assert deadline is not None
    return (deadline - clock.now()).total_seconds()


def expect_the_servers_time(desk: Desk, clock: ServerClock) -> None:
    """The face shows what the server would say, to within `CLOSE_S`."""

    def right() -> bool:
        shown = seconds_shown(desk)
        return shown is not None and abs(shown - seconds_left(desk, clock)) <= CLOSE_S

    wait_for(right, "the server's time on the clock's face", patience_s=10)


def test_the_time_shown_is_right_within_a_moment_of_coming_back_to_the_tab(desk: Desk, clock: ServerClock) -> None:
    """B001, B002."""
    desk.sitting.to("writing")
    desk.open()
    expect_the_servers_time(desk, clock)
    clock.advance(minutes=10)
    with desk.page.expect_response("**/clock.json"):
        desk.look_now()
    expect_the_servers_time(desk, clock)


def test_a_browser_whose_clock_is_wrong_shows_the_servers_time(desk: Desk, clock: ServerClock) -> None:
    """B004."""
    desk.sitting.to("writing")
    desk.page.clock.install(time=desk.sitting.now.replace(year=2031))
    desk.open()
    desk.page.clock.resume()
    expect_the_servers_time(desk, clock)


def test_setting_the_machines_clock_does_not_move_the_time_shown(desk: Desk, clock: ServerClock) -> None:
    """B003: the page notices that its two clocks disagree, and asks."""
    desk.sitting.to("writing")
    desk.open()
    expect_the_servers_time(desk, clock)
    with desk.page.expect_response("**/clock.json", timeout=BEFORE_THE_NEXT_LOOK_MS):
        desk.page.evaluate("() => { const real = Date.now; Date.now = () => real() + 30 * 60 * 1000; }")
    expect_the_servers_time(desk, clock)


def test_a_machine_that_slept_shows_the_right_time_without_a_touch(desk: Desk, clock: ServerClock) -> None:
    """B002: during sleep the page's own timer stands still, and the wall's clock goes on."""
    desk.sitting.to("writing")
    desk.open()
    expect_the_servers_time(desk, clock)
    clock.advance(minutes=8)
    desk.page.evaluate("() => { const real = Date.now; Date.now = () => real() + 8 * 60 * 1000; }")
    expect_the_servers_time(desk, clock)


def test_while_the_server_has_not_said_the_time_the_page_says_syncing_and_never_zero(
    desk: Desk, clock: ServerClock
) -> None:
    """B006."""
    desk.sitting.to("writing")
    desk.page.route("**/clock.json", lambda route: route.abort())
    desk.open()
    face = desk.page.locator("[data-clock-face]")
    expect(face).to_have_text("syncing")
    desk.page.unroute("**/clock.json")
    expect(face).not_to_have_text("syncing")
    expect_the_servers_time(desk, clock)


def test_the_bell_while_typing_takes_in_the_last_words_and_opens_scoring(desk: Desk, clock: ServerClock) -> None:
    desk.sitting.to("writing")
    desk.open()
    expect_the_servers_time(desk, clock)
    clock.advance(seconds=seconds_left(desk, clock) - 2)
    desk.look_now()
    desk.editor("s1").press_sequentially("Said at the bell.")
    expect(desk.page.locator("[data-banner]")).to_contain_text("Time.")
    expect(desk.editor("s1")).not_to_be_editable()
    desk.expect_saved("s1")
    clock.advance(seconds=10)
    desk.expect_state("scoring")
    round_ = desk.sitting.round
    assert round_.submitted_by_bell
    assert desk.sitting.text("s1") == "Said at the bell."
    expect(desk.page.get_by_role("heading", name="Late addendum")).to_have_count(0)


def test_the_bell_of_the_arithmetic_opens_the_writing_with_the_worksheet_saved(desk: Desk, clock: ServerClock) -> None:
    desk.sitting.to("arithmetic")
    desk.open()
    desk.write("worksheet", "kv = 320 KiB")
    desk.expect_saved("worksheet")
    clock.advance(minutes=5)
    desk.look_now()
    desk.expect_state("writing")
    expect(desk.editor("worksheet")).to_have_value("kv = 320 KiB")
    expect(desk.editor("s1")).to_be_focused()


def test_a_reload_at_zero_and_after_lands_on_a_page_that_goes_on(desk: Desk, clock: ServerClock) -> None:
    """B015."""
    desk.sitting.to("writing")
    clock.advance(minutes=45)
    desk.open()
    desk.expect_state("writing")
    clock.advance(seconds=11)
    desk.page.reload()
    desk.expect_state("scoring")
    expect(desk.page.get_by_role("button", name="Record the scores")).to_be_visible()


def test_a_finished_round_shows_no_clock_and_asks_for_nothing(desk: Desk, clock: ServerClock) -> None:
    """B016."""
    desk.sitting.to("done")
    desk.open()
    expect(desk.page.locator("[data-clock-face]")).to_be_hidden()
    clock.advance(hours=3)
    with desk.page.expect_response("**/clock.json"):
        desk.look_now()
    desk.expect_state("done")


def test_back_and_forward_leave_the_round_as_it_is(desk: Desk) -> None:
    """B041."""
    desk.sitting.to("writing")
    desk.page.goto(desk.address + "/rounds/")
    desk.open()
    desk.write("s1", "Still here.")
    desk.expect_saved("s1")
    desk.page.go_back()
    expect(desk.page.get_by_role("heading", name="Rounds")).to_be_visible()
    desk.page.go_forward()
    expect(desk.editor("s1")).to_have_value("Still here.")
    desk.expect_state("writing")


def test_minutes_left_are_announced_politely(desk: Desk, clock: ServerClock) -> None:
    desk.sitting.to("writing")
    desk.open()
    announcer = desk.page.locator("[data-announcer]")
    expect(announcer).to_have_attribute("aria-live", "polite")
    expect(announcer).to_have_text("")
    expect_the_servers_time(desk, clock)
    clock.advance(seconds=seconds_left(desk, clock) - 5 * 60 + 1)

    def said() -> str:
        desk.look_now()  # again: a question that was under way is answered with the time before
        return announcer.inner_text()

    assert wait_for(said, "an announcement") == "5 minutes left"


def test_pausing_makes_the_editors_read_only_and_resuming_opens_them(
    page: Page, desk: Desk, clock: ServerClock
) -> None:
    practice = Desk(page, desk.address, Sitting(desk.sitting.user, clock.now(), mode="practice"))
    practice.sitting.to("writing")
    practice.open()
    practice.write("s1", "Before the pause.")
    practice.page.get_by_role("button", name="Pause").click()
    resume = practice.page.get_by_role("button", name="Resume the clock")
    expect(resume).to_be_visible()
    expect(practice.editor("s1")).to_have_value("Before the pause.")
    expect(practice.editor("s1")).not_to_be_editable()
    expect(practice.page.locator("[data-clock-face]")).to_have_attribute("data-kind", "paused")
    clock.advance(hours=2)
    resume.click()
    expect(practice.editor("s1")).to_be_editable()
    expect_the_servers_time(practice, clock)


def test_an_answer_about_the_time_that_comes_late_is_not_taken_for_the_present(desk: Desk, clock: ServerClock) -> None:
    desk.sitting.to("writing")
    held: list[Route] = []
    desk.page.route("**/clock.json", lambda route: held.append(route), times=1)
    with desk.page.expect_request("**/clock.json"):
        desk.open()
    expect(desk.page.locator("[data-clock-face]")).to_have_text("syncing")
    held[0].continue_()
    expect_the_servers_time(desk, clock)
