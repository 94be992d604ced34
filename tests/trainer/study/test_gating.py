"""No study page holds a part of a design that is not earned; each note is there once its design is."""

import datetime as dt
import html
import re
from collections.abc import Iterable, Iterator
from functools import cache

import pytest
from django.conf import settings as site
from django.test import Client

from designs.loader import load_designs
from tests.trainer.rounds.test_gating import WORDS_IN_A_ROW, parts_of, words
from tests.trainer.study.pages import HTMX, LISTS
from trainer.accounts.models import User
from trainer.rounds.models import DesignReading
from trainer.study.loader import load_study

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

CALCULATOR = sorted((site.BASE_DIR / "calculator").rglob("*.*"))
"""Its topics and the formulas of its core are open to everybody."""

OPEN_FORMULAS = ("numbers of ", "step ")
"""A formula, and the data sheets' figures put into it, are nobody's secret; what a design concludes from them is."""

Runs = set[tuple[str, ...]]


def runs(text: str) -> Runs:
    """Every run of five words."""
    said = words(text)
    return set(zip(*(said[offset:] for offset in range(WORDS_IN_A_ROW)), strict=False))


def runs_of_page(source: str) -> Runs:
    """With its tags, for what stands in attributes, and as it is read. A tag's name is no word: `</a>` is no "a"."""
    return runs(re.sub(r"</?[a-z][a-z0-9]*", " ", source)) | runs(re.sub(r"<[^>]*>", " ", source))


@cache
def secrets() -> dict[tuple[str, ...], str]:
    """Every run of a gated part with where it is from, without what prompts, summaries and calculator say openly."""
    found: dict[tuple[str, ...], str] = {}
    openly = runs("\n".join(path.read_text() for path in CALCULATOR if path.suffix in (".py", ".toml")))
    for slug, design in load_designs().designs.items():
        written = design.design
        public = [design.text(written.prompt), design.title, design.summary, design.why, *design.hard_part_titles]
        openly |= runs(" . ".join(public))
        for part in parts_of(design):
            if part.name.startswith(OPEN_FORMULAS):
                continue
            found |= dict.fromkeys(runs(part.text), f"{slug}: {part.name}")
    return {run: where for run, where in found.items() if run not in openly}


def told(text: str) -> list[str]:
    """The gated words that a text holds."""
    gated = secrets()
    return sorted(f"{gated[run]}: {' '.join(run)}" for run in runs_of_page(text) if run in gated)


def addresses() -> Iterator[tuple[str, dict[str, str]]]:
    """Every page and partial of the guide."""
    study = load_study()
    for path in (*LISTS, "/study/references/?kind=paper", "/study/plan.ics?start=x"):
        yield path, {}
    for slug in study.chapters:
        yield f"/study/{slug}/", {}
        yield f"/study/{slug}/", HTMX
    for one in study.entries("concepts", "concept"):
        yield f"/study/concepts/{one.id}/", {}


def sources(client: Client) -> Iterator[tuple[str, str]]:
    for path, headers in addresses():
        response = client.get(path, headers=headers)
        assert response.status_code in (200, 422), path
        yield path, html.unescape(response.content.decode())
    plan = client.get("/study/plan.ics?start=2027-03-01&weekday=2&time=19:00&weeks=9&zone=UTC")
    yield "plan.ics", re.sub(r"\r\n ", "", plan.content.decode())
    for one in load_study().entries("concepts", "concept"):
        response = client.post(f"/study/concepts/{one.id}/mark/", {"state": "not_yet"}, headers=HTMX)
        yield f"mark of {one.id}", response.content.decode()


def pages_of(client: Client, paths: Iterable[str]) -> dict[str, str]:
    """Each page asked for once: a list holds many notes."""
    return {path: client.get(path).content.decode() for path in paths}


def test_nothing_of_any_design_is_on_any_page_before_one_is_earned(alice: User, alice_client: Client) -> None:
    found = [(path, words) for path, source in sources(alice_client) if (words := told(source))]
    assert not found, "\n".join(f"{path}: {word}" for path, words in found for word in words)
    assert told("\n".join(f"{card.front} {card.back}" for card in alice.cards.all())) == []


def test_the_sweep_finds_a_sentence_of_a_design_when_there_is_one() -> None:
    for slug, design in load_designs().designs.items():
        sentence = " ".join(words(design.text(design.design.sections[4].body))[40:60])
        assert any(found.startswith(slug) for found in told(f"<p title='{sentence}'>"))


@pytest.mark.parametrize("slug", ["m01", "m02", "m03", "m04", "m05", "m06", "m07", "m08", "chatgpt"])
def test_each_note_is_shown_once_its_design_is_earned_and_not_before(
    slug: str, alice: User, alice_client: Client, bob_client: Client, now: dt.datetime
) -> None:
    study = load_study()
    noted = [
        (address.format(one.id), str(one.note(which)))
        for address, kind, form in (
            ("/study/concepts/{}/", "concepts", "concept"),
            ("/study/transfer/", "transfer", "transfers"),
            ("/study/transfer/", "transfer", "fails"),
            ("/study/patterns/", "patterns", "pattern"),
        )
        for one in study.entries(kind, form)
        for which in one.returns
        if which.slug == slug and which.note
    ]
    assert noted, "no entry says what this design does with it"
    pages = {page for page, _ in noted}
    before = pages_of(alice_client, pages)
    assert [note for page, note in noted if note in before[page]] == []
    DesignReading.objects.create(user=alice, slug=slug, at=now)
    after = pages_of(alice_client, pages)
    assert [note for page, note in noted if note not in after[page]] == []
    others = pages_of(bob_client, pages)
    assert [note for page, note in noted if note in others[page]] == []
