"""The pages of a critique: what they show, what they take, and that nothing typed is lost by a refusal."""

import datetime as dt
import html
import json
import re
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from designs.mathml import formula_html
from grading import services
from grading.cases import case_of
from grading.core.rubric import LINES
from grading.findings import finding_of, worked_step
from grading.models import AnchorVerdict, Critique, CritiqueItem, LineScore, Mutation, State
from grading.running.critique import run_critique
from grading.running.reply import run_reply
from tests import endpoint as server
from tests.endpoint import KEY, MODEL, Asked, Endpoint, Handler
from tests.trainer.rounds.sitting import EVIDENCE, Sitting, frozen
from trainer.accounts.models import User
from trainer.review.models import Card

pytestmark = pytest.mark.django_db

ANSWER = "Conceded: the queue has no bound. Admission by held tokens bounds it, at the price of refusals."
HOSTILE = '<b onclick="x()">bold</b> **strong** [click](https://evil.example) \u202etxet \u200bzero <script>x</script>'


def address(sitting: Sitting, name: str = "page", *args: object) -> str:
    return reverse(f"critic:{name}", args=[sitting.id, *args])


def text_of(response: Any) -> str:
    """What a reader sees, on one line."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", response.content.decode())).split())


def requested(sitting: Sitting) -> Critique:
    return services.critique_request(round=sitting.round, user=sitting.user, now=sitting.now)


def made(sitting: Sitting) -> Critique:
    critique = requested(sitting)
    run_critique(critique.pk)
    return Critique.objects.get(pk=critique.pk)


@pytest.fixture
def by_model(endpoint: Endpoint, sitting: Sitting) -> Critique:
    return made(sitting.to("done"))


@pytest.fixture
def builtin(sitting: Sitting) -> Critique:
    return requested(sitting.to("done"))


@pytest.fixture
def without_numbers(alice: User, now: dt.datetime, pack: None) -> Sitting:
    """A round that is done, of a submission with words and no worksheet."""
    sitting = Sitting(alice, now).begin().write()
    sitting.save("s1", EVIDENCE)
    return sitting.to("done")


# The request.


def test_with_an_endpoint_the_panel_names_the_model_the_host_the_cap_and_what_is_left(
    endpoint: Endpoint, sitting: Sitting, alice_client: Client
) -> None:
    page = text_of(alice_client.get(sitting.url()))
    assert f"Have {MODEL} attack it" in page
    assert f"sent as text to 127.0.0.1:{endpoint.address.rpartition(':')[2].partition('/')[0]}" in page
    assert "At most $0.50 for it; $2.00 of today's $2.00 is left. Prices as of 1 Mar 2026." in page


def test_without_a_price_the_panel_says_that_no_budget_holds(
    endpoint: Endpoint, sitting: Sitting, alice_client: Client, settings: Settings
) -> None:
    settings.CRITIC_PRICE_AS_OF = None
    assert "No price is set, so what it costs is not known" in text_of(alice_client.get(sitting.url()))


def test_without_an_endpoint_the_panel_says_so_how_to_set_one_and_what_the_built_in_critic_is(
    sitting: Sitting, alice_client: Client
) -> None:
    for state in ("scoring", "reveal", "critique", "done"):
        page = text_of(alice_client.get(sitting.to(state).url()))
        assert "No model is configured: CRITIC_BASE_URL , CRITIC_MODEL and CRITIC_API_KEY" in page
        assert "It is no model and judges no argument" in page
        assert "Have the built-in critic read it" in page


def test_before_the_submission_there_is_no_panel_and_the_page_is_refused(
    sitting: Sitting, alice_client: Client
) -> None:
    early = Sitting(sitting.user, sitting.now).to("writing")
    with frozen(early.now):
        expect_no_critique(early, alice_client)


def expect_no_critique(early: Sitting, alice_client: Client) -> None:
    assert 'id="critic"' not in alice_client.get(early.url()).content.decode()
    response = alice_client.get(address(early))
    assert response.status_code == 409
    assert "this round is in writing" in text_of(response)
    assert alice_client.post(address(early, "request")).status_code == 409
    assert alice_client.get(address(early, "status")).status_code == 404


def test_asked_for_twice_it_is_one_and_the_panel_looks_again_until_it_is_made(
    endpoint: Endpoint, sitting: Sitting, alice_client: Client
) -> None:
    for _ in range(2):
        assert alice_client.post(address(sitting, "request")).headers["Location"] == address(sitting)
    critique = Critique.objects.get()
    part = alice_client.get(address(sitting, "status"), headers={"HX-Request": "true"}).content.decode()
    assert 'hx-trigger="every 3s"' in part
    assert "Queued: it is next." in part
    run_critique(critique.pk)
    part = alice_client.get(address(sitting, "status")).content.decode()
    assert "hx-trigger" not in part
    assert "It opens when the round is done." in part


def test_to_htmx_the_request_gives_the_inside_of_the_panel_with_the_focus_on_it(
    sitting: Sitting, alice_client: Client
) -> None:
    part = alice_client.post(address(sitting, "request"), headers={"HX-Request": "true"})
    assert part.status_code == 200
    assert 'id="critic-inside"' in part.content.decode()
    assert "autofocus" in part.content.decode()
    assert "<html" not in part.content.decode()


def test_a_change_of_state_is_said_and_the_same_state_is_not_said_again(
    endpoint: Endpoint, sitting: Sitting, alice_client: Client
) -> None:
    requested(sitting)
    first = alice_client.get(address(sitting, "status")).content.decode()
    assert 'hx-swap-oob="innerHTML"' in first
    again = re.search(r'hx-get="([^"]+)"', first)
    assert again is not None
    assert "hx-swap-oob" not in alice_client.get(html.unescape(again[1])).content.decode()


def test_a_failure_shows_its_reason_and_the_button_that_tries_again(
    endpoint: Endpoint, sitting: Sitting, alice_client: Client
) -> None:
    endpoint.script = [server.status(401)]
    critique = made(sitting)
    assert critique.state == State.FAILED
    page = text_of(alice_client.get(sitting.url()))
    assert critique.failure_reason in page
    assert "Try again" in page
    for _ in range(2):
        assert alice_client.post(address(sitting, "retry")).status_code == 303
    assert Critique.objects.get().state == State.QUEUED


def test_after_a_failure_the_built_in_critic_does_it_by_one_button_and_a_model_may_be_asked_afterwards(
    endpoint: Endpoint, sitting: Sitting, alice_client: Client
) -> None:
    assert "Have the built-in critic read it" not in text_of(alice_client.get(address(sitting)))
    endpoint.script = [server.status(401)]
    made(sitting.to("done"))
    assert "Have the built-in critic read it" in text_of(alice_client.get(address(sitting)))
    for _ in range(2):
        assert alice_client.post(address(sitting, "builtin")).headers["Location"] == address(sitting)
    page = text_of(alice_client.get(address(sitting)))
    assert "By the built-in critic" in page
    assert f"Have {MODEL} attack it" in page
    assert list(Critique.objects.order_by("pk").values_list("kind", "state")) == [
        ("model", "failed"),
        ("builtin", "shown"),
    ]


def test_the_page_of_a_critique_is_loaded_anew_when_it_is_made_and_the_page_of_a_round_is_not(
    by_model: Critique, sitting: Sitting, alice_client: Client
) -> None:
    assert alice_client.get(address(sitting, "status"), {"on": "critic"}).headers["HX-Refresh"] == "true"
    assert "HX-Refresh" not in alice_client.get(address(sitting, "status"), {"on": "round"}).headers


def test_a_model_may_take_the_built_in_critics_place_and_the_page_says_what_is_put_aside(
    builtin: Critique, endpoint: Endpoint, sitting: Sitting, alice_client: Client
) -> None:
    assert "with your answers to them, are then put aside" in text_of(alice_client.get(address(sitting)))
    alice_client.post(address(sitting, "request"))
    assert Critique.objects.get(superseded_at__isnull=True).kind == "model"


# What is shown.


def test_the_head_says_who_made_it_by_which_prompt_at_what_cost_and_what_was_dropped(
    endpoint: Endpoint, sitting: Sitting, alice_client: Client
) -> None:
    endpoint.otherwise = server.lies
    critique = made(sitting.to("done"))
    response = alice_client.get(address(sitting))
    page = text_of(response)
    assert f"By {MODEL}" in page
    assert f"version {critique.prompt_version}" in page
    assert "at prices of 1 Mar 2026" in page
    assert "1 shown, 4 dropped of 5, 0 repaired" in page
    assert "4 of 5 dropped: " in page
    for reason in ("quote not found", "number is wrong", "praises", "awards points"):
        assert reason in page
    assert KEY not in response.content.decode()


def test_the_built_in_critic_is_labelled_as_what_it_is_and_lists_all_that_it_found(
    builtin: Critique, sitting: Sitting, alice_client: Client
) -> None:
    page = text_of(alice_client.get(address(sitting)))
    assert "By the built-in critic No model: fixed rules" in page
    assert "Worked critiques whose remedy is not found" in page
    assert "looked for in your text: " in page
    assert "The built-in critic gives no levels." in page


def test_the_built_in_critic_says_what_it_looked_for_and_nothing_of_a_worked_critique_before_the_answer(
    without_numbers: Sitting, alice_client: Client
) -> None:
    sitting = without_numbers
    critique = requested(sitting)
    loaded = case_of(sitting.round)[1]
    kinds = {finding_of(item)[0]: item for item in critique.items.all()}
    assert {"absent_numbers", "absent_remedies"} <= set(kinds)
    item, found = kinds["absent_remedies"], finding_of(kinds["absent_remedies"])[1]
    argument = "<p>" + str(loaded.critique_html(found["number"])).partition("<p>")[2][:60]
    before = alice_client.get(address(sitting, "critique", item.number))
    assert f"Asked of the worked design: {found['title']}" in text_of(before)
    assert f"The worked design was attacked here for “{found['title']}”: does yours stand?" in text_of(before)
    assert f"Looked for in your text and not found: “{found['looked_for'][0]}”" in text_of(before)
    assert argument not in before.content.decode()
    alice_client.post(address(sitting, "critique_answer", item.number), {"answer": ANSWER})
    after = alice_client.get(address(sitting, "critique", item.number))
    assert f"What worked critique {found['number']} says, to the worked draft" in text_of(after)
    assert argument in after.content.decode()


def test_a_number_of_the_built_in_critic_is_shown_and_kept_on_its_card_by_its_formula_and_not_by_inner_names(
    without_numbers: Sitting, alice_client: Client
) -> None:
    sitting = without_numbers
    critique = requested(sitting)
    item = next(item for item in critique.items.exclude(expression="") if finding_of(item)[0] == "absent_numbers")
    step = worked_step(item, case_of(sitting.round)[1])
    assert step is not None
    assert step.formula not in ("", step.expression)
    page = alice_client.get(address(sitting, "critique", item.number)).content.decode()
    assert str(formula_html(step.formula)) in page
    assert step.expression not in html.unescape(page)
    assert f"= {step.text}" in page
    alice_client.post(address(sitting, "critique_answer", item.number), {"answer": ANSWER})
    alice_client.post(address(sitting, "critique_mark", item.number), {"mark": "miss"})
    back = Card.objects.get(kind="model_critique").back
    assert f"`{step.formula}` = " in back
    assert step.expression not in back


@pytest.mark.parametrize("kind", ["model", "builtin"])
def test_the_nine_can_be_told_apart_in_the_list_of_them(
    request: pytest.FixtureRequest, without_numbers: Sitting, alice_client: Client, kind: str
) -> None:
    if kind == "model":
        request.getfixturevalue("endpoint")
    critique = made(without_numbers)
    assert critique.kind == kind
    critique.items.update(defect_class="arithmetic-never-done")
    stops = alice_client.get(address(without_numbers)).context["page"].stops
    shown = [(stop.name, stop.about) for stop in stops]
    assert len(set(shown)) == len(shown)
    page = text_of(alice_client.get(address(without_numbers)))
    for stop in stops:
        assert stop.about in page
        assert stop.kind == "mutation" or stop.about.startswith("line ")


def test_the_attacked_words_are_marked_in_their_place_by_their_offsets(
    by_model: Critique, sitting: Sitting, alice_client: Client
) -> None:
    for item in by_model.items.all():
        page = alice_client.get(address(sitting, "critique", item.number)).content.decode()
        own = sitting.text(item.part_key)
        assert item.start is not None
        assert item.end is not None
        marked = f"{html.escape(own[: item.start])}<mark>{html.escape(item.quote)}</mark>{html.escape(own[item.end :])}"
        assert page.count(f"<mark>{html.escape(item.quote)}</mark>") == 2
        assert marked.replace("&#x27;", "&#39;") in page.replace("&#x27;", "&#39;")


def test_a_number_is_shown_as_worked_out_and_opens_in_the_worksheet_at_the_same_value(
    by_model: Critique, sitting: Sitting, alice_client: Client
) -> None:
    item = by_model.items.exclude(expression="")[0]
    page = text_of(alice_client.get(address(sitting, "critique", item.number)))
    assert f"= {item.value_text}" in page
    sheet = alice_client.get(address(sitting, "worksheet", item.number))
    assert sheet.status_code == 200
    assert [row.error for row in sheet.context["rows"]] == [""] * len(sheet.context["rows"])
    shown, told = sheet.context["rows"][-1].value_text.split(), item.value_text.split()
    assert float(shown[0]) == pytest.approx(float(told[0]), rel=0.01)
    assert shown[1:] == told[1:]


def test_a_number_of_the_built_in_critic_opens_as_the_step_it_is(
    without_numbers: Sitting, alice_client: Client
) -> None:
    sitting = without_numbers
    item = requested(sitting).items.exclude(expression="")[0]
    sheet = alice_client.get(address(sitting, "worksheet", item.number))
    assert [row.error for row in sheet.context["rows"]] == [""] * len(sheet.context["rows"])
    assert len(sheet.context["rows"]) > 1


def test_what_a_model_or_a_trainee_wrote_is_shown_as_text_and_nothing_of_it_acts(
    by_model: Critique, sitting: Sitting, alice_client: Client
) -> None:
    first = by_model.items.order_by("number")[0]
    CritiqueItem.objects.filter(pk=first.pk).update(
        attack=HOSTILE, scenario=HOSTILE, class_name=HOSTILE, expression=HOSTILE, with_numbers=HOSTILE, answer=HOSTILE,
        answered_at=sitting.now, reply=HOSTILE, state=State.SHOWN, claimed_value=HOSTILE, quote=HOSTILE,
    )  # fmt: skip
    Mutation.objects.filter(critique=by_model).update(title=HOSTILE, ask=HOSTILE)
    Critique.objects.filter(pk=by_model.pk).update(
        model_name=HOSTILE, dropped=[{"reason": HOSTILE, "text": HOSTILE, "quote": HOSTILE, "attack": HOSTILE}]
    )
    AnchorVerdict.objects.filter(critique=by_model).update(quote=HOSTILE, problem=HOSTILE)
    LineScore.objects.filter(round=sitting.id).update(quote=HOSTILE)
    services.critique_close(critique=by_model, now=sitting.now)
    for name, number in (("critique", 1), ("mutation", 1)):
        page = alice_client.get(address(sitting, name, number)).content.decode()
        assert "&lt;b onclick=" in page
        assert "**strong** [click](https://evil.example)" in page
        for acts in ("<b onclick", "<script>x", 'href="https://evil.example', "<strong>strong"):
            assert acts not in page


def test_the_hidden_characters_of_a_reply_are_taken_out(
    by_model: Critique, sitting: Sitting, alice_client: Client
) -> None:
    by_model.items.filter(number=1).update(answer="x", answered_at=sitting.now, reply=HOSTILE, state=State.SHOWN)
    reply = alice_client.get(address(sitting, "critique_reply", 1)).content.decode()
    assert "txet zero" in reply
    assert not set(reply) & {"\u202e", "\u200b"}


def test_hidden_characters_in_ones_own_words_keep_to_their_box(
    endpoint: Endpoint, sitting: Sitting, alice_client: Client
) -> None:
    made(sitting.to("done"))
    page = alice_client.get(address(sitting, "critique", 1)).content.decode()
    boxes = re.findall(r'<(?:blockquote|div) class="([^"]*)">[^<]*(?:<span[^>]*>…</span>)?[^<]*<mark>', page)
    assert boxes
    assert all("critic-text" in box for box in boxes)


# Answering.


def test_a_critique_is_answered_replied_to_and_marked_and_the_next_one_opens(
    by_model: Critique, endpoint: Endpoint, sitting: Sitting, alice_client: Client
) -> None:
    for _ in range(2):  # sent twice it is once
        sent = alice_client.post(address(sitting, "critique_answer", 1), {"answer": ANSWER})
        assert sent.headers["Location"] == f"{address(sitting, 'critique', 1)}#answered"
    waiting = alice_client.get(address(sitting, "critique", 1)).content.decode()
    assert 'hx-trigger="every 3s"' in waiting
    assert "Mark your answer" not in waiting
    run_reply("item", by_model.items.get(number=1).pk)
    part = alice_client.get(address(sitting, "critique_reply", 1)).content.decode()
    assert "hx-trigger" not in part
    assert by_model.items.get(number=1).reply in html.unescape(part)
    assert "Mark your answer" in part
    marked = alice_client.post(address(sitting, "critique_mark", 1), {"mark": "partial"})
    assert marked.headers["Location"] == f"{address(sitting, 'critique', 2)}#asked-title"
    assert Card.objects.filter(kind="model_critique").count() == 1
    page = text_of(alice_client.get(address(sitting, "critique", 1)))
    assert "You marked it partial , so it is a card" in page


def test_the_reply_that_failed_says_why_can_be_asked_for_again_and_does_not_hold_up_the_mark(
    by_model: Critique, endpoint: Endpoint, sitting: Sitting, alice_client: Client
) -> None:
    endpoint.otherwise = server.status(401)
    alice_client.post(address(sitting, "mutation_answer", 1), {"answer": ANSWER})
    run_reply("mutation", by_model.mutations.get(number=1).pk)
    page = text_of(alice_client.get(address(sitting, "mutation", 1)))
    assert "Ask for the reply again" in page
    assert "Mark your answer" in page
    for _ in range(2):
        assert alice_client.post(address(sitting, "mutation_retry", 1)).status_code == 303
    assert by_model.mutations.get(number=1).state == State.QUEUED


def test_an_empty_or_overlong_answer_is_refused_at_its_field_and_comes_back(
    by_model: Critique, sitting: Sitting, alice_client: Client
) -> None:
    long = "<i>" + "word " * 2000
    for text in ("", "   ", long, "nul \x00 here"):
        response = alice_client.post(address(sitting, "critique_answer", 2), {"answer": text})
        page = response.content.decode()
        assert response.status_code == 422
        assert 'aria-invalid="true"' in page
        assert html.escape(text) in page
    assert not by_model.items.exclude(answered_at=None).exists()


def test_a_second_answer_is_refused_and_what_was_typed_is_kept_on_the_page(
    by_model: Critique, sitting: Sitting, alice_client: Client
) -> None:
    alice_client.post(address(sitting, "critique_answer", 1), {"answer": ANSWER})
    response = alice_client.post(address(sitting, "critique_answer", 1), {"answer": "Another answer altogether."})
    assert response.status_code == 409
    assert "The first answer stands." in text_of(response)
    assert "Another answer altogether." in text_of(response)
    assert ANSWER in text_of(response)


def test_marks_are_refused_before_the_answer_before_the_reply_and_when_there_is_no_such_mark(
    by_model: Critique, sitting: Sitting, alice_client: Client
) -> None:
    mark = address(sitting, "critique_mark", 1)
    assert alice_client.post(mark, {"mark": "hit"}).status_code == 409
    alice_client.post(address(sitting, "critique_answer", 1), {"answer": ANSWER})
    assert alice_client.post(mark, {"mark": "hit"}).status_code == 409
    run_reply("item", by_model.items.get(number=1).pk)
    refused = alice_client.post(mark, {"mark": "splendid"})
    assert (refused.status_code, "The mark must be one of" in text_of(refused)) == (422, True)
    for _ in range(2):
        assert alice_client.post(mark, {"mark": "hit"}).status_code == 303
    assert alice_client.post(mark, {"mark": "miss"}).status_code == 409
    assert not Card.objects.filter(kind="model_critique").exists()


def test_after_an_answer_the_built_in_critic_shows_the_worked_revision_or_what_the_levels_say(
    without_numbers: Sitting, alice_client: Client
) -> None:
    sitting = without_numbers
    seen = set()
    for item in requested(sitting).items.all():
        before = text_of(alice_client.get(address(sitting, "critique", item.number)))
        assert "The revision of worked critique" not in before
        assert "What the levels of line" not in before
        alice_client.post(address(sitting, "critique_answer", item.number), {"answer": ANSWER})
        after = text_of(alice_client.get(address(sitting, "critique", item.number)))
        assert "What the levels of line" in after
        assert "hx-trigger" not in after
        seen.add("The revision of worked critique" in after)
        assert ("The built-in critic replies to nothing." in after) != ("The revision of worked critique" in after)
    assert seen == {True, False}


def test_closing_says_what_becomes_a_card_before_and_shows_the_cards_after(
    builtin: Critique, sitting: Sitting, alice_client: Client
) -> None:
    alice_client.post(address(sitting, "critique_answer", 1), {"answer": ANSWER})
    alice_client.post(address(sitting, "critique_mark", 1), {"mark": "hit"})
    left = builtin.items.count() + builtin.mutations.count() - 1
    assert f"Close, and make {left} cards" in text_of(alice_client.get(address(sitting)))
    for _ in range(2):
        assert alice_client.post(address(sitting, "close")).headers["Location"] == f"{address(sitting)}#close"
    cards = Card.objects.filter(kind__in=("model_critique", "mutation"))
    assert cards.count() == left
    page = alice_client.get(address(sitting)).content.decode()
    assert page.count('<span class="tag num">') == left
    late = alice_client.post(address(sitting, "mutation_answer", 1), {"answer": ANSWER})
    assert late.status_code == 409
    assert ANSWER in text_of(late)


def test_a_form_asked_for_by_get_leads_to_its_page(by_model: Critique, sitting: Sitting, alice_client: Client) -> None:
    assert alice_client.get(address(sitting, "close")).headers["Location"] == address(sitting)
    answer = alice_client.get(address(sitting, "mutation_answer", 2))
    assert (answer.status_code, answer.headers["Location"]) == (303, address(sitting, "mutation", 2))


# The rubric.


def one_anchor_unmet(handler: Handler, asked: Asked) -> None:
    if asked.form != "AnchorsReply":
        server.good(handler, asked)
        return
    reply = server.good_reply(asked)
    for verdict in reply["verdicts"]:
        if verdict["anchor_id"].startswith(("line2-level4", "line3")):
            verdict |= {"met": False, "quote": ""}
    handler.send_text(json.dumps(reply))


def test_the_rubric_stands_side_by_side_with_differences_marked_and_statements_told(
    endpoint: Endpoint, sitting: Sitting, alice_client: Client
) -> None:
    endpoint.otherwise = one_anchor_unmet
    made(sitting.to("done"))
    response = alice_client.get(address(sitting))
    table = response.context["page"].rubric
    assert table.scorers == ("You", MODEL)
    assert [row.levels for row in table.rows][1:3] == [(3, 3), (3, 0)]
    assert [row.difference for row in table.rows][:3] == [-1, 0, 3]
    assert response.content.decode().count('class="rubric-differs"') == len(LINES) - 1
    unmet = [anchor for anchor in table.rows[1].anchors if not anchor.met]
    assert {anchor.level for anchor in unmet} == {4}
    page = text_of(response)
    assert "Its levels are computed by code" in page
    assert "4 · not met" in page
    assert "2 · met" in page


def test_a_price_of_calls_that_nobody_knows_the_end_of_is_told(
    by_model: Critique, sitting: Sitting, alice_client: Client
) -> None:
    by_model.calls.filter(purpose="anchors").update(state="lost", cost_usd=Decimal("0.25"))
    page = text_of(alice_client.get(address(sitting)))
    assert "$0.26 at prices of 1 Mar 2026, calls of unknown end at their most" in page


def test_times_are_in_the_trainees_own_zone(by_model: Critique, sitting: Sitting, alice_client: Client) -> None:
    Critique.objects.update(ended_at=dt.datetime(2026, 3, 2, 23, 30, tzinfo=dt.UTC))
    sitting.user.time_zone = "Asia/Tokyo"
    sitting.user.save(update_fields=["time_zone"])
    assert "3 Mar 2026 08:30" in text_of(alice_client.get(address(sitting)))
