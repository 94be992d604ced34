"""A chapter: figures that follow the inputs of the URL, and what stands around them."""

import html
import itertools
import re
from pathlib import Path

import pytest
from django.test import Client

from tests.trainer.study.pages import HTMX, source

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("track")]

WEIGHTS = "/study/weights/"


def text_of(page: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", page)).split())


def test_figures_names_and_workings_follow_the_inputs(alice_client: Client) -> None:
    page = text_of(source(alice_client, WEIGHTS))
    assert "of Llama 3.1 70B on 4 × H100 SXM5 80 GB reads 141 GB : 80 layers" in page.replace("GB:", "GB :")
    assert "10.5 ms" in page
    other = text_of(source(alice_client, f"{WEIGHTS}?gpus=8&gpu=h200"))
    assert "on 8 × H200 SXM 141 GB reads" in other
    assert "3.67 ms" in other
    assert "10.5 ms" not in other


def test_what_a_step_says_turns_with_the_inputs(alice_client: Client) -> None:
    assert "That is slow: 10.5 ms." in text_of(source(alice_client, WEIGHTS))
    assert "That is faster than 10.0 ms." in text_of(source(alice_client, f"{WEIGHTS}?gpus=8"))


def test_plot_workings_and_drawing_stand_where_the_text_has_them(alice_client: Client) -> None:
    page = source(alice_client, WEIGHTS)
    places = [page.index(mark) for mark in ('id="step-lowest"', 'id="plot-over-gpus"', 'class="diagram"')]
    assert places == sorted(places)
    assert "{{" not in page
    assert page.count("Weights go to the GPU.") == 2  # for those who do not see it, and below the drawing
    assert 'id="the-drawing-in-words"' not in page


def test_a_refused_input_is_named_with_its_range_and_the_rest_is_kept(alice_client: Client) -> None:
    page = source(alice_client, f"{WEIGHTS}?gpus=0&gpu=h200", status=422)
    assert "it must be a whole number from 1 to 64, for example 4." in page
    assert 'value="h200"' in page
    assert 'value="0"' in page
    assert "10.5 ms" not in page


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("gpus=1.5", "is not a whole number"),
        ("gpus=1e9", "is not a whole number"),
        ("gpus=", "141 GB"),
        ("model=gpt-9", "is unknown"),
        ("gpus=4&gpus=8", "it is given more than once"),
        ("zebra=1", "there is no such field"),
        ("gpus=%00", "is not a whole number"),
        ("model=" + "x" * 3000, "characters are too many"),
    ],
)
def test_bad_input_is_a_refusal_and_never_an_error(query: str, told: str, alice_client: Client) -> None:
    status = 200 if told == "141 GB" else 422
    assert told in text_of(source(alice_client, f"{WEIGHTS}?{query}", status=status))


def test_a_sentence_without_its_figure_at_some_inputs_is_a_refusal(track: Path, alice_client: Client) -> None:
    body = track / "chapters" / "weights.md"
    body.write_text("Here {{ 1 / (gpus - 5) }} stands.\n\n" + body.read_text())
    assert "stands." in source(alice_client, WEIGHTS)
    assert "has no figure here" in source(alice_client, f"{WEIGHTS}?gpus=5", status=422)


def test_htmx_gets_the_text_alone_and_the_address_of_its_inputs(alice_client: Client) -> None:
    response = alice_client.get(f"{WEIGHTS}?gpus=8", headers=HTMX)
    page = response.content.decode()
    assert page.lstrip().startswith('<article id="chapter-text"')
    assert "<form" not in page
    assert response.headers["HX-Replace-Url"] == f"{WEIGHTS}?gpus=8"
    assert "data-refused" not in page


def test_a_half_typed_input_leaves_the_text_and_is_said_at_its_field_and_above(alice_client: Client) -> None:
    response = alice_client.get(f"{WEIGHTS}?gpus=8&model=lla", headers=HTMX)
    page = response.content.decode()
    assert response.status_code == 422
    assert response.headers["HX-Reswap"] == "none"
    assert "HX-Replace-Url" not in response.headers
    assert "chapter-text" not in page
    assert re.search(r'id="chapter-refused" hx-swap-oob="true"[^>]*data-refused', page)
    assert "The figures below are those from before. Model : 'lla' is unknown" in text_of(page)
    assert re.search(r'id="field-model-error" hx-swap-oob="true">&#x27;lla&#x27; is unknown', page)
    assert 'hx-swap-oob="innerHTML">The figures are still those from before: 1 field refused.' in page


def test_what_is_refused_offers_an_input_that_would_do(alice_client: Client) -> None:
    page = source(alice_client, f"{WEIGHTS}?gpus=0&gpu=h200", status=422)
    (link,) = re.findall(r'<a href="([^"]+)">Read it with GPUs: 4</a>', page)
    assert "on 4 × H200 SXM 141 GB reads" in text_of(source(alice_client, html.unescape(link)))
    assert "Read it with Llama 3.1 70B</a>" in source(alice_client, f"{WEIGHTS}?model=llama70", status=422)
    assert "Read it with" not in source(alice_client, f"{WEIGHTS}?gpus=0&model=gpt-9", status=422)


def test_the_first_use_of_a_term_leads_to_the_glossary_and_no_other(alice_client: Client) -> None:
    page = source(alice_client, WEIGHTS)
    assert page.count('href="/study/glossary/#decode"') == 1
    assert 'Every <a class="term" href="/study/glossary/#decode">decode</a> step' in page


def test_sources_are_footnotes_with_their_date(alice_client: Client) -> None:
    page = text_of(source(alice_client, WEIGHTS))
    assert "NVIDIA, H100 datasheet (2023). nvidia.com . Read 2026-11-30." in page.replace("nvidia.com.", "nvidia.com .")


def test_previous_and_next_needs_concepts_topics_and_references_are_links(alice_client: Client) -> None:
    first, second = source(alice_client, WEIGHTS), source(alice_client, "/study/batches/")
    assert 'rel="next" class="study-turn-next" href="/study/batches/"' in first
    assert 'rel="prev"' not in first
    assert 'rel="prev" href="/study/weights/"' in second
    assert 'Builds on <a href="/study/weights/">Weights</a>' in second
    for link in ("/study/concepts/D1.1/", "/calculator/topics/kv-seconds/", "/study/references/#orca"):
        assert f'href="{link}"' in first


def test_a_topic_of_the_calculator_leads_back_to_its_chapters(alice_client: Client) -> None:
    page = source(alice_client, "/calculator/topics/kv-seconds/")
    assert '<a href="/study/weights/">Weights</a>' in page
    assert "Read about it" not in source(alice_client, "/calculator/topics/goodput/")


def test_the_chapters_arithmetic_opens_in_the_worksheet_without_an_error(alice_client: Client) -> None:
    (link,) = re.findall(r'href="(/calculator/worksheet/\?text=[^"]+)"', source(alice_client, f"{WEIGHTS}?gpus=8"))
    page = source(alice_client, html.unescape(link))
    assert "is-error" not in page
    assert "5.26" in page


def test_headings_go_down_by_one_and_can_be_linked_to(alice_client: Client) -> None:
    page = source(alice_client, WEIGHTS)
    levels = [int(level) for level in re.findall(r"<h([1-6])\b", page)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(later - earlier <= 1 for earlier, later in itertools.pairwise(levels))
    assert 'href="#the-read"' in page
    assert '<h2 id="the-read">The read</h2>' in page


def test_a_chapter_that_is_not_there_is_not_found(alice_client: Client) -> None:
    source(alice_client, "/study/nothing/", status=404)
    assert alice_client.post(WEIGHTS).status_code == 405
