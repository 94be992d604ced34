"""A round stays on the version of its design that it began with."""

import datetime as dt
from pathlib import Path

import pytest

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
