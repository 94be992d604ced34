"""Markdown becomes HTML that cannot hurt the page it stands on."""

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from designs.markdown import ATTRIBUTES, CLASSES, TAGS, _clean, inline_html, to_html

ATTACKS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)>",
    "<a href='javascript:alert(1)'>x</a>",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "[x](vbscript:x)",
    "<javascript:alert(1)>",
    "![x](https://example.org/track.png)",
    "<style>body{display:none}</style>",
    "<p style='position:fixed'>x</p>",
    "<iframe src='https://example.org'></iframe>",
    "<form action='/rounds/start/'><button>x</button></form>",
    "<math><mi onclick='alert(1)' style='x'>x</mi></math>",
    "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=alert(1)&gt;'>",
    "<math><annotation-xml encoding='text/html'><script>alert(1)</script></annotation-xml></math>",
    "<math href='javascript:alert(1)'><mi>x</mi></math>",
    "<div class='site-head' id='main'>x</div>",
    "<details open ontoggle=alert(1)>x</details>",
    "```html\n<script>alert(1)</script>\n```",
    "[^1]\n\n[^1]: <script>alert(1)</script>",
    "| <script>alert(1)</script> |\n|---|\n| [x](javascript:alert(1)) |",
    "term\n: <img src=x onerror=alert(1)>",
    "<!-- <script>alert(1)</script> -->",
    "<![CDATA[<script>alert(1)</script>]]>",
    "<a\nhref='https://example.org'\nonclick='alert(1)'>x</a>",
    "</section></main><h1>mine</h1>",
]


class Seen(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


def assert_harmless(html: str) -> None:
    seen = Seen()
    seen.feed(html)
    for tag, attributes in seen.tags:
        assert tag in TAGS, (tag, html)
        assert set(attributes) <= ATTRIBUTES.get(tag, set()) | {"rel"}, (tag, attributes)
        assert set((attributes.get("class") or "").split()) <= CLASSES
        href = attributes.get("href")
        assert href is None or re.match(r"https?://|mailto:|/|#|[^:]*$", href), href
        assert not (attributes.get("id") or "fn").strip() or re.match(r"fn", attributes.get("id") or "fn")


@pytest.mark.parametrize("attack", ATTACKS)
def test_html_and_script_in_markdown_are_neutralised(attack: str) -> None:
    for text in (attack, f"before\n\n{attack}\n\nafter", f"in a {attack} line"):
        assert_harmless(to_html(text, prefix="s1"))
        assert_harmless(inline_html(text))


PIECES = st.sampled_from([*"<>/\"'=&;:()[]!`#|- \n", "script", "math", "mi", " onx", "a", "javascript:", "href"])


@given(st.lists(PIECES, max_size=60).map("".join))
def test_no_text_yields_a_tag_or_attribute_beyond_the_list(text: str) -> None:
    assert_harmless(to_html(text))
    assert_harmless(inline_html(text))


def test_what_the_renderer_would_let_through_is_still_cleaned() -> None:
    html = _clean('<div class="site-head num" id="main" style="x"><a id="fnref1" class="b" onclick="x">y</a></div>')
    assert html == '<div class="num"><a id="fnref1" rel="noopener noreferrer">y</a></div>'


def test_html_is_shown_as_the_text_it_is() -> None:
    assert "&lt;b&gt;bold&lt;/b&gt;" in to_html("a <b>bold</b> word")
    assert "&lt;script&gt;" in to_html("<script>alert(1)</script>")


def test_headings_come_below_the_page_s_own() -> None:
    assert to_html("# One\n\n## Two") == "<h2>One</h2>\n<h3>Two</h3>\n"
    assert "<h6>" in to_html("###### Six")
    assert "<h4>" in to_html("## Two", shift=2)


def test_a_table_has_a_wrapper_that_scrolls_and_figures_on_the_right() -> None:
    html = to_html("| a | b |\n|---|--:|\n| x | 1 |")
    assert '<div class="table-scroll" tabindex="0"><table class="table">' in html
    assert '<td class="num">1</td>' in html
    assert '<th scope="col">a</th>' in html
    assert "style" not in html


def test_footnotes_of_two_texts_on_one_page_keep_their_ids_apart() -> None:
    first, second = (to_html("x[^1]\n\n[^1]: y 2026", prefix=prefix) for prefix in ("s1", "s2"))
    ids = [re.findall(r' id="([^"]+)"', html) for html in (first, second)]
    assert ids[0]
    assert not set(ids[0]) & set(ids[1])
    for html, own in zip((first, second), ids, strict=True):
        assert {target[1:] for target in re.findall(r'href="(#[^"]+)"', html)} == set(own)


def test_mathml_passes() -> None:
    html = to_html('Half: <math><mfrac><mn>1</mn><mn>2</mn></mfrac></math>.\n\n<math display="block"><mi>x</mi></math>')
    assert "<math><mfrac><mn>1</mn><mn>2</mn></mfrac></math>" in html
    assert '<math display="block"><mi>x</mi></math>' in html


def test_links_leave_no_handle_on_the_page() -> None:
    assert 'rel="noopener noreferrer"' in to_html("[a](https://example.org)")


def test_definition_lists_and_code_stand() -> None:
    html = to_html("term\n: meaning\n\n```\na < b\n```")
    assert "<dt>term</dt>" in html
    assert '<pre tabindex="0"><code>a &lt; b\n</code></pre>' in html


def test_a_prefix_that_is_no_prefix_is_refused() -> None:
    with pytest.raises(ValueError, match="small letters"):
        to_html("x", prefix='"><script>')
