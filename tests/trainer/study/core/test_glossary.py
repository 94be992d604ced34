"""Terms in HTML: the first use of each is linked, and nothing else of the text changes."""

import re

from hypothesis import given
from hypothesis import strategies as st

from trainer.study.core.glossary import Term, linked

TERMS = (Term("kv-cache", ("KV cache", "cache")), Term("decode", ("decode",)), Term("tpot", ("TPOT",)))


def link(html: str) -> str:
    return linked(html, TERMS, "/g/")


def test_the_first_use_is_linked_and_the_second_is_not() -> None:
    assert link("<p>Decode, then decode.</p>") == '<p><a class="term" href="/g/#decode">Decode</a>, then decode.</p>'


def test_the_longest_name_wins_and_a_plural_counts() -> None:
    assert link("<p>KV caches</p>") == '<p><a class="term" href="/g/#kv-cache">KV caches</a></p>'


def test_a_part_of_a_word_is_no_use_of_a_term() -> None:
    for text in ("<p>decoded</p>", "<p>re-decode</p>", "<p>decode-bound</p>"):
        assert link(text) == text


def test_headings_code_links_formulas_and_notes_stay_as_they_are() -> None:
    for text in (
        "<h2>Decode</h2>",
        "<pre><code>decode</code></pre>",
        '<a href="/decode/">decode</a>',
        "<math><mi>decode</mi></math>",
        '<p title="decode"></p>',
        '<section class="footnotes"><p>decode</p></section>',
    ):
        assert link(text) == text
    assert link("<h2>Decode</h2><p>decode</p>").count("<a ") == 1


@given(st.lists(st.sampled_from(["decode", "cache", " ", "<b>", "</b>", "<code>", "</code>", "TPOT", "&amp;", "x"])))
def test_without_its_links_the_text_is_as_it_was(parts: list[str]) -> None:
    html = "".join(parts)
    found = link(html)
    assert re.sub(r'<a class="term" href="/g/#[\w-]+">(.*?)</a>', r"\1", found) == html
    assert all(found.count(f'href="/g/#{term.id}"') <= 1 for term in TERMS)
