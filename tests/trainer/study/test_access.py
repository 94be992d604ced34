"""Who sees what: chapters and lists are everybody's, marks are one's own."""

import pytest
from django.test import Client

from tests.trainer.study.pages import LISTS, source
from trainer.accounts.models import User
from trainer.review.models import Card
from trainer.study.models import ConceptMark, SelfMark

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("track")]

PRESSED = 'aria-pressed="true"'


@pytest.mark.parametrize("path", [*LISTS, "/study/weights/", "/study/concepts/D1.1/"])
def test_the_guide_is_open_to_whoever_has_logged_in(
    path: str, alice_client: Client, bob_client: Client, stranger_client: Client
) -> None:
    for client in (alice_client, bob_client, stranger_client):
        page = source(client, path)
        assert page.count("<h1") == 1
        assert "<title>" in page
        assert "Study · Roofline</title>" in page


def test_a_mark_of_a_concept_is_its_owners_alone(
    alice: User, bob: User, alice_client: Client, bob_client: Client, stranger_client: Client
) -> None:
    alice_client.post("/study/concepts/D1.1/mark/", {"state": "not_yet"})
    for path in ("/study/concepts/", "/study/concepts/D1.1/"):
        assert PRESSED in source(alice_client, path)
        for other in (bob_client, stranger_client):
            assert PRESSED not in source(other, path)
    assert "1 not yet" in source(alice_client, "/study/")
    assert "1 not yet" not in source(bob_client, "/study/")
    bob_client.post("/study/concepts/D1.1/mark/", {"state": "aloud"})
    assert set(ConceptMark.objects.values_list("user__username", "state")) == {("alice", "not_yet"), ("bob", "aloud")}
    assert set(Card.objects.values_list("user__username", flat=True)) == {"alice"}


def test_a_self_assessment_is_its_owners_alone(
    alice_client: Client, bob_client: Client, stranger_client: Client
) -> None:
    alice_client.post("/study/self-assessment/", {"level-floor": "1"})
    assert "So far: 1" in source(alice_client, "/study/self-assessment/")
    for other in (bob_client, stranger_client):
        assert "So far" not in source(other, "/study/self-assessment/")
    assert set(SelfMark.objects.values_list("user__username", flat=True)) == {"alice"}


def test_what_is_not_there_is_a_404_for_everybody(
    alice_client: Client, bob_client: Client, stranger_client: Client
) -> None:
    for client in (alice_client, bob_client, stranger_client):
        for path in ("/study/nothing/", "/study/concepts/D9.9/"):
            source(client, path, status=404)
