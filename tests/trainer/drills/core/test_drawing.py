"""Draws: the same seed the same, never against what is required, and texts with every figure put in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.trainer.drills.core.helpers import FACTS, drawn, numeric, one, sample
from trainer.drills.core.drawing import draw
from trainer.drills.core.forms import DrillRefused
from trainer.drills.core.working import work_out

seeds = st.text(alphabet="abcdef0123456789-", min_size=1, max_size=40)


@given(seeds)
def test_the_same_seed_gives_the_same_draw(seed):
    first, second = (draw(sample("floor"), seed, facts=FACTS) for _ in range(2))
    assert (first.ask, first.typed, first.order) == (second.ask, second.typed, second.order)


def test_seeds_differ_in_what_they_draw():
    assert len({draw(sample("floor"), str(seed), facts=FACTS).ask for seed in range(50)}) > 20


def test_two_drills_at_one_seed_do_not_draw_alike():
    text = numeric(lines="bandwidth = 3.5 TB/s", draw=[{"name": "weights", "low": 1, "high": 1000000, "unit": "MB"}])
    other = text.replace("'floor'", "'other'")
    assert drawn(one(text))[0].typed != drawn(one(other))[0].typed


@given(seeds)
def test_a_draw_stays_in_its_range_and_on_its_steps(seed):
    bandwidth = draw(sample("floor"), seed, facts=FACTS).scene.names["bandwidth"].magnitude
    assert 2 <= bandwidth <= 8
    assert bandwidth / 0.05 == pytest.approx(round(bandwidth / 0.05))


@given(seeds)
def test_a_logarithmic_draw_stays_in_its_range(seed):
    text = numeric(
        lines="bandwidth = 3.5 TB/s",
        draw=[{"name": "weights", "low": 1000, "high": 128000, "log": True, "step": 500, "unit": "MB"}],
    )
    weights = draw(one(text), seed, facts=FACTS).scene.names["weights"].magnitude
    assert 1000 <= weights <= 128000
    assert weights % 500 == 0


@given(seeds)
def test_what_a_drill_requires_holds_for_every_draw(seed):
    assert draw(sample("floor"), seed, facts=FACTS).scene.value("weights / bandwidth").to("ms").magnitude > 2


def test_a_requirement_that_no_draw_meets_is_refused_after_the_last_try():
    with pytest.raises(DrillRefused, match="none of 200 draws"):
        drawn(one(numeric(require=["bandwidth - 4 TB/s"])))


def test_a_draw_without_a_value_is_taken_anew():
    text = numeric(
        lines="rest = 140 GB / (share - 1)\nbandwidth = 3.5 TB/s\nweights = 140 GB",
        draw=[{"name": "share", "values": ["1", "2"]}],
    )
    for seed in range(20):
        assert draw(one(text), str(seed), facts=FACTS).typed["share"] == "2"


def test_a_row_stands_by_its_key_in_expressions_and_by_its_name_in_texts():
    found, worked = drawn(sample("kv-per-token"))
    name = {"llama70b": "Llama 3.1 70B", "llama8b": "Llama 3.1 8B"}[found.scene.keys["model"]]
    assert found.ask.startswith(f"{name} keeps 8 KV heads of dimension 128 in each of ")
    assert worked.lines[-1].with_numbers.startswith("2 * ")


def test_a_row_that_is_not_in_the_catalogue_is_named():
    text = numeric(draw=[{"name": "gpu", "kind": "accelerator", "values": ["h1000"]}])
    with pytest.raises(DrillRefused, match="no accelerator 'h1000'"):
        drawn(one(text))


def test_a_drawn_figure_is_shown_as_it_was_typed():
    text = numeric(lines="bandwidth = 3.35 TB/s", draw=[{"name": "weights", "values": ["141.2"], "unit": "GB"}])
    assert drawn(one(text))[0].ask == "How long do 141.2 GB take at 3.35 TB/s, in ms?"


def test_the_sentences_of_a_claim_keep_their_order_and_options_do_not():
    claim, pick = sample("wrong-claim"), sample("pick-one")
    orders = [draw(pick, str(seed), facts=FACTS).order for seed in range(40)]
    assert {draw(claim, str(seed), facts=FACTS).order for seed in range(10)} == {(0, 1, 2)}
    assert len(set(orders)) == 6


def test_the_worksheet_of_a_drill_works_out_to_its_answer():
    from calculator.expressions import evaluate_worksheet

    for id in ("floor", "kv-per-token"):
        _, worked = drawn(sample(id), "b")
        lines = [line for line in evaluate_worksheet(worked.worksheet, facts=FACTS) if line.evaluated or line.error]
        assert [line.error for line in lines if line.error] == []
        assert lines[-1].evaluated.quantity.value == pytest.approx(worked.answer.value)


def test_an_answer_that_its_working_does_not_end_with_is_added_to_the_worksheet():
    _, worked = drawn(one(numeric(working="half = weights / 2")))
    assert worked.worksheet.splitlines()[-1] == "weights / bandwidth -> ms"


def test_a_golden_drill_has_its_answer_its_working_and_its_consequence():
    text = numeric(consequence="So {{ step -> ms, 3 }}, or {{ answer }}.")
    _, worked = drawn(one(text))
    assert worked.answer.value == pytest.approx(140e9 / 3.5e12)
    assert (worked.text, worked.consequence) == ("40.0 ms", "So 40.0 ms, or 40.0 ms.")
    assert worked.lines[0].put_in == "140 GB / 3.5 TB/s"


def test_working_with_an_error_is_a_refusal_that_names_the_line():
    with pytest.raises(DrillRefused, match="step = weights / nothing"):
        work_out(draw(one(numeric(working="step = weights / nothing")), "a", facts=FACTS))
