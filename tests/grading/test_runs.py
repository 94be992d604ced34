"""A critique from the request to its rows, against an endpoint that answers well or misbehaves."""

import datetime as dt
import uuid
from decimal import Decimal
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import Settings

from grading import services
from grading.models import AnchorVerdict, Critique, LineScore, ModelCall, State
from grading.running import critique as running
from grading.running.critique import run_critique
from grading.services.leases import BACK_OFF_S, LONGEST_RETRY_AFTER_S
from tests import endpoint as server
from tests.endpoint import KEY, MODEL, Behaviour, Endpoint
from tests.trainer.rounds.sitting import Sitting

LIMITED_FOR_LONG = server.status(429, Retry_After=str(int(LONGEST_RETRY_AFTER_S) + 1))


def requested(sitting: Sitting) -> Critique:
    return services.critique_request(round=sitting.round, user=sitting.user, now=timezone.now())


def run(critique: Critique) -> Critique:
    run_critique(critique.pk)
    return Critique.objects.get(pk=critique.pk)


def make_due(critique: Critique) -> None:
    """As if the time until the next attempt had passed."""
    assert Critique.objects.filter(pk=critique.pk, state=State.QUEUED).update(retry_at=timezone.now())


def run_to_the_end(critique: Critique) -> Critique:
    for _ in range(20):
        critique = run(critique)
        if critique.state != State.QUEUED:
            return critique
        make_due(critique)
    raise AssertionError("still queued")


def test_a_good_reply_becomes_critiques_with_places_mutations_verdicts_and_line_scores(
    endpoint: Endpoint, sitting: Sitting
) -> None:
    critique = run(requested(sitting))
    assert (critique.state, critique.failure_reason) == (State.SHOWN, "")
    items = list(critique.items.order_by("number"))
    assert [item.number for item in items] == [1, 2, 3, 4, 5, 6]
    for item in items:
        assert item.start is not None
        assert sitting.text(item.part_key)[item.start : item.end] == item.quote
    assert items[0].expression
    assert items[0].value_text
    assert [mutation.generic for mutation in critique.mutations.all()] == [False] * 3
    verdicts = AnchorVerdict.objects.filter(critique=critique)
    assert verdicts.filter(met=True).count() == verdicts.count() > 20
    scores = LineScore.objects.filter(round=sitting.id, scorer="model")
    assert {score.line: score.level for score in scores} == dict.fromkeys(range(1, 9), 4)
    assert not scores.exclude(confidence=None).exists()
    assert [asked.form for asked in endpoint.asked] == ["CritiqueReply", "AnchorsReply"]


def test_the_prompt_its_version_the_model_and_the_cost_are_kept(endpoint: Endpoint, sitting: Sitting) -> None:
    critique = run(requested(sitting))
    assert critique.model_name == MODEL
    assert critique.prompt_version
    assert critique.prompt == endpoint.asked[0].body["messages"]
    calls = ModelCall.objects.filter(critique=critique)
    assert {call.purpose for call in calls} == {"critique", "anchors"}
    for call in calls:
        assert (call.input_tokens, call.output_tokens, call.tokens_estimated) == (1000, 500, False)
        assert call.cost_usd == Decimal("0.006") <= call.reserved_usd
        assert call.price_as_of == dt.date(2026, 3, 1)
        assert call.reply


def test_lies_are_dropped_and_counted_and_lend_no_level(endpoint: Endpoint, sitting: Sitting) -> None:
    endpoint.otherwise = server.lies
    critique = run(requested(sitting))
    assert critique.state == State.SHOWN
    assert critique.items.count() == 1
    assert critique.drafted == 5
    assert sorted(dropped["reason"] for dropped in critique.dropped) == [
        "awards points",
        "number is wrong",
        "praises",
        "quote not found",
    ]
    assert not AnchorVerdict.objects.filter(critique=critique, met=True).exists()
    assert set(AnchorVerdict.objects.filter(critique=critique).values_list("problem", flat=True)) == {"quote not found"}
    assert set(LineScore.objects.filter(round=sitting.id, scorer="model").values_list("level", flat=True)) == {0}
    assert len(endpoint.asked_for("CritiqueReply", repairs=True)) == 1


def test_what_can_be_mended_is_asked_for_once_more_and_marked_as_repaired(endpoint: Endpoint, sitting: Sitting) -> None:
    endpoint.otherwise = server.lies_once
    critique = run(requested(sitting))
    assert critique.repaired > 0
    assert critique.items.filter(repaired=True).count() == critique.repaired
    assert critique.items.count() == 1 + critique.repaired
    assert [dropped["reason"] for dropped in critique.dropped] == ["awards points"]  # a score cannot be mended
    assert [asked.form for asked in endpoint.asked] == ["CritiqueReply", "CritiqueReply", "AnchorsReply"]


def test_a_repair_that_fails_leaves_what_stands(endpoint: Endpoint, sitting: Sitting) -> None:
    endpoint.script = [server.lies, server.status(500)]
    critique = run(requested(sitting))
    assert (critique.state, critique.items.count(), critique.repaired) == (State.SHOWN, 1, 0)


@pytest.mark.parametrize("behaviour", [server.ignores_the_schema, server.refuses_the_schema, server.counts_no_tokens])
def test_a_server_that_knows_less_is_good_enough(endpoint: Endpoint, sitting: Sitting, behaviour: Behaviour) -> None:
    endpoint.otherwise = behaviour
    critique = run(requested(sitting))
    assert (critique.state, critique.items.count()) == (State.SHOWN, 6)


@pytest.mark.parametrize(
    ("behaviour", "calls", "kind", "words"),
    [
        (server.status(401), 1, "unauthorized", "CRITIC_API_KEY"),
        (server.status(404), 1, "no_such_model", MODEL),
        (server.status(400, "context too long"), 1, "request_refused", "context too long"),
        (server.sends_elsewhere, 1, "redirected", "302"),
        (LIMITED_FOR_LONG, 1, "limited", "429"),
        (server.status(429), 6, "limited", "429"),
        (server.status(500), 5, "server_trouble", "500"),
        (server.cuts, 5, "cut", "connection"),
        (server.empty, 3, "empty", "empty"),
        (server.refuses, 2, "refused", "I cannot help"),
        (server.refuses_in_words, 2, "refused", "cannot help"),
        (server.cuts_off, 2, "cut_off", "CRITIC_MAX_OUTPUT_TOKENS"),
        (server.cuts_off_silently, 2, "cut_off", "cut off"),
        (server.wrong_schema, 3, "wrong_form", "critiques"),
        (server.prose, 3, "wrong_form", "no JSON"),
        (server.no_completion, 3, "wrong_form", "no chat completion"),
        (server.huge, 2, "too_large", "larger than"),
    ],
)
def test_a_fault_that_lasts_ends_as_failed_with_its_reason_after_so_many_calls(
    endpoint: Endpoint, sitting: Sitting, behaviour: Behaviour, calls: int, kind: str, words: str
) -> None:
    endpoint.otherwise = behaviour
    critique = run_to_the_end(requested(sitting))
    assert (critique.state, critique.failure_kind) == (State.FAILED, kind)
    assert critique.failure_reason
    assert all(words in call.error for call in ModelCall.objects.filter(critique=critique))
    assert len(endpoint.asked) == calls
    assert ModelCall.objects.filter(critique=critique).count() == calls
    assert not ModelCall.objects.filter(state=ModelCall.State.RESERVED).exists()
    assert not critique.items.exists()


@pytest.mark.parametrize("behaviour", [server.hangs, server.drips])
def test_a_server_that_gives_no_whole_reply_in_time_fails_after_three_calls(
    endpoint: Endpoint, sitting: Sitting, settings: Settings, behaviour: Behaviour
) -> None:
    settings.CRITIC_TIMEOUT_S = 0.6
    endpoint.otherwise = behaviour
    critique = run_to_the_end(requested(sitting))
    assert (critique.state, critique.failure_kind, len(endpoint.asked)) == (State.FAILED, "timed_out", 3)


@pytest.mark.parametrize(
    "behaviour",
    [
        server.status(429),
        server.status(429, Retry_After="0"),
        server.status(500),
        server.cuts,
        server.empty,
        server.refuses,
        server.cuts_off,
        server.wrong_schema,
        server.huge,
    ],
)
def test_a_fault_that_passes_is_tried_again_and_ends_well(
    endpoint: Endpoint, sitting: Sitting, behaviour: Behaviour
) -> None:
    endpoint.script = [behaviour]
    critique = run_to_the_end(requested(sitting))
    assert (critique.state, critique.items.count(), len(endpoint.asked)) == (State.SHOWN, 6, 3)


def test_it_waits_longer_each_time_and_as_long_as_the_server_asks_for(endpoint: Endpoint, sitting: Sitting) -> None:
    endpoint.script = [server.status(500), server.status(500), server.status(429, Retry_After="77")]
    critique = requested(sitting)
    waits = []
    for _ in range(3):
        critique = run(critique)
        assert critique.started_at is not None
        assert critique.retry_at is not None
        assert critique.failure_reason
        waits.append((critique.retry_at - timezone.now()).total_seconds())
        run(critique)  # not due: nothing happens
        make_due(critique)
    assert len(endpoint.asked) == 3
    for wait_s, wanted_s in zip(waits, (BACK_OFF_S, 2 * BACK_OFF_S, 77), strict=True):
        assert wanted_s - 2 < wait_s <= wanted_s


def test_a_failed_critique_is_tried_again_by_hand_and_does_not_pay_twice_for_what_it_has(
    endpoint: Endpoint, sitting: Sitting
) -> None:
    endpoint.script = [server.good, server.status(401)]
    critique = run_to_the_end(requested(sitting))
    assert critique.state == State.FAILED
    again = services.critique_retry(critique=critique, now=timezone.now())
    assert (again.pk, again.state, again.attempts, again.failure_reason) == (critique.pk, State.QUEUED, 0, "")
    shown = run(again)
    assert (shown.state, shown.items.count()) == (State.SHOWN, 6)
    assert len(endpoint.asked_for("CritiqueReply")) == 1
    assert len(endpoint.asked_for("AnchorsReply")) == 2


def test_a_task_that_comes_twice_makes_one_critique(endpoint: Endpoint, sitting: Sitting) -> None:
    critique = requested(sitting)
    for _ in range(3):
        run(critique)
    assert len(endpoint.asked) == 2
    assert critique.items.count() == 6


def test_a_worker_whose_lease_was_taken_over_stores_nothing(
    endpoint: Endpoint, sitting: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    critique = requested(sitting)
    stored = running.critique_store

    def taken_over_first(**given: Any) -> Critique:
        Critique.objects.filter(pk=critique.pk).update(lease_token=uuid.uuid4())
        return stored(**given)

    monkeypatch.setattr(running, "critique_store", taken_over_first)
    row = run(critique)
    assert row.state == State.CHECKING  # the other worker's
    assert not row.items.exists()
    assert not LineScore.objects.filter(scorer="model").exists()
    assert ModelCall.objects.filter(critique=critique, state="answered").count() == 2  # it need not ask again


def test_an_error_of_our_own_is_logged_and_said_without_its_insides(
    endpoint: Endpoint, sitting: Sitting, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("insides")

    monkeypatch.setattr("grading.running.critique.check_critiques", broken)
    critique = run_to_the_end(requested(sitting))
    assert (critique.state, critique.failure_kind) == (State.FAILED, "own_fault")
    assert "insides" not in critique.failure_reason
    assert len(endpoint.asked) == 1


def test_the_key_is_in_no_row(endpoint: Endpoint, sitting: Sitting) -> None:
    endpoint.script = [server.tells_the_key]
    critique = run_to_the_end(requested(sitting))
    assert critique.state == State.FAILED
    services.critique_retry(critique=critique, now=timezone.now())
    run(critique)
    rows = [*Critique.objects.values(), *ModelCall.objects.values()]
    assert len(rows) > 2
    assert KEY not in repr(rows)


def test_an_endpoint_that_is_gone_meanwhile_fails_the_critique_and_the_button_makes_the_built_in_one(
    endpoint: Endpoint, sitting: Sitting, settings: Settings
) -> None:
    critique = requested(sitting)
    settings.CRITIC_BASE_URL = ""
    critique = run(critique)
    assert (critique.state, critique.failure_kind) == (State.FAILED, "no_endpoint")
    builtin = services.critique_retry(critique=critique, now=timezone.now())
    assert (builtin.kind, builtin.state) == (Critique.Kind.BUILTIN, State.SHOWN)
