"""The lists: what they hold comes out of the catalogue and the files, and a design's own waits for it."""

import datetime as dt

import pytest
from django.test import Client

from designs.loader import load_designs
from tests.trainer.study.pages import source
from trainer.accounts.models import User
from trainer.rounds.models import DesignReading

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("track")]


def test_hardware_links_and_prices_are_the_catalogues_with_source_and_date(alice_client: Client) -> None:
    page = source(alice_client, "/study/numbers/")
    for part in ("3.35 TB/s", "989.5 TFLOP/s", "295 FLOP/B", "42.1 ms", "NVLink 4, 450 GB/s"):
        assert part in page
    for part in ("NVIDIA H100 datasheet: 900 GB/s both directions", "a given of every design", "2026-11-30"):
        assert part in page
    assert "nothing_of_the_kind" not in page
    assert "1.43 times the bandwidth" in page
    assert "none, 0" not in page


def test_a_number_shows_its_value_and_a_rule_its_formula_as_mathematics(alice_client: Client) -> None:
    page = source(alice_client, "/study/numbers/")
    assert '<strong class="num">320 KiB/tok</strong>' in page
    assert "<mfrac><mrow><mi>weights</mi></mrow><mrow><mi>bandwidth</mi></mrow></mfrac>" in page


@pytest.mark.parametrize(("path", "note"), [("transfer", "The zebra of"), ("patterns", "The giraffe of")])
def test_a_note_waits_for_its_design(
    path: str, note: str, alice: User, alice_client: Client, bob_client: Client, now: dt.datetime
) -> None:
    assert note not in source(alice_client, f"/study/{path}/")
    DesignReading.objects.create(user=alice, slug="m01", at=now)
    assert note in source(alice_client, f"/study/{path}/")
    assert note not in source(bob_client, f"/study/{path}/")


def test_references_are_filtered_by_kind_and_an_unknown_kind_is_refused(alice_client: Client) -> None:
    everything = source(alice_client, "/study/references/")
    assert 'id="orca"' in everything
    assert 'id="vllm"' in everything
    assert "Read 2026-11-30: abstract." in everything
    papers = source(alice_client, "/study/references/?kind=paper")
    assert 'id="orca"' in papers
    assert 'id="vllm"' not in papers
    refused = source(alice_client, "/study/references/?kind=%3Czebra%3E", status=422)
    assert "it must be one of paper, implementation, write-up, documentation" in refused
    assert "<zebra>" not in refused


def test_the_glossary_can_be_linked_to_and_leads_to_the_chapter(alice_client: Client) -> None:
    page = source(alice_client, "/study/glossary/")
    assert page.index('id="decode"') < page.index('id="kv-cache"')
    assert "also decoding" in page
    assert 'href="/study/weights/"' in page


def test_critiques_by_class_are_shown_of_earned_designs_beside_the_quoted_counts(
    alice: User, alice_client: Client, bob_client: Client, now: dt.datetime
) -> None:
    titles = [load_designs().designs["m01"].critique_title(number) for number in range(1, 7)]
    page = source(alice_client, "/study/defects/")
    assert "9 designs you have not sat yet" in page
    assert "ours of 0 of 8 designs" in page
    assert [title for title in titles if title in page] == []
    DesignReading.objects.create(user=alice, slug="m01", at=now)
    page = source(alice_client, "/study/defects/")
    assert "8 designs you have not sat yet" in page
    assert "ours of 1 of 8 designs" in page
    assert page.count('href="/designs/m01/#r') == 6
    assert "8 designs" not in source(bob_client, "/study/defects/").replace("of 8 designs", "")


def test_a_design_on_the_cheat_sheet_unfolds_once_it_is_earned(
    alice: User, alice_client: Client, now: dt.datetime
) -> None:
    deciding = load_designs().designs["m01"].derivation.deciding
    page = source(alice_client, "/study/cheat-sheet/")
    assert "Floor 42.1 ms" in page
    assert "m01: after its round." in page
    assert deciding.text not in page
    DesignReading.objects.create(user=alice, slug="m01", at=now)
    page = source(alice_client, "/study/cheat-sheet/")
    assert f"{deciding.text}." in page
    assert "after its round" not in page


def test_failures_bars_and_caps_are_shown_filled(alice_client: Client) -> None:
    assert "1,000 GPUs busy." in source(alice_client, "/study/failure-modes/")
    page = source(alice_client, "/study/hire-bar/")
    assert "Boxes." in page
    assert "senior at most." in page
    for score in ("below 50% of", "70% to below 85% of", "85% and more of"):
        assert score in page


@pytest.mark.parametrize("path", ["numbers", "order", "references", "glossary", "cheat-sheet", "plan.ics"])
def test_lists_only_answer_to_reading(path: str, alice_client: Client) -> None:
    address = f"/study/{path}" + ("" if "." in path else "/")
    assert alice_client.post(address).status_code == 405
