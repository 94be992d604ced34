"""A round as the critics are told it."""

import datetime as dt

import pytest

from grading import services
from grading.cases import case_of
from tests.trainer.rounds.sitting import EVIDENCE, Sitting
from trainer.accounts.models import User
from trainer.rounds import services as rounds

pytestmark = pytest.mark.django_db


def test_worksheet_lines_count_that_use_facts_of_the_catalogue_which_the_design_does_not(
    pack: None, now: dt.datetime, alice: User
) -> None:
    sitting = Sitting(alice, now).begin()
    sitting.save("worksheet", "kv = kv_cache_bytes_per_token(llama70b)\nroom = h100.memory / kv")
    rounds.writing_begin(round=sitting.round, now=sitting.tick())
    sitting.save("s1", EVIDENCE)
    case, _ = case_of(sitting.to("done").round)
    assert [line.called for line in case.own_lines] == ["kv", "room"]
    assert case.own_lines[0].text == "320.0 KiB/tok"


def test_the_built_in_critic_finds_a_deciding_number_that_was_worked_out_with_the_catalogue(
    now: dt.datetime, alice: User
) -> None:
    sitting = Sitting(alice, now, slug="m01").begin()
    lines = ["kv = kv_cache_bytes_per_token(llama70b)", "pool = 4 * 80 GiB * 0.95 - 140 GB"]
    sitting.save("worksheet", "\n".join([*lines, "share = 131072 * kv / pool -> %"]))
    rounds.writing_begin(round=sitting.round, now=sitting.tick())
    sitting.save("s1", EVIDENCE)
    critique = services.critique_request(round=sitting.to("done").round, user=alice, now=sitting.now)
    assert not [found for found in critique.report["absent_numbers"] if found["deciding"]]
