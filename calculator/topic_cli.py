"""``gpu-math <topic> [--input value ...] [--json]``: a topic on the command line, worked out as the page does it."""

import json
import sys
from collections.abc import Sequence

from calculator.core.inputs import InputErrors
from calculator.topic_answers import TopicAnswer, topic_answer
from calculator.topic_output import answer_dict
from calculator.topics import Topic, topic, topic_slugs, topics

REFUSED = 2


def main(words: Sequence[str]) -> int:
    """Answer one question about a topic. Returns the exit code: 0, or 2 when something is refused."""
    slug, *rest = words
    if slug == "topics":
        print("\n".join(f"  {one.slug:<18} {one.summary}" for one in topics().values()))
        return 0
    if slug not in topic_slugs():
        print(f"gpu-math: there is no topic {slug[:40]!r}; there are {', '.join(topic_slugs())}", file=sys.stderr)
        return REFUSED
    asked = topic(slug)
    if "--help" in rest or "-h" in rest:
        print(help_text(asked))
        return 0
    typed, problem = read_words(asked, [word for word in rest if word != "--json"])
    if problem:
        print(f"gpu-math {slug}: {problem}", file=sys.stderr)
        return REFUSED
    try:
        answer = topic_answer(slug, typed)
    except InputErrors as refused:
        for error in refused.errors:
            print(f"gpu-math {slug}: {option(error.field)}: {error.message}", file=sys.stderr)
        return REFUSED
    as_json = json.dumps(answer_dict(answer), indent=2, ensure_ascii=False, allow_nan=False)
    print(as_json if "--json" in rest else answer_text(answer))
    return 0


def option(name: str) -> str:
    """The option of an input: ``--heavy-in`` for ``heavy_in``."""
    return "--" + name.replace("_", "-")


def read_words(asked: Topic, words: Sequence[str]) -> tuple[dict[str, str], str]:
    """Options and their values, ``--option value`` or ``--option=value``, and what is wrong with them."""
    known = {option(one.name): one.name for one in asked.inputs}
    typed: dict[str, str] = {}
    tokens = iter(words)
    for token in tokens:
        name, equals, value = token.partition("=")
        if name not in known:
            return typed, f"{name[:40]!r} is no option; there are {', '.join(known)} and --json"
        given = value if equals else next(tokens, None)
        if given is None:
            return typed, f"{name} needs a value"
        if known[name] in typed:
            return typed, f"{name} is given more than once"
        typed[known[name]] = given
    return typed, ""


def help_text(asked: Topic) -> str:
    """The topic's options with their ranges and defaults."""
    rows = [
        f"  {option(one.name):<20} {one.label}: {one.allowed} (default {one.default}) {one.help}".rstrip()
        for one in asked.inputs
    ]
    return "\n".join([f"gpu-math {asked.slug}: {asked.summary}", "", *rows, "  --json               as JSON"])


def answer_text(answer: TopicAnswer) -> str:
    """The answer for people: every result with its working, then the script."""
    title = answer.topic.title
    given = [f"  {one.label:<48} {answer.inputs[one.name]} {one.unit}".rstrip() for one in answer.topic.inputs]
    steps = [f"  {one.step.title:<48} {one.text:>18}   {one.with_numbers}" for one in answer.steps]
    script = [f"  {line}" for line in answer.script]
    return "\n".join([title, "=" * len(title), *given, "", "Results", *steps, "", "The script", *script])
