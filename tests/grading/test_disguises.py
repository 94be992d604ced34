"""A model that disguises a number or praise; figures that are read back as they are printed; a long submission."""

import pytest

from calculator.expressions import Quantity
from grading.core.builtin.report import MOST_CHARACTERS
from grading.core.checking import Checked, Reason, check_critiques
from grading.core.claims import read_claim
from grading.core.figures import figures_in
from grading.core.language import praises
from tests.designs.worked import derivation_of
from tests.grading.cases import FACTS, case_of, draft, known_case, reply, report_of, texts_of

SHORT = "The gate looks at what residents hold now, and nobody sized that"


def checked(**changes: object) -> Checked:
    return check_critiques(reply(draft(**changes)), known_case("m01", "middling"), FACTS)


def reasons(**changes: object) -> list[Reason]:
    return [dropped.reason for dropped in checked(**changes).dropped]


@pytest.mark.parametrize(
    "number",
    [
        "47813 G\u0456B",  # Cyrillic i
        "47813 \u0422\u0412",  # Cyrillic T and V
        "47813 G\u0392",  # Greek beta
        "4781O GiB",  # the letter O
        "\u0664\u0667\u0668\u0661\u0663 GiB",  # Arabic digits
        "47813\u200b G\u200biB",
        "USD 47813",
        "nineteen dozen terabytes",
        "half a petabyte",
        "a quarter of a petabyte",
        "47813 tok\u22c5s",
        "47813 token-seconds",
        "47813 GPU-years",
        "47813 ms^2",
    ],
)
def test_a_number_from_nowhere_is_dropped_in_every_disguise(number: str) -> None:
    assert reasons(attack=f"{SHORT}: it takes {number}.") == [Reason.UNSHOWN_NUMBER]
    assert reasons(scenario=f"A burst of prompts takes {number} at once.") == [Reason.UNSHOWN_NUMBER]


@pytest.mark.parametrize("words", ["Gr\u0435at job", "This is \u0435xc\u0435llent", "\u0391wesome"])
def test_praise_in_letters_of_another_alphabet_is_praise(words: str) -> None:
    assert praises(words)
    assert reasons(attack=f"{words}. {SHORT}.") == [Reason.PRAISE]


def test_a_value_claimed_without_an_expression_is_short() -> None:
    claimed = "1 GiB " * 60_000
    assert reasons(claimed_value=claimed) == [Reason.VALUE_UNREADABLE]


@pytest.mark.parametrize(
    ("expression", "claimed"),
    [("2 * 2 * 2 * 2 * 2 * 1 GiB", "32 GiB"), ("6 FLOP / 1 FLOP * 1 TB", "6 TB"), ("1 s + 1 s + 1 s", "3 s")],
)
def test_an_expression_of_constants_alone_claims_nothing(expression: str, claimed: str) -> None:
    assert reasons(expression=expression, claimed_value=claimed) == [Reason.UNKNOWN_INPUT]


@pytest.mark.parametrize("slug", ["m01", "m02", "m08"])
def test_every_value_of_a_design_is_read_back_as_it_is_printed(slug: str) -> None:
    derivation = derivation_of(slug)
    quantities = [step.quantity for step in derivation.steps] + [given.quantity for given in derivation.givens]
    assert len(quantities) > 20
    for quantity in quantities:
        if abs(quantity.value) < 1e-9:
            continue
        for text in (quantity.text(4), quantity.readable().text(4)):
            assert is_read(text, quantity), text


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("12,127 tok·s", 12127, "tok·s"),
        ("12,127 tok*s", 12127, "tok·s"),
        ("12,127 token-seconds", 12127, "tok·s"),
        ("2,404 B", 2404, "B"),
        ("12,345 B·s", 12345, "B·s"),
        ("85.75 ms^2", 85.75, "ms^2"),
        ("2.261 GPU-year", 2.261, "GPU-year"),
        ("12,345 tok·GPU-hour", 12345, "tok·GPU-hour"),
        ("2.50 USD/GPU-hour", 2.5, "USD/GPU-hour"),
        ("3 GPU-s", 3, "GPU·s"),
    ],
)
def test_compound_units_are_read_back(text: str, value: float, unit: str) -> None:
    assert is_read(text, Quantity.of(value, unit))


def test_a_product_whose_second_half_is_no_unit_keeps_the_first() -> None:
    (figure,) = figures_in("40 GB*apples of it")
    assert (figure.quantity.value, figure.quantity.unit) == (40e9, "GB")


def is_read(text: str, quantity: Quantity) -> bool:
    claim = read_claim(text.removeprefix("-"), quantity.dimension)
    near = abs(claim.quantity.value - abs(quantity.value)) <= 0.001 * abs(quantity.value)
    return claim.dimension == quantity.dimension and near


def test_the_built_in_critic_reads_so_much_and_says_what_it_left_unread() -> None:
    texts = {**texts_of("m01", "middling"), "s9": "The pager is muted and nobody looks at it. " * 4_650}
    case = case_of("m01", texts)
    total = sum(len(part.text) for part in case.submission.parts)
    report = report_of(case)
    (unread,) = report.unread
    assert unread.title == "Failure, rollout, operation and cost"
    assert unread.characters == total - MOST_CHARACTERS
    assert report_of(known_case("m01", "middling")).unread == ()
    for critique in report.critiques:
        if critique.place:
            assert case.submission.words_at(critique.place) == critique.quote


def test_an_off_line_is_quoted_from_the_worksheet_where_the_text_says_it_too() -> None:
    texts = dict(texts_of("m01", "middling"))
    (off, *_) = report_of(case_of("m01", texts)).off_lines
    texts["s1"] = f"{texts.get('s1', '')}\n\n{off.line_source}\n"
    attacks = [item for item in report_of(case_of("m01", texts)).critiques if item.quote == off.line_source]
    assert [item.place.key for item in attacks if item.place] == ["worksheet"]
