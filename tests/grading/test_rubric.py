"""The rubric: what it weighs, and what a total is worth."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.core import rubric

LEVELS = st.fixed_dictionaries({line.number: st.integers(0, 4) for line in rubric.LINES})
BARS = ["no hire", "lean no", "hire at senior", "hire at staff", "strong hire"]


def levels(default: int, **changed: int) -> dict[int, int]:
    return {line.number: changed.get(f"line{line.number}", default) for line in rubric.LINES}


def test_the_weights_are_the_published_ones_and_sum_to_100():
    assert [line.weight for line in rubric.LINES] == [25, 12, 12, 14, 14, 10, 7, 6]
    assert rubric.WEIGHT_TOTAL == 100


def test_the_first_line_weighs_most():
    assert max(rubric.LINES, key=lambda line: line.weight).number == rubric.DECIDING_LINE


def test_lines_2_3_and_8_have_generic_anchors_at_every_anchored_level_and_the_others_have_none():
    with_anchors = [line for line in rubric.LINES if line.generic_anchors]
    assert [line.number for line in with_anchors] == [2, 3, 8]
    for line in with_anchors:
        assert tuple(line.generic_anchors) == rubric.ANCHORED_LEVELS
        texts = [text for anchors in line.generic_anchors.values() for text in anchors]
        assert len(set(texts)) == len(texts) == 9


def test_all_zeros_are_0_percent_and_all_fours_are_100_percent():
    assert rubric.percentage(levels(0)) == 0
    assert rubric.percentage(levels(4)) == 100


def test_a_level_more_on_a_line_adds_a_quarter_of_its_weight():
    for line in rubric.LINES:
        gained = rubric.percentage(levels(2, **{f"line{line.number}": 3})) - rubric.percentage(levels(2))
        assert gained == line.weight / 4


@given(LEVELS)
def test_the_percentage_lies_within_0_and_100_in_quarters_of_a_point(scored):
    total = rubric.percentage(scored)
    assert 0 <= total <= 100
    assert (total * 4).is_integer()


@pytest.mark.parametrize(
    ("scored", "total", "name"),
    [
        (levels(2), 50, "lean no"),
        (levels(2, line8=1), 48.5, "no hire"),
        (levels(2, line1=3), 56.25, "lean no"),
        (levels(3, line4=1, line6=1, line7=1), 59.5, "lean no"),
        (levels(2, line1=4), 62.5, "hire at senior"),
        (levels(3, line8=0, line7=3), 70.5, "hire at staff"),
        (levels(3, line2=2, line3=2), 69, "hire at senior"),
        (levels(4, line4=2, line6=2, line7=4, line8=3), 86.5, "strong hire"),
        (levels(4, line4=1, line6=3, line8=2), 84, "hire at staff"),
    ],
)
def test_the_percentage_maps_to_its_hire_bar(scored, total, name):
    bar = rubric.hire_bar(scored, deciding_present=True)
    assert (bar.percentage, bar.name, bar.caps) == (total, name, ())


def test_an_absent_deciding_number_is_senior_at_most_and_says_so():
    bar = rubric.hire_bar(levels(4), deciding_present=False)
    assert bar.name == "hire at senior"
    assert [cap.reason for cap in bar.caps] == ["The deciding number is absent: senior at most."]


def test_staff_needs_line_1_at_3_and_says_so():
    bar = rubric.hire_bar(levels(4, line1=2), deciding_present=True)
    assert (bar.percentage, bar.name) == (87.5, "hire at senior")
    assert "Line 1 is at 2" in bar.caps[0].reason


def test_a_strong_hire_has_no_line_below_2_and_the_cap_names_the_line():
    bar = rubric.hire_bar(levels(4, line8=1), deciding_present=True)
    assert (bar.percentage, bar.name) == (95.5, "hire at staff")
    assert "line 8 (Operation and cost) is at 1" in bar.caps[0].reason


def test_a_cap_that_lowers_nothing_is_not_shown():
    assert rubric.hire_bar(levels(1), deciding_present=False).caps == ()


@given(LEVELS, st.sampled_from(rubric.LINES), st.booleans())
def test_a_better_line_never_gives_a_worse_bar(scored, line, deciding_present):
    better = {**scored, line.number: min(4, scored[line.number] + 1)}
    before, after = rubric.hire_bar(scored, deciding_present), rubric.hire_bar(better, deciding_present)
    assert BARS.index(after.name) >= BARS.index(before.name)


@given(LEVELS)
def test_without_a_deciding_number_nobody_passes_senior(scored):
    assert BARS.index(rubric.hire_bar(scored, deciding_present=False).name) <= BARS.index("hire at senior")


@pytest.mark.parametrize("bad", [5, -1, 2.5, True, "3", None])
def test_a_level_outside_0_to_4_is_refused_by_name_and_range(bad):
    with pytest.raises(ValueError, match="level of line 3: must be 0 to 4"):
        rubric.percentage(levels(2, line3=bad))


def test_a_missing_line_is_refused():
    with pytest.raises(ValueError, match="levels: must name lines"):
        rubric.percentage({1: 4})


def test_an_unknown_line_is_refused():
    with pytest.raises(ValueError, match="line: must be one of 1, 2, 3"):
        rubric.line(9)


@pytest.mark.parametrize(
    ("met", "level"),
    [
        ({2: [0, 0, 0], 3: [0, 0, 0], 4: [0, 0, 0]}, 0),
        ({2: [1, 0, 0], 3: [0, 0, 0], 4: [0, 0, 0]}, 1),
        ({2: [1, 1, 0], 3: [0, 0, 0], 4: [0, 0, 0]}, 2),
        ({2: [1, 1, 0], 3: [0, 1, 1], 4: [1, 0, 0]}, 3),
        ({2: [1, 1, 0], 3: [0, 1, 1], 4: [1, 0, 1]}, 4),
        ({2: [1, 0, 0], 3: [1, 1, 1], 4: [1, 1, 1]}, 1),
        ({2: [1, 1, 1], 3: [1, 0, 0], 4: [1, 1, 1]}, 2),
        ({2: [1, 1], 3: [1, 0], 4: [1, 1]}, 2),
        ({2: [1, 1, 1, 0], 3: [1, 1, 0, 0]}, 2),
    ],
)
def test_the_level_is_the_highest_at_which_two_thirds_of_it_and_of_all_below_are_met(met, level):
    assert rubric.level_from_anchors({at: [bool(answer) for answer in answers] for at, answers in met.items()}) == level


ANSWERS = st.fixed_dictionaries({level: st.lists(st.booleans(), min_size=1, max_size=6) for level in (2, 3, 4)})


@given(ANSWERS, st.data())
def test_one_more_anchor_met_never_lowers_the_level(met, data):
    level = data.draw(st.sampled_from([2, 3, 4]))
    index = data.draw(st.integers(0, len(met[level]) - 1))
    more = {**met, level: [*met[level][:index], True, *met[level][index + 1 :]]}
    assert rubric.level_from_anchors(more) >= rubric.level_from_anchors(met)


def test_a_level_without_anchors_is_refused():
    with pytest.raises(ValueError, match="level 3: has no anchors"):
        rubric.level_from_anchors({2: [True], 3: []})


def test_an_anchor_at_a_level_that_has_none_is_refused():
    with pytest.raises(ValueError, match="anchors stand at levels"):
        rubric.level_from_anchors({1: [True]})
