"""The critique of one's own design in Chromium: asked for, awaited, answered, marked and closed."""

import datetime as dt
import re
import threading
from collections.abc import Callable, Iterator
from decimal import Decimal

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from grading import services
from grading.models import Critique, CritiqueItem, Mutation, State
from grading.tasks import critique_run, reply_run
from tests import endpoint as server
from tests.e2e.browsing import let_go, serious_faults, sideways_overflow_px
from tests.endpoint import KEY, MODEL, Endpoint, running_endpoint
from tests.trainer.rounds.sitting import Sitting
from trainer.review.models import Card

TEXTS = {
    "s3": "The front door takes a batch and gives back a ticket; nobody waits on the line for it.\n"
    "A queue holds the batches until a replica has room for the next one.",
    "s4": "Eight replicas take work from one queue, and each of them holds its own copy of the weights.",
}
ANSWER = "Conceded: the queue has no bound. Admission by held tokens bounds it, at the price of refusals."
SIZES = [(1280, 900), (390, 844)]


@pytest.fixture
def endpoint(settings: Settings) -> Iterator[Endpoint]:
    with running_endpoint() as endpoint:
        settings.CRITIC_BASE_URL, settings.CRITIC_API_KEY, settings.CRITIC_MODEL = endpoint.address, KEY, MODEL
        settings.CRITIC_USD_PER_MILLION_INPUT, settings.CRITIC_USD_PER_MILLION_OUTPUT = Decimal(2), Decimal(8)
        settings.CRITIC_PRICE_AS_OF = dt.date(2026, 3, 1)
        yield endpoint


@pytest.fixture
def submitted(sitting: Sitting) -> Sitting:
    """A round of the example design, handed in with words to attack."""
    sitting.to("writing")
    for key, text in TEXTS.items():
        sitting.save(key, text)
    return sitting.to("scoring")


@pytest.fixture
def visitor(page: Page, live_server: LiveServer) -> Iterator[Page]:
    yield page
    let_go(page.context)


def in_a_worker(run: Callable[..., None], *arguments: object) -> threading.Thread:
    """The task in a thread, as the critic's worker runs it."""
    thread = threading.Thread(target=run, args=arguments)
    thread.start()
    return thread


def critic_of(live_server: LiveServer, sitting: Sitting, rest: str = "") -> str:
    return f"{live_server.url}/rounds/{sitting.id}/critic/{rest}"


def test_a_model_is_asked_at_the_scores_awaited_and_shown_when_the_round_is_done(
    visitor: Page, live_server: LiveServer, submitted: Sitting, endpoint: Endpoint
) -> None:
    page = visitor
    release = threading.Event()

    def waits(handler: server.Handler, asked: server.Asked) -> None:
        release.wait(60)
        server.good(handler, asked)

    endpoint.otherwise = waits
    page.goto(live_server.url + submitted.url())
    page.locator("#confidence_1").fill("64")
    page.get_by_role("button", name=f"Have {MODEL} attack it").click()
    expect(page.locator("#critic-inside")).to_contain_text("Queued: it is next.")
    worker = in_a_worker(critique_run, Critique.objects.get().pk)
    expect(page.locator("#critic-inside")).to_contain_text("The model is asked for its critiques.")
    expect(page.locator("#critic-said")).to_have_text("The model is asked for its critiques.")
    assert serious_faults(page) == []
    release.set()
    expect(page.locator("#critic-inside")).to_contain_text("It is made. It opens when the round is done.")
    worker.join()
    expect(page.locator("#confidence_1")).to_have_value("64")
    assert "hx-get" not in page.locator("#critic").inner_html()
    submitted.to("done")
    page.goto(live_server.url + submitted.url())
    page.get_by_role("link", name="Open it").click()
    expect(page.get_by_role("heading", name=f"By {MODEL}")).to_be_visible()
    expect(page.locator("blockquote mark")).to_have_text(CritiqueItem.objects.get(number=1).quote)


def test_the_page_shows_the_critique_by_itself_as_soon_as_it_is_made(
    visitor: Page, live_server: LiveServer, submitted: Sitting, endpoint: Endpoint
) -> None:
    page = visitor
    page.goto(critic_of(live_server, submitted.to("done")))
    page.get_by_role("button", name=f"Have {MODEL} attack it").click()
    expect(page.locator("#critic-inside")).to_contain_text("Queued")
    in_a_worker(critique_run, Critique.objects.get().pk).join()
    expect(page.locator("#asked-title")).to_be_visible()


def test_a_failure_shows_its_reason_and_is_tried_again_by_a_button(
    visitor: Page, live_server: LiveServer, submitted: Sitting, endpoint: Endpoint
) -> None:
    page = visitor
    endpoint.script = [server.status(401)]
    page.goto(critic_of(live_server, submitted.to("done")))
    page.get_by_role("button", name=f"Have {MODEL} attack it").click()
    expect(page.locator("#critic-inside")).to_contain_text("Queued")
    critique = Critique.objects.get()
    in_a_worker(critique_run, critique.pk).join()
    expect(page.locator("#critic-inside")).to_contain_text("It failed.")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("#critic-inside")).to_contain_text("Queued")
    in_a_worker(critique_run, critique.pk).join()
    expect(page.locator("#asked-title")).to_be_visible()


def test_after_a_failure_the_built_in_critic_takes_over_by_one_button(
    visitor: Page, live_server: LiveServer, submitted: Sitting, endpoint: Endpoint
) -> None:
    page = visitor
    endpoint.script = [server.status(401)]
    page.goto(critic_of(live_server, submitted.to("done")))
    page.get_by_role("button", name=f"Have {MODEL} attack it").click()
    expect(page.locator("#critic-inside")).to_contain_text("Queued")
    in_a_worker(critique_run, Critique.objects.get().pk).join()
    expect(page.locator("#critic-inside")).to_contain_text("It failed.")
    assert serious_faults(page) == []
    page.get_by_role("button", name="Have the built-in critic read it").click()
    expect(page.get_by_role("heading", name="By the built-in critic")).to_be_visible()
    expect(page.get_by_role("button", name=f"Have {MODEL} attack it")).to_be_visible()


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_each_of_the_built_in_critics_keeps_to_the_window(
    visitor: Page, live_server: LiveServer, submitted: Sitting, width: int, height: int
) -> None:
    page = visitor
    page.set_viewport_size({"width": width, "height": height})
    critique = services.critique_request(round=submitted.to("done").round, user=submitted.user, now=timezone.now())
    for number in range(1, critique.items.count() + 1):
        page.goto(critic_of(live_server, submitted, f"critiques/{number}/"))
        assert sideways_overflow_px(page) == 0
    assert serious_faults(page) == []


def test_a_critique_is_answered_replied_to_and_marked_with_the_keyboard_alone(
    visitor: Page, live_server: LiveServer, submitted: Sitting, endpoint: Endpoint
) -> None:
    page = visitor
    made(submitted)
    page.goto(critic_of(live_server, submitted, "critiques/1/"))
    tab_to(page, "#answer")
    page.keyboard.type(ANSWER)
    page.keyboard.press("Control+Enter")
    expect(page.locator("#reply")).to_contain_text("Queued")
    in_a_worker(reply_run, "item", CritiqueItem.objects.get(number=1).pk).join()
    expect(page.get_by_role("heading", name="Mark your answer")).to_be_visible()
    expect(page.locator("#stop-critique-1")).to_have_text("to be marked")
    expect(page.locator("#reply-said")).to_have_text("The model has replied.")
    assert serious_faults(page) == []
    tab_to(page, 'button[value="partial"]')
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/critiques/2/#asked-title$"))
    assert Card.objects.filter(kind="model_critique").count() == 1
    tab_to(page, '.critic-stops a[href*="mutations/3"]')
    page.keyboard.press("Enter")
    expect(page.locator("#asked-title")).to_have_text(Mutation.objects.get(number=3).title)
    tab_to(page, ".critic-confirm > summary")
    page.keyboard.press("Enter")
    tab_to(page, ".critic-confirm button")
    page.keyboard.press("Enter")
    expect(page.locator("#close .card-list li")).to_have_count(9)
    assert Card.objects.filter(kind__in=("model_critique", "mutation")).count() == 9


def test_what_was_typed_comes_back_when_it_is_refused(
    visitor: Page, live_server: LiveServer, submitted: Sitting, endpoint: Endpoint
) -> None:
    page = visitor
    made(submitted)
    page.goto(critic_of(live_server, submitted, "mutations/2/"))
    long = "word " * 1300
    page.locator("#answer").fill(long)
    page.get_by_role("button", name="Answer").click()
    expect(page.locator("#answer-error")).to_contain_text("at most 6,000 are kept")
    expect(page.locator("#answer")).to_have_value(long)
    expect(page.locator("#answer")).to_be_focused()


def test_without_a_model_the_built_in_critic_is_read_answered_and_marked(
    visitor: Page, live_server: LiveServer, submitted: Sitting
) -> None:
    page = visitor
    page.goto(critic_of(live_server, submitted.to("done")))
    page.get_by_role("button", name="Have the built-in critic read it").click()
    expect(page.get_by_role("heading", name="By the built-in critic")).to_be_visible()
    assert serious_faults(page) == []
    page.get_by_label("Your answer").fill(ANSWER)
    page.get_by_role("button", name="Answer").click()
    expect(page.get_by_role("heading", name="Mark your answer")).to_be_visible()
    page.get_by_role("button", name="Hit").click()
    expect(page.locator("#stop-critique-1")).to_have_text("hit")


def test_it_works_without_scripts(
    visitor: Page, live_server: LiveServer, submitted: Sitting, endpoint: Endpoint
) -> None:
    browser = visitor.context.browser
    assert browser is not None
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(critic_of(live_server, submitted.to("done")))
        page.get_by_role("button", name=f"Have {MODEL} attack it").click()
        expect(page.get_by_text("Load the page again")).to_be_visible()
        in_a_worker(critique_run, Critique.objects.get().pk).join()
        page.reload()
        page.get_by_label("Your answer").fill(ANSWER)
        page.get_by_role("button", name="Answer").click()
        in_a_worker(reply_run, "item", CritiqueItem.objects.get(number=1).pk).join()
        page.reload()
        page.get_by_role("button", name="Miss").click()
        expect(page.locator("#stop-critique-1")).to_have_text("miss")
        let_go(context)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_pages_keep_to_their_window_and_have_no_serious_fault_in_either_theme(
    visitor: Page,
    live_server: LiveServer,
    submitted: Sitting,
    endpoint: Endpoint,
    scheme: str,
    width: int,
    height: int,
) -> None:
    page = visitor
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page.set_viewport_size({"width": width, "height": height})
    endpoint.otherwise = server.lies_once
    made(submitted)
    for address in (critic_of(live_server, submitted), critic_of(live_server, submitted, "mutations/1/")):
        page.goto(address)
        page.locator("details").evaluate_all("(all) => all.forEach((one) => (one.open = !one.matches('.confirm')))")
        assert sideways_overflow_px(page) == 0
        assert serious_faults(page) == []
    for address in (critic_of(live_server, submitted, "critiques/1/worksheet/"), f"{live_server.url}/progress/"):
        page.goto(address)
        assert sideways_overflow_px(page) == 0
        assert serious_faults(page) == []


def made(sitting: Sitting) -> Critique:
    """The round done, and its critique made by the services themselves."""
    critique = services.critique_request(round=sitting.to("done").round, user=sitting.user, now=timezone.now())
    in_a_worker(critique_run, critique.pk).join()
    critique.refresh_from_db()
    assert critique.state == State.SHOWN
    return critique


def tab_to(page: Page, selector: str) -> None:
    """Press Tab until the focus is there."""
    page.wait_for_load_state()
    for _ in range(80):
        if page.locator(selector).evaluate("(element) => element === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not reach {selector}")
