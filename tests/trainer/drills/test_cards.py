"""Cards of drills in Review: drawn anew each time, typed, graded by the machine; and stored cards."""

import datetime as dt
import re

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from trainer.drills import bank, selectors
from trainer.drills.cards import asked_by
from trainer.drills.miss import miss_of
from trainer.drills.models import Attempt
from trainer.review.models import Card, ReviewEvent
from trainer.review.services import card_record_miss

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("small_bank")]
REVIEW = reverse("review:index")
DAY = dt.timedelta(days=1)


@pytest.fixture
def clock(now):
    with time_machine.travel(now, tick=False) as traveller:
        yield traveller


def missed(user, now, id: str = "floor", seed: str = "a") -> Card:
    """A card of a drill, due today."""
    drill = bank.bank().drills[id]
    return card_record_miss(user=user, miss=miss_of(drill, seed), own_words="1 s", round=None, now=now - 2 * DAY)


def right(card: Card) -> str:
    """The right answer to what the card asks now, worked out apart from the drill."""
    seed = f"card-{card.pk}-{Card.objects.get(pk=card.pk).revision}"
    names = selectors.drawn(bank.bank().drills["floor"], seed)[0].scene.names
    return f"{names['weights'].value / names['bandwidth'].value * 1e3:.4g}"


def show(client: Client, card: Card, **fields: str):  # type: ignore[no-untyped-def]
    return client.post(reverse("review:show", args=[card.pk]), fields)


def asked(client: Client) -> str:
    return re.search(r'id="review-front">(.*?)</div>', client.get(REVIEW).content.decode(), re.DOTALL)[1]


def rate(client: Client, card: Card, page: str, rating: int):  # type: ignore[no-untyped-def]
    shown = re.search(r'name="shown" value="([^"]+)"', page)[1]
    return client.post(reverse("review:rate", args=[card.pk]), {"rating": rating, "shown": shown})


def test_a_numeric_card_asks_for_a_number_and_holds_no_answer(alice, alice_client, clock, now):
    card = missed(alice, now)
    page = alice_client.get(REVIEW).content.decode()
    seed = f"card-{card.pk}-{card.revision}"
    assert 'name="answer"' in page
    assert "Every weight once" not in page
    assert selectors.drawn(bank.bank().drills["floor"], seed)[1].text not in page


def test_a_reload_asks_the_same_and_the_next_time_asks_anew(alice, alice_client, clock, now):
    card = missed(alice, now)
    before = asked(alice_client)
    assert asked(alice_client) == before
    page = show(alice_client, card, answer=right(card)).content.decode()
    rate(alice_client, card, page, 1)
    clock.shift(DAY)
    assert asked(alice_client) != before


@pytest.mark.parametrize(
    ("factor", "says", "suggested"), [(1, "<strong>Good</strong> fits", 3), (3, "<strong>Again</strong> fits", 1)]
)
def test_the_machine_grades_and_suggests_a_rating_but_all_four_stay(
    alice, alice_client, clock, now, factor, says, suggested
):
    card = missed(alice, now)
    page = show(alice_client, card, answer=f"{float(right(card)) * factor} ms").content.decode()
    assert says in page
    assert ("The weights are read once" in page) is (factor == 3)
    assert "Every weight once" in page
    assert re.findall(r'button button-primary" name="rating" value="(\d)"', page) == [str(suggested)]
    assert sorted(re.findall(r'name="rating" value="(\d)"', page)) == ["1", "2", "3", "4"]
    assert rate(alice_client, card, page, 4).status_code == 302
    assert ReviewEvent.objects.get(kind="rating").rating == 4


def test_an_answer_in_review_is_kept_once_and_makes_no_new_miss(alice, alice_client, clock, now):
    card = missed(alice, now)
    for _ in range(2):
        show(alice_client, card, answer="1 s")
    attempt = Attempt.objects.get(user=alice)
    assert (attempt.in_review, attempt.right, attempt.drill_id) == (True, False, "floor")
    assert ReviewEvent.objects.filter(kind="miss").count() == 1


@pytest.mark.parametrize("typed", ["", "five", "5 GB", "x" * 999])
def test_what_cannot_be_read_is_refused_and_kept(alice, alice_client, clock, now, typed):
    card = missed(alice, now)
    response = show(alice_client, card, answer=typed)
    page = response.content.decode()
    assert response.status_code == 422
    assert f'value="{typed}"' in page
    assert 'id="answer-error"' in page
    assert "Every weight once" not in page
    assert 'name="rating"' not in page


def test_i_do_not_know_shows_the_working_and_suggests_again(alice, alice_client, clock, now):
    page = show(alice_client, missed(alice, now), give_up="1").content.decode()
    assert "Every weight once" in page
    assert "<strong>Again</strong> fits" in page


def test_a_card_of_a_choice_is_chosen_in_review(alice, alice_client, clock, now):
    card = missed(alice, now, "pick-one")
    question = asked_by(card)
    place = next(one.place for one in question.choices if "At the door" in one.html)
    assert "Nothing was spent" not in alice_client.get(REVIEW).content.decode()
    page = show(alice_client, card, answer=str(place)).content.decode()
    assert "Right." in page
    assert "Nothing was spent on it." in page


def test_a_graph_is_drawn_in_review(alice, alice_client, clock, now):
    missed(alice, now, "spikes")
    assert "<svg" in alice_client.get(REVIEW).content.decode()


def test_a_card_of_what_is_said_aloud_has_its_stored_front_and_back(alice, alice_client, clock, now):
    card = missed(alice, now, "ninety")
    page = alice_client.get(REVIEW).content.decode()
    assert "Show the answer" in page
    assert "One token reads every weight." in show(alice_client, card).content.decode()


def test_a_drill_that_is_no_more_is_asked_by_its_stored_front_and_back(alice, alice_client, clock, now):
    card = missed(alice, now)
    path = bank.CONTENT / "sample.toml"
    path.write_text(path.read_text().replace('id = "floor"', 'id = "ceiling"'))
    page = alice_client.get(REVIEW).content.decode()
    assert "Show the answer" in page
    assert "How long does one step take" in page
    assert "step = " in show(alice_client, card).content.decode()


def test_ones_own_wording_is_shown_beside_the_working(alice, alice_client, clock, now):
    card = missed(alice, now)
    Card.objects.filter(pk=card.pk).update(edited_back="Think of one truck, not of two.")
    assert "Think of one truck" not in alice_client.get(REVIEW).content.decode()
    assert "Think of one truck" in show(alice_client, card, answer="1 s").content.decode()


def test_a_numeric_card_of_another_is_a_404(alice, bob_client, stranger_client, clock, now):
    card = missed(alice, now)
    for client in (bob_client, stranger_client):
        assert show(client, card, answer="1").status_code == 404
    assert not Attempt.objects.exists()


def test_what_a_card_asks_cannot_be_looked_up_among_the_drills_before(alice, alice_client, clock, now):
    card = missed(alice, now)
    address = reverse("drills:drill", args=["floor"])
    seed = f"card-{card.pk}-{card.revision}"
    token = re.search(r'name="page" value="([^"]+)"', alice_client.get(f"{address}?seed=a").content.decode())[1]
    fields = {"seed": seed, "page": token, "give_up": "1"}
    assert alice_client.get(f"{address}?seed={seed}").status_code == 404
    for name in ("answer", "mark"):
        assert alice_client.post(reverse(f"drills:{name}", args=["floor"]), fields).status_code == 404
    assert not Attempt.objects.exists()
    assert "Right." in show(alice_client, card, answer=right(card)).content.decode()
