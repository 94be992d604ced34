"""The self-assessment: 0 to 3, kept with its history; below 2 becomes a card."""

import datetime as dt

import pytest
from django.test import Client

from tests.trainer.study.pages import source
from trainer.accounts.models import User
from trainer.review.models import Card
from trainer.study.loader import load_study
from trainer.study.models import SelfMark
from trainer.study.services import MarkRefused, self_assessment_record

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("track")]

PATH = "/study/self-assessment/"


def items():
    return {one.id: one for one in load_study().entries("self_assessment", "item")}


def test_what_is_below_two_becomes_a_card_with_its_concepts_on_the_back(alice_client: Client) -> None:
    response = alice_client.post(PATH, {"level-floor": "1", "level-batch": "2"})
    assert (response.status_code, response.headers["Location"]) == (303, f"{PATH}#kept")
    card = Card.objects.get()
    assert card.key == "self-assessment/floor"
    assert card.link == f"{PATH}#item-floor"
    assert "within ten seconds" in card.front
    assert "42.1 ms" in card.back
    assert "2 of 2 marked; 1 below 2" in source(alice_client, PATH)


def test_marks_are_kept_and_an_item_left_open_keeps_the_mark_it_has(alice: User, now: dt.datetime) -> None:
    for day, levels in enumerate(({"floor": 0, "batch": 3}, {"floor": 2}, {"floor": 2})):
        self_assessment_record(user=alice, levels=levels, items=items(), now=now + dt.timedelta(days=day))
    assert [mark.level for mark in SelfMark.objects.filter(item="floor").order_by("at")] == [0, 2, 2]
    assert [mark.level for mark in SelfMark.objects.filter(item="batch")] == [3]


def test_the_same_level_twice_on_a_day_counts_once(alice: User, now: dt.datetime) -> None:
    for minute in (0, 1):
        self_assessment_record(user=alice, levels={"floor": 1}, items=items(), now=now + dt.timedelta(minutes=minute))
    assert SelfMark.objects.count() == 1


@pytest.mark.parametrize("level", ["4", "-1", "1.5", "two", "9" * 400])
def test_a_level_out_of_range_is_named_at_its_item_and_nothing_is_kept(level: str, alice_client: Client) -> None:
    response = alice_client.post(PATH, {"level-floor": level, "level-batch": "3"})
    page = response.content.decode()
    assert response.status_code == 422
    assert 'id="error-floor"' in page
    assert "0 to 3, not" in page
    assert 'name="level-batch" value="3" checked' in page
    assert not SelfMark.objects.exists()


def test_nothing_chosen_is_refused(alice_client: Client) -> None:
    response = alice_client.post(PATH, {})
    assert response.status_code == 422
    assert "Mark at least one item." in response.content.decode()


def test_an_item_that_is_not_there_is_refused(alice: User, now: dt.datetime) -> None:
    with pytest.raises(MarkRefused, match="no item"):
        self_assessment_record(user=alice, levels={"zebra": 1}, items=items(), now=now)
