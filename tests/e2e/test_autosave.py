"""What is typed reaches the server, whatever happens to the network, the tab, the browser or the server."""

import os
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from playwright.sync_api import Browser, BrowserType, Dialog, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from tests.e2e.browsing import PACK, Desk, ServerClock, let_go, listen_to
from tests.services import Process, StartProcess, wait_for
from tests.trainer.rounds.sitting import Sitting
from trainer.rounds.models import LateAddendum


def arrive_but_lose_the_answer(route: Route) -> None:
    """The save reaches the server, and the browser hears nothing of it."""
    route.fetch()
    route.abort()


def test_text_is_saved_by_itself_and_is_there_after_a_reload(desk: Desk) -> None:
    desk.sitting.to("writing")
    desk.open()
    desk.editor("s1").press_sequentially("Requests cannot be the currency.")
    desk.expect_saved("s1")
    assert desk.sitting.text("s1") == "Requests cannot be the currency."
    desk.page.reload()
    expect(desk.editor("s1")).to_have_value("Requests cannot be the currency.")


def test_a_reload_in_the_middle_of_a_word_loses_nothing(desk: Desk) -> None:
    desk.sitting.to("writing")
    desk.open()
    desk.page.on("dialog", lambda dialog: dialog.accept())
    desk.page.route("**/documents/s1/", lambda route: route.abort())
    desk.editor("s1").press_sequentially("KV, not FLOPs, bounds it")
    expect(desk.status("s1")).to_have_text("Offline: kept here")
    desk.page.unroute("**/documents/s1/")
    desk.page.reload()
    expect(desk.editor("s1")).to_have_value("KV, not FLOPs, bounds it")
    desk.expect_saved("s1")
    assert desk.sitting.text("s1") == "KV, not FLOPs, bounds it"


def test_the_newer_text_of_this_browser_is_kept_beside_the_servers_older_one(desk: Desk) -> None:
    """B040."""
    desk.sitting.to("writing")
    desk.open()
    desk.write("s1", "Older, and saved.")
    desk.expect_saved("s1")
    desk.page.on("dialog", lambda dialog: dialog.accept())
    desk.page.route("**/documents/s1/", lambda route: route.abort())
    desk.write("s1", "Newer, typed offline.")
    expect(desk.status("s1")).to_have_text("Offline: kept here")
    desk.page.unroute("**/documents/s1/")
    desk.page.reload()
    expect(desk.editor("s1")).to_have_value("Newer, typed offline.")
    desk.expect_saved("s1")
    kept = desk.sitting.round.documents.get(key="s1").revisions.order_by("revision").values_list("text", flat=True)
    assert list(kept) == ["Older, and saved.", "Newer, typed offline."]


def test_nothing_is_lost_on_a_network_that_loses_every_third_save(desk: Desk, clock: ServerClock) -> None:
    """B023."""
    desk.sitting.to("writing")
    desk.open()
    sent: list[str] = []

    def lose_every_third(route: Route) -> None:
        sent.append(route.request.url)
        if len(sent) % 3 == 0:
            route.abort()
        else:
            route.continue_()

    desk.page.route("**/documents/*/", lose_every_third)
    for key in ("s1", "s2", "s3", "s4"):
        desk.write(key, f"Text of {key}.")
        desk.expect_saved(key)
    clock.advance(seconds=70)
    desk.page.reload()
    for key in ("s1", "s2", "s3", "s4"):
        expect(desk.editor(key)).to_have_value(f"Text of {key}.")
        assert desk.sitting.text(key) == f"Text of {key}."
    assert len(sent) > 4


def test_two_sections_changed_by_way_of_the_side_navigation_are_both_saved(desk: Desk) -> None:
    """B021."""
    desk.sitting.to("writing")
    desk.open()
    desk.write("s1", "First.")
    desk.page.get_by_role("navigation", name="Sections").get_by_role("link", name="4").click()
    expect(desk.editor("s4")).to_be_focused()
    desk.write("s4", "Fourth.")
    desk.expect_saved("s1")
    desk.expect_saved("s4")
    assert (desk.sitting.text("s1"), desk.sitting.text("s4")) == ("First.", "Fourth.")


def test_text_typed_offline_is_kept_said_to_be_kept_and_sent_once_online(desk: Desk) -> None:
    """B027."""
    desk.sitting.to("writing")
    desk.open()
    desk.page.context.set_offline(True)
    desk.write("s2", "320 KiB per token.")
    expect(desk.status("s2")).to_have_text("Offline: kept here")
    expect(desk.page.locator("[data-save-overall]")).to_have_text("Offline: kept here")
    expect(desk.page.locator("[data-banner]")).to_contain_text("No connection")
    assert desk.sitting.text("s2") == ""
    desk.page.context.set_offline(False)
    desk.expect_saved("s2")
    expect(desk.page.locator("[data-banner]")).to_be_hidden()
    assert desk.sitting.text("s2") == "320 KiB per token."


def test_leaving_with_unsent_text_asks_first_and_with_sent_text_does_not(desk: Desk) -> None:
    """B025."""
    asked: list[str] = []
    desk.sitting.to("writing")
    desk.open()

    def agree(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.accept()

    desk.page.on("dialog", agree)
    desk.editor("s1").press_sequentially("Saved.")
    desk.expect_saved("s1")
    desk.page.reload()
    assert asked == []
    desk.page.route("**/documents/s1/", lambda route: route.abort())
    desk.editor("s1").press_sequentially(" Unsaved.")
    expect(desk.status("s1")).to_have_text("Offline: kept here")
    desk.page.reload()
    assert asked == ["beforeunload"]


def test_an_answer_that_is_no_acknowledgement_is_not_taken_for_one(desk: Desk) -> None:
    desk.sitting.to("writing")
    desk.open()
    desk.page.route("**/documents/s1/", lambda route: route.fulfill(status=200, body="<h1>Welcome to the hotel</h1>"))
    desk.write("s1", "Behind a captive portal.")
    expect(desk.status("s1")).to_have_text("Offline: kept here")
    desk.page.unroute("**/documents/s1/")
    desk.look_now()
    desk.expect_saved("s1")
    assert desk.sitting.text("s1") == "Behind a captive portal."


def test_the_answer_to_an_older_save_never_replaces_newer_text(desk: Desk) -> None:
    """B039."""
    desk.sitting.to("writing")
    desk.open()
    held: list[Route] = []
    desk.page.route("**/documents/s1/", lambda route: held.append(route), times=1)
    with desk.page.expect_request("**/documents/s1/"):
        desk.write("s1", "Older")
    desk.editor("s1").press_sequentially(" and newer")
    held[0].continue_()
    desk.expect_saved("s1")
    expect(desk.editor("s1")).to_have_value("Older and newer")
    assert desk.sitting.text("s1") == "Older and newer"


def test_a_save_whose_answer_was_lost_counts_once(desk: Desk) -> None:
    """B051."""
    desk.sitting.to("writing")
    desk.open()

    desk.page.route("**/documents/s1/", arrive_but_lose_the_answer, times=1)
    desk.write("s1", "Once.")
    desk.expect_saved("s1")
    document = desk.sitting.round.documents.get(key="s1")
    assert (document.text, document.revision, document.revisions.count()) == ("Once.", 1, 1)


def test_typing_on_after_an_answer_was_lost_is_no_conflict_with_oneself(desk: Desk) -> None:
    desk.sitting.to("writing")
    desk.open()

    desk.page.route("**/documents/s1/", arrive_but_lose_the_answer, times=1)
    desk.write("s1", "Once")
    expect(desk.status("s1")).to_have_text("Offline: kept here")
    desk.editor("s1").press_sequentially(" and then more.")
    desk.expect_saved("s1")
    assert desk.sitting.text("s1") == "Once and then more."


def test_a_crash_after_an_answer_was_lost_is_no_conflict_with_oneself(desk: Desk) -> None:
    desk.sitting.to("writing")
    desk.open()
    desk.page.on("dialog", lambda dialog: dialog.accept())
    arrived: list[str] = []

    def arrive_once_but_lose_every_answer(route: Route) -> None:
        if not arrived:
            route.fetch()
        arrived.append(route.request.url)
        route.abort()

    desk.page.route("**/documents/s1/", arrive_once_but_lose_every_answer)
    desk.write("s1", "Once")
    expect(desk.status("s1")).to_have_text("Offline: kept here")
    with desk.page.expect_event("requestfailed"):
        desk.editor("s1").press_sequentially(" and then more.")
    desk.page.unroute("**/documents/s1/")
    desk.page.reload()
    expect(desk.editor("s1")).to_have_value("Once and then more.")
    desk.expect_saved("s1")
    assert desk.sitting.text("s1") == "Once and then more."


def test_an_idle_tab_sends_no_text(desk: Desk) -> None:
    """B052."""
    desk.sitting.to("writing")
    sent: list[str] = []
    desk.page.on("request", lambda request: sent.append(request.url) if request.method == "PUT" else None)
    desk.open()
    desk.editor("s1").focus()
    with desk.page.expect_response("**/clock.json"):
        desk.look_now()
    desk.write("s2", "The only save.")
    desk.expect_saved("s2")
    assert [url.rsplit("/", 2)[1] for url in sent] == ["s2"]


@pytest.fixture
def second_tab(desk: Desk, browser: Browser, complaints: list[str]) -> Iterator[Desk]:
    """The same round in another browser."""
    context = browser.new_context()
    listen_to(context, complaints)
    yield Desk(context.new_page(), desk.address, desk.sitting)
    let_go(context)
    context.close()


def conflict(desk: Desk, second_tab: Desk) -> None:
    desk.sitting.to("writing")
    desk.open()
    second_tab.open()
    desk.write("s1", "Common line\nFrom the first")
    desk.expect_saved("s1")
    second_tab.write("s1", "Common line\nFrom the second")
    expect(second_tab.status("s1")).to_have_text("Changed elsewhere: choose")


@pytest.mark.parametrize(
    ("choice", "stands"),
    [
        ("Keep mine", "Common line\nFrom the second"),
        ("Take the other", "Common line\nFrom the first"),
        (
            "Merge by hand",
            "Common line\n<<<<<<< this tab\nFrom the second\n=======\nFrom the first\n>>>>>>> saved elsewhere",
        ),
    ],
)
def test_the_later_of_two_tabs_sees_both_texts_and_chooses(
    desk: Desk, second_tab: Desk, choice: str, stands: str
) -> None:
    conflict(desk, second_tab)
    assert desk.sitting.text("s1") == "Common line\nFrom the first"
    panel = second_tab.page.locator('[data-document="s1"] [data-conflict]')
    expect(panel.locator("mark")).to_have_text(["From the second\n", "From the first\n"])
    panel.get_by_role("button", name=choice).click()
    second_tab.expect_saved("s1")
    expect(second_tab.editor("s1")).to_have_value(stands)
    assert desk.sitting.text("s1") == stands


def test_a_conflict_outlives_a_reload(desk: Desk, second_tab: Desk) -> None:
    conflict(desk, second_tab)
    second_tab.page.on("dialog", lambda dialog: dialog.accept())
    second_tab.page.reload()
    expect(second_tab.status("s1")).to_have_text("Changed elsewhere: choose")
    expect(second_tab.page.locator('[data-document="s1"] [data-conflict]')).to_contain_text("From the second")
    assert desk.sitting.text("s1") == "Common line\nFrom the first"


def test_handing_in_elsewhere_closes_this_tab_and_keeps_its_text_as_an_addendum(desk: Desk, second_tab: Desk) -> None:
    """B048."""
    desk.sitting.to("writing")
    desk.open()
    second_tab.open()
    desk.write("s1", "Final.")
    desk.expect_saved("s1")
    desk.page.locator("summary", has_text="Hand in").click()
    desk.page.get_by_role("button", name="Hand in now").click()
    desk.expect_state("scoring")
    second_tab.write("s2", "Typed after the end.")
    second_tab.expect_state("scoring")
    expect(second_tab.page.get_by_role("heading", name="Late addendum")).to_be_visible()
    assert (desk.sitting.text("s1"), desk.sitting.text("s2")) == ("Final.", "")
    second_tab.page.get_by_role("button", name="Keep it").click()
    expect(second_tab.page.get_by_text("kept · not counted")).to_be_visible()
    assert LateAddendum.objects.get().decision == "kept"


def test_a_text_that_is_too_long_is_refused_at_its_section_and_stays_on_the_page(desk: Desk) -> None:
    desk.sitting.to("writing")
    desk.open()
    desk.write("s1", "x" * 200_001)
    expect(desk.status("s1")).to_have_text("Refused: kept here")
    expect(desk.page.locator('[data-document="s1"] [data-doc-message]')).to_contain_text("200")
    desk.write("s1", "short")
    desk.expect_saved("s1")
    assert desk.sitting.text("s1") == "short"


def test_text_outlives_a_killed_browser_and_is_sent_when_it_opens_again(
    sitting: Sitting,
    live_server: LiveServer,
    browser_type: BrowserType,
    browser_type_launch_args: dict[str, Any],
    tmp_path: Path,
) -> None:
    """B042."""
    sitting.to("writing")
    profile = tmp_path / "profile"
    context = browser_type.launch_persistent_context(profile, **browser_type_launch_args)
    desk = Desk(context.pages[0], live_server.url, sitting).open()
    context.set_offline(True)
    desk.write("s1", "Typed offline, then the browser was killed.")
    expect(desk.status("s1")).to_have_text("Offline: kept here")
    kill_browser_of(profile)
    with suppress(Exception):
        context.close()

    context = browser_type.launch_persistent_context(profile, **browser_type_launch_args)
    desk = Desk(context.pages[0], live_server.url, sitting).open()
    expect(desk.editor("s1")).to_have_value("Typed offline, then the browser was killed.")
    desk.expect_saved("s1")
    assert sitting.text("s1") == "Typed offline, then the browser was killed."
    let_go(context)
    context.close()


def kill_browser_of(profile: Path) -> None:
    """SIGKILL to every process of the browser that runs on this profile, and to no other."""

    def running() -> list[int]:
        found = []
        for folder in Path("/proc").iterdir():
            with suppress(OSError):
                if folder.name.isdigit() and str(profile).encode() in (folder / "cmdline").read_bytes():
                    found.append(int(folder.name))
        return found

    assert running()
    for process in running():
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
    wait_for(lambda: not running(), "the browser's end")


@pytest.fixture
def start_site(start_process: StartProcess, database_url: str, tmp_path: Path) -> Callable[[], tuple[Process, str]]:
    """Starts the site's real web server, always at the same address, on the tests' database."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{probe.getsockname()[1]}"
    variables = {"DATABASE_URL": database_url, "SECRET_KEY": settings.SECRET_KEY, "CONTENT_DIRS": str(PACK)}
    collected = start_process("python", "manage.py", "collectstatic", "--no-input", **variables)
    assert collected.popen.wait(timeout=60) == 0, collected.says()

    def start() -> tuple[Process, str]:
        server = start_process("gunicorn", "--bind", address, "--threads", "4", "trainer.wsgi", **variables)
        wait_for(lambda: answers(address), "the web server")
        return server, f"http://{address}"

    return start


def answers(address: str) -> bool:
    host, _, port = address.partition(":")
    with suppress(OSError), socket.create_connection((host, int(port)), timeout=1):
        return True
    return False


def test_text_typed_while_a_killed_server_is_away_is_sent_once_it_is_back(
    sitting: Sitting, page: Page, start_site: Callable[[], tuple[Process, str]]
) -> None:
    sitting.to("writing")
    server, address = start_site()
    desk = Desk(page, address, sitting).open()
    desk.write("s1", "Before.")
    desk.expect_saved("s1")
    server.kill()
    desk.write("s1", "Before. During.")
    expect(desk.status("s1")).to_have_text("Offline: kept here")
    assert sitting.text("s1") == "Before."
    start_site()
    desk.expect_saved("s1")
    assert sitting.text("s1") == "Before. During."


def test_text_held_at_the_bell_by_a_browser_without_network_becomes_an_addendum(desk: Desk, clock: ServerClock) -> None:
    """B026."""
    desk.sitting.to("writing")
    desk.open()
    desk.write("s1", "In time.")
    desk.expect_saved("s1")
    desk.page.context.set_offline(True)
    desk.write("s1", "In time. Too late.")
    expect(desk.status("s1")).to_have_text("Offline: kept here")
    desk.page.locator("summary", has_text="Hand in").click()
    desk.page.get_by_role("button", name="Hand in now").click()
    expect(desk.page.locator("[data-hand-in-message]")).to_contain_text("Nothing was handed in")
    clock.advance(minutes=46)
    desk.page.context.set_offline(False)
    desk.look_now()
    desk.expect_state("scoring")
    expect(desk.page.get_by_role("heading", name="Late addendum")).to_be_visible()
    round_ = desk.sitting.round
    assert round_.submitted_by_bell
    assert desk.sitting.text("s1") == "In time."
    assert LateAddendum.objects.get().text == "In time. Too late."
