"""A submission's parts, and where words stand in them."""

from dataclasses import replace

import pytest

from designs.core.used_facts import KeptFacts
from grading.core.case import FirstOf, case_for
from grading.core.submission import Part, Place, Submission
from tests.designs.worked import derivation_of, design_of
from tests.grading.cases import FACTS, case_of, submission


def test_a_quote_is_found_by_part_with_its_offsets():
    texts = submission({"s2": "First words.", "s5": "A naïve  café limit\u200b stands here."})
    place = texts.find("A nai\u0308ve café limit stands")
    assert place == Place("s5", 0, 27)
    assert texts.words_at(place) == "A naïve  café limit\u200b stands"


def test_no_quote_is_put_together_of_two_parts():
    assert submission({"s1": "The end of one", "s2": "and the start of two."}).find("of one and the start") is None


def test_parts_come_in_the_order_of_the_round_and_empty_ones_are_left_out():
    texts = submission({"worksheet": "a = 1", "s2": "two words here", "s1": "   "})
    assert [part.key for part in texts.parts] == ["s2", "worksheet"]
    assert [part.key for part in texts.prose] == ["s2"]
    assert (texts.worksheet, submission({}).worksheet) == ("a = 1", "")


def test_two_parts_never_have_one_key():
    with pytest.raises(ValueError, match="twice"):
        Submission((Part("s1", "One", "a"), Part("s1", "Two", "b")))


def test_hidden_characters_are_counted_by_part():
    texts = submission({"s1": "plain words", "s5": "a\u200bb\U000e0041\u202ec"})
    assert texts.hidden_characters() == {"s5": 3}


def test_names_are_givens_and_own_lines_and_none_of_the_worked_answer():
    case = case_of("m01", {"worksheet": "giant = 131072 tokens * 320 KiB\nbroken = 1 +\n"})
    assert case.names["giant"].to("GiB").text() == "40.0 GiB"
    assert {"replicas", "weights", "giant"} <= set(case.names)
    assert not {"broken", "kv_per_token", "pool", "heavy_share"} & set(case.names)


def test_an_own_line_never_shadows_a_given():
    case = case_of("m01", {"worksheet": "weights = 70 GB\nown_weights = 1 GB\nhalf = weights / 2\n"})
    assert case.names["weights"].to("GB").magnitude == 140
    assert case.names["own_weights"].to("GB").magnitude == 70
    assert case.names["own_own_weights"].to("GB").magnitude == 1
    assert case.names["half"].to("GB").magnitude == 35
    assert [(line.name, line.called) for line in case.own_lines] == [
        ("weights", "own_weights"),
        ("own_weights", "own_own_weights"),
        ("half", "half"),
    ]


def test_a_case_holds_every_anchor_of_all_eight_lines_once():
    case = case_of("m01", {"s1": "Words."})
    assert {anchor.line for anchor in case.anchors} == set(range(1, 9))
    assert len({anchor.id for anchor in case.anchors}) == len(case.anchors) == 72
    assert "{{" not in "".join(anchor.text for anchor in case.anchors) + case.prompt


def test_an_anchor_id_that_comes_twice_is_refused():
    design = design_of("m01")
    clash = replace(design, anchors=(*design.anchors, replace(design.anchors[0], id="line2-level2-1")))
    with pytest.raises(ValueError, match="comes twice"):
        case_for(clash, derivation_of("m01"), submission({}), facts=FACTS)


def test_a_worksheet_may_use_facts_that_a_kept_design_does_not():
    """A round keeps the facts its design uses; the trainee had the whole catalogue, the kept ones first."""
    kept = KeptFacts({"facts": {"h100.hbm_bandwidth": {"value": 1.0, "unit": "B/s", "mixed": False}}})
    both = FirstOf(kept, FACTS)
    texts = submission({"worksheet": "kept = 2 s * h100.hbm_bandwidth\nother = 1 s * h200.hbm_bandwidth\n"})
    case = case_for(design_of("m01"), derivation_of("m01"), texts, facts=both)
    assert case.names["kept"].value == 2.0
    assert case.names["other"].to("TB").magnitude == 4.8
    assert "other" not in case_for(design_of("m01"), derivation_of("m01"), texts, facts=kept).names
    assert both.language_model("llama70b") == FACTS.language_model("llama70b")
    assert both.accelerator("h100") == FACTS.accelerator("h100")
    assert "h100.hbm_bandwidth" in both.suggest("h100.hbm_bandwith")
