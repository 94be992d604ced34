"""The Progress page: one's own alone, honest about how few numbers it has, and exact about what it says."""

import datetime as dt
import html
import re
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client

from grading.core.rubric import LINES
from grading.models import LineScore, ModelCall
from grading.progress import pairs_of
from tests.endpoint import MODEL, Endpoint
from tests.trainer.rounds.sitting import Sitting
from trainer.accounts.models import User
from trainer.rounds.models import Round

pytestmark = pytest.mark.django_db


def text_of(response: Any) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", response.content.decode())).split())


def scored(user: User, now: dt.datetime, *, model: dict[int, int], state: str = "done") -> Sitting:
    """A round with one's own 3 at 70% on every line, and a model's levels on those named."""
    sitting = Sitting(user, now).to(state)
    LineScore.objects.bulk_create(
        LineScore(round_id=sitting.id, scorer="model", line=line, level=level, quote="words", scored_at=sitting.now)
        for line, level in model.items()
    )
    return sitting


def call(user: User, at: dt.datetime, **fields: Any) -> None:
    ended: dict[str, Any] = {
        "purpose": "critique", "state": "answered", "lease_token": "0" * 32, "reserved_usd": 1,
        "input_tokens": 1000, "output_tokens": 500, "cost_usd": Decimal("0.006"), "ended_at": at,
    }  # fmt: skip
    ModelCall.objects.create(user=user, started_at=at, model_name=MODEL, **(ended | fields))


def test_before_the_first_round_every_part_says_what_will_be_there(alice_client: Client) -> None:
    page = text_of(alice_client.get("/progress/"))
    for promise in (
        "Each scored round becomes a column here",
        "They show once a round is scored.",
        "They show once you have marked a worked critique partial or miss.",
        "They show once you have answered and marked a critique of your own design.",
        "your levels stand beside its own here",
        "Too few to say (0 of 10 scores)",
        "No model is configured.",
        "added up here, by day and by month",
    ):
        assert promise in page


def test_each_sees_their_own_progress_and_nothing_of_anothers(
    pack: None, now: dt.datetime, alice: User, alice_client: Client, bob_client: Client, stranger_client: Client
) -> None:
    sitting = scored(alice, now, model={1: 2})
    call(alice, now)
    assert str(sitting.id) in alice_client.get("/progress/").content.decode()
    for client in (bob_client, stranger_client):
        page = client.get("/progress/").content.decode()
        assert str(sitting.id) not in page
        assert "Over 1 round" not in page
        assert "By month" not in page


def test_pairs_are_of_rounds_that_are_done_and_have_both_scores(pack: None, now: dt.datetime, alice: User) -> None:
    scored(alice, now, model={1: 2, 2: 4})
    scored(alice, now, model={1: 0}, state="critique")
    scored(alice, now, model={})
    pairs, rounds = pairs_of(alice)
    assert rounds == 1
    assert {line: [(pair.own, pair.other, pair.confidence) for pair in found] for line, found in pairs.items()} == {
        1: [(3, 2, 70)],
        2: [(3, 4, 70)],
        **{line.number: [] for line in LINES[2:]},
    }


def test_bias_kappa_and_curve_are_said_from_enough_pairs_on_and_not_before(
    pack: None, now: dt.datetime, alice: User, alice_client: Client
) -> None:
    scored(alice, now, model={line.number: 2 for line in LINES[:4]})
    page = text_of(alice_client.get("/progress/"))
    assert "All lines 4 too few to say (4 of 5) too few to say (4 of 10)" in page
    assert "Too few to say (4 of 10 scores)" in page
    scored(alice, now, model={line.number: 1 for line in LINES[:6]})
    response = alice_client.get("/progress/")
    page = text_of(response)
    assert "1 · Measurement before architecture 2 too few to say (2 of 5) too few to say (2 of 10)" in page
    # Ten pairs of 3 against four 2 and six 1: a mean of 1.6 levels, s = sqrt(2.4 / 9), over sqrt(10).
    assert "All lines 10 +1.60 ± 0.16" in page
    assert "4 of 10: 40%" in page
    chart = response.context["page"].overall.chart
    assert [row[0] for row in chart.rows] == ["60 to 79%"]
    assert "1 Measurement before architecture: too few to say (2 of 10)." in page
    assert '<svg class="roofline"' in response.content.decode()


def test_where_both_gave_one_level_throughout_kappa_is_said_to_be_undefined(
    pack: None, now: dt.datetime, alice: User, alice_client: Client
) -> None:
    for _ in range(2):
        scored(alice, now, model={line.number: 3 for line in LINES})
    assert "undefined: both gave one level throughout" in text_of(alice_client.get("/progress/"))


def test_a_line_with_enough_pairs_has_a_curve_of_its_own(
    pack: None, now: dt.datetime, alice: User, alice_client: Client
) -> None:
    first = scored(alice, now, model={line.number: 2 for line in LINES})
    pairs = LineScore.objects.filter(round=first.id, line=2)
    for _ in range(9):
        copy = Round.objects.get(pk=first.id)
        copy.pk = None
        copy._state.adding = True
        copy.save()
        for score in pairs:
            score.pk, score.round_id = None, copy.pk
            score.save()
    agreement = alice_client.get("/progress/").context["page"].lines[1]
    assert (agreement.n, agreement.sure) == (10, 10)
    assert agreement.chart.rows[0][3] == "10 of 10: 100%"


def test_tokens_and_cost_are_added_up_by_day_and_month_in_the_trainees_zone(alice: User, alice_client: Client) -> None:
    alice.time_zone = "Asia/Tokyo"
    alice.save(update_fields=["time_zone"])
    call(alice, dt.datetime(2026, 3, 31, 14, 59, tzinfo=dt.UTC))
    call(alice, dt.datetime(2026, 3, 31, 15, 1, tzinfo=dt.UTC))
    call(alice, dt.datetime(2026, 3, 31, 16, 0, tzinfo=dt.UTC), input_tokens=None, output_tokens=None, cost_usd=1)
    page = alice_client.get("/progress/").context["page"]
    assert [(row.begins, row.calls, row.input_tokens, row.output_tokens, row.cost_text) for row in page.days] == [
        (dt.date(2026, 4, 1), 2, 1000, 500, "$1.01"),
        (dt.date(2026, 3, 31), 1, 1000, 500, "$0.0060"),
    ]
    assert [(row.begins, row.calls) for row in page.months] == [(dt.date(2026, 4, 1), 2), (dt.date(2026, 3, 1), 1)]


def test_with_an_endpoint_the_budget_of_the_day_is_told(endpoint: Endpoint, alice: User, alice_client: Client) -> None:
    page = text_of(alice_client.get("/progress/"))
    assert f"{MODEL} at 127.0.0.1:" in page
    assert "Today: $0.00 spent of $2.00, $2.00 left." in page


def test_the_head_of_every_page_leads_to_progress(alice_client: Client) -> None:
    assert '<a href="/progress/" aria-current="page">Progress</a>' in alice_client.get("/progress/").content.decode()
    assert '<a href="/progress/">Progress</a>' in alice_client.get("/rounds/").content.decode()
