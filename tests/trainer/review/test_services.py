"""Changes to cards: each counts once, leaves a record, and can be taken back exactly."""

import datetime as dt

import pytest
from django.db import IntegrityError, transaction
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from tests.factories import make_user
from tests.trainer.review.helpers import at, day, due, make_miss, rate, record, state_of, undo
from trainer.review import selectors, services
from trainer.review.core.misses import Miss, MissKind
from trainer.review.core.scheduling import LEECH_AFTER_LAPSES, Rating
from trainer.review.models import Card, ReviewEvent
from trainer.review.refusals import ReviewRefused

DAY = dt.timedelta(days=1)
KIND = ReviewEvent.Kind


@pytest.fixture
def card(alice, now) -> Card:
    return record(alice, now)


def kinds(card: Card) -> list[str]:
    return list(card.events.order_by("id").values_list("kind", flat=True))


# Misses


def test_a_miss_becomes_a_card_due_the_next_study_day(alice, now):
    card = record(alice, now)
    assert card.due_on == day("2026-03-03")
    assert (card.back, card.own_words, card.kind) == ("The KV cache does: back 1.", "I said requests.", "critique")
    assert kinds(card) == [KIND.MISS]


def test_a_miss_late_at_night_is_due_after_the_next_turn_over_not_after_24_hours(alice):
    record(alice, at("2026-03-03 01:30"))
    assert due(alice, at("2026-03-03 03:59")) == []
    assert len(due(alice, at("2026-03-03 04:00"))) == 1


def test_the_same_miss_again_resets_the_card_and_makes_no_second(alice, card, now):
    rate(card, Rating.GOOD, now + DAY)
    rate(card, Rating.GOOD, now + 3 * DAY)
    again = record(alice, now + 5 * DAY, back="A better back.")
    assert again.pk == card.pk
    assert Card.objects.count() == 1
    assert (again.due_on, again.back) == (day("2026-03-08"), "A better back.")
    assert kinds(card) == [KIND.MISS, KIND.RATING, KIND.RATING, KIND.MISS]


def test_a_reset_card_climbs_the_same_ladder_as_a_new_one(alice, card, now):
    for _ in range(3):
        card = rate(card, Rating.GOOD, at(f"{Card.objects.get().due_on} 12:00")).card
    card = record(alice, at("2026-06-01 12:00"))
    intervals = [rate(card, Rating.GOOD, at(f"{Card.objects.get().due_on} 12:00")).interval_days for _ in range(5)]
    assert intervals == [2, 6, 17, 44, 102]


def test_a_reset_brings_back_a_card_that_was_set_aside_and_keeps_the_own_wording(alice, card, now):
    card = services.card_edit(card=card, front="Mine", back="", shown_revision=card.revision, now=now)
    services.card_suspend(card=card, now=now)
    again = record(alice, now + DAY)
    assert (again.suspended, again.leech, again.lapses, again.shown_front) == (False, False, 0, "Mine")


def test_two_people_with_the_same_miss_have_a_card_each(alice, bob, now):
    assert record(alice, now).pk != record(bob, now).pk


def test_a_card_kind_of_the_database_is_a_kind_of_miss():
    assert set(Card.Kind.values) == set(MissKind)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"kind": "lateness"}, "kind: must be one of"),
        ({"key": ""}, "key: must have 1 to 120"),
        ({"key": "k" * 121}, "key: must have 1 to 120"),
        ({"front": " \n"}, "front: must say"),
        ({"back": ""}, "back: must say"),
        ({"link": "https://elsewhere.example/"}, "link: must be a path of this site"),
        ({"link": "//elsewhere.example/"}, "link: must be a path of this site"),
        ({"link": "/" + "x" * 200}, "link: must have at most 200"),
    ],
)
def test_a_miss_that_makes_no_card_is_refused_at_its_field(changed, message):
    with pytest.raises(ValueError, match=message):
        make_miss(**changed)


def test_the_database_refuses_a_second_card_of_one_miss(alice, card):
    twin = Card.objects.get()
    twin.pk = None
    with pytest.raises(IntegrityError, match=r"card_once_per_miss|UNIQUE"), transaction.atomic():
        twin.save(force_insert=True)


# Ratings


def test_a_rating_applies_the_interval_its_button_said(card, now):
    for rating in Rating:
        labels = {outcome.rating: outcome.interval_days for outcome in selectors.outcomes(card, now + DAY)}
        event = rate(card, rating, now + DAY)
        assert event.interval_days == labels[rating]
        assert event.card.due_on == day("2026-03-03") + dt.timedelta(days=labels[rating])
        card = undo(event.card, now + DAY)


def test_b092_the_same_review_posted_twice_counts_once(card, now):
    first = rate(card, Rating.GOOD, now + DAY, client_id="one")
    state = state_of(card)
    second = services.card_rate(
        card=card, rating=Rating.GOOD, client_id="one", shown_revision=1, shown_on=day("2026-03-03"), now=now + DAY
    )
    assert second == first
    assert state_of(card) == state
    assert kinds(card) == [KIND.MISS, KIND.RATING]


def test_b092_one_answer_rated_in_two_tabs_counts_once(card, now):
    shown = {"card": card, "shown_revision": card.revision, "shown_on": day("2026-03-03"), "now": now + DAY}
    services.card_rate(rating=Rating.GOOD, client_id="left tab", **shown)
    state = state_of(card)
    with pytest.raises(ReviewRefused, match="has changed") as refused:
        services.card_rate(rating=Rating.AGAIN, client_id="right tab", **shown)
    assert (refused.value.status, refused.value.reason) == (409, "stale")
    assert state_of(card) == state


def test_a_review_dated_before_the_last_is_refused(card, now):
    rate(card, Rating.GOOD, now + DAY)
    with pytest.raises(ReviewRefused, match="dated before the last") as refused:
        rate(card, Rating.GOOD, now + DAY - dt.timedelta(seconds=1))
    assert refused.value.status == 409


def test_a_rating_after_the_day_has_turned_over_is_refused_since_the_labels_are_old(card, now):
    with pytest.raises(ReviewRefused, match="study day has changed"):
        services.card_rate(
            card=card,
            rating=Rating.GOOD,
            client_id="late",
            shown_revision=card.revision,
            shown_on=day("2026-03-03"),
            now=at("2026-03-04 04:00"),
        )


@pytest.mark.parametrize("rating", [0, 5, -1])
def test_a_rating_outside_1_to_4_is_refused_by_name_and_range(card, now, rating):
    with pytest.raises(ReviewRefused, match="Rating: 1 to 4") as refused:
        rate(card, rating, now + DAY)
    assert (refused.value.status, refused.value.field) == (422, "rating")


@pytest.mark.parametrize("client_id", ["x" * 65])
def test_a_client_id_that_is_too_long_is_refused(card, now, client_id):
    with pytest.raises(ReviewRefused, match="Client id: 1 to 64"):
        rate(card, Rating.GOOD, now + DAY, client_id=client_id)


def test_a_card_that_is_set_aside_takes_no_rating(card, now):
    services.card_suspend(card=card, now=now)
    with pytest.raises(ReviewRefused, match="set aside"):
        rate(card, Rating.GOOD, now + DAY)


def test_b073_a_naive_time_is_refused_and_any_aware_one_is_kept_as_utc(alice, card, now):
    with pytest.raises(ValueError, match="must carry its time zone"):
        record(alice, now.replace(tzinfo=None), 2)
    tokyo = dt.timezone(dt.timedelta(hours=9))
    event = rate(card, Rating.GOOD, (now + DAY).astimezone(tokyo))
    event.refresh_from_db()
    event.card.refresh_from_db()
    assert event.at == now + DAY
    assert event.card.last_review_at.utcoffset() == dt.timedelta(0)
    assert event.card.fsrs["last_review"].endswith("+00:00")


def test_b060_a_review_a_day_after_the_miss_is_on_time_across_the_end_of_summer_time(alice):
    alice.time_zone = "Europe/Berlin"
    alice.save()
    card = record(alice, at("2026-10-24 20:00", "Europe/Berlin"))
    event = rate(card, Rating.GOOD, at("2026-10-25 20:00", "Europe/Berlin"))
    assert (event.early, event.interval_days) == (False, 2)
    assert event.card.due_on == day("2026-10-27")


def test_b081_five_reviews_ahead_on_one_day_move_the_due_day_no_further_than_one(card, now):
    events = [rate(card, Rating.GOOD, now + dt.timedelta(minutes=minutes)) for minutes in range(1, 6)]
    assert all(event.early for event in events)
    assert Card.objects.get().due_on == day("2026-03-03")


def test_a_change_of_a_card_that_another_request_changed_first_is_refused_and_leaves_no_record(card, now):
    as_read = Card.objects.select_related("user").get(pk=card.pk)
    services.card_suspend(card=card, now=now)
    with pytest.raises(ReviewRefused, match="has changed"):
        services._change(as_read, KIND.BURY, now, {"buried_until": day("2026-03-04")})
    assert Card.objects.get().buried_until is None
    assert kinds(card) == [KIND.MISS, KIND.SUSPEND]


# Undo


def test_b075_one_undo_restores_the_card_the_log_the_counts_and_the_leech_flag_together(alice, card, now):
    for _ in range(LEECH_AFTER_LAPSES - 1):
        card = rate(card, Rating.AGAIN, at(f"{Card.objects.get().due_on} 12:00")).card
    alice.interview_date = day("2026-04-20")
    alice.save()
    moment = at(f"{Card.objects.get().due_on} 12:00")
    state, log = state_of(card), list(selectors.ratings(alice))
    queue, reviewed = due(alice, moment), selectors.standing(alice, moment).reviewed_today
    event = rate(card, Rating.AGAIN, moment)
    assert event.card.leech
    assert due(alice, moment) == []
    undo(card, moment)
    assert state_of(card) == state
    assert list(selectors.ratings(alice)) == log
    assert due(alice, moment) == queue
    assert selectors.standing(alice, moment).reviewed_today == reviewed


def test_b078_after_five_grades_and_undos_the_log_is_as_before_and_the_record_has_all_ten(alice, card, now):
    state = state_of(card)
    for rating in [1, 2, 3, 4, 3]:
        rate(card, rating, now + DAY)
        undo(card, now + DAY)
    assert state_of(card) == state
    assert list(selectors.ratings(alice)) == []
    assert kinds(card) == [KIND.MISS, *[KIND.RATING, KIND.UNDO] * 5]


def test_b076_after_a_preview_there_is_nothing_to_undo_and_no_review_is_lost(alice, card, now):
    rate(card, Rating.GOOD, now + DAY)
    later = now + 3 * DAY
    selectors.outcomes(Card.objects.get(), later)
    assert selectors.undoable(alice, later) is None
    assert len(selectors.ratings(alice)) == 1


def test_an_undo_posted_twice_counts_once(alice, card, now):
    event = rate(card, Rating.GOOD, now + DAY)
    for _ in range(2):
        services.card_undo(user=alice, event_id=event.pk, now=now + DAY)
    assert kinds(card) == [KIND.MISS, KIND.RATING, KIND.UNDO]


def test_only_the_last_thing_done_to_a_card_can_be_undone(alice, card, now):
    event = rate(card, Rating.GOOD, now + DAY)
    services.card_suspend(card=card, now=now + DAY)
    with pytest.raises(ReviewRefused, match="Undo that first"):
        services.card_undo(user=alice, event_id=event.pk, now=now + DAY)


def test_a_miss_cannot_be_undone(alice, card, now):
    with pytest.raises(ReviewRefused, match="nothing to undo"):
        services.card_undo(user=alice, event_id=card.events.get().pk, now=now)


def test_nobody_undoes_what_another_did(bob, card, now):
    event = rate(card, Rating.GOOD, now + DAY)
    with pytest.raises(ReviewRefused, match="nothing to undo"):
        services.card_undo(user=bob, event_id=event.pk, now=now + DAY)


def test_undo_takes_the_last_action_whatever_its_card_unless_a_miss_came_after(alice, card, now):
    other = record(alice, now, 2)
    first, second = rate(card, Rating.GOOD, now + DAY), rate(other, Rating.HARD, now + DAY)
    assert selectors.undoable(alice, now + DAY) == second
    record(alice, now + DAY, 2)
    assert selectors.undoable(alice, now + DAY) == first


ACTIONS = st.lists(
    st.tuples(st.sampled_from(["rate", "suspend", "unsuspend", "bury", "edit"]), st.integers(1, 4), st.integers(0, 40)),
    max_size=8,
)


class UndoIsExact(TestCase):
    """Whatever was done to a card, taking it all back leaves the card as it was, and the record complete."""

    @given(actions=ACTIONS)
    @settings(max_examples=40, deadline=None)
    def test_undoing_everything_restores_everything(self, actions):
        user, now = make_user("alice"), at("2026-03-02 18:00")
        card = record(user, now)
        states = []
        for action, rating, days in actions:
            now += dt.timedelta(days=days, minutes=1)
            before, events = state_of(card), card.events.count()
            card = Card.objects.select_related("user").get(pk=card.pk)
            if action == "rate" and not card.suspended:
                rate(card, rating, now)
            elif action == "edit":
                services.card_edit(card=card, front=f"Mine {rating}", back="", shown_revision=card.revision, now=now)
            elif action in ("suspend", "unsuspend", "bury"):
                getattr(services, f"card_{action}")(card=card, now=now)
            if card.events.count() > events:
                states.append(before)
        done = card.events.count()
        for state in reversed(states):
            undo(card, now)
            assert state_of(card) == state
        assert card.events.count() == done + len(states)


# Setting aside, leaving out, wording


def test_b087_the_fourth_lapse_sets_the_card_aside_as_a_leech(alice, card):
    for _ in range(LEECH_AFTER_LAPSES):
        card = rate(card, Rating.AGAIN, at(f"{Card.objects.get().due_on} 12:00")).card
    assert (card.leech, card.suspended, card.lapses) == (True, True, 4)
    assert [row.card for row in selectors.card_rows(alice, card.last_review_at, "leech")] == [card]
    assert due(alice, card.last_review_at + 10 * DAY) == []


def test_a_leech_brought_back_counts_its_lapses_anew(card):
    for _ in range(LEECH_AFTER_LAPSES):
        card = rate(card, Rating.AGAIN, at(f"{Card.objects.get().due_on} 12:00")).card
    card = services.card_unsuspend(card=card, now=card.last_review_at)
    assert (card.leech, card.suspended, card.lapses) == (False, False, 0)


def test_a_card_that_is_set_aside_is_not_asked_until_it_is_brought_back(alice, card, now):
    services.card_suspend(card=card, now=now)
    services.card_suspend(card=card, now=now)
    assert due(alice, now + DAY) == []
    services.card_unsuspend(card=card, now=now + DAY)
    assert due(alice, now + DAY) == [card.pk]
    assert kinds(card) == [KIND.MISS, KIND.SUSPEND, KIND.UNSUSPEND]


def test_a_card_left_out_comes_back_at_the_next_turn_over(alice, card):
    services.card_bury(card=card, now=at("2026-03-03 12:00"))
    assert due(alice, at("2026-03-04 03:59")) == []
    assert selectors.standing(alice, at("2026-03-04 03:59")).next_due_at == at("2026-03-04 04:00")
    assert due(alice, at("2026-03-04 04:00")) == [card.pk]


def test_the_own_wording_is_shown_until_it_is_emptied(card, now):
    card = services.card_edit(card=card, front="Mine", back="Own back", shown_revision=1, now=now)
    assert (card.shown_front, card.shown_back) == ("Mine", "Own back")
    card = services.card_edit(card=card, front="", back=f"{card.back}\r\n", shown_revision=2, now=now)
    assert (card.shown_front, card.edited_front, card.edited_back) == (card.front, "", "")


@pytest.mark.parametrize(
    ("side", "text", "message"),
    [("front", "x" * 20_001, "Front: at most 20,000"), ("back", "nul\0", "Back: holds a null character")],
)
def test_a_wording_that_cannot_be_kept_is_refused_at_its_field(card, now, side, text, message):
    with pytest.raises(ReviewRefused, match=message) as refused:
        services.card_edit(card=card, **{"front": "", "back": "", side: text}, shown_revision=1, now=now)
    assert (refused.value.status, refused.value.field) == (422, side)


def test_a_wording_of_a_card_that_changed_meanwhile_is_refused(card, now):
    rate(card, Rating.GOOD, now + DAY)
    with pytest.raises(ReviewRefused, match="has changed"):
        services.card_edit(card=card, front="Mine", back="", shown_revision=1, now=now + DAY)


def test_a_miss_is_frozen():
    with pytest.raises(AttributeError):
        make_miss().key = "other"
    assert isinstance(make_miss(), Miss)
