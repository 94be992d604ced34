"""What engines logged, held to bounds: bytes per token on every row, the pool on all but the rows that are listed."""

import datetime as dt
import re
import statistics
import tomllib
from os.path import join

import pytest
from django.test import Client

from calculator import accuracy, catalogue, measured
from calculator.catalogue import DATA
from calculator.measured import MEDIAN_TOLERANCE, PER_TOKEN_TOLERANCE, POOL_TOLERANCE, WITHIN_SHARE
from tests.bench import peers
from tests.bench.peers import PEERS
from tests.peers import adapters

LINES = accuracy.lines()
TOKENS = [line for line in LINES if line.per_token and not line.row.odd]
POOLS = [line for line in LINES if line.pool]


@pytest.mark.parametrize("line", TOKENS, ids=lambda line: line.row.key)
def test_bytes_per_token_are_the_logged_ones(line: accuracy.Line) -> None:
    assert abs(line.per_token.error) <= PER_TOKEN_TOLERANCE  # type: ignore[union-attr]


def test_enough_rows_are_compared() -> None:
    assert len(LINES) >= 38
    assert len(TOKENS) >= 15
    assert len(POOLS) >= 25


def test_the_pool_is_within_its_bounds_over_all_rows_that_state_their_settings() -> None:
    errors = [abs(line.pool.error) for line in POOLS]  # type: ignore[union-attr]
    assert statistics.median(errors) <= MEDIAN_TOLERANCE
    assert sum(error <= POOL_TOLERANCE for error in errors) >= WITHIN_SHARE * len(errors)


def test_the_pool_is_within_its_bounds_on_rows_that_no_constant_was_chosen_from() -> None:
    errors = [abs(line.pool.error) for line in POOLS if not line.row.fit_for]  # type: ignore[union-attr]
    assert len(errors) >= 15
    assert statistics.median(errors) <= MEDIAN_TOLERANCE
    assert sum(error <= POOL_TOLERANCE for error in errors) >= WITHIN_SHARE * len(errors)


def test_every_row_beyond_its_bounds_is_listed_with_a_reason() -> None:
    beyond = [line for line in LINES if line.is_beyond]
    assert beyond
    assert all(len(line.row.odd) > 30 for line in beyond)


def test_a_row_whose_pool_is_not_compared_says_why() -> None:
    for line in LINES:
        assert (line.pool is None) == bool(line.row.not_compared), line.row.key


def test_a_state_in_the_pool_explains_the_half_percent_that_a_latent_leaves() -> None:
    (kimi,) = [row for row in measured.kv_rows() if row.model_name == "moonshotai/Kimi-K3"]
    compared = measured.per_token(kimi)
    assert compared is not None
    assert abs(24 * 1152 / compared.logged - 1) > 0.004
    assert abs(compared.error) < 1e-4


def test_every_row_has_a_source_and_a_date_and_a_known_model_or_gpu() -> None:
    for row in measured.kv_rows():
        assert len(row.source) > 10
        assert row.read >= dt.date(2026, 1, 1)
        assert row.confidence in {"A", "B"}
        assert not row.model_key or row.model_key in catalogue.models()
        assert not row.gpu or row.gpu in catalogue.accelerators()


def test_the_peers_are_stored_with_version_and_date_and_speak_of_known_rows() -> None:
    with open(join(DATA, "measured", "peers.toml"), "rb") as file:
        stored = tomllib.load(file)
    keys = {row.key for row in measured.kv_rows()}
    assert len(stored) >= 5
    for fields in stored.values():
        assert fields["version"]
        assert isinstance(fields["run"], dt.date)
        answered = set(fields["per_token_bytes"]) | set(fields["pool_bytes"])
        assert answered | set(fields["refused"]) <= keys
        assert not answered & set(fields["refused"])
    assert {peer.name for peer in accuracy.peers()} == {fields["name"] for fields in stored.values()}


def test_every_peer_that_is_run_has_an_adapter_and_a_question_for_each_row_with_a_configuration() -> None:
    assert set(PEERS) == set(adapters.PEERS)
    asked = peers.questions()
    assert len(asked) >= 30
    assert all(one["config"] and one["params"] > 0 and one["context"] > 0 for one in asked)


def test_what_a_peer_cannot_answer_is_refused_and_what_it_can_is_stored() -> None:
    def half(row: dict[str, object]) -> tuple[float, None]:
        if row["key"] == "b":
            raise adapters.NotAsked("no such model")
        return 2.4, None

    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(adapters.PEERS, "half", half)
        answers = list(adapters.answers("half", [{"key": "a"}, {"key": "b"}]))
    stored = tomllib.loads(peers.table("half", "1.0", answers, dt.date(2026, 11, 30)))["half"]
    assert stored["per_token_bytes"] == {"a": 2}
    assert stored["refused"] == {"b": "NotAsked: no such model"}
    assert stored["pool_bytes"] == {}
    assert re.fullmatch(r"half 1.0 answers 1 of 2 rows, [\d,]+ µs a call", peers.spoken("half", "1.0", answers))


def test_a_spread_of_nothing_is_none_and_of_one_is_itself() -> None:
    assert accuracy.spread([], 0.1) is None
    one = accuracy.spread([-0.02], 0.1)
    assert one is not None
    assert (one.count, one.median, one.most, one.within) == (1, 2.0, 2.0, 1)


def test_the_bars_hold_every_compared_row() -> None:
    assert sum(one.count for one in accuracy.bins()) == len(POOLS)


def test_the_page_shows_every_row_the_constants_the_peers_and_the_times(client: Client, db: None) -> None:
    response = client.get("/calculator/accuracy/")
    assert response.status_code == 200
    text = response.content.decode()
    for line in LINES:
        assert line.row.model_name in text
        assert line.row.source.split()[0] in text
    for peer in accuracy.peers():
        assert f"{peer.name} {peer.version}" in text
    assert "Nothing is fitted row by row" in text
    assert 'id="time"' in text
    assert "None" not in text


def test_the_page_is_read_only(client: Client, db: None) -> None:
    assert client.post("/calculator/accuracy/").status_code == 405
