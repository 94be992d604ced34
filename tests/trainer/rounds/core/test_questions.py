"""A typed question finds the interviewer's card, or none."""

import pytest

from trainer.rounds.core.questions import Card, match

CARDS = [
    Card("bought", "What exactly did enterprise buy: admission, or latency?", ("enterprise", "contract", "SLA")),
    Card("preempt", "May I preempt a paying request mid-stream?", ("preempt", "evict", "drop a stream")),
    Card("lengths", "Are output lengths known?", ("output length", "max_tokens", "generation length")),
    Card("prefixes", "Do tenants share prefixes?", ("share prefix", "prefix caching", "common system prompt")),
    Card("offload", "Is KV offload to host memory available?", ("offload", "host memory", "swap to CPU")),
    Card("cloud", "Which vector DB, which cloud, which Kubernetes ingress?", ("cloud", "kubernetes", "vector DB")),
    Card("qps", "What is the peak QPS we need to support?", ("QPS", "requests per second", "peak load")),
]


@pytest.mark.parametrize(
    ("typed", "card"),
    [
        ("What is the QPS?", "qps"),
        ("how many requests per second at peak", "qps"),
        ("Can we pre-empt... I mean, may I preempt requests that are streaming?", "preempt"),
        ("Are we allowed to evict someone mid generation?", "preempt"),
        ("Do we know the output lengths ahead of time?", "lengths"),
        ("is max_tokens always set?", "lengths"),
        ("Is prefix caching shared?", "prefixes"),
        ("do tenants share any prefixes", "prefixes"),
        ("Can I offload the KV cache to host memory?", "offload"),
        ("WHICH CLOUD ARE WE ON?", "cloud"),
        ("What does the contract of an enterprise tenant promise?", "bought"),
        ("What exactly did enterprise buy: admission, or latency?", "bought"),
    ],
)
def test_a_question_in_ones_own_words_finds_its_card(typed: str, card: str) -> None:
    assert match(typed, CARDS) == card


@pytest.mark.parametrize(
    "typed",
    ["What is the weather like?", "Why?", "???", "Is there a budget for the year?", "which one do you need", "🦙" * 20],
)
def test_a_question_that_no_card_answers_finds_none(typed: str) -> None:
    assert match(typed, CARDS) is None


def test_without_cards_nothing_matches() -> None:
    assert match("What is the QPS?", []) is None


def test_the_longer_keyword_wins_over_a_shared_one() -> None:
    cards = [Card("a", "x", ("latency",)), Card("b", "y", ("latency", "tail latency percentile"))]
    assert match("which tail latency percentile", cards) == "b"


def test_upper_case_accents_and_full_width_letters_make_no_difference() -> None:
    assert match("\uff31\uff30\uff33?", CARDS) == "qps"
