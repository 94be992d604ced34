"""One call of the model against a server that misbehaves: every failure is typed, bounded, and tells no key."""

import logging
from dataclasses import replace

import pytest

from grading.client import CallFailed, ask, errors
from grading.client.endpoint import Endpoint as Asked
from grading.client.endpoint import configured_endpoint
from grading.client.stopping import stopping
from grading.client.transport import MOST_BYTES
from grading.core.prompts import Message
from grading.core.schemas import CritiqueReply
from tests import endpoint as server
from tests.endpoint import KEY, MODEL, Behaviour, Endpoint

MESSAGES = (
    Message("system", "Attack."),
    Message("user", "<<<DATA n0nce123\n[n0nce123: s1, Scope]\nThe queue has no bound at all.\nDATA n0nce123>>>"),
)


def configured(timeout_s: float = 10) -> Asked:
    endpoint = configured_endpoint()
    assert endpoint is not None
    return replace(endpoint, timeout_s=timeout_s)


def failure(endpoint: Endpoint, behaviour: Behaviour, timeout_s: float = 10) -> CallFailed:
    endpoint.script = [behaviour]
    with pytest.raises(CallFailed) as raised:
        ask(configured(timeout_s), MESSAGES, CritiqueReply)
    return raised.value


def test_a_reply_comes_with_its_tokens_and_was_asked_for_by_schema_key_and_bound(endpoint: Endpoint) -> None:
    answer = ask(configured(), MESSAGES, CritiqueReply, max_output_tokens=1234)
    assert "The queue has no bound at all." in answer.text
    assert (answer.usage.input_tokens, answer.usage.output_tokens, answer.usage.estimated) == (1000, 500, False)
    assert answer.schema_use == "honoured"
    (asked,) = endpoint.asked
    assert asked.path == "/v1/chat/completions"
    assert asked.authorization == f"Bearer {KEY}"
    assert (asked.body["model"], asked.body["max_tokens"]) == (MODEL, 1234)
    schema = asked.body["response_format"]["json_schema"]
    assert (schema["name"], schema["strict"]) == ("CritiqueReply", True)
    assert schema["schema"]["additionalProperties"] is False


@pytest.mark.parametrize(
    ("behaviour", "kind", "helps"),
    [
        (server.status(401), errors.Unauthorized, False),
        (server.status(403), errors.Unauthorized, False),
        (server.status(404), errors.NoSuchModel, False),
        (server.status(400, "the context is too long"), errors.RequestRefused, False),
        (server.status(429), errors.Limited, True),
        (server.status(500), errors.ServerTrouble, True),
        (server.status(503), errors.ServerTrouble, True),
        (server.cuts, errors.Cut, True),
        (server.empty, errors.Empty, True),
        (server.no_content, errors.Empty, True),
        (server.refuses, errors.Refused, True),
        (server.filtered, errors.Refused, True),
        (server.cuts_off, errors.CutOff, True),
        (server.no_completion, errors.WrongForm, True),
        (server.huge, errors.TooLarge, True),
        (server.compressed, errors.WrongForm, True),
        (server.sends_elsewhere, errors.Redirected, False),
    ],
)
def test_each_misbehaviour_is_one_kind_of_failure(
    endpoint: Endpoint, behaviour: Behaviour, kind: type[CallFailed], helps: bool
) -> None:
    failed = failure(endpoint, behaviour)
    assert type(failed) is kind
    assert failed.helps_to_try_again is helps
    assert len(endpoint.asked) == 1


@pytest.mark.parametrize("behaviour", [server.hangs, server.drips, server.drips_headers])
def test_a_call_ends_with_its_time_out_however_slowly_bytes_drip_in(endpoint: Endpoint, behaviour: Behaviour) -> None:
    failed = failure(endpoint, behaviour, timeout_s=0.7)
    assert type(failed) is errors.TimedOut
    assert "within 0.7 s" in failed.message


def test_no_more_than_the_bound_is_read_of_a_reply(endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    from grading.client.transport import Guard

    read = 0
    count = Guard.count

    def counted(self: Guard, read_bytes: int) -> None:
        nonlocal read
        read += read_bytes
        count(self, read_bytes)

    monkeypatch.setattr(Guard, "count", counted)
    assert f"{MOST_BYTES:,}" in failure(endpoint, server.huge).message
    assert MOST_BYTES < read < 2 * MOST_BYTES


def test_nothing_listens(endpoint: Endpoint) -> None:
    endpoint.stop()
    with pytest.raises(errors.Cut) as raised:
        ask(configured(), MESSAGES, CritiqueReply)
    assert raised.value.message == f"No connection to {configured().host}: is the server running?"


def test_a_connection_that_fails_is_told_in_words_and_names_the_host_alone(endpoint: Endpoint) -> None:
    host = configured().host
    assert failure(endpoint, server.cuts).message == f"{host} ended the connection before its reply was whole."
    secret = endpoint.address.replace("http://", "https://user:secret@")
    with pytest.raises(errors.Cut) as raised:
        ask(replace(configured(), base_url=secret), MESSAGES, CritiqueReply)
    assert raised.value.message.startswith(f"No secure connection to {host}: ")
    with pytest.raises(errors.Cut, match=r"^No connection to nowhere\.invalid: no host of that name is known\."):
        ask(replace(configured(), base_url="http://nowhere.invalid/v1"), MESSAGES, CritiqueReply)


@pytest.mark.parametrize(
    ("header", "wait_s"),
    [("7", 7.0), ("0", 0.0), ("Wed, 21 Oct 2015 07:28:00 GMT", 0.0), ("soon", None), ("-3", None)],
)
def test_how_long_to_wait_is_read_from_the_header_in_either_form(
    endpoint: Endpoint, header: str, wait_s: float | None
) -> None:
    assert failure(endpoint, server.status(429, Retry_After=header)).retry_after_s == wait_s


def test_a_server_without_schemas_is_asked_once_more_without_one(endpoint: Endpoint) -> None:
    endpoint.otherwise = server.refuses_the_schema
    answer = ask(configured(), MESSAGES, CritiqueReply)
    assert answer.schema_use == "refused"
    assert ["response_format" in asked.body for asked in endpoint.asked] == [True, False]


def test_a_server_that_ignores_the_schema_is_known_by_what_stands_around_its_json(endpoint: Endpoint) -> None:
    endpoint.otherwise = server.ignores_the_schema
    assert ask(configured(), MESSAGES, CritiqueReply).schema_use == "ignored"


def test_a_server_that_calls_the_bound_otherwise_is_asked_by_its_name(endpoint: Endpoint) -> None:
    endpoint.otherwise = server.wants_max_completion_tokens
    assert ask(configured(), MESSAGES, CritiqueReply).schema_use == "honoured"
    assert "max_completion_tokens" in endpoint.asked[-1].body


def test_tokens_are_estimated_where_the_server_does_not_count_them(endpoint: Endpoint) -> None:
    endpoint.otherwise = server.counts_no_tokens
    usage = ask(configured(), MESSAGES, CritiqueReply).usage
    assert usage.estimated
    assert usage.input_tokens > 0 < usage.output_tokens


def test_a_refused_reply_still_counts_its_tokens(endpoint: Endpoint) -> None:
    usage = failure(endpoint, server.cuts_off).usage
    assert usage is not None
    assert usage.output_tokens == 500


def test_a_stop_of_the_process_ends_a_call_that_hangs(endpoint: Endpoint) -> None:
    def stop(handler: server.Handler, asked: server.Asked) -> None:
        stopping.set()
        server.hangs(handler, asked)

    try:
        assert type(failure(endpoint, stop, timeout_s=60)) is errors.Interrupted
    finally:
        stopping.clear()


@pytest.mark.parametrize("behaviour", [server.tells_the_key, server.status(401, f"bad key {KEY}"), server.cuts])
def test_the_key_is_in_no_message_and_in_no_log(
    endpoint: Endpoint, behaviour: Behaviour, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        failed = failure(endpoint, behaviour)
    assert KEY not in failed.message
    assert KEY not in repr(failed)
    assert KEY not in repr(configured())
    assert KEY not in caplog.text


def test_the_environments_proxy_is_not_asked(endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    assert ask(configured(), MESSAGES, CritiqueReply).text


def test_a_password_in_the_address_is_in_no_log(endpoint: Endpoint, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    address = endpoint.address.replace("http://", "http://someone:a-password@")
    ask(replace(configured(), base_url=address), MESSAGES, CritiqueReply)
    assert len(endpoint.asked) == 1
    assert "a-password" not in caplog.text
