"""A reply is read leniently, and whatever cannot be read ends in one typed refusal."""

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.core.parsing import MOST_CHARACTERS, ReplyRefused, parse_reply
from grading.core.schemas import (
    MOST_CRITIQUES,
    AnchorsReply,
    AnswerReply,
    CritiqueReply,
    json_schema,
)
from tests.grading.cases import draft

ANSWER = '{"reply": "What frees it?", "holds": "partly"}'
CRITIQUES = json.dumps({"critiques": [draft().model_dump()], "mutations": []})


@pytest.mark.parametrize(
    "text",
    [
        ANSWER,
        f"  \n{ANSWER}\n",
        f"\ufeff{ANSWER}",
        f"```json\n{ANSWER}\n```",
        f"```\n{ANSWER}\n```\nThat is my reply.",
        f"Here is the JSON that you asked for:\n{ANSWER}",
        f"I use {{curly}} brackets [sometimes]. {ANSWER} And {{again}}.",
        f'{{"note": 1}} {ANSWER}',
        f"<think>They want {{JSON}}</think>\n{ANSWER}",
        '{"holds": "Partly ", "reply": "What frees it?", "confidence": 0.3}',
    ],
)
def test_the_object_is_found_wherever_it_stands(text):
    assert parse_reply(text, AnswerReply) == AnswerReply(reply="What frees it?", holds="partly")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (None, "empty"),
        ("", "empty"),
        (" \n\t", "empty"),
        (CRITIQUES[:-1], "cut off"),
        (CRITIQUES[: len(CRITIQUES) // 2], "cut off"),
        (f"```json\n{CRITIQUES[:-20]}", "cut off"),
        ('{"reply": "it ends inside of a string', "cut off"),
        ("<think>I should look at", "cut off"),
        ("I'm sorry, but I can't help with that.", "refusal"),
        ("I cannot review this submission.", "refusal"),
        ("The design is fine.", "no JSON"),
        ("[1, 2, 3]", "no JSON"),
        ('{"reply": NaN, "holds": "no"}', "no JSON"),
        ("{" * 100_000, "cut off"),
        ("[" * 100_000, "no JSON"),
        ('{"reply": "x", "holds": "' + "9" * MOST_CHARACTERS + '"}', "too large"),
        ('{"reply": "x", "holds": ' + "9" * 5_000 + "}", "no JSON"),
    ],
)
def test_what_cannot_be_read_is_refused_by_kind(text, kind):
    with pytest.raises(ReplyRefused) as refusal:
        parse_reply(text, CritiqueReply if text and "critiques" in text else AnswerReply)
    assert refusal.value.kind == kind
    assert len(refusal.value.message) < 300


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"rubric_line": "third"}, "critiques.1.rubric_line"),
        ({"rubric_line": None}, "critiques.1.rubric_line"),
        ({"quote": None}, "critiques.1.quote"),
        ({"attack": ["a", "list"]}, "critiques.1.attack"),
    ],
)
def test_a_wrong_schema_is_refused_with_its_field(change, field):
    with pytest.raises(ReplyRefused, match=field) as refusal:
        parse_reply(json.dumps({"critiques": [draft().model_dump() | change]}), CritiqueReply)
    assert (refusal.value.kind, refusal.value.field) == ("wrong schema", field)


def test_a_missing_field_is_refused_with_its_name():
    with pytest.raises(ReplyRefused) as refusal:
        parse_reply('{"mutations": []}', CritiqueReply)
    assert (refusal.value.kind, refusal.value.field) == ("wrong schema", "critiques")


def test_too_many_items_are_refused():
    many = json.dumps({"critiques": [draft().model_dump()] * (MOST_CRITIQUES + 1)})
    with pytest.raises(ReplyRefused) as refusal:
        parse_reply(many, CritiqueReply)
    assert (refusal.value.kind, refusal.value.field) == ("too many", "critiques")


def test_usual_slips_of_form_are_read():
    loose = draft().model_dump() | {"rubric_line": "5", "section": 6, "claimed_value": 40, "class_name": None}
    read = parse_reply(json.dumps([loose]), CritiqueReply)
    assert (read.critiques[0].rubric_line, read.critiques[0].section, read.critiques[0].claimed_value) == (5, "6", "40")
    assert read.critiques[0].class_name == ""
    verdicts = parse_reply('{"verdicts": [{"anchor_id": "kv-binds", "met": "false", "quote": null}]}', AnchorsReply)
    assert (verdicts.verdicts[0].met, verdicts.verdicts[0].quote) == (False, "")


def test_an_endpoint_that_says_it_cut_off_is_believed_only_when_nothing_whole_came():
    assert parse_reply(ANSWER, AnswerReply, cut_off=True).holds == "partly"
    with pytest.raises(ReplyRefused) as refusal:
        parse_reply('{"reply": 1}', AnswerReply, cut_off=True)
    assert refusal.value.kind == "cut off"


@given(st.text(max_size=300))
def test_no_text_ends_in_anything_but_a_reply_or_a_refusal(text):
    with contextlib.suppress(ReplyRefused):
        assert parse_reply(text, AnswerReply).holds in ("yes", "partly", "no")


@given(st.integers(0, len(CRITIQUES) - 1))
def test_a_reply_cut_anywhere_inside_its_object_is_cut_off(length):
    with pytest.raises(ReplyRefused) as refusal:
        parse_reply(CRITIQUES[:length], CritiqueReply)
    assert refusal.value.kind == ("cut off" if length else "empty")


@pytest.mark.parametrize("form", [CritiqueReply, AnchorsReply, AnswerReply])
def test_schemas_are_what_strict_endpoints_take(form):
    def objects(node):
        if isinstance(node, dict):
            if node.get("type") == "object":
                yield node
            for value in node.values():
                yield from objects(value)
        elif isinstance(node, list):
            for value in node:
                yield from objects(value)

    found = list(objects(json_schema(form)))
    assert found
    for node in found:
        assert node["additionalProperties"] is False
        assert node["required"] == list(node["properties"])
    assert "maxItems" not in json.dumps(json_schema(form))


def test_a_field_called_title_stays_in_the_schema():
    assert list(json_schema(CritiqueReply)["$defs"]["MutationDraft"]["properties"]) == ["title", "ask"]
