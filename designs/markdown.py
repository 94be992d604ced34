"""Writers' and trainees' Markdown to HTML that is safe to put on a page."""

import re

import nh3
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.footnote import footnote_plugin

_MATHML_WORDS = """math mrow mi mn mo ms mtext mspace mfrac msqrt mroot msub msup msubsup munder mover munderover mtable
mtr mtd mstyle mpadded mphantom semantics"""
_HTML_WORDS = """p br hr h2 h3 h4 h5 h6 em strong s code pre blockquote ul ol li dl dt dd a sup sub section div span
table thead tbody tr th td"""
MATHML = frozenset(_MATHML_WORDS.split())
TAGS = MATHML | frozenset(_HTML_WORDS.split())
CLASSES = frozenset(
    [
        "table-scroll",
        "table",
        "num",
        "footnotes",
        "footnotes-sep",
        "footnotes-list",
        "footnote-item",
        "footnote-ref",
        "footnote-backref",
    ]
)
ATTRIBUTES = {
    "a": {"href", "id", "title", "class"},
    "ol": {"start", "class"},
    "li": {"id", "class"},
    "th": {"scope", "class"},
    "td": {"class"},
    "div": {"class", "tabindex", "role", "aria-label"},
    "hr": {"class"},
    "section": {"class", "aria-label"},
    "table": {"class"},
    "pre": {"tabindex"},
    "sup": {"class"},
    "math": {"display"},
    "mo": {"stretchy", "fence"},
    "mi": {"mathvariant"},
    "mspace": {"width"},
}
HEADING_SHIFT = 1
_TAG = re.compile(r"</?([A-Za-z][A-Za-z0-9]*)(\s[^<>]*)?/?>")
_ID_PREFIX = re.compile(r"[a-z0-9-]{0,24}")


def to_html(markdown: str, *, prefix: str = "", shift: int = HEADING_SHIFT) -> SafeString:
    """Markdown (tables, footnotes, definition lists, MathML) as HTML.

    `prefix` keeps the ids of footnotes apart when a page holds several texts; `shift` moves headings down, so that
    the page's own come first. Any other HTML in the text is shown as the text it is.
    """
    if not _ID_PREFIX.fullmatch(prefix):
        raise ValueError(f"prefix {prefix!r} must be small letters, digits and hyphens")
    html = _renderer(shift).render(markdown, {"docId": prefix, "prefix": prefix})
    return mark_safe(_clean(html))


def inline_html(markdown: str) -> SafeString:
    """One line of Markdown (a title, a point of a list) without a paragraph around it."""
    return mark_safe(_clean(_renderer(HEADING_SHIFT).renderInline(markdown)))


def _clean(html: str) -> str:
    return nh3.clean(
        html,
        tags=set(TAGS),
        clean_content_tags={"script", "style"},
        attributes={tag: set(names) for tag, names in ATTRIBUTES.items()},
        attribute_filter=_attribute,
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer",
    )


def _attribute(tag: str, name: str, value: str) -> str | None:
    if name == "class":
        return " ".join(word for word in value.split() if word in CLASSES) or None
    if name == "id":
        return value if re.fullmatch(r"(doc-)?[a-z0-9-]*-?fn(ref)?[\w:.-]*|fn(ref)?[\w:.-]*", value) else None
    return value


def _renderer(shift: int) -> MarkdownIt:
    if shift not in _RENDERERS:
        _RENDERERS[shift] = _build(shift)
    return _RENDERERS[shift]


def _build(shift: int) -> MarkdownIt:
    renderer = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    renderer.use(footnote_plugin).use(deflist_plugin)
    for name in ("heading_open", "heading_close"):
        renderer.add_render_rule(name, _heading(shift))
    for name, html in {
        "table_open": '<div class="table-scroll" tabindex="0"><table class="table">\n',
        "table_close": "</table></div>\n",
    }.items():
        renderer.add_render_rule(name, _constant(html))
    for name in ("fence", "code_block"):
        renderer.add_render_rule(name, _code)
    for name in ("html_block", "html_inline"):
        renderer.add_render_rule(name, _raw_html)
    renderer.add_render_rule("image", _image)
    renderer.add_render_rule("th_open", _cell("th"))
    renderer.add_render_rule("td_open", _cell("td"))
    return renderer


_RENDERERS: dict[int, MarkdownIt] = {}


def _heading(shift: int):  # type: ignore[no-untyped-def]
    def render(self, tokens: list[Token], index: int, options, env) -> str:  # type: ignore[no-untyped-def]
        level = min(6, int(tokens[index].tag[1]) + shift)
        return f"<h{level}>" if tokens[index].nesting == 1 else f"</h{level}>\n"

    return render


def _constant(html: str):  # type: ignore[no-untyped-def]
    return lambda self, tokens, index, options, env: html


def _cell(tag: str):  # type: ignore[no-untyped-def]
    def render(self, tokens: list[Token], index: int, options, env) -> str:  # type: ignore[no-untyped-def]
        right = "right" in str(tokens[index].attrGet("style") or "")
        scope = ' scope="col"' if tag == "th" else ""
        return f'<{tag}{scope} class="num">' if right else f"<{tag}{scope}>"

    return render


def _raw_html(self, tokens: list[Token], index: int, options, env) -> str:  # type: ignore[no-untyped-def]
    """MathML's tags pass (and are sanitised with the rest); every other HTML is shown as text."""
    content = tokens[index].content
    at, shown = 0, []
    for match in _TAG.finditer(content):
        if match.group(1).lower() in MATHML:
            shown += [_escape(content[at : match.start()]), match.group(0)]
            at = match.end()
    html = "".join([*shown, _escape(content[at:])])
    return f"<p>{html}</p>\n" if tokens[index].type == "html_block" else html


def _code(self, tokens: list[Token], index: int, options, env) -> str:  # type: ignore[no-untyped-def]
    """Code, which the keyboard can scroll when it is wide."""
    return f'<pre tabindex="0"><code>{_escape(tokens[index].content)}</code></pre>\n'


def _image(self, tokens: list[Token], index: int, options, env) -> str:  # type: ignore[no-untyped-def]
    """No picture is fetched from elsewhere: its words stand for it."""
    return _escape(tokens[index].content)


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
