"""The built-in critic finds what is missing and what is off, shows what it looked for, and is the same each time."""

from dataclasses import replace

import pytest

from calculator.expressions import evaluate_worksheet
from grading.core.builtin.lines import slip
from grading.core.builtin.numbers import main_steps
from grading.core.builtin.wording import folded, nearest, sentences_of, spaced, stands, unmarked
from tests.designs.worked import CONTENT, derivation_of, design_of
from tests.grading.cases import FACTS, QUALITIES, SLUGS, case_of, known_case, report_of, submission, texts_of

ALL_SLUGS = tuple(sorted(path.name for path in CONTENT.iterdir() if (path / "design.toml").is_file()))


@pytest.mark.parametrize("slug", SLUGS)
def test_a_better_submission_has_strictly_fewer_findings(slug):
    weak, middling, strong = (report_of(known_case(slug, quality)) for quality in QUALITIES)
    assert weak.finding_count > middling.finding_count > strong.finding_count
    assert len(weak.absent_remedies) >= len(middling.absent_remedies) > len(strong.absent_remedies)
    assert len(weak.absent_numbers) > len(middling.absent_numbers) >= len(strong.absent_numbers)
    assert (len(weak.critiques), len(middling.critiques)) == (6, 6)
    assert len(strong.critiques) < 6


@pytest.mark.parametrize("slug", SLUGS)
def test_the_deciding_number_is_missed_first_and_only_where_it_is_missing(slug):
    weak, middling = (report_of(known_case(slug, quality)) for quality in ("weak", "middling"))
    deciding = derivation_of(slug).deciding
    assert weak.absent_numbers[0].step_id == deciding.id
    assert weak.absent_numbers[0].deciding
    assert "turns on" in weak.critiques[0].attack
    assert weak.critiques[0].value_text == deciding.text
    assert not any(number.deciding for number in middling.absent_numbers)


@pytest.mark.parametrize("slug", ALL_SLUGS)
def test_nothing_submitted_finds_everything_and_still_says_it(slug):
    report = report_of(case_of(slug, {}))
    assert report.label == "built-in"
    assert len(report.critiques) == 6
    assert len(report.absent_remedies) == 6
    assert {number.step_id for number in report.absent_numbers} == {
        derivation_of(slug).deciding.id,
        *(
            step.id
            for step in main_steps(design_of(slug), derivation_of(slug))
            if step not in derivation_of(slug).accepted
        ),
    }
    for critique in report.critiques:
        assert (critique.quote, critique.place) == ("", None)
        assert "No sentence of yours is near it." in critique.attack
        assert "{{" not in critique.attack + critique.scenario
        assert 1 <= critique.rubric_line <= 8
    assert len({mutation.title for mutation in report.mutations}) == 3


@pytest.mark.parametrize("slug", ALL_SLUGS)
def test_the_worked_design_as_an_answer_lacks_no_number_of_its_own(slug):
    """Section 2 as shown, with every step's value beside it."""
    derivation = derivation_of(slug)
    sheet = "\n".join(f"- {step.title}: {step.text}" for step in derivation.steps)
    report = report_of(case_of(slug, {"s2": sheet}))
    assert report.absent_numbers == ()
    assert report.off_lines == ()


def test_the_same_submission_gives_the_same_report():
    case = known_case("m01", "middling")
    assert report_of(case, seed=3) == report_of(case, seed=3)
    assert report_of(case, seed=3).critiques == report_of(case, seed=4).critiques
    assert {report_of(case, seed=seed).mutations for seed in range(12)} != {report_of(case, seed=3).mutations}


def test_quotes_stand_where_they_are_said_to():
    for slug in SLUGS:
        for quality in QUALITIES:
            case = known_case(slug, quality)
            for critique in report_of(case).critiques:
                if critique.place:
                    assert case.submission.words_at(critique.place) == critique.quote
                    assert critique.quote == critique.quote.strip()
                    assert not case.submission.only_heading(critique.place)


def test_a_line_that_is_off_is_told_with_both_values_and_the_likely_slip():
    case = case_of("m01", {"worksheet": "kv_per_token = 80 * 8 * 128 * 2 B\npool = 4 * 80 GiB * 95% - 140 GB\n"})
    [line] = report_of(case).off_lines
    assert (line.line_number, line.line_name, line.step_id) == (1, "kv_per_token", "kv_per_token")
    assert (line.own_text, line.value_text, line.ratio) == ("160.0 KiB", "320 KiB", 0.5)
    assert line.slip.startswith("a factor of two")
    critique = next(one for one in report_of(case).critiques if one.place)
    assert critique.quote == "kv_per_token = 80 * 8 * 128 * 2 B"
    assert critique.place.key == "worksheet"
    for words in ("160.0 KiB", "320 KiB", "0.5 times"):
        assert words in critique.attack


@pytest.mark.parametrize(
    "worksheet",
    [
        "kv_per_token = 330 KiB",  # within a tenth
        "kv_per_token = 2 s",  # of another dimension
        "kv_cache_of_a_token = 320 KiB",
        "per_tenant = 12 KiB",  # like no step
        "kv_per_token = 80 GiB",  # a given's value
        "kv_per_token = 0 B",
        "kv_per_token = 1 +",
        "160 KiB",
    ],
)
def test_a_line_that_is_right_or_means_something_else_is_left_alone(worksheet):
    assert report_of(case_of("m01", {"worksheet": worksheet})).off_lines == ()


@pytest.mark.parametrize("name", ["kv_per_token", "kv_token", "kv_bytes_per_token", "kv_of_one_token"])
def test_a_line_is_known_by_names_that_are_alike(name):
    [line] = report_of(case_of("m01", {"worksheet": f"{name} = 160 KiB"})).off_lines
    assert line.step_id == "kv_per_token"


def test_a_line_is_known_by_the_facts_it_uses_when_its_name_says_little():
    sheet = "a_token_of_kv = llama70b.layers * llama70b.kv_heads * llama70b.head_dim * 2 B"
    assert [line.step_id for line in report_of(case_of("m01", {"worksheet": sheet})).off_lines] == ["kv_per_token"]


@pytest.mark.parametrize(
    ("own", "ours", "word"),
    [(8.0, 1.0, "bits"), (1.0, 2.0, "two"), (1000.0, 1.0, "thousand"), (1024.0, 1.0, "1024"), (1.0, 3600.0, "hours"),
     (23.0, 0.23, "percentage"), (1.024**5, 1.0, "PB for PiB"), (1.5, 1.0, ""), (-2.0, 1.0, "")],
)  # fmt: skip
def test_a_slip_is_named_by_its_factor(own, ours, word):
    assert word in slip(own, ours)
    assert bool(slip(own, ours)) is bool(word)


@pytest.mark.parametrize(
    "said",
    [
        "One call takes 23 % of a replica.",
        "One call takes 23.5% of it.",
        "That is 0.23 of the pool.",
        "So 4.3 of them fill a replica.",
        "About 20-25 % of a replica goes to one request.",
        "It is a quarter of the pool.",
        "With the engine's overhead it is 29.7 percent.",
    ],
)
def test_the_deciding_number_may_be_said_in_any_usual_way(said):
    assert not any(number.deciding for number in report_of(case_of("m01", {"s2": said})).absent_numbers)


@pytest.mark.parametrize(
    "said", ["One call takes 45 % of a replica.", "It takes 40 GiB.", "23 GiB of it.", "23 tenants."]
)
def test_another_number_is_not_taken_for_it(said):
    assert any(number.deciding for number in report_of(case_of("m01", {"s2": said})).absent_numbers)


def test_a_worksheet_line_without_a_name_counts_as_said():
    case = case_of("m01", {"worksheet": "131072 tokens * 320 KiB / (4 * 80 GiB * 95% - 140 GB)"})
    assert not any(number.deciding for number in report_of(case).absent_numbers)


@pytest.mark.parametrize(
    ("phrase", "text", "found"),
    [
        ("measured TPOT", "We use the Measured  tpot of the replica.", True),
        ("lane", "two fast lanes", True),
        ("lane", "the planes are late", False),
        ("lost-work share", "the lost work shares", True),
        ("consistent hash", "consistent-hashing", False),
        ("Little's law", "by Little’s law", True),
        ("page on outcome", "pages on the outcome", True),
        ("page on outcome", "pages. On the outcome", True),
        ("policies apply", "the policy applies", True),
        ("policy", "policies", True),
        ("E[R]", "the expected E[R] of it", True),
        ("", "anything", False),
    ],
)
def test_remedies_are_found_whatever_their_case_hyphens_and_plurals(phrase, text, found):
    assert stands(phrase, spaced([text])) is found


def test_no_remedy_is_found_across_two_parts():
    assert not stands("measured TPOT", spaced(["it is measured", "TPOT of the rest"]))


def test_a_remedy_that_is_said_takes_its_critique_away():
    design = design_of("m01")
    for critique in design.critiques:
        for remedy in critique.remedies:
            absent = {
                one.number for one in report_of(case_of("m01", {"s7": f"We have a {remedy} for that."})).absent_remedies
            }
            assert critique.number not in absent


def test_the_words_looked_for_are_shown():
    report = report_of(case_of("m01", {"s6": "The estimate uses the advertised speed."}))
    critique = next(one for one in report.critiques if "advertised speed" in one.attack)
    assert critique.quote == "The estimate uses the advertised speed."
    for word in design_of("m01").critique(1).remedies:
        assert f"“{word}”" in critique.attack


@pytest.mark.parametrize("slug", ALL_SLUGS)
def test_what_is_taken_from_a_worked_critique_is_said_of_the_worked_draft_and_never_of_the_trainees(slug):
    """An argument against the worked draft, such as "You quote a value from a manual", accuses a trainee of nothing."""
    design = design_of(slug)
    remedies = {remedy.title: remedy for remedy in report_of(case_of(slug, {})).absent_remedies}
    shown = [one for one in report_of(case_of(slug, {})).critiques if "worked design" in one.attack]
    assert shown
    for one in shown:
        title = one.attack.removeprefix("The worked design was attacked here for “").partition("”: does yours stand? ")[
            0
        ]
        remedy = remedies[title]
        for word in remedy.looked_for:
            assert f"“{word}”" in one.attack.partition("Looked for in your text and not found: ")[2]
        assert one.scenario.startswith(f"The worked draft, section {remedy.attacks}, wrote: “")
        assert one.scenario.endswith("”")
        argument = unmarked(design.critique(remedy.number).critique.source)
        for sentence in (said.strip() for said in argument.split(".")):
            assert len(sentence) < 20 or sentence not in one.attack + one.scenario


def test_an_anchor_whose_figure_is_said_is_not_found_absent():
    anchors = {
        one.anchor_id for one in report_of(case_of("m01", {"s9": "With a replica 47 streams are lost."})).absent_figures
    }
    assert "loss-in-numbers" not in anchors
    assert "headroom-clock" in anchors


def test_a_heading_is_never_quoted():
    texts = submission(
        {"s2": "# The share of a replica that one request with the longest prompt takes\n\nOther words entirely here."}
    )
    assert [texts.words_at(sentence.place) for sentence in sentences_of(texts)] == ["Other words entirely here."]
    assert nearest(sentences_of(texts), "share of a replica that one request takes") is None


def test_sentences_keep_their_numbers_whole():
    texts = submission(
        {"s2": "- It takes 23.0 % of a pool. Then 4.3 of them fill it!\n2. Next point, with more words."}
    )
    assert [texts.words_at(sentence.place) for sentence in sentences_of(texts)] == [
        "It takes 23.0 % of a pool.",
        "Then 4.3 of them fill it!",
        "Next point, with more words.",
    ]


def test_markdown_is_told_as_plain_words():
    assert unmarked("> **Bold** and `code`, [a link](https://x.y/)[^1]") == "Bold and code, a link"
    assert folded("The Lanes' policies") == ("lane", "policy")


def test_padding_a_submission_with_words_changes_no_finding():
    texts = texts_of("m02", "middling")
    padded = {
        key: text + "\n\nWe go on to speak of many other matters here." * 50
        for key, text in texts.items()
        if key != "worksheet"
    }
    padded["worksheet"] = texts["worksheet"]
    before, after = report_of(known_case("m02", "middling")), report_of(case_of("m02", padded))
    assert replace(before, critiques=()) == replace(after, critiques=())


def test_every_line_of_the_known_worksheets_evaluates():
    for slug in SLUGS:
        for quality in QUALITIES:
            for line in evaluate_worksheet(texts_of(slug, quality).get("worksheet", ""), facts=FACTS):
                assert line.error is None, (slug, quality, line.source)
