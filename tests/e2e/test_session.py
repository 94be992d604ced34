"""Hosted: a log-in that ends in the middle of a round, and two people at one browser."""

from collections.abc import Iterator

import pytest
from django.contrib.sessions.models import Session
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.e2e.browsing import Desk, ServerClock, let_go
from tests.factories import PASSWORD
from tests.trainer.rounds.sitting import SLUG, Sitting
from trainer.accounts.models import User
from trainer.rounds.models import Document, LateAddendum


def log_in(page: Page, address: str, username: str) -> None:
    page.goto(f"{address}/log-in/")
    page.get_by_label("Username").fill(username)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_label("Password")).to_have_count(0)


@pytest.fixture
def alice_desk(
    page: Page,
    live_server: LiveServer,
    transactional_db: None,
    hosted: None,
    pack: None,
    clock: ServerClock,
    alice: User,
) -> Iterator[Desk]:
    """Alice at her round, logged in."""
    log_in(page, live_server.url, "alice")
    yield Desk(page, live_server.url, Sitting(alice, clock.now(), slug=SLUG).to("writing")).open()
    let_go(page.context)


def test_text_typed_after_the_log_in_ended_is_kept_and_sent_after_the_next_log_in(alice_desk: Desk) -> None:
    """B037: the session ends on the server, then the log-in rotates the form's token."""
    Session.objects.all().delete()
    alice_desk.write("s1", "Typed while logged out.")
    expect(alice_desk.status("s1")).to_have_text("Logged out: kept here")
    expect(alice_desk.page.locator("[data-banner]")).to_contain_text("Log in in another tab")
    assert alice_desk.sitting.text("s1") == ""

    other_tab = alice_desk.page.context.new_page()
    log_in(other_tab, alice_desk.address, "alice")
    other_tab.close()
    alice_desk.page.bring_to_front()
    alice_desk.editor("s1").focus()
    alice_desk.page.keyboard.press("Control+s")
    alice_desk.expect_saved("s1")
    expect(alice_desk.page.locator("[data-banner]")).to_be_hidden()
    assert alice_desk.sitting.text("s1") == "Typed while logged out."


def test_text_that_one_person_left_in_a_browser_is_never_sent_for_another(
    alice_desk: Desk, bob: User, clock: ServerClock
) -> None:
    """B046."""
    page = alice_desk.page
    page.on("dialog", lambda dialog: dialog.accept())
    page.route("**/documents/**", lambda route: route.abort())
    alice_desk.write("s1", "Alice's words.")
    expect(alice_desk.status("s1")).to_have_text("Offline: kept here")
    page.unroute("**/documents/**")
    page.context.clear_cookies()
    log_in(page, alice_desk.address, "bob")
    bob_desk = Desk(page, alice_desk.address, Sitting(bob, clock.now(), slug=SLUG).to("writing")).open()
    expect(bob_desk.editor("s1")).to_have_value("")
    bob_desk.write("s2", "Bob's words.")
    bob_desk.expect_saved("s2")
    assert set(Document.objects.exclude(text="").values_list("round__user__username", "key")) >= {("bob", "s2")}
    assert not Document.objects.filter(text__contains="Alice").exists()
    assert not LateAddendum.objects.exists()

    page.context.clear_cookies()
    log_in(page, alice_desk.address, "alice")
    alice_desk.open()
    expect(alice_desk.editor("s1")).to_have_value("Alice's words.")
    alice_desk.expect_saved("s1")
    assert Document.objects.get(text="Alice's words.").round.user.username == "alice"


def test_a_page_of_one_person_saves_nothing_once_another_is_logged_in(alice_desk: Desk, bob: User) -> None:
    other_tab = alice_desk.page.context.new_page()
    alice_desk.page.context.clear_cookies()
    log_in(other_tab, alice_desk.address, "bob")
    alice_desk.write("s1", "Not Bob's.")
    expect(alice_desk.status("s1")).to_have_text("Logged out: kept here")
    assert not Document.objects.filter(text="Not Bob's.").exists()
