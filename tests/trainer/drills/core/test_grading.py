"""Grading: 140 GB over 3.5 TB/s is 40 ms, whatever one types it as; and slips by their names."""

import pytest

from tests.trainer.drills.core.helpers import drawn, graded, numeric, one, sample
from trainer.drills.core.grading import Unreadable, grade_beats, grade_choice

FLOOR = one(
    numeric(slips=[{"says": "The bandwidth of {{ bandwidth }} is one way.", "answer": "weights / bandwidth / 3"}])
)
POOL = one(
    numeric(
        lines="weights = 140 GB\nbandwidth = 200 GB",
        answer="bandwidth - weights",
        unit="GiB",
        working="pool = bandwidth - weights -> GiB",
        ask="Pool of {{ bandwidth }} less {{ weights }}, in GiB?",
    )
)
SHARE = one(
    numeric(
        answer="weights / 560 GB", unit="%", working="used = weights / 560 GB -> %", ask="Share of {{ weights }}, in %?"
    )
)


@pytest.mark.parametrize(
    "typed",
    [
        "40",
        "40 ms",
        "0.04 s",
        "40000 us",
        "140 GB / 3.5 TB/s",
        "4e1",
        " 40.0 ",
        "40.7",
        "39.3 ms",
        "140/3.5",
        "2*20 ms",
    ],
)
def test_the_right_answer_is_right_in_any_unit_and_as_an_expression(typed):
    assert graded(FLOOR, typed).right


@pytest.mark.parametrize("typed", ["41", "39", "40 s", "-40", "0"])
def test_an_answer_beyond_the_tolerance_is_wrong(typed):
    assert not graded(FLOOR, typed).right


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("", "type a number in ms"),
        ("   ", "type a number in ms"),
        ("40 GB", "wanted in ms"),
        ("forty", "'forty' is unknown. Type a number in ms, such as 12, or an expression"),
        ("1,000", "write 1000"),
        ("40 ms +", "Answer:"),
        ("1/0", "Answer:"),
        ("9**9**9", "Answer:"),
        ("4" * 201, "at most 200 characters"),
        ("1e999", "Answer:"),
        ("__import__('os')", "Answer:"),
    ],
)
def test_what_cannot_be_read_or_is_of_another_kind_is_refused_with_what_would_do(typed, message):
    with pytest.raises(Unreadable, match="Answer:") as refused:
        graded(FLOOR, typed)
    assert message in refused.value.message or message == "write 1000"


def test_how_far_off_an_answer_is_is_said():
    assert graded(FLOOR, "44").off_text == "10.0% too much"
    assert graded(FLOOR, "36").off_text == "10.0% too little"
    assert graded(FLOOR, "400 ms").off_text == "a factor of 10 too much"
    assert graded(FLOOR, "4").off_text == "a factor of 10 too little"
    assert graded(FLOOR, "-4").off_text == "of the wrong sign"
    assert graded(FLOOR, "40").off_text == ""


@pytest.mark.parametrize(
    ("typed", "read", "off"),
    [
        ("72800", "72,800 ms", "a factor of 1,820 too much"),
        ("1048576", "1,048,576 ms", "a factor of 26,200 too much"),
        ("1234.5", "1,234.5 ms", "a factor of 30.9 too much"),
        ("4e9", "4,000,000,000 ms", "a factor of more than a million too much"),
        ("1e-9", "1e-9 ms", "a factor of more than a million too little"),
        ("39.98e3", "39,980 ms", "a factor of 1,000 too much"),
        ("0", "0 ms", ""),
    ],
)
def test_what_was_typed_is_read_back_in_plain_digits(typed, read, off):
    verdict = graded(FLOOR, typed)
    assert (verdict.read, verdict.off_text) == (read, off)


def test_where_no_unit_is_wanted_a_plain_number_is_asked_for():
    ratio = one(numeric(answer="weights / 70 GB", unit="", working="r = weights / 70 GB", ask="{{ weights }} over?"))
    with pytest.raises(Unreadable, match="Type a plain number, such as 12"):
        graded(ratio, "banana")


def test_a_slip_of_the_drill_is_named_with_its_figures():
    assert graded(FLOOR, "13.3 ms").slip == "The bandwidth of 3.5 TB/s is one way."


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("80 ms", "Twice too much"),
        ("20", "Half of it"),
        ("320", "8 times too much: bits for bytes"),
        ("5 ms", "An eighth"),
        ("40000", "1,000 times too much"),
        ("0.04 ms", "A thousandth"),
        ("0.025", "inverse"),
        ("42.95", "GiB taken for GB"),
    ],
)
def test_a_general_slip_is_named(typed, says):
    verdict = graded(FLOOR, typed)
    assert not verdict.right
    assert says in verdict.slip


def test_gigabytes_for_gibibytes_are_told_by_their_ratio():
    assert graded(POOL, "55.88").right
    slip = graded(POOL, "60 GiB").slip
    assert slip.startswith("7.4% apart")
    assert not graded(POOL, "60 GB").slip  # 60 GB is right: the unit was said
    assert graded(POOL, "60 GB").right


def test_a_slip_that_cannot_be_told_from_the_right_answer_is_not_claimed():
    near = one(numeric(slips=[{"says": "Never said.", "answer": "weights / bandwidth * 1.01"}]))
    assert graded(near, "40.4").right
    assert graded(near, "41").slip == ""


def test_a_general_slip_is_claimed_only_where_it_gives_what_was_typed():
    assert graded(FLOOR, "78").slip == ""
    assert graded(FLOOR, "80.5").slip != ""


def test_a_drills_own_slip_comes_before_a_general_one():
    own = one(numeric(slips=[{"says": "Keys alone.", "answer": "weights / bandwidth / 2"}]))
    assert graded(own, "20 ms").slip == "Keys alone."


@pytest.mark.parametrize("typed", ["25", "25%", "0.25 * 1", "140/560", "140 GB / 560 GB", "1 - 75%"])
def test_a_share_is_read_as_per_cent_and_as_a_part(typed):
    assert graded(SHARE, typed).right


def test_a_part_typed_where_per_cent_are_wanted_is_told():
    assert "per cent" in graded(SHARE, "0.25").slip


def test_an_exact_answer_may_be_rounded_as_shown_and_no_further():
    latent = one(
        numeric(
            lines="weights = 70272 B",
            answer="weights",
            unit="KiB",
            tolerance="exact",
            working="kv = weights -> KiB",
            ask="{{ weights }} in KiB?",
        )
    )
    assert graded(latent, "68.625").right
    assert graded(latent, "68.6 KiB").right
    assert graded(latent, "70272 B").right
    assert not graded(latent, "68.7").right
    assert not graded(latent, "68").right


def test_an_exact_slip_is_recognised_within_a_hundredth():
    kv = sample("kv-per-token")
    found, worked = drawn(kv)
    heads = found.scene.names["heads_asked"].value / found.scene.names["kv_heads"].value
    assert graded(kv, f"{worked.answer.magnitude * heads * 1.005} KiB").slip == "KV heads, not query heads."


def test_an_absolute_tolerance_is_an_amount_in_its_own_unit():
    by_one = one(numeric(tolerance="1 ms"))
    assert graded(by_one, "41").right
    assert not graded(by_one, "41.1").right
    assert graded(one(numeric(tolerance="1")), "41 ms").right


def test_a_label_may_be_typed_or_left_out_but_another_one_does_not_fit():
    tokens = one(
        numeric(
            lines="weights = 140 GB\nkv = 320 KiB/tok",
            answer="weights / kv",
            unit="tok",
            working="fits = weights / kv -> tok",
            ask="How many tokens of {{ kv }} fit {{ weights }}?",
        )
    )
    assert graded(tokens, "427246").right
    assert graded(tokens, "427 ktok").right
    with pytest.raises(Unreadable, match="labels differ"):
        graded(tokens, "427246 requests")


@pytest.mark.parametrize("typed", ["0", "4", "-1", "x", "", "1.0", "١", "9999"])
def test_a_choice_that_is_none_of_them_is_refused(typed):
    with pytest.raises(Unreadable, match="one of the 3"):
        grade_choice(drawn(sample("pick-one"))[0], typed)


def test_a_choice_is_known_by_its_place_in_the_draw():
    for seed in "abcdef":
        found, _ = drawn(sample("pick-one"), seed)
        right = found.order.index(0) + 1
        assert [grade_choice(found, str(place)).right for place in (1, 2, 3)] == [place == right for place in (1, 2, 3)]


@pytest.mark.parametrize(
    ("ticked", "right"), [([0, 1], True), ([0, 1, 2], True), ([1, 2], False), ([0], False), ([], False)]
)
def test_beats_pass_by_their_number_and_every_essential_one(ticked, right):
    verdict = grade_beats(sample("ninety"), ticked)
    assert verdict.right is right
    assert bool(verdict.slip) is not right


def test_a_beat_that_is_none_is_refused():
    with pytest.raises(Unreadable, match="1 to 3"):
        grade_beats(sample("ninety"), [3])
