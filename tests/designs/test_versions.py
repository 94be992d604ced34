"""A round stays on the version of its design that it began with."""

import dataclasses
import datetime as dt
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from calculator import catalogue
from calculator.core.records import replace
from calculator.expressions import Quantity
from calculator.facts import CatalogueFacts, Fact, catalogue_facts
from designs import loader, selectors
from designs.core.used_facts import KeptFacts, UsedFacts
from designs.models import DesignVersion
from designs.selectors import DesignNotFound, design_of
from designs.services import design_version_store
from tests.designs.pack_files import example


def change_prompt(pack: Path) -> None:
    prompt = pack / "x01/prompt.md"
    prompt.write_text(prompt.read_text() + "\nAnd now it is another one.\n")


@pytest.mark.django_db
def test_a_version_keeps_files_and_drawings(pack: Path, now: dt.datetime) -> None:
    version = design_version_store(slug="x01", now=now)
    assert version.files["prompt.md"] == (pack / "x01/prompt.md").read_text()
    assert version.diagrams["first"].startswith("<svg")
    assert version.diagrams["first"] != version.diagrams["revised"]
    assert version.created_at == now


@pytest.mark.django_db
def test_the_same_files_are_kept_once(pack: Path, now: dt.datetime) -> None:
    first = design_version_store(slug="x01", now=now)
    again = design_version_store(slug="x01", now=now + dt.timedelta(days=1))
    assert first == again
    assert DesignVersion.objects.get().created_at == now


@pytest.mark.django_db
def test_a_design_that_changes_leaves_an_earlier_version_as_it_was(pack: Path, now: dt.datetime) -> None:
    before = design_version_store(slug="x01", now=now)
    change_prompt(pack)
    after = design_version_store(slug="x01", now=now)
    assert before != after
    assert "another one" not in design_of(before).prompt_html()
    assert "another one" in design_of(after).prompt_html()


@pytest.mark.django_db
def test_a_version_outlives_its_files(pack: Path, now: dt.datetime) -> None:
    version = design_version_store(slug="x01", now=now)
    for path in (pack / "x01").rglob("*.*"):
        path.unlink()
    loaded = design_of(DesignVersion.objects.get(pk=version.pk))
    assert loaded.derivation.deciding.text == "3.4 h"
    assert loaded.diagram_html("revised") == version.diagrams["revised"]
    with pytest.raises(DesignNotFound):
        design_version_store(slug="x01", now=now)


@pytest.mark.django_db
def test_the_drawings_of_a_version_are_those_that_were_stored_with_it(pack: Path, now: dt.datetime) -> None:
    stored = {"first": "<svg><title>as it was drawn then</title></svg>", "revised": ""}
    version = DesignVersion.objects.create(
        slug="x01", digest="0" * 64, files=example(), diagrams=stored, created_at=now
    )
    loaded = design_of(version)
    assert {which: loaded.diagram_html(which) for which in stored} == stored


@pytest.mark.django_db
def test_a_version_is_parsed_once(pack: Path, now: dt.datetime) -> None:
    version = design_version_store(slug="x01", now=now)
    assert design_of(version) is design_of(DesignVersion.objects.get(pk=version.pk))


BUILT_ON_FACTS = """
[[step]]
id = "from_facts"
title = "A step out of the catalogue"
expression = "kv_cache_bytes_per_token(llama70b) * h100.hbm_bandwidth / h100.hbm_bandwidth"
unit = "KiB/tok"
digits = 3
decides = "Reads {{ h100.memory }} and {{ planning.prefill_mfu }}."
"""


@pytest.fixture
def other_catalogue(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[CatalogueFacts], None]]:
    """Puts another catalogue in the place of the present one, as a new release would."""

    def put(facts: CatalogueFacts) -> None:
        monkeypatch.setattr(loader, "catalogue_facts", lambda: facts)
        loader._load.cache_clear()
        selectors._stored.cache_clear()

    yield put
    loader._load.cache_clear()
    selectors._stored.cache_clear()


def catalogue_without(*gone: str, **changed: Quantity) -> CatalogueFacts:
    """Today's facts, some gone and some changed (`h100_memory` for `h100.memory`); no model, no accelerator."""
    table: dict[str, Fact] = {}
    for path in catalogue_facts().paths():
        fact = catalogue_facts().described(path)
        assert fact is not None
        if path not in gone:
            table[path] = dataclasses.replace(fact, quantity=changed.get(path.replace(".", "_"), fact.quantity))

    class WithoutRows(CatalogueFacts):
        def language_model(self, key: str) -> None:
            return None

        def accelerator(self, key: str) -> None:
            return None

    return WithoutRows(table)


@pytest.mark.django_db
def test_a_round_s_figures_stay_when_facts_are_changed_and_taken_out_of_the_catalogue(
    pack: Path, now: dt.datetime, other_catalogue: Callable[[CatalogueFacts], None]
) -> None:
    derivation = pack / "x01/derivation.toml"
    derivation.write_text(derivation.read_text() + BUILT_ON_FACTS)
    version = design_version_store(slug="x01", now=now)
    step = design_of(version).derivation.step("from_facts")
    assert step is not None
    consequence = design_of(version).step_consequence(step)
    other_catalogue(catalogue_without("planning.prefill_mfu", h100_memory=Quantity(1e9, "GB")))
    assert loader.load_designs().designs == {}  # the files as they are cannot be used with that catalogue
    later = design_of(DesignVersion.objects.get(pk=version.pk))
    assert later.derivation.step("from_facts") == step
    assert later.step_consequence(step) == consequence
    assert later.section_html(2)
    assert later.derivation.deciding.text == "3.4 h"


@pytest.mark.django_db
def test_a_round_begun_after_a_fact_changed_has_the_new_figure(
    pack: Path, now: dt.datetime, other_catalogue: Callable[[CatalogueFacts], None]
) -> None:
    prompt = pack / "x01/prompt.md"
    prompt.write_text(prompt.read_text() + "\nThe GPU has {{ h100.memory }}.\n")
    before = design_version_store(slug="x01", now=now)
    other_catalogue(catalogue_without(h100_memory=Quantity.of(77, "GiB")))
    after = design_version_store(slug="x01", now=now)
    assert "80.0 GiB" in design_of(before).prompt_html()
    assert "77.0 GiB" in design_of(after).prompt_html()
    assert (before.files, before.digest != after.digest) == (after.files, True)


def test_facts_that_were_kept_come_back_as_they_were_and_no_others() -> None:
    used = UsedFacts(catalogue_facts())
    for path in ("h100.memory", "llama70b.layers", "no.such_fact"):
        used.fact(path)
    for key in ("deepseek-v3", "llama70b", "no-such-row"):
        used.language_model(key)
        used.accelerator("h100")
    kept = KeptFacts(json.loads(json.dumps(used.as_json())))
    assert kept.fact("h100.memory") == catalogue_facts().fact("h100.memory")
    assert kept.language_model("llama70b") == catalogue.models()["llama70b"]
    assert kept.accelerator("h100") == catalogue.accelerators()["h100"]
    assert (kept.fact("h200.memory"), kept.fact("no.such_fact"), kept.language_model("no-such-row")) == (None,) * 3
    changed = replace(catalogue.models()["llama70b"], layers=81)
    assert kept.language_model("llama70b") != changed


def test_a_field_that_a_table_no_longer_has_does_not_stop_a_round() -> None:
    used = UsedFacts(catalogue_facts())
    used.accelerator("h100")
    kept = json.loads(json.dumps(used.as_json()))
    kept["accelerators"]["h100"]["colour"] = "green"
    assert KeptFacts(kept).accelerator("h100") == catalogue.accelerators()["h100"]
