"""Search finds what one has earned, and nothing of what one has not: not in results, counts or the work done."""

import datetime as dt
import re
import shutil
from pathlib import Path

import pytest
from django.test import Client

from designs import search
from designs.core.matching import LONGEST_QUERY, MOST_WORDS, BadQuery, holds_all, query_words, snippet
from designs.loaded import LoadedDesign
from designs.loader import load_designs
from designs.markdown import to_html
from designs.services import design_version_store
from tests.designs.test_pages import SECRETS, page, round_of
from trainer.accounts.models import User
from trainer.rounds.models import DesignReading, State

pytestmark = pytest.mark.django_db
CANARY = "zyzzogeton"
UNEARNED = [state for state in State if state != State.DONE]
# A word of each part that is not public; none of them stands in a title that is.
WORDS_OF_PARTS = ["reused", "masks", "queue", "leak", "confident", "floor", "summariser", "3.4"]


@pytest.fixture
def canary(pack: Path) -> str:
    """A word that stands in every file of x01 that is read and is not public."""
    for path in (pack / "x01").rglob("*.md"):
        if path.name not in ("prompt.md", "sources.md"):
            path.write_text(path.read_text().rstrip() + f"\n\nAnd {CANARY}.\n")
    for name, key in (
        ("derivation", "decides"),
        ("questions", "answer"),
        ("interjections", "say"),
        ("anchors", "text"),
    ):
        path = pack / f"x01/{name}.toml"
        path.write_text(re.sub(rf'^{key} = "', f'{key} = "{CANARY}: ', path.read_text(), flags=re.MULTILINE))
    assert load_designs().refused == ()
    return CANARY


def found(client: Client, query: str, status: int = 200) -> str:
    response = client.get("/designs/search/", {"q": query})
    assert response.status_code == status
    return response.content.decode()


def count(html: str) -> int:
    match = re.search(r'role="status">(\d+) place', html)
    assert match
    return int(match[1])


def test_what_is_earned_is_found_in_every_part_with_a_link_to_its_place(
    pack: Path, canary: str, alice: User, alice_client: Client, now: dt.datetime
) -> None:
    round_of(alice, State.DONE, now)
    shown = page(alice_client, "/designs/x01/")
    loaded = load_designs().designs["x01"]
    places = [place for place in search.places_of(loaded) if canary in place.text]
    assert {re.sub(r"\d|-.*", "", place.anchor) for place in places} == {
        "prompt", "s", "a", "r", "interruptions", "anchors", "step",
    }  # fmt: skip
    assert all(f'id="{place.anchor}"' in shown for place in places)
    html = found(alice_client, canary)
    assert count(html) == len(places)
    assert f"<mark>{canary}</mark>" in html
    assert 'href="/designs/x01/#prompt"' in html


@pytest.mark.parametrize("state", UNEARNED)
def test_of_what_is_not_earned_no_word_is_in_results_or_counts(
    pack: Path, canary: str, alice: User, alice_client: Client, now: dt.datetime, state: State
) -> None:
    round_of(alice, state, now)
    unknown = found(alice_client, "wordthatisnowhere")
    for word in (canary, *WORDS_OF_PARTS):
        html = found(alice_client, word)
        shown, empty = (text[text.index("<main") :] for text in (html, unknown))
        assert shown.replace(word, "…") == empty.replace("wordthatisnowhere", "…")
        assert all(words not in html for words in SECRETS.values())


def test_a_design_that_is_not_earned_is_not_so_much_as_rendered(
    pack: Path, alice_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    for name in ("section_html", "critique_html", "revision_html", "prompt_html", "step_consequence", "inline"):
        monkeypatch.setattr(LoadedDesign, name, lambda *_, name=name: asked.append(name))
    found(alice_client, "queue")
    assert asked == []


def test_one_earned_design_opens_no_other(
    pack: Path, canary: str, alice: User, alice_client: Client, now: dt.datetime
) -> None:
    other = pack / "x02"
    shutil.copytree(pack / "x01", other)
    for path in other.rglob("*.*"):
        path.write_text(path.read_text().replace("x01", "x02").replace(CANARY, "quinquagesima"))
    design_version_store(slug="x02", now=now)
    round_of(alice, State.DONE, now)
    assert count(found(alice_client, canary)) > 0
    assert count(found(alice_client, "quinquagesima")) == 0
    both = found(alice_client, "nightly summary")
    assert 'href="/designs/x02/"' in both  # its title is public


def test_what_alice_has_earned_is_found_by_nobody_else(
    pack: Path, canary: str, alice: User, alice_client: Client, bob_client: Client, stranger_client: Client,
    anonymous_client: Client, now: dt.datetime,
) -> None:  # fmt: skip
    round_of(alice, State.DONE, now)
    assert count(found(alice_client, canary)) > 0
    for client in (bob_client, stranger_client):
        assert count(found(client, canary)) == 0
    assert anonymous_client.get("/designs/search/", {"q": canary}).status_code == 302


def test_reading_without_attempting_earns_the_search_too(
    pack: Path, canary: str, alice: User, alice_client: Client, now: dt.datetime
) -> None:
    DesignReading.objects.create(user=alice, slug="x01", at=now)
    assert count(found(alice_client, canary)) > 0


def test_titles_and_hard_parts_are_found_before_anything_is_earned(pack: Path, alice_client: Client) -> None:
    html = found(alice_client, "NIGHTLY summ")
    assert count(html) == 1
    assert "A <mark>nightly</mark> <mark>summ</mark>ary job" in html
    assert count(found(alice_client, "second run")) == 1


def test_a_changed_design_is_searched_as_it_is_now(
    pack: Path, alice: User, alice_client: Client, now: dt.datetime
) -> None:
    round_of(alice, State.DONE, now)
    assert count(found(alice_client, CANARY)) == 0
    prompt = pack / "x01/prompt.md"
    prompt.write_text(prompt.read_text() + f"\n{CANARY}\n")
    assert count(found(alice_client, CANARY)) == 1


def test_markup_in_a_query_or_a_design_is_shown_as_text(
    pack: Path, alice: User, alice_client: Client, now: dt.datetime
) -> None:
    prompt = pack / "x01/prompt.md"
    prompt.write_text(prompt.read_text() + "\n`<script>alert(1)</script>` & so on\n")
    round_of(alice, State.DONE, now)
    html = found(alice_client, "<script>alert")
    assert "<mark>&lt;script&gt;alert</mark>(1)&lt;/script&gt; &amp; so on" in html
    assert "<script>alert" not in html


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("x" * 10_000, f"10,000 characters; at most {LONGEST_QUERY}"),
        ("queue\x00", r"U+0000"),
        (" ".join(f"w{n}" for n in range(MOST_WORDS + 1)), f"{MOST_WORDS + 1} words; at most {MOST_WORDS}"),
    ],
)
def test_a_query_that_cannot_be_is_refused_at_the_field(
    pack: Path, alice_client: Client, query: str, words: str
) -> None:
    html = found(alice_client, query, status=422)
    assert words in html
    assert 'aria-invalid="true"' in html


@pytest.mark.parametrize("query", ["", "   ", "\t\n"])
def test_an_empty_query_says_how_to_search(pack: Path, alice_client: Client, query: str) -> None:
    assert "Type a word or several" in found(alice_client, query)
    assert alice_client.get("/designs/search/").status_code == 200


@pytest.mark.parametrize("query", ["(", "a*b[", "\\", "%", "_", "💥", "ﬁ", "é", "'; DROP TABLE", "-x", "§5"])
def test_no_query_is_an_error_of_the_server(pack: Path, alice_client: Client, query: str) -> None:
    found(alice_client, query)


def test_the_index_has_the_input(pack: Path, alice_client: Client) -> None:
    html = page(alice_client, "/designs/")
    assert 'action="/designs/search/"' in html
    assert 'type="search"' in html


def test_a_word_is_found_by_how_it_begins_in_either_case() -> None:
    assert holds_all("The Queue is bounded", query_words("que BOUND"))
    assert not holds_all("A request", query_words("quest"))
    assert holds_all("Größe", query_words("gro\u0308ße"))


def test_a_snippet_is_cut_around_the_first_word_and_marks_each() -> None:
    text = "before " * 100 + "the queue and the bound " + "after " * 100
    marks = snippet(text, query_words("queue bound"))
    assert [mark.text for mark in marks if mark.found] == ["queue", "bound"]
    whole = "".join(mark.text for mark in marks)
    assert (whole[:2], whole[-2:]) == ("… ", " …")
    assert len(whole) < 400
    assert whole.strip("… ") in text


def test_a_snippet_shows_where_the_words_stand_together() -> None:
    text = "one queue " + "and so on " * 60 + "a queue with a bound " + "and so on " * 60
    assert [mark.text for mark in snippet(text, query_words("bound queue")) if mark.found] == ["queue", "bound"]


def test_the_marks_of_footnotes_are_no_part_of_the_text() -> None:
    html = to_html("A queue[^1] holds.\n\n[^1]: A source.", prefix="s1")
    assert search.plain(html) == "A queue holds. A source."


def test_overlapping_words_are_marked_once() -> None:
    marks = snippet("a queue", query_words("que queue"))
    assert "".join(mark.text for mark in marks) == "a queue"


def test_a_slug_that_is_a_page_of_the_site_is_refused(pack: Path) -> None:
    shutil.move(pack / "x01", pack / "search")
    head = pack / "search/design.toml"
    head.write_text(head.read_text().replace('"x01"', '"search"'))
    (refused,) = load_designs().refused
    assert "is a page of the site's own" in refused.problems[0].message


def test_a_query_is_words_of_text() -> None:
    assert query_words(" a  A b ") == query_words("a b")
    with pytest.raises(BadQuery):
        query_words("\ud800")
