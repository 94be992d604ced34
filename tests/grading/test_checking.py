"""What a model says of a submission reaches the trainee only when code has found that it stands."""

import pytest

from grading.core.checking import (
    MOST_SHOWN,
    Reason,
    answer_problem,
    check_critiques,
    check_mutations,
    section_key,
)
from grading.core.schemas import MutationDraft
from tests.grading.cases import FACTS, QUOTE, case_of, draft, known_case, reply

CASE = known_case("m01", "middling")


def dropped(**changes):
    checked = check_critiques(reply(draft(**changes)), CASE, FACTS)
    assert checked.shown == ()
    [drop] = checked.dropped
    return drop


def shown(**changes):
    checked = check_critiques(reply(draft(**changes)), CASE, FACTS)
    assert [drop.text for drop in checked.dropped] == []
    [critique] = checked.shown
    return critique


def test_a_critique_that_stands_is_shown_with_the_place_of_its_quote():
    critique = shown()
    part = CASE.submission.part("s6")
    assert part.text[critique.place.start : critique.place.end] == QUOTE == critique.quote
    assert (critique.place.key, critique.rubric_line, critique.expression) == ("s6", 5, "")


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"quote": "The router therefore stops sending at 85 %"}, Reason.QUOTE_NOT_FOUND),
        ({"quote": "85 %"}, Reason.QUOTE_TOO_SHORT),
        ({"quote": ""}, Reason.QUOTE_TOO_SHORT),
        ({"quote": QUOTE * 20}, Reason.QUOTE_TOO_LONG),
        ({"section": "s99"}, Reason.UNKNOWN_SECTION),
        ({"section": ""}, Reason.UNKNOWN_SECTION),
        ({"defect_class": "bad-design"}, Reason.UNKNOWN_CLASS),
        ({"defect_class": "Threshold on an unsized resource"}, Reason.UNKNOWN_CLASS),
        ({"defect_class": "other"}, Reason.CLASS_NAME),
        ({"rubric_line": 0}, Reason.UNKNOWN_LINE),
        ({"rubric_line": 9}, Reason.UNKNOWN_LINE),
        ({"attack": "  \u200b "}, Reason.EMPTY_TEXT),
        ({"scenario": ""}, Reason.EMPTY_TEXT),
        ({"attack": "It is wrong. " * 400}, Reason.TEXT_TOO_LONG),
        ({"attack": "A well thought out gate, yet nobody sized what it guards."}, Reason.PRAISE),
        ({"scenario": "This answer gets 4/4 whatever happens next."}, Reason.POINTS),
        ({"attack": "You are incompetent, and nobody sized what the gate guards."}, Reason.PERSONAL),
        ({"defect_class": "other", "class_name": "full marks"}, Reason.POINTS),
    ],
)
def test_what_does_not_stand_is_dropped_with_its_reason(changes, reason):
    drop = dropped(**changes)
    assert drop.reason is reason
    assert drop.repairable is (reason not in (Reason.POINTS, Reason.PERSONAL))
    assert drop.text.startswith(str(reason))


def test_a_quote_in_another_section_is_moved_to_the_one_part_that_holds_it():
    assert shown(section="s5").place.key == "s6"


def test_a_quote_that_stands_in_two_other_parts_is_not_moved_by_guess():
    case = case_of(
        "m01", {"s3": "The ledger forgets nothing.", "s4": "The ledger forgets nothing.", "s5": "Another text."}
    )
    checked = check_critiques(reply(draft(quote="The ledger forgets nothing.", section="s5")), case, FACTS)
    assert checked.dropped[0].reason is Reason.UNKNOWN_SECTION
    named = check_critiques(reply(draft(quote="The ledger forgets nothing.", section="§4")), case, FACTS)
    assert named.shown[0].place.key == "s4"


@pytest.mark.parametrize(
    "text",
    [
        "## Admission at the cliff\n\nWords.",
        "Admission at the cliff\n======\n\nWords.",
        "**Admission at the cliff**\n\nWords.",
    ],
)
def test_a_heading_alone_is_no_quote(text):
    case = case_of("m01", {"s6": text})
    checked = check_critiques(reply(draft(quote="Admission at the cliff")), case, FACTS)
    assert checked.dropped[0].reason is Reason.QUOTE_IS_HEADING


def test_a_comment_of_the_worksheet_is_no_heading():
    assert shown(quote="# one token, one request, one replica", section="worksheet").place.key == "worksheet"


@pytest.mark.parametrize("section", ["s6", "S6", "6", "section 6", "§6", "6. Second hard part", "Second hard part"])
def test_a_section_may_be_named_in_any_usual_way(section):
    assert section_key(section, CASE.submission) == "s6"


def test_class_names_belong_to_other_alone():
    assert shown(defect_class="other", class_name="a gate on the past").class_name == "a gate on the past"
    assert shown(class_name="a gate on the past").class_name == ""


def test_a_number_with_its_arithmetic_is_shown_as_code_works_it_out():
    critique = shown(
        attack="The gate leaves 26.0 GiB free; one such request needs 40 GiB.",
        expression="(1 - 85%) * pool",
        claimed_value="26 GiB",
    )
    assert (critique.value_text, critique.claimed_value) == ("26.0 GiB", "26 GiB")
    assert critique.with_numbers == "(1 - 85%) * 173.615 GiB"


@pytest.mark.parametrize(
    ("expression", "claimed"),
    [
        ("giant / pool", "23 %"),
        ("giant / pool", "0.23"),
        ("kv_cache_bytes_per_token(llama70b) * max_context", "40 GiB"),
        ("weights / (gpus_per_replica * h100.hbm_bandwidth * mbu)", "~14.9 ms"),
        ("replicas * gpus_per_replica * price", "$960/h"),
        ("131072 tokens * 320 KiB", "42.9 GB"),
        ("2 * 80 * 8 * 128 * 2 B", "320 KiB"),
        ("rate_reasoning * (in_reasoning + out_reasoning) * out_reasoning", "720e6 tokens^2/s"),
    ],
)
def test_claims_that_come_to_their_value_stand(expression, claimed):
    assert shown(expression=expression, claimed_value=claimed).expression == expression


@pytest.mark.parametrize(
    ("expression", "claimed", "reason", "detail"),
    [
        ("giant / pool", "32 %", Reason.VALUE_WRONG, "gives 23.04%, not 32 %"),
        ("giant / pool", "23 GiB", Reason.VALUE_WRONG, "plain numbers"),
        ("giant / pool", "", Reason.VALUE_MISSING, "claims no value"),
        ("giant / pool", "about a quarter to a third", Reason.VALUE_UNREADABLE, "not one number"),
        ("giant / pool", "23 % or 24 %", Reason.VALUE_UNREADABLE, "not one number"),
        ("giant / reserve", "23 %", Reason.UNKNOWN_INPUT, "'reserve' is unknown"),
        ("heavy_over_light * pool", "734 GiB", Reason.UNKNOWN_INPUT, "'heavy_over_light' is unknown"),
        ("37 * giant", "1480 GiB", Reason.UNKNOWN_INPUT, "37 stands neither"),
        ("2^37 * 1 B", "128 GiB", Reason.UNKNOWN_INPUT, "37 stands neither"),
        ("(pool + 7 GiB) / pool", "1.04", Reason.UNKNOWN_INPUT, "7 GiB stands neither"),
        ("giant + 1 s", "40 GiB", Reason.EXPRESSION_WRONG, ""),
        ("__import__('os')", "1", Reason.EXPRESSION_WRONG, ""),
        ("9^9^9^9", "1", Reason.EXPRESSION_WRONG, ""),
    ],
)
def test_claims_that_do_not_stand_are_dropped_with_what_is_wrong(expression, claimed, reason, detail):
    drop = dropped(expression=expression, claimed_value=claimed)
    assert drop.reason is reason
    assert detail in drop.detail


def test_a_figure_of_the_worked_answer_is_no_source():
    """734 and 54.7 pools stand in anchors, which the model was told; the trainee wrote neither."""
    assert (
        dropped(attack="Reasoning alone holds 44.0 replicas, so the gate is too late.").reason is Reason.UNSHOWN_NUMBER
    )
    assert dropped(expression="54.7 * pool", claimed_value="9497 GiB").reason is Reason.UNKNOWN_INPUT


@pytest.mark.parametrize(
    "words",
    [
        "It leaves 31 GiB free and no more than that.",
        "It leaves thirty-one gigabytes free and no more.",
        "It leaves 17 % free and no more than that.",
        "A stream waits for 900 ms in this state.",
        "The fleet burns $1,200/h while it waits.",
        "It leaves **31** GiB free.",
        "It leaves 3\u200b1 GiB free.",
        "It leaves ３１ GiB free.",
    ],
)
def test_a_number_with_a_unit_needs_its_arithmetic(words):
    assert dropped(attack=words).reason is Reason.UNSHOWN_NUMBER
    assert dropped(scenario=words).reason is Reason.UNSHOWN_NUMBER


@pytest.mark.parametrize(
    "words",
    [
        "It stops at 85 % of the pool and forgets the growth.",  # the submission's
        "A contract was promised 50 ms per token and gets it no longer.",  # the prompt's
        "A replica has 320 GiB and 174 GiB of them are the pool.",  # rounded as the submission rounds
        "The pool is 173.6 GiB and the residents grow past it.",  # the worksheet's value
        "Two replicas fail in step 3, and then all of the others do.",
        "The longest prompt is 131,072 tokens and passes the gate.",
    ],
)
def test_numbers_of_the_prompt_and_the_submission_may_be_said_again(words):
    shown(attack=words)


def test_a_value_claimed_without_an_expression_must_stand_somewhere():
    assert dropped(claimed_value="31 GiB").reason is Reason.UNSHOWN_NUMBER
    assert shown(claimed_value="85 %").value_text == ""
    assert shown(claimed_value="null", expression="None").expression == ""


def test_a_claim_may_be_two_percent_off_or_rounded_as_it_is_written():
    assert shown(expression="pool", claimed_value="177 GiB")
    assert dropped(expression="pool", claimed_value="178 GiB").reason is Reason.VALUE_WRONG
    assert shown(expression="weights / (4 GPUs * h100.hbm_bandwidth * mbu)", claimed_value="15 ms")
    assert shown(expression="giant / pool", claimed_value="0.2").value_text == "0.230"
    assert dropped(expression="giant / pool", claimed_value="0.20").reason is Reason.VALUE_WRONG


def test_overlapping_quotes_of_one_class_are_merged_and_counted():
    first = draft()
    longer = draft(
        quote=f"{QUOTE}\n\nOn entry we reserve an estimate", attack="Another wording of the same attack on it."
    )
    other_class = draft(
        defect_class="arithmetic-never-done", attack="The eighty-five was never worked out by anyone here."
    )
    checked = check_critiques(reply(first, longer, other_class), CASE, FACTS)
    assert [critique.attack for critique in checked.shown] == [first.attack, other_class.attack]
    assert (checked.merged, len(checked.dropped), checked.surplus) == (1, 0, 0)


def test_the_same_words_said_twice_are_merged_whatever_they_quote():
    again = draft(quote="The budget service owns reservations.", section="s3", attack=draft().attack.upper())
    checked = check_critiques(reply(draft(), again), CASE, FACTS)
    assert (len(checked.shown), checked.merged) == (1, 1)


def test_six_are_shown_and_the_rest_counted():
    sentences = [CASE.submission.part(key).text.replace("\n\n", " ").split(". ")[:4] for key in ("s9", "s5")]
    drafts = [
        draft(quote=quote, section="s9", attack=f"Attack {letter} on these very words.")
        for quote, letter in zip([*sentences[0], *sentences[1]], "abcdefgh", strict=True)
    ]
    checked = check_critiques(reply(*drafts), CASE, FACTS)
    assert len(checked.shown) == MOST_SHOWN
    assert (checked.surplus, checked.merged, checked.dropped) == (2, 0, ())


def test_a_repair_adds_to_what_was_shown_and_is_merged_with_it():
    before = check_critiques(reply(draft()), CASE, FACTS)
    mended = draft(
        quote="The budget service owns reservations.", section="s3", attack="What it holds when a gateway dies is lost."
    )
    after = check_critiques(reply(mended, draft()), CASE, FACTS, already=before.shown)
    assert after.shown[0] == before.shown[0]
    assert [critique.place.key for critique in after.shown] == ["s6", "s3"]
    assert after.merged == 1


def test_texts_are_kept_as_plain_characters():
    attack = "The gate <script>alert(1)</script> [looks](javascript:x) back\u202e\U000e0041 at what\x00 is held now."
    assert (
        shown(attack=attack).attack
        == "The gate <script>alert(1)</script> [looks](javascript:x) back at what is held now."
    )


def test_a_quote_is_kept_as_the_trainee_wrote_it():
    case = case_of("m01", {"s6": "The gate’s “limit” is\u00a0nine   tenths of the pool."})
    checked = check_critiques(reply(draft(quote='The gate\'s "limit" is nine tenths')), case, FACTS)
    assert checked.shown[0].quote == "The gate’s “limit” is\u00a0nine   tenths"


def test_mutations_of_the_model_come_first_and_generic_ones_fill_up():
    drafts = [
        MutationDraft(
            title="A tenant leaves", ask="Your largest tenant leaves tonight. What stands empty, and who pays?"
        ),
        MutationDraft(title="A tenant leaves", ask="The same title again, with another question below it?"),
        MutationDraft(title="Well done", ask="Excellent work. What would you like to be asked next?"),
        MutationDraft(title="", ask="No title, but a question that is long enough?"),
    ]
    mutations = check_mutations(drafts, CASE, seed=5)
    assert [mutation.generic for mutation in mutations] == [False, True, True]
    assert len({mutation.title for mutation in mutations}) == 3
    four = [MutationDraft(title=f"Case {letter}", ask=f"What happens in case {letter} of them?") for letter in "abcd"]
    assert [mutation.title for mutation in check_mutations(four, CASE, seed=5)] == ["Case a", "Case b", "Case c"]


def test_a_reply_to_an_answer_neither_praises_nor_scores():
    assert answer_problem("It still forgets what a dead gateway held. What frees that?") is None
    assert answer_problem("Great answer. That settles it.") is Reason.PRAISE
    assert answer_problem("That earns full marks.") is Reason.POINTS
    assert answer_problem("\u200b") is Reason.EMPTY_TEXT
