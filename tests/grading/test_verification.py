"""A quote is evidence only when it stands in the submission."""

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from grading.core.verification import (
    MIN_QUOTE_CHARACTERS,
    QuoteProblem,
    _comparable,
    _fold,
    find_quote,
    quote_problem,
    quote_stands,
)

SUBMISSION = (
    "## 2 The arithmetic\n\nOne stream of **128k tokens** holds 40 GiB of KV cache:\n"
    "that is 23% of the pool – so requests are the wrong unit.\n\n"
    "It doesn’t wait; the “giant” is charged in KV-seconds. A naïve café limit lets 140 GiB through."
)


@pytest.mark.parametrize(
    "quote",
    [
        "One stream of **128k tokens** holds 40 GiB",
        "  holds 40 GiB of KV cache:   that is 23% of the pool ",
        "holds\t40\u00a0GiB of KV cache:\r\nthat is 23%",
        "of the pool - so requests are the wrong unit",
        "of the pool — so requests",
        'It doesn\'t wait; the "giant" is charged',
        "re\u00adquests are\u200b the wrong unit",
        "A nai\u0308ve cafe\u0301 limit",
        "ｈｏｌｄｓ ４０ ＧｉＢ of KV",
    ],
)
def test_words_that_a_reader_would_call_the_same_stand(quote):
    assert quote_stands(quote, SUBMISSION)
    assert quote_problem(quote, SUBMISSION) is None


@pytest.mark.parametrize(
    "quote",
    [
        "one stream of **128K Tokens** holds",  # case is kept
        "One stream of 128k tokens holds 40 GiB",  # and so is Markdown
        "holds 40 GB of KV cache",
        "holds 41 GiB of KV cache",
        "requests are the right unit",
        "holds40GiBofKVcache",
        "One stream ... holds 40 GiB",
        "A naive cafe limit",
    ],
)
def test_words_that_differ_do_not_stand(quote):
    assert quote_problem(quote, SUBMISSION) is QuoteProblem.NOT_FOUND
    assert find_quote(quote, SUBMISSION) is None


@pytest.mark.parametrize("quote", ["", "   \n\t", "\u200b\u00ad\ufeff"])
def test_an_empty_quote_is_refused(quote):
    assert quote_problem(quote, SUBMISSION) is QuoteProblem.EMPTY
    assert not quote_stands(quote, SUBMISSION)


def test_a_quote_too_short_to_show_anything_is_refused_though_it_stands():
    assert quote_problem("the poo", SUBMISSION) is QuoteProblem.TOO_SHORT
    assert quote_problem("the pool", SUBMISSION) is None
    assert len("the pool") == MIN_QUOTE_CHARACTERS


def test_invisible_characters_do_not_make_a_short_quote_long_enough():
    assert quote_problem("pool" + "\u200b" * 20, SUBMISSION) is QuoteProblem.TOO_SHORT


@pytest.mark.parametrize(
    ("quote", "submission"),
    [
        ("40 GiB through", "lets 140 GiB through"),
        ("5 seconds each", "takes 0.5 seconds each"),
        (".5 seconds each", "takes 0.5 seconds each"),
        ("000 requests/s", "at 12,000 requests/s"),
        ("requests at 12", "requests at 120 per second"),
        ("requests at 12", "requests at 12.5 per second"),
    ],
)
def test_a_quote_that_cuts_a_number_does_not_stand(quote, submission):
    assert quote_problem(quote, submission) is QuoteProblem.NOT_FOUND


def test_a_quote_that_first_cuts_a_number_is_found_where_it_stands_whole():
    submission = "first 140 GiB held, then 40 GiB held."
    found = find_quote("40 GiB held", submission)
    assert submission[found.start : found.end] == "40 GiB held"
    assert found.start == submission.rindex("40 GiB")


def test_a_number_may_end_a_sentence():
    assert quote_stands("requests at 12", "requests at 12. Then more.")
    assert quote_stands("requests at 12.", "requests at 12. Then more.")


def test_the_offsets_are_those_of_the_text_as_submitted():
    submission = "Intro\u200b…  the\u00a0\u00a0“giant”\n re\u00adque\u0301sts — then"
    found = find_quote('the "giant" requ\u00e9sts -', submission)
    assert submission[found.start : found.end] == "the\u00a0\u00a0“giant”\n re\u00adque\u0301sts —"


def test_a_ligature_is_found_by_its_letters_with_the_ligature_whole():
    submission = "an eﬃcient batch"
    found = find_quote("fficient batch", submission)
    assert submission[found.start : found.end] == "ﬃcient batch"


def test_no_long_run_of_marks_is_normalised_at_once(monkeypatch):
    """A run of 200,000 marks takes minutes, in which the whole process stands still."""
    longest = 0
    normalize = unicodedata.normalize

    def measured(form, text):
        nonlocal longest
        runs = "".join("m" if unicodedata.combining(character) else " " for character in text).split()
        longest = max(longest, 0, *map(len, runs))
        return normalize(form, text)

    monkeypatch.setattr("grading.core.verification.unicodedata.normalize", measured)
    submission = "the words that are quoted" + "\u0301\u0323" * 500
    assert find_quote("the words that", submission) is not None
    assert quote_stands("e" + "\u0323" * 100, "e" + "\u0323" * 100)
    assert longest == 30


PROSE = st.text(
    alphabet=st.one_of(
        st.sampled_from("abz AZ.,%*`#-–—“”’'\"\n\t\u00a0\u00ad\u200b\u0301é각가ﬁ½"),
        st.characters(exclude_categories=["Cs"]),
    ),
    max_size=80,
)


@given(PROSE, PROSE, PROSE)
def test_any_words_of_the_submission_stand_where_they_are_set_apart(before, words, after):
    quote = f"quoted words: {words} |"
    submission = f"{before}\n{quote}\n{after}"
    found = find_quote(quote, submission)
    assert found is not None
    assert quote_stands(submission[found.start : found.end], submission)


@given(PROSE, st.sampled_from(["NFC", "NFD", "NFKC", "NFKD"]))
@example("각", "NFD")
@example("ﬁ½é", "NFKD")
def test_the_form_of_unicode_makes_no_difference(text, form):
    quote = f"quoted: {text} ."
    assert quote_stands(unicodedata.normalize(form, quote), quote)


@given(PROSE)
@example("a" + "\u0301\u0323" * 40 + "b")
@example("\u0323" * 31 + "\u0301" * 31)
def test_the_offsets_belong_to_the_very_text_that_quotes_are_compared_with(text):
    assert _fold(text).text == _comparable(text)


@given(PROSE)
def test_a_span_lies_within_the_submission_and_covers_a_quote_that_stands(text):
    submission = f"{text} the deciding number is here {text}"
    found = find_quote("the deciding number is here", submission)
    assert 0 <= found.start < found.end <= len(submission)
    assert "deciding" in submission[found.start : found.end]
