"""No praise, no points, nothing against a person; and an attack that only sounds like one of them passes."""

import pytest

from grading.core.language import attacks_person, plain_text, praises, scores


@pytest.mark.parametrize(
    "text",
    [
        "Well done, but the gate is wrong.",
        "Great job on the arithmetic.",
        "This is a solid start.",
        "An elegant scheduler that starves the giant.",
        "I like the currency.",
        "Good catch.",
        "The design is really good, and yet.",
        "A **well** thought-out ledger.",
        "w\u200bell done",
        "Ｗｅｌｌ done",
        "<b>Well</b> done",
        "Thank you for the answer.",
    ],
)
def test_praise_is_seen(text):
    assert praises(text)


@pytest.mark.parametrize(
    "text",
    [
        "That is 4/4.",
        "4 / 4 for the arithmetic.",
        "3 out of 4.",
        "Three out of four for this.",
        "Full marks.",
        "This earns nothing.",
        "It deserves full credit.",
        "I would score this a two.",
        "No points for that.",
        "Award the top level.",
        "That is a level 4 answer.",
        "Score: 3",
        "A strong hire.",
        "You get 4 for this.",
        "Rubric line 4 asks for more.",
        "f\u00adull m\u00adarks",
        "*4*/4",
    ],
)
def test_points_are_seen(text):
    assert scores(text)


@pytest.mark.parametrize(
    "text",
    [
        "A tenant that gets nothing for an hour leaves.",
        "3/4 of the pool is held when the gate closes.",
        "Three out of four replicas are gone.",
        "A great many outstanding requests wait behind it.",
        "There are two points of failure, and no point in time at which both are seen.",
        "You lose half a percentage point of goodput.",
        "The high-water mark is read from the engine.",
        "The retrieval score is not calibrated, and a score of 72% means nothing.",
        "A tenant with zero credits still waits.",
        "We recommend nothing; the command fails.",
        "The second level of the cache is cold.",
        "It degrades gracefully, you say; it does not.",
        "Thanks to the batch the step gets longer.",
        "Nobody would rate limit it there.",
        "The floor is 40 % and the ceiling is not given.",
        "The judge's rubric is part of the prompt, and it drifts.",
        "A like-for-like comparison needs the same seed.",
    ],
)
def test_what_only_sounds_alike_is_left_alone(text):
    assert (praises(text), scores(text), attacks_person(text)) == ("", "", "")


@pytest.mark.parametrize(
    "text", ["You are clueless.", "A stupid gate.", "You're not an engineer.", "You know nothing."]
)
def test_words_against_the_person_are_seen(text):
    assert attacks_person(text)


def test_plain_text_keeps_markup_as_characters_and_drops_what_shows_nothing():
    assert plain_text(" a\r\n\n\n\n<b>b</b>\u202e\u0007 \U000e0067\n") == "a\n\n<b>b</b>"
    assert plain_text("[x](javascript:alert(1)) ![y](http://z/)") == "[x](javascript:alert(1)) ![y](http://z/)"
