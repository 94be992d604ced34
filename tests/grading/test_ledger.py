"""Money: what a call costs, what a day and a request may cost, and that calls under way count."""

import datetime as dt
import threading
import uuid
from decimal import Decimal

import pytest
from django.db import connections
from django.utils import timezone
from pytest_django import Settings

from grading import services
from grading.client.endpoint import configured_endpoint
from grading.core.prompts import Message
from grading.models import Critique, ModelCall, State
from grading.running.critique import run_critique
from grading.selectors import cost_of
from grading.services.ledger import OverBudget, Subject, budget_of, call_reserve, calls_lose, usd
from tests import endpoint as server
from tests.endpoint import Endpoint
from tests.trainer.rounds.sitting import Sitting

MESSAGES = (Message("user", "Attack."),)
Purpose = ModelCall.Purpose


def requested(sitting: Sitting) -> Critique:
    return services.critique_request(round=sitting.round, user=sitting.user, now=timezone.now())


def reserve(critique: Critique, now: dt.datetime, purpose: Purpose = Purpose.CRITIQUE) -> ModelCall:
    endpoint = configured_endpoint()
    assert endpoint is not None
    return call_reserve(
        subject=Subject(critique), purpose=purpose, messages=MESSAGES, endpoint=endpoint, token=uuid.uuid4(), now=now
    )


def test_a_spent_budget_refuses_the_call_and_says_what_is_spent_of_what(
    endpoint: Endpoint, sitting: Sitting, settings: Settings
) -> None:
    settings.CRITIC_DAILY_BUDGET_USD = Decimal("0.10")
    endpoint.script = [server.says("{}", usage={"prompt_tokens": 40_000, "completion_tokens": 1_250})]
    critique = requested(sitting)
    settings.CRITIC_MAX_OUTPUT_TOKENS = 256
    run_critique(critique.pk)
    Critique.objects.filter(pk=critique.pk).update(retry_at=None)
    run_critique(critique.pk)
    critique.refresh_from_db()
    assert (critique.state, critique.failure_kind) == (State.FAILED, "budget")
    assert "$0.09 of $0.10 is spent" in critique.failure_reason
    assert "UTC" in critique.failure_reason
    assert len(endpoint.asked) == 1


def test_the_next_day_of_the_trainees_own_zone_has_its_own_budget(
    endpoint: Endpoint, sitting: Sitting, settings: Settings
) -> None:
    user = sitting.user
    user.time_zone = "Asia/Tokyo"
    user.save()
    critique = requested(sitting)
    late = dt.datetime(2026, 3, 2, 14, 59, tzinfo=dt.UTC)  # 23:59 in Tokyo
    most = reserve(critique, late).reserved_usd
    settings.CRITIC_DAILY_BUDGET_USD = most
    with pytest.raises(OverBudget, match="midnight"):
        reserve(critique, late)
    assert reserve(critique, late + dt.timedelta(minutes=2)).reserved_usd == most
    assert budget_of(user, late).day == dt.date(2026, 3, 2)
    assert budget_of(user, late + dt.timedelta(minutes=2)).day == dt.date(2026, 3, 3)


def test_one_requests_cap_counts_all_of_its_calls(endpoint: Endpoint, sitting: Sitting, settings: Settings) -> None:
    critique = requested(sitting)
    now = timezone.now()
    most = reserve(critique, now).reserved_usd
    settings.CRITIC_REQUEST_CAP_USD = most * 2
    reserve(critique, now, Purpose.ANCHORS)
    with pytest.raises(OverBudget, match="CRITIC_REQUEST_CAP_USD"):
        reserve(critique, now, Purpose.REPAIR)


def test_another_trainees_calls_do_not_count(endpoint: Endpoint, sitting: Sitting, bob: object) -> None:
    reserve(requested(sitting), timezone.now())
    assert budget_of(sitting.user, timezone.now()).under_way_usd > 0
    assert budget_of(bob, timezone.now()).under_way_usd == 0  # type: ignore[arg-type]


def test_without_a_price_nothing_is_counted_and_nothing_refused(
    endpoint: Endpoint, sitting: Sitting, settings: Settings
) -> None:
    settings.CRITIC_PRICE_AS_OF = None
    settings.CRITIC_DAILY_BUDGET_USD = Decimal(0)
    critique = requested(sitting)
    run_critique(critique.pk)
    cost = cost_of(critique)
    assert (cost.calls, cost.cost_usd, cost.price_as_of) == (2, 0, None)
    assert (cost.input_tokens, cost.output_tokens) == (2000, 1000)


def test_a_call_whose_worker_died_counts_at_its_most_until_its_reply_comes_after_all(
    endpoint: Endpoint, sitting: Sitting
) -> None:
    critique = requested(sitting)
    call = reserve(critique, timezone.now())
    calls_lose(kind="critique", pk=critique.pk, now=timezone.now())
    call.refresh_from_db()
    assert (call.state, call.cost_usd) == (ModelCall.State.LOST, call.reserved_usd)
    assert budget_of(sitting.user, timezone.now()).spent_usd == call.reserved_usd
    assert cost_of(critique).lost_usd == call.reserved_usd


@pytest.mark.django_db(transaction=True)
def test_calls_at_the_same_moment_cannot_overspend_together(
    endpoint: Endpoint, sitting: Sitting, settings: Settings
) -> None:
    critique = requested(sitting)
    settings.CRITIC_REQUEST_CAP_USD = None
    now = timezone.now()
    most = reserve(critique, now).reserved_usd
    settings.CRITIC_DAILY_BUDGET_USD = most * 4  # one is reserved: three more fit
    refused: list[OverBudget] = []
    begin = threading.Barrier(12)

    def try_it() -> None:
        try:
            begin.wait()
            reserve(critique, now)
        except OverBudget as error:
            refused.append(error)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=try_it) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(refused) == 9
    assert ModelCall.objects.filter(state=ModelCall.State.RESERVED).count() == 4


@pytest.mark.parametrize(
    ("amount", "said"),
    [("0", "$0.00"), ("1.5", "$1.50"), ("0.01", "$0.01"), ("0.0042", "$0.0042"), ("0.000001", "$0.000001")],
)
def test_a_sum_is_said_to_the_cent_or_to_two_digits(amount: str, said: str) -> None:
    assert usd(Decimal(amount)) == said
