"""Concepts and their marks: a "not yet" becomes a card, the notes of designs wait for them."""

import datetime as dt

import pytest
from django.test import Client

from tests.trainer.study.pages import HTMX, source
from trainer.accounts.models import User
from trainer.review.models import Card, ReviewEvent
from trainer.rounds.models import DesignReading
from trainer.study.loader import load_study
from trainer.study.models import ConceptMark
from trainer.study.services import MarkRefused, concept_mark

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("track")]

PAGE, MARK = "/study/concepts/D1.1/", "/study/concepts/D1.1/mark/"
NOTE = "The zebra of the third design counts 141 GB."


def floor():
    return next(one for one in load_study().entries("concepts", "concept") if one.id == "D1.1")


def test_a_concept_shows_its_number_its_lines_its_trap_and_the_way_to_the_worksheet(alice_client: Client) -> None:
    page = source(alice_client, PAGE)
    assert "bandwidth it is 42.1 ms, which decides" in page.replace("&#x27;", "'")
    for part in (
        "It does not fit one H100 at all.",
        "h100.hbm_bandwidth",
        "/calculator/worksheet/?text=",
        "<h1>The decode",
    ):
        assert part in page
    assert 'href="/study/weights/"' in page


def test_a_note_on_a_design_is_shown_once_the_design_is_earned(
    alice: User, alice_client: Client, bob_client: Client, now: dt.datetime
) -> None:
    for path in (PAGE, "/study/concepts/"):
        assert "zebra" not in source(alice_client, path)
    assert 'href="/designs/m03/">GPU cluster scheduler</a>' in source(alice_client, PAGE)
    DesignReading.objects.create(user=alice, slug="m03", at=now)
    assert NOTE in source(alice_client, PAGE)
    assert "zebra" not in source(bob_client, PAGE)


def test_not_yet_makes_a_card_with_the_whole_concept_on_its_back(alice: User, alice_client: Client) -> None:
    response = alice_client.post(MARK, {"state": "not_yet"})
    assert (response.status_code, response.headers["Location"]) == (303, PAGE)
    card = Card.objects.get(user=alice)
    assert (card.key, card.kind, card.link) == ("concept/D1.1", "concept", PAGE)
    assert "**The decode floor**" in card.front
    for part in ("One token needs one read", "42.1 ms", "It does not fit one H100", "Bytes over bandwidth"):
        assert part in card.back
    assert "zebra" not in card.back
    page = source(alice_client, PAGE)
    assert 'value="not_yet" aria-pressed="true"' in page
    assert "Its card is in the" in page


def test_could_say_it_makes_no_card_and_a_later_one_leaves_the_card_as_it_is(alice: User, now: dt.datetime) -> None:
    concept_mark(user=alice, concept=floor(), state="aloud", now=now)
    assert not Card.objects.exists()
    concept_mark(user=alice, concept=floor(), state="not_yet", now=now + dt.timedelta(hours=1))
    card = Card.objects.get()
    concept_mark(user=alice, concept=floor(), state="aloud", now=now + dt.timedelta(days=2))
    assert Card.objects.get().revision == card.revision
    assert [mark.state for mark in ConceptMark.objects.order_by("at")] == ["aloud", "not_yet", "aloud"]


def test_the_same_mark_twice_on_a_day_counts_once_and_on_a_later_day_resets_the_card(
    alice: User, now: dt.datetime
) -> None:
    for after in (dt.timedelta(0), dt.timedelta(minutes=1), dt.timedelta(days=1)):
        concept_mark(user=alice, concept=floor(), state="not_yet", now=now + after)
    assert ConceptMark.objects.count() == 2
    assert Card.objects.count() == 1
    assert ReviewEvent.objects.filter(kind=ReviewEvent.Kind.MISS).count() == 2


@pytest.mark.parametrize("state", ["", "maybe", "ALOUD", "x" * 500])
def test_a_mark_that_is_none_is_refused_by_its_range(state: str, alice: User, alice_client: Client) -> None:
    response = alice_client.post(MARK, {"state": state})
    assert response.status_code == 422
    assert "Mark: aloud or not_yet." in response.content.decode()
    with pytest.raises(MarkRefused):
        concept_mark(user=alice, concept=floor(), state=state, now=dt.datetime.now(dt.UTC))
    assert not ConceptMark.objects.exists()


def test_htmx_gets_the_mark_alone_and_the_list_sends_one_back_to_its_place(alice_client: Client) -> None:
    page = alice_client.post(MARK, {"state": "aloud", "from": "list"}, headers=HTMX).content.decode()
    assert page.lstrip().startswith('<div class="study-mark" id="mark-D1.1">')
    assert "<html" not in page
    assert 'name="from" value="list"' in page
    response = alice_client.post(MARK, {"state": "aloud", "from": "list"})
    assert response.headers["Location"] == "/study/concepts/#D1.1"


def test_marks_are_counted_on_the_index_and_lead_to_what_comes_next(alice: User, alice_client: Client) -> None:
    page = source(alice_client, "/study/")
    assert "0 of 2 aloud" in page
    assert "1 of its 1 concepts are not marked yet." in page
    alice_client.post(MARK, {"state": "aloud"})
    page = source(alice_client, "/study/")
    assert "1 of 2 aloud" in page
    assert "<p><strong>Batches</strong>." in page
    alice_client.post("/study/concepts/D1.2/mark/", {"state": "not_yet"})
    page = source(alice_client, "/study/")
    assert "1 of 2 aloud, 1 not yet" in page
    assert "Every concept is marked." in page


def test_only_a_post_marks(alice_client: Client) -> None:
    assert alice_client.get(MARK).status_code == 405
    assert alice_client.post("/study/concepts/D9.9/mark/", {"state": "aloud"}).status_code == 404
    source(alice_client, "/study/concepts/D9.9/", status=404)
