"""Reading and checking: what is wrong is named by file and drill, and only that drill is left out."""

import pytest

from tests.trainer.drills.core.helpers import FACTS, SAMPLE, faults, numeric, one
from trainer.drills.core.checks import check, counts, trial
from trainer.drills.core.forms import Kind
from trainer.drills.core.parser import parse_drills


def checked(text: str, draws: int = 3) -> list[str]:
    return [str(problem) for problem in check(one(text), facts=FACTS, draws=draws)]


def test_the_sample_has_a_drill_of_each_written_kind_and_nothing_is_wrong_with_it():
    read = parse_drills(SAMPLE, "sample.toml")
    assert {drill.kind for drill in read.drills} == set(Kind) - {Kind.COLD, Kind.OPENER}
    assert [problem for drill in read.drills for problem in check(drill, facts=FACTS, draws=100)] == []


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"id": "Has Spaces"}, "`id`"),
        ({"id": "a" * 61}, "at most 60 characters"),
        ({"id": None}, "`id` is missing"),
        ({"concept": "D7.1"}, "`concept`"),
        ({"kind": "riddle"}, "`kind` must be one of numeric"),
        ({"answr": "1"}, "`answr` is not a key"),
        ({"answer": None}, "`answer` is missing"),
        ({"working": ""}, "`working` is empty"),
        ({"seconds": 0}, "`seconds` must be from 5 to 600"),
        ({"digits": 99}, "`digits` must be from 1 to 12"),
        ({"sign": "negative"}, "`sign`"),
        ({"draw": "x"}, "`draw` must be a list"),
        ({"draw": [{"name": "n", "low": 5, "high": 5}]}, "`high` must be above `low`"),
        ({"draw": [{"name": "n", "low": 0, "high": 5, "log": True}]}, "`low` above 0"),
        ({"draw": [{"name": "n", "values": []}]}, "at least one"),
        ({"draw": [{"name": "n", "kind": "model"}]}, "keys of the models"),
        ({"draw": [{"name": "n", "kind": "car", "values": ["x"]}]}, '"model" or "accelerator"'),
        ({"draw": [{"nam": "n", "values": ["x"]}]}, "`nam` is not a key"),
        ({"slips": [{"says": "x"}]}, "`slips` 1: `answer` is missing"),
        ({"source": "a sheet"}, "come together"),
    ],
)
def test_a_fault_is_named_with_its_file_and_drill(changed, says):
    found = faults(numeric(**changed))
    assert any(says in problem for problem in found), found
    assert all(problem.startswith("one.toml: ") for problem in found)


def test_text_that_is_no_toml_is_a_fault_of_the_file():
    assert faults("[[drill]\n")[0].startswith("one.toml: line 1: is not valid TOML")


def test_one_bad_drill_leaves_the_others_alone():
    read = parse_drills(SAMPLE.replace('id = "pick-one"', 'id = "pick one"'), "sample.toml")
    assert len(read.drills) == 5
    assert {problem.drill for problem in read.problems} == {"pick one"}


def test_an_id_that_stands_twice_is_a_fault():
    assert "another drill with this id" in faults(f"{numeric()}\n{numeric()}")[0]


@pytest.mark.parametrize(
    ("kind", "body", "says"),
    [
        (
            "claim",
            'why = "w"\nlines = "a = 1"\nsentence = [{text="a"},{text="b"},{text="c"}]',
            "exactly one `sentence`",
        ),
        ("claim", 'why = "w"\nsentence = [{text="a"},{text="b"},{text="c", wrong=true}]', "`lines` must hold"),
        ("choice", 'option = [{text="a", right=true, why="w"}]', "at least 2"),
        ("choice", 'option = [{text="a", right=true, why="w"},{text="b"}]', "`why` is missing"),
        ("choice", 'option = [{text="a", why="w"},{text="b", why="w"}]', "exactly one `option`"),
        ("graph", 'option = [{text="a", right=true, why="w"},{text="b", why="w"}]', "`plot` must be a table"),
        ("aloud", 'pass = 1\nbeat = [{at=9, text="a"},{at=0, text="b"}]', "in the order"),
        ("aloud", 'pass = 3\nbeat = [{at=0, text="a"},{at=9, text="b"}]', "`pass` must be from 1 to 2"),
        (
            "aloud",
            'pass = 1\nbeat = [{at=0, text="a", essential=true},{at=9, text="b", essential=true}]',
            "from 2 to 2",
        ),
    ],
)
def test_the_other_kinds_say_what_they_lack(kind, body, says):
    head = f'[[drill]]\nid = "x"\nconcept = "D1.1"\nkind = "{kind}"\ntitle = "t"\nask = "a?"\n'
    found = faults(head + body)
    assert any(says in problem for problem in found), found


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"ask": "How long do 70 GB take?"}, "'70 GB' is typed by hand"),
        ({"ask": "How long does {{ weight }} take?"}, "'weight' is unknown"),
        ({"lines": "weights = 140 GB\nbandwidth = 3.5"}, "cannot be shown in ms"),
        ({"answer": "weights - 140 GB", "unit": "GB", "working": "x = weights - 140 GB"}, "the answer comes to 0"),
        ({"working": "step = weights / bandwidth * 2 -> ms"}, "the last line of `working` comes to 80.0 ms"),
        ({"tolerance": "much"}, "'much'"),
        ({"tolerance": "1 GB"}, "cannot be shown in ms"),
        ({"draw": [{"name": "GB", "values": ["1"]}]}, "'GB' is a unit"),
        ({"draw": [{"name": "n", "values": ["1"]}, {"name": "n", "values": ["1"]}]}, "stands twice"),
        ({"slips": [{"says": "x", "answer": "nothing"}]}, "'nothing' is unknown"),
        ({"digits": 1, "lines": "weights = 140 GB\nbandwidth = 3.1 TB/s"}, "is graded wrong"),
    ],
)
def test_the_check_finds_what_only_a_draw_shows(changed, says):
    found = checked(numeric(**changed))
    assert any(says in problem for problem in found), found


def test_a_figure_of_the_lines_or_of_a_source_may_stand_in_a_text():
    assert checked(numeric(ask="How long do 140 GB take at 3.5 TB/s, in ms?")) == []
    assert checked(numeric(ask="How long do 70 GB take?", source="the sheet of the vendor", date="2026")) == []


def test_a_slip_that_never_shows_is_told_once_there_are_draws_enough():
    text = numeric(slips=[{"says": "x", "answer": "weights / bandwidth"}])
    assert checked(text) == []
    assert checked(text, draws=100) == ["one.toml: floor: slip 1 is never distinguishable"]


def test_an_answer_below_zero_is_allowed_where_the_drill_says_so():
    text = numeric(answer="weights - 150 GB", unit="GB", working="x = weights - 150 GB", sign="any")
    assert checked(text) == []


def test_a_trial_says_in_a_sentence_why_a_drill_cannot_be_used():
    assert trial(one(numeric()), facts=FACTS) == ""
    assert "unknown" in trial(one(numeric(answer="nothing")), facts=FACTS)


def test_drills_are_counted_by_kind_and_by_concept_in_order():
    kinds, concepts = counts(parse_drills(SAMPLE, "sample.toml").drills)
    assert (kinds["numeric"], kinds["aloud"], kinds["cold"]) == (2, 1, 0)
    assert list(concepts) == ["D1.1", "D2.1", "D2.4", "D2.5", "D3.4"]
