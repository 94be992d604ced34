"""The real bank: every drill of it can be used, drawn many times, and no draw gives nonsense."""

import collections
import io
import itertools
import math
import os
import re

import pytest
from django.core.management import CommandError, call_command

from calculator.expressions import ExpressionError, Quantity
from calculator.facts import catalogue_facts
from trainer.drills import bank
from trainer.drills.core.checks import check
from trainer.drills.core.drawing import Scene, draw
from trainer.drills.core.forms import Drill, Kind, Numeric
from trainer.drills.core.parser import parse_drills
from trainer.drills.core.working import answer_of, work_out
from trainer.drills.plots import chart_of

DRAWS = int(os.environ.get("ROOFLINE_DRAWS", "25"))
"""Draws of each drill; `manage.py check_drills --draws 1000` takes as many as it is told."""
NUMERIC = [drill for drill in bank.all_drills()[0] if drill.kind is Kind.NUMERIC]
GRAPHS = [drill for drill in bank.all_drills()[0] if drill.kind is Kind.GRAPH]
APART = 6
"""Pixels between the ends of two curves: nearer ones cannot be told apart by the names that stand there."""


def test_every_file_of_the_bank_is_read_and_every_drill_of_it_can_be_used():
    assert bank.bank().problems == ()


def test_no_two_drills_have_one_title():
    titles = collections.Counter(drill.title.casefold() for drill in bank.all_drills()[0])
    assert [title for title, count in titles.items() if count > 1] == []


def test_no_number_of_the_catalogue_stands_in_its_own_question():
    """An accelerator's name often holds its memory: that is asked of the name without it."""
    cold = [drill for drill in bank.all_drills()[0] if drill.kind is Kind.COLD]
    asked = [drill for drill in cold if "the catalogue has it" in drill.numeric.working]
    assert any(drill.ask == "H100 SXM5: memory on its sheet, in GiB?" for drill in asked)
    for drill in asked:
        magnitude = draw(drill, "0", facts=catalogue_facts()).scene.value(drill.numeric.answer).magnitude
        numbers = re.findall(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.])", f"{drill.title} {drill.ask}")
        assert magnitude not in [float(number) for number in numbers], drill.ask


def test_memory_is_not_asked_of_an_accelerator_that_only_its_memory_tells_from_another():
    from trainer.drills.cold import cold_drills

    drills, problems = cold_drills({"hardware": {"accelerators": ["a100", "h100"]}}, "n.toml")
    assert problems == []
    assert "cold-h100-memory" in [drill.id for drill in drills]
    assert "cold-a100-memory" not in [drill.id for drill in drills]
    assert "cold-a100-hbm-bandwidth" in [drill.id for drill in drills]


@pytest.mark.parametrize("drill", GRAPHS, ids=lambda drill: drill.id)
def test_no_line_that_only_shapes_a_drawing_is_shown_with_the_working(drill: Drill):
    """What is shown has a reason, stands in a text, or is used by a line that is shown."""
    worked = work_out(draw(drill, "0", facts=catalogue_facts()))
    shown = [*worked.given, *worked.lines]
    texts = " ".join(part for text in drill.texts for part in text.split("{{")[1:])
    for line in shown:
        used = " ".join([texts.replace("}}", " "), *(other.expression for other in shown if other is not line)])
        assert line.why or re.search(rf"\b{line.name}\b", used), line.name
    assert not {line.name for line in shown} & {"height", "floor_line", "wait_s", "goal_points", "refused_points"}
    assert len({line.name for line in shown}) == len(shown)
    assert all(line.why for line in worked.lines)


@pytest.mark.parametrize("kind", [Kind.NUMERIC, Kind.CLAIM, Kind.COLD])
def test_each_step_of_a_working_is_titled_in_words(kind: Kind):
    for drill in [drill for drill in bank.all_drills()[0] if drill.kind is kind]:
        for line in work_out(draw(drill, "0", facts=catalogue_facts())).lines:
            assert line.title == line.why or re.fullmatch(r"[A-Z][A-Za-z0-9 ]*", line.title), line.title


@pytest.mark.parametrize("drill", NUMERIC, ids=lambda drill: drill.id)
def test_no_draw_of_a_numeric_drill_gives_nonsense(drill: Drill):
    """Finite and positive, the right answer right, each slip wrong with its sentence, no placeholder left over."""
    assert [str(problem) for problem in check(drill, facts=catalogue_facts(), draws=DRAWS)] == []


@pytest.mark.parametrize("drill", NUMERIC, ids=lambda drill: drill.id)
def test_a_thousand_draws_of_a_numeric_drill_each_have_an_answer(drill: Drill):
    """What is required of a draw holds in each: none is given up, and the answer is finite and has its sign."""
    numeric = drill.numeric
    assert numeric is not None
    for seed in range(1000):
        drawn = draw(drill, str(seed), facts=catalogue_facts())
        answer = answer_in(drawn.scene, numeric).value
        assert math.isfinite(answer), seed
        assert answer > 0 or numeric.signed, seed


def answer_in(scene: Scene, numeric: Numeric) -> Quantity:
    """The answer, with the lines of the working only where it is made of them."""
    try:
        return answer_of(scene, numeric)
    except ExpressionError:
        return answer_of(scene.with_lines(numeric.working)[0], numeric)


@pytest.mark.parametrize("kind", [kind for kind in Kind if kind not in (Kind.NUMERIC, Kind.OPENER)])
def test_every_other_drill_holds_what_it_says(kind: Kind):
    drills = [drill for drill in bank.all_drills()[0] if drill.kind is kind]
    found = [str(problem) for drill in drills for problem in check(drill, facts=catalogue_facts(), draws=5)]
    assert found == []


@pytest.mark.parametrize("drill", GRAPHS, ids=lambda drill: drill.id)
def test_every_graph_is_drawn_in_full_and_its_curves_can_be_told_apart(drill: Drill):
    plot = drill.plot
    assert plot is not None
    chart = chart_of(draw(drill, "0", facts=catalogue_facts()))
    assert chart is not None
    assert [line.name for line in chart.lines] == [series.name for series in plot.series]
    assert len(chart.rows) == plot.points
    curves = [points_of(line.points) for line in chart.lines]
    for curve in curves:
        assert len(curve) == plot.points
        assert all(chart.left <= x <= chart.right and chart.top <= y <= chart.bottom for x, y in curve)
        assert curve == sorted(curve, key=lambda point: point[0])
    assert any(len({y for _, y in curve}) > 1 for curve in curves), "nothing moves"
    for one, other in itertools.combinations(curves, 2):
        assert abs(one[-1][1] - other[-1][1]) >= APART


def points_of(text: str) -> list[tuple[float, float]]:
    """The points of a line, in pixels."""
    pairs = (pair.split(",") for pair in text.split())
    return [(float(x), float(y)) for x, y in pairs]


def test_a_broken_drill_is_left_out_and_named(small_bank, monkeypatch):
    path = bank.CONTENT / "broken.toml"
    path.write_text('[[drill]]\nid = "broken"\n')
    (bank.CONTENT / "chapters").mkdir()
    (bank.CONTENT / "chapters" / "kv.toml").write_text("not toml")
    found = bank.bank()
    assert "broken" not in found.drills
    assert "floor" in found.drills
    assert {(problem.file, problem.drill) for problem in found.problems} >= {
        ("broken.toml", "broken"),
        ("chapters/kv.toml", ""),
    }


def test_a_file_that_changes_is_read_anew(small_bank):
    assert "second" not in small_bank
    text = (bank.CONTENT / "sample.toml").read_text().replace('id = "floor"', 'id = "second"')
    (bank.CONTENT / "sample.toml").write_text(text)
    assert "second" in bank.bank().drills


def test_an_id_in_two_files_is_used_once_and_named(small_bank):
    (bank.CONTENT / "twin.toml").write_text((bank.CONTENT / "sample.toml").read_text())
    assert "another drill with this id, in sample.toml" in str(bank.bank().problems[0])


def test_numbers_and_rows_of_the_catalogue_are_cold_drills_with_their_source(small_bank):
    cold = {id: drill for id, drill in small_bank.items() if drill.kind is Kind.COLD}
    bandwidth = catalogue_facts().described("h100.hbm_bandwidth")
    assert {"cold-ridge", "cold-h100-hbm-bandwidth", "cold-h100-bf16-dense", "cold-nvlink4-link"} <= set(cold)
    assert cold["cold-h100-hbm-bandwidth"].source == bandwidth.source
    assert cold["cold-ridge"].consequence == "Below it decode waits for memory."


def test_a_row_that_the_catalogue_does_not_have_is_named():
    from trainer.drills.cold import cold_drills

    drills, problems = cold_drills({"hardware": {"accelerators": ["h1000"]}, "number": [{"id": "x"}]}, "n.toml")
    assert drills == []
    assert [str(problem) for problem in problems] == [
        "n.toml: x: makes no cold drill: KeyError('title')",
        "n.toml: there is no 'h1000' in the catalogue",
    ]


def test_the_check_prints_counts_and_ends_well_on_a_good_file(small_bank):
    out = io.StringIO()
    call_command("check_drills", str(bank.CONTENT), "--draws", "5", stdout=out)
    assert "by kind: numeric 2, claim 1, graph 1, choice 1, aloud 1" in out.getvalue()
    assert "6 drills, 5 draws each: nothing is wrong." in out.getvalue()


def test_the_check_names_file_and_drill_and_fails(small_bank):
    path = bank.CONTENT / "sample.toml"
    path.write_text(path.read_text().replace("How long does one step take", "How long do 99 GB take"))
    out = io.StringIO()
    with pytest.raises(CommandError, match="1 problem"):
        call_command("check_drills", str(path), "--draws", "2", stdout=out)
    assert "sample.toml: floor: '99 GB' is typed by hand" in out.getvalue()


def test_the_check_names_a_title_that_stands_twice(small_bank):
    path = bank.CONTENT / "sample.toml"
    path.write_text(path.read_text().replace('title = "The door"', 'title = "ninety Seconds"'))
    out = io.StringIO()
    with pytest.raises(CommandError, match="1 problem"):
        call_command("check_drills", str(path), "--draws", "1", stdout=out)
    assert "sample.toml: ninety: its title is that of pick-one, in sample.toml" in out.getvalue()


@pytest.mark.parametrize("arguments", [["--draws", "0"], ["/no/such/folder"]])
def test_the_check_refuses_what_it_cannot_do(arguments):
    with pytest.raises(CommandError):
        call_command("check_drills", *arguments, stdout=io.StringIO())


def test_the_documented_drill_is_a_drill_and_nothing_is_wrong_with_it():
    from pathlib import Path

    from django.conf import settings

    text = Path(settings.BASE_DIR, "docs", "writing-a-drill.md").read_text()
    blocks = [block.split("```")[0] for block in text.split("```toml\n")[1:]]
    read = [parse_drills(block, "docs") for block in blocks if block.startswith("[[drill]]")]
    assert len(read) >= 5
    assert [str(problem) for one in read for problem in one.problems] == []
    drills = [drill for one in read for drill in one.drills]
    assert [str(problem) for drill in drills for problem in check(drill, facts=catalogue_facts(), draws=20)] == []
