"""No response of the site holds a part of the worked design before its moment.

The walk asks every URL of the site, in every state, and looks for any five words in a row of a part that has not been
earned: in the text, the source with its attributes and comments, JSON, and headers.
"""

import html
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.conf import settings as site
from django.contrib.staticfiles.finders import get_finders
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from designs.loaded import LoadedDesign
from tests.trainer.rounds.sitting import EVIDENCE, SLUG, Sitting, frozen, scores_form
from trainer.rounds import services

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

WORDS_IN_A_ROW = 5
NEVER = 10**6
# The order of what is shown: 0 the prompt, 100 the reveal's deciding number, 101 to 110 the sections,
# 200 + 10 n a critique, 205 + 10 n its revision, 300 done.
DECIDING, SECTION, CRITIQUE, REVISION, DONE = 100, 100, 200, 205, 300

OPEN_FIGURES = ("GET /study/", "GET /drills/")
"""Where the catalogue's figures stand for everybody, in formulas too. Guide and drills have sweeps of their own."""


@dataclass(frozen=True)
class Part:
    """A text of the design and the moment from which it may be shown."""

    name: str
    moment: int
    text: str


def parts_of(design: LoadedDesign) -> Iterator[Part]:
    written = design.design
    for question in written.questions:
        yield Part(f"answer {question.id}", NEVER, design.question_answer(question.id))
        yield Part(f"question {question.id}", NEVER, design.question_ask(question.id))
    for interjection in written.interjections:
        yield Part(f"interjection {interjection.id}", NEVER, design.interjection_say(interjection.id))
        for point in design.interjection_points(interjection.id):
            yield Part(f"point of {interjection.id}", NEVER, point)
    for anchor in written.anchors:
        if anchor.needs_figure:
            yield Part(f"figures of anchor {anchor.id}", DECIDING, design.anchor_revealed(anchor))
    for step in design.derivation.steps:
        moment = DECIDING if step.deciding else SECTION + 2
        yield Part(f"step {step.id}", moment, f"{step.title} {step.formula}")
        yield Part(f"consequence of {step.id}", moment, design.step_consequence(step))
        yield Part(f"numbers of {step.id}", moment, step.with_numbers)
    for section in written.sections:
        yield Part(f"section {section.number}", SECTION + section.number, design.text(section.body))
    yield Part("first diagram", SECTION + 4, design.text(written.diagram.first_text))
    yield Part("revised diagram", DONE, design.text(written.diagram.revised_text))
    for critique in written.critiques:
        number = critique.number
        yield Part(f"critique {number}", CRITIQUE + 10 * number, design.text(critique.critique))
        yield Part(f"title of critique {number}", CRITIQUE + 10 * number, design.critique_title(number))
        yield Part(f"revision {number}", REVISION + 10 * number, design.text(critique.revision))
        yield Part(f"partial credit {number}", REVISION + 10 * number, design.text(critique.partial))


def words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+(?:\.\d+)?", html.unescape(text).casefold())


def runs(text: str) -> set[tuple[str, ...]]:
    """Every run of five words; the whole of a shorter text, if it has at least three."""
    said = words(text)
    length = min(WORDS_IN_A_ROW, len(said))
    return {tuple(said[at : at + length]) for at in range(len(said) - length + 1)} if length >= 3 else set()


def runs_shown(response: HttpResponse) -> set[tuple[str, ...]]:
    """Every run of three to five words of a response: with its tags, and without them."""
    source = "\n".join(f"{name}: {value}" for name, value in response.headers.items())
    source += b"".join(response).decode() if response.streaming else response.content.decode()
    shown: set[tuple[str, ...]] = set()
    for text in (source, re.sub(r"<[^>]*>", " ", source), source.encode().decode("unicode_escape", "replace")):
        said = words(text)
        for length in range(3, WORDS_IN_A_ROW + 1):
            shown.update(zip(*(said[offset:] for offset in range(length)), strict=False))
    return shown


class Walk:
    """One trainee's walk through a round; after each step every URL is asked for and searched."""

    def __init__(self, sitting: Sitting, client: Client, design: LoadedDesign) -> None:
        self.sitting, self.client = sitting, client
        self.parts = list(parts_of(design))
        self.prompt = runs(design.text(design.design.prompt)) | runs(design.summary) | runs(design.title)
        self.requests = 0

    def nothing_later_is_shown(self, moment: int) -> None:
        earned = self.prompt.union(*(runs(part.text) for part in self.parts if part.moment <= moment))
        forbidden = [(part.name, runs(part.text) - earned) for part in self.parts if part.moment > moment]
        for label, response in self.responses():
            assert response.status_code < 500, label
            shown = runs_shown(response)
            for name, secret in forbidden:
                if name.startswith("numbers of ") and label.startswith(OPEN_FIGURES):
                    continue
                assert not secret & shown, f"{label} in {self.sitting.state} shows {name}: {secret & shown}"

    def responses(self) -> Iterator[tuple[str, HttpResponse]]:
        for path in paths(self.sitting):
            with frozen(self.sitting.now):
                yield f"GET {path}", self.client.get(path)
            self.requests += 1
        for name, args, data in POSTS:
            with frozen(self.sitting.now), transaction.atomic():
                url = self.sitting.url(name, *args)
                yield f"POST {url}", self.client.post(url, data)
                yield f"POST {url} by a script", self.client.post(url, data, headers={"Accept": "application/json"})
                transaction.set_rollback(True)
            self.requests += 2


POSTS = [
    ("ask", (), {"text": "Is the colour of the dashboard in scope?"}),
    ("ask", (), {"text": ""}),
    ("begin", (), {"from": "prompt"}),
    ("begin", (), {"from": "writing"}),
    ("submit", (), {}),
    ("pause", (), {}),
    ("resume", (), {}),
    ("star", (), {"line": "nothing"}),
    ("evaluate", (), {"text": "run_time = 1 h\na = run_time + total_tokens"}),
    ("scores", (), {}),
    ("scores", (), {"level_1": "3", "quote_1": "not there at all"}),
    ("reveal", (), {"position": "10"}),
    ("reveal", (), {"position": "x"}),
    ("critique_first", (1,), {}),
    ("critique_answer", (6,), {"answer": "Mine."}),
    ("critique_answer", (1,), {"answer": ""}),
    ("critique_mark", (6,), {"mark": "hit"}),
    ("critique_mark", (1,), {"mark": "maybe"}),
    ("addenda", (), {"key": "s1", "text": "late", "save_id": "x"}),
    ("document", ("s1",), {"text": "x", "base_revision": "99"}),
    ("focus", (), {"key": "s1"}),
]


def paths(sitting: Sitting) -> list[str]:
    """Every path of the site that a GET can ask for, its converters filled with what is known."""
    filled = {"uuid": str(sitting.id), "slug": SLUG, "str": SLUG, "int": "1", "path": SLUG}
    found = []
    for pattern in patterns(get_resolver().url_patterns, ""):
        found.append("/" + re.sub(r"<(?:(\w+):)?(\w+)>", lambda match: filled[match[1] or "str"], pattern))
    return [*found, f"/rounds/{sitting.id}/critiques/6/answer/", f"/rounds/{sitting.id}/documents/s10/"]


def patterns(found: list[URLPattern | URLResolver], prefix: str) -> Iterator[str]:
    for pattern in found:
        route = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from patterns(pattern.url_patterns, route)
        elif "healthz" not in route and "^" not in route:
            yield route


@pytest.fixture
def walk(sitting: Sitting, alice_client: Client, design: LoadedDesign) -> Walk:
    return Walk(sitting, alice_client, design)


def test_the_design_has_secrets_of_every_kind_to_look_for(walk: Walk) -> None:
    kinds = {part.name.split()[0] for part in walk.parts if runs(part.text) - walk.prompt}
    assert kinds >= {"answer", "interjection", "point", "figures", "step", "section", "first", "critique", "revision"}
    assert len(list(paths(walk.sitting))) > 20


def test_the_walk_finds_a_text_that_is_shown(walk: Walk) -> None:
    walk.sitting.to("done")
    with pytest.raises(AssertionError, match=r"shows|section"):
        walk.nothing_later_is_shown(0)


def test_b013_before_the_submission_nothing_but_the_prompt_is_shown(walk: Walk) -> None:
    walk.nothing_later_is_shown(0)
    services.question_ask(round=walk.sitting.round, text="What is the colour?", now=walk.sitting.now)
    walk.nothing_later_is_shown(0)
    walk.sitting.begin().save("worksheet", "run = 5 h")
    services.deciding_star(round=walk.sitting.round, line_name="run", now=walk.sitting.now)
    walk.nothing_later_is_shown(0)
    walk.sitting.write()
    walk.nothing_later_is_shown(0)


def test_at_scoring_the_anchors_are_shown_without_their_figures(walk: Walk) -> None:
    walk.sitting.begin().write().save("s1", EVIDENCE)
    services.round_submit(round=walk.sitting.round, now=walk.sitting.now)
    walk.nothing_later_is_shown(DECIDING - 1)
    page = walk.sitting.at(walk.client).get("round").content.decode()
    assert "derives the run time: …" in page
    refused = walk.sitting.at(walk.client).post("scores", data=scores_form(quote="words never written"))
    assert refused.status_code == 422
    assert "derives the run time: …" in refused.content.decode()


@pytest.mark.parametrize("position", [0, 1, 3, 4, 9, 10])
def test_the_reveal_shows_the_sections_up_to_its_position_alone(walk: Walk, position: int) -> None:
    walk.sitting.begin().write().save("s1", EVIDENCE)
    walk.sitting.to("reveal")
    for left in range(position):
        services.reveal_advance(round=walk.sitting.round, position=left, now=walk.sitting.tick())
    walk.nothing_later_is_shown(SECTION + position)


@pytest.mark.parametrize("number", [1, 2, 6])
def test_a_critique_is_shown_after_the_ones_before_it_and_its_revision_after_its_answer(
    walk: Walk, number: int
) -> None:
    walk.sitting.begin().write().save("s1", EVIDENCE)
    walk.sitting.to("critique")
    for earlier in range(1, number):
        answer_and_mark(walk.sitting, earlier)
    walk.nothing_later_is_shown(CRITIQUE + 10 * number)
    services.critique_answer(round=walk.sitting.round, number=number, text="Mine.", now=walk.sitting.tick())
    walk.nothing_later_is_shown(REVISION + 10 * number)


def test_a_round_abandoned_at_its_critiques_shows_nothing_of_the_later_ones(walk: Walk) -> None:
    walk.sitting.begin().write().save("s1", EVIDENCE)
    walk.sitting.to("critique")
    services.round_abandon(round=walk.sitting.round, now=walk.sitting.tick())
    walk.nothing_later_is_shown(CRITIQUE + 10)


def answer_and_mark(sitting: Sitting, number: int) -> None:
    services.critique_answer(round=sitting.round, number=number, text="Mine.", now=sitting.tick())
    services.critique_mark(round=sitting.round, number=number, mark="miss", now=sitting.tick())


def test_no_static_file_is_content_and_static_serving_does_not_reach_it(client: Client, design: LoadedDesign) -> None:
    served = [Path(finder_storage.path(path)) for finder in get_finders() for path, finder_storage in finder.list([])]
    assert served
    assert not [path for path in served if path.suffix in (".toml", ".dot")]
    contents = {text.strip() for text in design.files.values()}
    assert not [path for path in served if path.suffix == ".md" and path.read_text().strip() in contents]
    for root in map(Path, site.CONTENT_DIRS):
        for static in (*map(Path, site.STATICFILES_DIRS), Path(site.STATIC_ROOT)):
            assert not root.resolve().is_relative_to(static.resolve())
    names = ["x01/design.toml", "../designs/content/m01/design.toml", "%2e%2e/designs/content/m01/design.toml"]
    for prefix, name in itertools.product(["/static/", "/", "/designs/content/"], names):
        assert client.get(prefix + name).status_code in (302, 400, 404)


def test_the_list_of_rounds_names_designs_and_gives_nothing_away(walk: Walk) -> None:
    page = walk.client.get(reverse("rounds:index")).content.decode()
    assert "A nightly summary job" in page
    assert "will it finish by six" not in page.casefold()
