"""An endpoint that lies cleverly: it says early what is for later, what no database stores, and what nobody counts."""

import json
from decimal import Decimal

import pytest
from django.db import InterfaceError
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from grading import services
from grading.models import Critique, ModelCall, State
from grading.running import holding
from grading.running.critique import run_critique
from grading.services import leases
from tests import endpoint as server
from tests.endpoint import KEY, Asked, Behaviour, Endpoint, Handler
from tests.services import wait_for
from tests.trainer.rounds.sitting import Sitting

SECRET = "the worked answer is three hundred and twenty kibibytes"


def requested(sitting: Sitting) -> Critique:
    return services.critique_request(round=sitting.round, user=sitting.user, now=timezone.now())


def run(critique: Critique) -> Critique:
    run_critique(critique.pk)
    return Critique.objects.get(pk=critique.pk)


@pytest.mark.parametrize(
    "behaviour",
    [
        server.says(None, refusal=f"I cannot, but {SECRET}."),
        server.says(f"I'm sorry, but I cannot: {SECRET}."),
        server.says(f"In words: {SECRET}."),
        server.says(json.dumps({SECRET: SECRET})),
        server.says(json.dumps({"critiques": [{SECRET: SECRET}]})),
        server.status(400, SECRET),
        server.status(401, SECRET),
        server.status(500, SECRET),
    ],
)
def test_no_word_of_a_model_is_shown_by_its_failure_before_the_round_is_done(
    endpoint: Endpoint, sitting: Sitting, alice_client: Client, behaviour: Behaviour
) -> None:
    endpoint.otherwise = behaviour
    critique = run(requested(sitting))
    assert critique.failure_reason
    for name in ("page", "status"):
        shown = alice_client.get(reverse(f"critic:{name}", args=[sitting.id])).content.decode()
        assert critique.failure_reason.partition(":")[0].split("'")[0] in shown
        assert SECRET not in shown
    assert SECRET not in alice_client.get(sitting.url()).content.decode()


def test_the_ledger_keeps_what_the_model_said_for_the_operator(endpoint: Endpoint, sitting: Sitting) -> None:
    endpoint.otherwise = server.says(f"In words: {SECRET}.")
    critique = run(requested(sitting))
    assert SECRET in ModelCall.objects.get(critique=critique).error


def unstorable(handler: Handler, asked: Asked) -> None:
    """Escapes of JSON for what no database stores, in every text."""
    reply = server.good_reply(asked)
    for draft in reply.get("critiques", [])[1:]:
        draft |= {"quote": f"\0{draft['quote'][:3]}", "attack": f"\0{draft['attack']}", "defect_class": "a\0b"}
    for verdict in reply.get("verdicts", []):
        verdict |= {"quote": f"\0{verdict['quote']}", "anchor_id": f"{verdict['anchor_id']}"}
    handler.send_text(json.dumps(reply))


def test_null_characters_in_a_reply_are_stored_by_every_database(endpoint: Endpoint, sitting: Sitting) -> None:
    endpoint.otherwise = unstorable
    critique = run(requested(sitting))
    assert (critique.state, critique.failure_reason) == (State.SHOWN, "")
    assert critique.items.count() == 1
    assert critique.dropped
    assert "\0" not in json.dumps(critique.dropped, ensure_ascii=False)


def test_a_failure_whose_words_no_database_stores_is_stored(endpoint: Endpoint, sitting: Sitting) -> None:
    endpoint.otherwise = server.says(None, refusal="I\0cannot")
    critique = requested(sitting)
    run(critique)
    Critique.objects.filter(pk=critique.pk).update(retry_at=None)
    assert run(critique).state == State.FAILED
    assert len(endpoint.asked) == 2


@pytest.mark.parametrize("count", [10**10, 10**40, 2**31])
def test_a_server_that_counts_more_tokens_than_there_can_be_is_not_believed(
    endpoint: Endpoint, sitting: Sitting, count: int
) -> None:
    def counts(handler: Handler, asked: Asked) -> None:
        usage = {"prompt_tokens": count, "completion_tokens": count}
        handler.send_text(json.dumps(server.good_reply(asked)), usage=usage)

    endpoint.otherwise = counts
    critique = run(requested(sitting))
    assert (critique.state, len(endpoint.asked)) == (State.SHOWN, 2)
    for call in ModelCall.objects.filter(critique=critique):
        assert call.tokens_estimated
        assert Decimal(0) < (call.cost_usd or Decimal(0)) <= call.reserved_usd


def test_a_key_that_the_server_says_back_in_its_reply_is_in_no_row_and_on_no_page(
    endpoint: Endpoint, sitting: Sitting, alice_client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    def tells(handler: Handler, asked: Asked) -> None:
        reply = server.good_reply(asked)
        for draft in reply.get("critiques", []):
            draft["attack"] += f" The key is {asked.authorization}."
            draft["scenario"] += f" The key is {asked.authorization}."
        handler.send_text(json.dumps(reply))

    endpoint.otherwise = tells
    critique = run(requested(sitting))
    sitting.to("done")
    assert critique.state == State.SHOWN
    assert "The key is Bearer" in critique.items.get(number=1).attack
    shown = alice_client.get(reverse("critic:page", args=[sitting.id])).content.decode()
    rows = [*ModelCall.objects.values(), *critique.items.values(), *Critique.objects.values()]
    assert KEY not in shown + repr(rows) + caplog.text


def test_a_lease_is_renewed_again_after_a_connection_that_broke(
    endpoint: Endpoint, sitting: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A lease that nobody renews any more is taken over, and the call is paid for twice."""
    critique = requested(sitting)
    tries: list[int] = []
    monkeypatch.setattr(leases, "RENEWED_EVERY_S", 0.01)

    def breaks(**_: object) -> bool:
        tries.append(1)
        if len(tries) == 1:
            raise InterfaceError("the connection is closed")
        return True

    monkeypatch.setattr(leases, "work_renew", breaks)
    with holding.held("critique", critique.pk) as lease:
        assert lease is not None
        wait_for(lambda: len(tries) > 1, "a second try")
        leases.work_release(lease=lease, now=timezone.now())
