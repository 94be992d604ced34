"""Cuts a Markdown file of a design into its front matter and the texts below its headings."""

import re
from itertools import pairwise

from designs.core.document import Problem, Text
from designs.core.toml_reader import Table, whole_table

_FENCE = re.compile(r"\s{0,3}(```|~~~)")


def split_front_matter(source: str, file: str, problems: list[Problem]) -> tuple[Table | None, Text]:
    """The TOML between the first two `+++` lines, and the Markdown that follows it."""
    lines = source.split("\n")
    if not lines or lines[0].rstrip() != "+++":
        problems.append(Problem(file, 1, "must begin with front matter between two +++ lines"))
        return None, Text(source, file)
    end = next((number for number, line in enumerate(lines[1:], 1) if line.rstrip() == "+++"), None)
    if end is None:
        problems.append(Problem(file, 1, "front matter is opened with +++ and never closed"))
        return None, Text("", file)
    table = whole_table("\n".join(lines[1:end]), file, problems, first_line=2)
    return table, Text("\n".join(lines[end + 1 :]), file, end + 2)


def split_by_headings(body: Text, headings: tuple[str, ...], problems: list[Problem]) -> dict[str, Text]:
    """The texts below `## Heading` lines; each of `headings` is wanted once, with words below it, and no other."""
    lines = body.source.split("\n")
    starts: list[tuple[str, int]] = []
    in_fence = False
    for index, line in enumerate(lines):
        in_fence ^= bool(_FENCE.match(line))
        if not in_fence and line.startswith("## "):
            starts.append((line[3:].strip(), index))
    parts: dict[str, Text] = {}
    before = "\n".join(lines[: starts[0][1]] if starts else lines).strip()
    if before:
        problems.append(Problem(body.file, body.line, f"has text before its first heading, ## {headings[0]}"))
    for (name, start), (_, end) in pairwise([*starts, ("", len(lines))]):
        at = body.line + start
        if name not in headings:
            problems.append(Problem(body.file, at, f"## {name} is none of {', '.join('## ' + h for h in headings)}"))
        elif name in parts:
            problems.append(Problem(body.file, at, f"## {name} stands twice"))
        else:
            parts[name] = Text("\n".join(lines[start + 1 : end]), body.file, at + 1)
            if not parts[name]:
                problems.append(Problem(body.file, at, f"## {name} has no words below it"))
    for wanted in headings:
        if wanted not in parts:
            problems.append(Problem(body.file, body.line, f"## {wanted} is missing"))
    return parts
