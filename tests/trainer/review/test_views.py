"""The review pages: one card at a time, its back only once shown; each page is its owner's alone."""

import datetime as dt
import re
from collections.abc import Iterator

import pytest
import time_machine
from django.urls import reverse

from tests.trainer.review.helpers import at, day, make_miss, rate, record
from trainer.review import services
from trainer.review.core.scheduling import LEECH_AFTER_LAPSES, Rating
from trainer.review.models import Card, ReviewEvent

DAY = dt.timedelta(days=1)
INDEX = reverse("review:index")
CARDS = reverse("review:cards")
BACK = "The KV cache does"


@pytest.fixture
def clock(now) -> Iterator[time_machine.Traveller]:
    with time_machine.travel(now, tick=False) as traveller:
        yield traveller


@pytest.fixture
def card(alice, now) -> Card:
    return record(alice, now)


def url(name: str, card: Card) -> str:
    return reverse(f"review:{name}", args=[card.pk])


def text(response) -> str:
    return response.content.decode()


def shown_token(client, card: Card) -> str:
    response = client.post(url("show", card))
    assert response.status_code == 200
    return re.search(r'name="shown" value="([^"]+)"', text(response)).group(1)


def rate_through_the_page(client, card: Card, rating: int, follow: bool = True):
    return client.post(url("rate", card), {"shown": shown_token(client, card), "rating": rating}, follow=follow)


def standing_cards() -> list[dict]:
    return list(Card.objects.order_by("id").values())


# Tomorrow, and not before


def test_a_miss_of_today_is_asked_from_four_in_the_morning_local_and_not_before(alice, alice_client, clock):
    alice.time_zone = "Asia/Kathmandu"
    alice.save()
    clock.move_to(at("2026-03-02 21:00", "Asia/Kathmandu"))
    record(alice, at("2026-03-02 21:00", "Asia/Kathmandu"))
    for local in ("2026-03-02 21:00", "2026-03-03 00:01", "2026-03-03 03:59:59"):
        clock.move_to(at(local, "Asia/Kathmandu"))
        page = text(alice_client.get(INDEX))
        assert "what bounds the batch" not in page
        assert "Tuesday 3 March 2026" in page
        assert "from 04:00 in your time zone (Asia/Kathmandu)" in page
    clock.move_to(at("2026-03-03 04:00", "Asia/Kathmandu"))
    assert "what bounds the batch" in text(alice_client.get(INDEX))


def test_the_whole_ladder_through_the_page(alice, alice_client, card, clock, now):
    intervals = []
    for _ in range(5):
        clock.move_to(at(f"{Card.objects.get().due_on} 12:00"))
        rate_through_the_page(alice_client, card, Rating.GOOD)
        intervals.append(ReviewEvent.objects.filter(kind="rating").last().interval_days)
    assert intervals == [2, 6, 17, 44, 102]


# What a page holds


def test_the_back_is_on_no_page_before_it_is_shown(alice_client, card, clock, now):
    clock.move_to(now + DAY)
    for address in (INDEX, url("card", card), CARDS, f"{CARDS}?only=suspended", reverse("home:today")):
        page = text(alice_client.get(address))
        assert BACK not in page
        assert "I said requests" not in page
    assert BACK in text(alice_client.post(url("show", card)))


def test_the_answer_has_the_designs_words_the_own_words_the_link_and_four_intervals(alice_client, card, clock, now):
    clock.move_to(now + DAY)
    page = text(alice_client.post(url("show", card)))
    assert "I said requests." in page
    assert 'href="/designs/m01/"' in page
    labels = re.findall(r"</kbd> (Again|Hard|Good|Easy)</span> <span class=\"num unit\">(\d+) days?<", page)
    assert [(name, int(days)) for name, days in labels] == [("Again", 1), ("Hard", 1), ("Good", 2), ("Easy", 3)]


def test_b094_the_interval_on_the_button_is_the_one_applied(alice_client, card, clock, now):
    clock.move_to(now + DAY)
    assert 'value="3" data-key="3"' in text(alice_client.post(url("show", card)))
    page = text(rate_through_the_page(alice_client, card, Rating.GOOD))
    assert "Good: next in 2 days." in page
    assert Card.objects.get().due_on == day("2026-03-05")


def test_the_trainees_words_cannot_bring_markup_of_their_own(alice, alice_client, clock, now):
    card = services.card_record_miss(
        user=alice,
        miss=make_miss(front="<script>alert(1)</script> front", back="<img src=x onerror=alert(1)> back"),
        own_words="<b>mine</b>",
        round=None,
        now=now,
    )
    clock.move_to(now + DAY)
    page = text(alice_client.post(url("show", card)))
    assert "<script>alert" not in page
    assert "<img" not in page
    assert "&lt;b&gt;mine&lt;/b&gt;" in page


def test_an_empty_queue_without_cards_says_how_cards_come_about(alice_client, clock):
    assert "Every miss of a round becomes one" in text(alice_client.get(INDEX))


def test_counts_and_queue_agree(alice, alice_client, clock, now):
    cards = [record(alice, now, number) for number in range(3)]
    clock.move_to(now + DAY)
    assert '<span class="num">3</span> due' in text(alice_client.get(INDEX))
    page = text(rate_through_the_page(alice_client, cards[0], Rating.GOOD))
    assert '<span class="num">2</span> due · <span class="num">1</span> reviewed today' in page


def test_b070_after_the_turn_over_moves_the_open_page_and_the_count_agree_without_a_restart(
    alice, alice_client, card, clock
):
    clock.move_to(at("2026-03-03 05:00"))
    assert "what bounds the batch" in text(alice_client.get(INDEX))
    alice.day_turns_over_at_hour = 6
    alice.save()
    page = text(alice_client.get(INDEX))
    assert "what bounds the batch" not in page
    assert '<span class="num">0</span> due' in page
    clock.move_to(at("2026-03-03 06:00"))
    page = text(alice_client.get(INDEX))
    assert "what bounds the batch" in page
    assert '<span class="num">1</span> due' in page


# Rating


@pytest.mark.parametrize("rating", [1, 2, 3, 4])
def test_b080_a_rating_on_the_question_side_never_schedules(alice_client, card, clock, now, rating):
    clock.move_to(now + DAY)
    before = standing_cards()
    for token in ("", "made-up", "a:b:c"):
        response = alice_client.post(url("rate", card), {"rating": rating, "shown": token})
        assert response.status_code == 409
        assert "Show the answer first" in text(response)
        assert BACK not in text(response)
    assert standing_cards() == before


def test_b080_the_showing_of_one_card_rates_no_other(alice, alice_client, card, clock, now):
    other = record(alice, now, 2)
    clock.move_to(now + DAY)
    before = standing_cards()
    response = alice_client.post(url("rate", other), {"rating": 3, "shown": shown_token(alice_client, card)})
    assert response.status_code == 409
    assert standing_cards() == before


def test_b092_the_same_answer_posted_twice_counts_once(alice_client, card, clock, now):
    clock.move_to(now + DAY)
    form = {"rating": 3, "shown": shown_token(alice_client, card)}
    first, second = (alice_client.post(url("rate", card), form) for _ in range(2))
    assert (first.status_code, second.status_code) == (302, 302)
    assert ReviewEvent.objects.filter(kind="rating").count() == 1
    assert Card.objects.get().due_on == day("2026-03-05")


def test_the_same_answer_shown_in_two_tabs_and_rated_in_both_counts_once(alice_client, card, clock, now):
    clock.move_to(now + DAY)
    left, right = shown_token(alice_client, card), shown_token(alice_client, card)
    alice_client.post(url("rate", card), {"rating": 3, "shown": left})
    response = alice_client.post(url("rate", card), {"rating": 1, "shown": right})
    assert response.status_code == 409
    assert "has changed since" in text(response)
    assert Card.objects.get().due_on == day("2026-03-05")


def test_a_rating_left_open_over_the_turn_over_is_refused_with_new_intervals_one_step_away(alice_client, card, clock):
    clock.move_to(at("2026-03-04 03:58"))
    token = shown_token(alice_client, card)
    clock.move_to(at("2026-03-04 04:01"))
    response = alice_client.post(url("rate", card), {"rating": 3, "shown": token})
    assert response.status_code == 409
    assert "study day has changed" in text(response)
    assert "Show the answer" in text(response)


@pytest.mark.parametrize("rating", ["", "0", "5", "good", "3.0", "²", "-1", "1" * 400])
def test_a_rating_that_is_none_is_refused_by_name_and_range(alice_client, card, clock, now, rating):
    clock.move_to(now + DAY)
    before = standing_cards()
    response = alice_client.post(url("rate", card), {"rating": rating, "shown": shown_token(alice_client, card)})
    assert response.status_code == 422
    assert "Rating: 1 to 4." in text(response)
    assert standing_cards() == before


def test_a_card_looked_at_ahead_is_flagged_early_and_leads_back_to_the_list(alice_client, card, clock):
    page = text(alice_client.post(url("show", card), {"from": "cards"}))
    assert "Ahead of its day" in page
    token = re.search(r'name="shown" value="([^"]+)"', page).group(1)
    response = alice_client.post(url("rate", card), {"rating": 3, "shown": token, "from": "cards"})
    assert response.url == CARDS
    assert ReviewEvent.objects.get(kind="rating").early


# Undo, setting aside, leaving out, wording


def test_undo_brings_the_card_back_into_the_queue(alice_client, card, clock, now):
    clock.move_to(now + DAY)
    page = text(rate_through_the_page(alice_client, card, Rating.AGAIN))
    event = re.search(r'name="event" value="(\d+)"', page).group(1)
    page = text(alice_client.post(reverse("review:undo"), {"event": event}, follow=True))
    assert "Undone" in page
    assert "what bounds the batch" in page
    assert Card.objects.get().due_on == day("2026-03-03")


def test_b076_the_page_of_a_card_looked_at_offers_no_undo_of_earlier_reviews(alice, alice_client, card, clock, now):
    rate(card, Rating.GOOD, now + DAY)
    clock.move_to(now + 3 * DAY)
    alice_client.post(url("show", card))
    assert reverse("review:undo") not in text(alice_client.get(INDEX))
    response = alice_client.post(reverse("review:undo"), {"event": ""})
    assert response.status_code == 409
    assert ReviewEvent.objects.filter(kind="rating").count() == 1


@pytest.mark.parametrize("event", ["", "x", "-1", "0", "9" * 30, "²"])
def test_an_undo_of_nothing_is_refused(alice_client, card, clock, event):
    response = alice_client.post(reverse("review:undo"), {"event": event})
    assert response.status_code == 409
    assert "There is nothing to undo" in text(response)


def test_b087_a_leech_is_set_aside_with_what_to_do_about_it(alice_client, card, clock):
    for _ in range(LEECH_AFTER_LAPSES):
        clock.move_to(at(f"{Card.objects.get().due_on} 12:00"))
        page = text(rate_through_the_page(alice_client, card, Rating.AGAIN))
    assert "Set aside as a leech: you have missed this card 4 times" in page
    listed = text(alice_client.get(f"{CARDS}?only=leech"))
    assert "Rewrite it" in listed
    assert "Sit m01 again" in listed
    assert "Bring it back" in listed


def test_a_card_set_aside_is_listed_and_can_be_brought_back(alice_client, card, clock, now):
    clock.move_to(now + DAY)
    alice_client.post(url("suspend", card))
    assert "what bounds the batch" not in text(alice_client.get(INDEX))
    assert "what bounds the batch" in text(alice_client.get(f"{CARDS}?only=suspended"))
    assert 'name="rating"' not in text(alice_client.post(url("show", card)))
    alice_client.post(url("unsuspend", card))
    assert "what bounds the batch" in text(alice_client.get(INDEX))


def test_a_card_left_out_is_back_tomorrow(alice_client, card, clock, now):
    clock.move_to(now + DAY)
    alice_client.post(url("bury", card))
    assert "what bounds the batch" not in text(alice_client.get(INDEX))
    clock.move_to(at("2026-03-04 04:00"))
    assert "what bounds the batch" in text(alice_client.get(INDEX))


def test_a_new_wording_is_asked_from_now_on(alice_client, card, clock, now):
    clock.move_to(now + DAY)
    form = {"front": "What is **scarce**?", "back": "Memory.", "shown": shown_token(alice_client, card)}
    page = text(alice_client.post(url("edit", card), form, follow=True))
    assert "What is <strong>scarce</strong>?" in page
    assert "Memory." in text(alice_client.post(url("show", card)))


def test_a_wording_that_is_refused_is_not_lost(alice_client, card, clock, now):
    clock.move_to(now + DAY)
    form = {"front": "Short", "back": "long " * 5000, "shown": shown_token(alice_client, card)}
    response = alice_client.post(url("edit", card), form)
    assert response.status_code == 422
    page = text(response)
    assert "Back: at most 20,000 characters, not 25,000." in page
    assert ">Short</textarea>" in page
    assert "long long long" in page


def test_a_wording_typed_while_the_card_changed_elsewhere_is_not_lost(alice_client, card, clock, now):
    clock.move_to(now + DAY)
    form = {"front": "Mine alone", "back": "", "shown": shown_token(alice_client, card)}
    rate(card, Rating.GOOD, now + DAY)
    response = alice_client.post(url("edit", card), form)
    assert response.status_code == 409
    assert ">Mine alone</textarea>" in text(response)


def test_a_back_is_not_edited_before_it_was_shown(alice_client, card, clock, now):
    response = alice_client.post(url("edit", card), {"front": "a", "back": "b", "shown": ""})
    assert response.status_code == 409
    assert BACK not in text(response)
    assert Card.objects.get().edited_front == ""


def test_b061_one_instant_reads_the_same_on_the_list_and_on_the_card_long_after_the_clocks_changed(
    alice, alice_client, clock
):
    alice.time_zone = "Europe/Berlin"
    alice.save()
    card = record(alice, at("2026-10-24 23:59", "Europe/Berlin"))
    for later in ("2026-10-24 23:59", "2026-12-01 12:00"):
        clock.move_to(at(later, "Europe/Berlin"))
        for address in (CARDS, url("card", card)):
            page = text(alice_client.get(address))
            assert "24 Oct 2026, 23:59 CEST" in page
            assert 'datetime="2026-10-24T21:59:00+00:00"' in page


# Who may


PAGES = ["card"]
ACTIONS = ["show", "rate", "suspend", "unsuspend", "bury", "edit"]


@pytest.mark.parametrize("name", [*PAGES, *ACTIONS])
def test_a_card_is_its_owners_alone(alice_client, bob_client, stranger_client, anonymous_client, card, clock, name):
    before = standing_cards()
    for client in (bob_client, stranger_client):
        response = client.get(url(name, card)) if name in PAGES else client.post(url(name, card), {"rating": 3})
        assert response.status_code == 404
    response = anonymous_client.get(url(name, card)) if name in PAGES else anonymous_client.post(url(name, card))
    assert response.status_code == 302
    assert response.url.startswith(reverse("accounts:log_in"))
    assert standing_cards() == before
    own = alice_client.get(url(name, card)) if name in PAGES else alice_client.post(url(name, card), {"rating": 3})
    assert own.status_code in (200, 302, 409)


@pytest.mark.parametrize("address", [INDEX, CARDS])
def test_lists_hold_nobody_elses_cards(bob_client, stranger_client, anonymous_client, card, clock, now, address):
    clock.move_to(now + DAY)
    for client in (bob_client, stranger_client):
        assert "what bounds the batch" not in text(client.get(address))
    assert anonymous_client.get(address).status_code == 302


def test_nobody_undoes_anothers_review(bob_client, anonymous_client, card, clock, now):
    event = rate(card, Rating.GOOD, now)
    before = standing_cards()
    assert bob_client.post(reverse("review:undo"), {"event": event.pk}).status_code == 409
    assert anonymous_client.post(reverse("review:undo"), {"event": event.pk}).status_code == 302
    assert standing_cards() == before


def test_a_token_of_ones_own_card_opens_nobody_elses(bob, bob_client, card, clock, now):
    own = record(bob, now)
    token = shown_token(bob_client, own)
    assert bob_client.post(url("rate", card), {"rating": 3, "shown": token}).status_code == 404


@pytest.mark.parametrize("name", ACTIONS)
def test_a_look_changes_nothing(alice_client, card, clock, name):
    assert alice_client.get(url(name, card)).status_code == 405


def test_an_unknown_filter_is_not_found(alice_client, clock):
    assert alice_client.get(f"{CARDS}?only=yours").status_code == 404


def test_a_card_that_is_not_there_is_not_found(alice_client, clock):
    assert alice_client.get(reverse("review:card", args=[10**6])).status_code == 404
