"""A figure with a unit that was typed by hand is found; what a writer legitimately types is left alone."""

import pytest

from designs.core.document import Text
from designs.core.figures import bare_figures, footnotes, unknown_footnotes

GIVEN = (6 * 3600.0, 8.0, 0.95, 131072.0, 40 * 2.0**30, 2.5 / 3600, 3.35e12, 0.035, 100.0)
NOTES = """

[^paper]: Sheng et al., "Fairness in Serving LLMs", OSDI 2024, arXiv 2401.00588.
[^vague]: somebody said so
"""


def found(text: str) -> list[str]:
    whole = Text(text + NOTES, "sections/02-arithmetic.md", 5)
    problems = bare_figures(whole, given_values=GIVEN, notes=footnotes(whole))
    return [problem.message.split(" is typed")[0].strip("'\"") for problem in problems]


FIGURES = """
41 GiB|173.6 GiB|7 GB/s|900 GB/s|320 KiB|2 bytes|2 B|18%|17.9 %|12 percent|6.7 pp|3x|2.4×|5 times|42 ms|41.8 ms|30 s
90 seconds|3 minutes|3-5 min|20 hours|30 days|54 days|4,310 tokens|14,016 tok/s|131k tokens|2 million tokens|12 requests
101 req/s|384 GPUs|96 replicas|48 hosts|16 nodes|2,000 tenants|15 billion documents|989.5 TFLOP/s|140 GFLOP|$902|$2.35
USD 2.35|2.60 USD|35 cents|30-day|4-GPU|80-GiB|1e9 tokens|400 Gbit/s|35%|0.5 ms|95 GPUs
"""


@pytest.mark.parametrize("figure", [figure for line in FIGURES.split("\n") for figure in line.split("|") if figure])
def test_a_figure_with_a_unit_is_found(figure: str) -> None:
    assert len(found(f"It takes {figure} of the replica.")) == 1, figure


@pytest.mark.parametrize(
    "text",
    [
        "The night has 6 h for 8 GPUs at 95%, or 131,072 tokens; 128k tokens is the same.",
        "It holds 40 GiB, at 2.50 USD/h, over 3.35 TB/s, in 35 ms, at 100 req/s.",
        "A 6-hour night and an 8-GPU node.",
        "On H100, FP8 at TP4 the p95 and p99.9 of 4xH100 (4 x H100, 2x80x8) with a 70B model and Llama-3-70B.",
        "See §5 and section 6, step 3, lines 4 and 5; level 2 tokens, step 12 requests.",
        "The first two, three of the four, the 2nd and the 128k prompt; two requests, ten minutes, a third.",
        "In 2024 requests were shorter than in 2026. The 1990s had none. Version 3.1, page 12.",
        "Code is left alone: `40 GB`, and\n\n```\nsleep 30 s\n```\n\nas it is.",
        "A placeholder is `{{ x }}` GiB or {{ kv -> GiB, 3 }} or {{ gpus }} GPUs.",
        "0 tokens, 1 replica, 0% and 100% are what they are; 1x too.",
        "A ratio of 734 and a count of 5,327 carry no unit.",
        "VTC is tight within 2x, whatever the load.[^paper]",
        "| engine | 407 ms [^paper] |\n|---|---|",
        "[a link](https://example.org/40-GiB/30%20ms) and https://example.org/30ms",
        "1. Tokens first.\n2. Requests then.\n\n10. GPUs last.",
        "GPT-4 tokens, top-50 tokens, A100-80 chunks",
        "fp16 needs 2N per token and attention 2·d·L·p^2",
    ],
)
def test_what_a_writer_legitimately_types_is_left_alone(text: str) -> None:
    assert found(text) == []


def test_a_source_covers_its_own_sentence_alone() -> None:
    assert found("It is 2x.[^paper] It is 3x. It is 4x[^paper], too.") == ["3x"]


def test_a_source_covers_its_own_table_row_and_list_item_alone() -> None:
    assert found("| a | 7 ms [^paper] |\n| b | 9 ms |") == ["9 ms"]
    assert found("- 7 ms [^paper]\n- 9 ms") == ["9 ms"]


def test_a_footnote_without_source_and_year_covers_nothing() -> None:
    assert found("It is 3x.[^vague]") == ["3x"]


def test_the_line_is_the_figure_s_own() -> None:
    text = Text("Words.\n\nMore words\nand 41 GiB\nof it.", "sections/02-arithmetic.md", 5)
    (problem,) = bare_figures(text, given_values=(), notes={})
    assert (problem.file, problem.line) == ("sections/02-arithmetic.md", 8)


def test_footnotes_are_defined_and_say_where_and_when() -> None:
    text = Text("One[^paper], two[^vague], three[^none]." + NOTES, "sections/02-arithmetic.md", 5)
    messages = {(problem.line, problem.message) for problem in unknown_footnotes(text, footnotes(text))}
    assert messages == {
        (5, "the footnote [^none] is defined nowhere"),
        (8, "the footnote [^vague] must name a source and a year"),
    }
