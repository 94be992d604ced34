"""Text and numbers from outside."""

import pytest

from trainer.rounds.core.text import BadText, clean_integer, clean_text


@pytest.mark.parametrize("value", [None, 3, ["a"], {"a": 1}, b"bytes", True])
def test_what_is_no_text_is_refused_by_name(value: object) -> None:
    with pytest.raises(BadText, match="The answer must be text") as refusal:
        clean_text(value, "The answer", limit_characters=9)
    assert refusal.value.kind == "type"


@pytest.mark.parametrize("value", ["a\x00b", "\x00", "half \ud83e pair", "\udd99"])
def test_characters_that_no_database_stores_are_refused(value: str) -> None:
    with pytest.raises(BadText) as refusal:
        clean_text(value, "It", limit_characters=99)
    assert refusal.value.kind == "characters"


def test_the_limit_counts_characters_and_is_named() -> None:
    assert clean_text("🦙" * 5, "It", limit_characters=5) == "🦙" * 5
    with pytest.raises(BadText, match="6 characters; at most 5") as refusal:
        clean_text("🦙" * 6, "It", limit_characters=5)
    assert refusal.value.kind == "length"


def test_nothing_is_refused_only_where_something_is_required() -> None:
    assert clean_text("", "It", limit_characters=5) == ""
    with pytest.raises(BadText) as refusal:
        clean_text(" \n\t", "It", limit_characters=5, required=True)
    assert refusal.value.kind == "empty"


def test_line_ends_become_plain_and_nothing_else_changes() -> None:
    assert clean_text(" a\r\nb\rc\n ", "It", limit_characters=99) == " a\nb\nc\n "


@pytest.mark.parametrize(("value", "number"), [(0, 0), ("4", 4), (" 3 ", 3), (4, 4)])
def test_whole_numbers_come_as_numbers_or_digits(value: object, number: int) -> None:
    assert clean_integer(value, "Level", least=0, most=4) == number


@pytest.mark.parametrize("value", [-1, 5, "5", "", "x", "²", "٣", None, 1.0, True, "1e0", "9" * 5000, [1]])
def test_any_other_number_is_refused_with_its_range(value: object) -> None:
    with pytest.raises(BadText, match="Level must be a whole number from 0 to 4"):
        clean_integer(value, "Level", least=0, most=4)
