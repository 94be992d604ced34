"""Reveal and critiques, and the cards that misses become."""

import datetime as dt

import pytest

from designs.loaded import LoadedDesign
from tests.trainer.rounds.sitting import EVIDENCE, Sitting, scores
from trainer.review.models import Card
from trainer.rounds import selectors, services
from trainer.rounds.models import CritiqueAnswer
from trainer.rounds.refusals import RoundRefused
from trainer.rounds.services import ScoreInput

pytestmark = pytest.mark.django_db


def status_of(act: object, **kwargs: object) -> int:
    with pytest.raises(RoundRefused) as refusal:
        act(**kwargs)  # type: ignore[operator]
    return refusal.value.status


def test_reading_on_shows_one_section_more_each_time(sitting: Sitting) -> None:
    sitting.to("reveal")
    for position in range(10):
        page = selectors.round_page(sitting.round, sitting.now)
        assert page.reveal is not None
        assert [section.number for section in page.reveal.sections] == list(range(1, position + 1))
        services.reveal_advance(round=sitting.round, position=str(position), now=sitting.tick())
    services.reveal_advance(round=sitting.round, position=10, now=sitting.tick())
    assert (sitting.state, sitting.round.reveal_finished_at) == ("critique", sitting.now)


def test_reading_on_posted_twice_counts_once(sitting: Sitting) -> None:
    sitting.to("reveal")
    for _ in range(3):
        services.reveal_advance(round=sitting.round, position=0, now=sitting.tick())
    assert sitting.round.reveal_position == 1


@pytest.mark.parametrize(("position", "status"), [("", 422), ("x", 422), (11, 422), (-1, 422), (5, 409)])
def test_a_position_that_is_none_or_not_reached_is_refused(sitting: Sitting, position: object, status: int) -> None:
    sitting.to("reveal")
    assert status_of(services.reveal_advance, round=sitting.round, position=position, now=sitting.now) == status
    assert sitting.round.reveal_position == 0


def test_the_reveal_compares_the_deciding_number_with_ones_own(sitting: Sitting) -> None:
    page = selectors.round_page(sitting.to("reveal").round, sitting.now)
    assert page.reveal is not None
    deciding = page.reveal.deciding
    assert (deciding.verdict, deciding.own_name, deciding.ratio) == ("agrees", "run", pytest.approx(1.0))


def test_critiques_come_one_at_a_time_answer_first_then_revision_then_mark(sitting: Sitting) -> None:
    sitting.to("critique")
    for number in range(1, 7):
        page = selectors.round_page(sitting.round, sitting.now)
        assert page.critiques is not None
        assert page.critiques.current is not None
        assert (page.critiques.current.number, page.critiques.current.revision_html) == (number, None)
        assert len(page.critiques.earlier) == number - 1
        answer = {"round": sitting.round, "number": number}
        assert status_of(services.critique_mark, **answer, mark="hit", now=sitting.now) == 409
        services.critique_answer(**answer, text="Mine.", now=sitting.tick())
        shown = selectors.round_page(sitting.round, sitting.now).critiques
        assert shown is not None
        assert shown.current is not None
        assert shown.current.revision_html
        services.critique_mark(**answer, mark="hit", now=sitting.tick())
    assert (sitting.state, sitting.round.done_at) == ("done", sitting.now)


def test_the_soft_clock_of_the_critiques_is_thirty_minutes_from_the_end_of_the_reveal(sitting: Sitting) -> None:
    page = selectors.round_page(sitting.to("critique").round, sitting.now)
    assert page.critiques is not None
    assert page.critiques.current is not None
    assert page.critiques.soft_deadline_at == sitting.round.reveal_finished_at + dt.timedelta(minutes=30)
    assert page.critiques.current.first_sentence_by == page.critiques.current.shown_at + dt.timedelta(seconds=90)


def test_the_moment_of_the_first_sentence_is_kept_once(sitting: Sitting) -> None:
    sitting.to("critique").after(40)
    services.critique_first_sentence(round=sitting.round, number=1, now=sitting.now)
    services.critique_first_sentence(round=sitting.round, number=1, now=sitting.now + dt.timedelta(seconds=30))
    page = selectors.round_page(sitting.round, sitting.now)
    assert page.critiques is not None
    assert page.critiques.current is not None
    assert page.critiques.current.first_sentence_s == 40


def test_an_answer_after_its_soft_time_is_still_taken(sitting: Sitting) -> None:
    sitting.to("critique").after(86_400)
    services.critique_answer(round=sitting.round, number=1, text="Late.", now=sitting.now)
    assert CritiqueAnswer.objects.get(number=1).answered_at == sitting.now


def test_the_first_answer_and_the_first_mark_stand(sitting: Sitting) -> None:
    sitting.to("critique")
    answer = {"round": sitting.round, "number": 1, "now": sitting.now}
    for _ in range(2):
        services.critique_answer(**answer, text="First.")
    assert status_of(services.critique_answer, **answer, text="Second.") == 409
    for _ in range(2):
        services.critique_mark(**answer, mark="partial")
    assert status_of(services.critique_mark, **answer, mark="hit") == 409
    row = CritiqueAnswer.objects.get(number=1)
    assert (row.text, row.mark) == ("First.", "partial")


@pytest.mark.parametrize("text", ["", "  \n", "x" * 20_001, "a\x00", None])
def test_an_answer_that_cannot_be_kept_is_a_422_at_its_field(sitting: Sitting, text: object) -> None:
    sitting.to("critique")
    with pytest.raises(RoundRefused) as refusal:
        services.critique_answer(round=sitting.round, number=1, text=text, now=sitting.now)
    assert (refusal.value.status, refusal.value.field) == (422, "answer")


def test_a_critique_not_shown_yet_is_not_there(sitting: Sitting) -> None:
    sitting.to("critique")
    for number in (0, 2, 6, 7):
        answer = {"round": sitting.round, "number": number, "now": sitting.now}
        assert status_of(services.critique_first_sentence, **answer) == 404
        assert status_of(services.critique_answer, **answer, text="a") == 404
        assert status_of(services.critique_mark, **answer, mark="hit") == 404


@pytest.mark.parametrize("state", ["prompt", "writing", "scoring", "reveal", "abandoned"])
def test_critiques_before_their_state_are_a_409(sitting: Sitting, state: str) -> None:
    answer = {"round": sitting.to(state).round, "number": 1, "now": sitting.now}
    assert status_of(services.critique_answer, **answer, text="a") == 409


def test_a_mark_in_other_words_is_a_422(sitting: Sitting) -> None:
    sitting.to("critique")
    assert status_of(services.critique_mark, round=sitting.round, number=1, mark="maybe", now=sitting.now) == 422


# Cards


def card(key: str) -> Card:
    return Card.objects.get(key=key)


def test_a_round_without_a_miss_makes_no_card(sitting: Sitting) -> None:
    sitting.to("done")
    assert not Card.objects.exists()


def test_a_line_below_three_is_a_card_once_the_design_has_been_read(sitting: Sitting, design: LoadedDesign) -> None:
    sitting.to("scoring")
    low = scores(line_4=ScoreInput(2, EVIDENCE, 60), line_8=ScoreInput(0, "", 60))
    services.scores_record(round=sitting.round, scores=low, now=sitting.now)
    for position in range(10):
        services.reveal_advance(round=sitting.round, position=position, now=sitting.tick())
    assert not Card.objects.exists()
    services.reveal_advance(round=sitting.round, position=10, now=sitting.tick())
    assert set(Card.objects.values_list("key", flat=True)) == {"x01/line/4", "x01/line/8"}
    made = card("x01/line/4")
    assert made.own_words == EVIDENCE
    shown = design.derivation.shown
    assert f"holds {shown['run_time']} against {shown['window']}" in made.back
    assert "…" not in made.back
    assert made.link == f"{sitting.url()}#section-5"
    assert design.section_title(5) in made.back


def test_an_absent_deciding_number_is_a_card_from_the_reveal_on(sitting: Sitting, design: LoadedDesign) -> None:
    sitting.begin().write().save("s1", EVIDENCE)
    services.round_submit(round=sitting.round, now=sitting.now)
    assert not Card.objects.exists()
    services.scores_record(round=sitting.round, scores=scores(), now=sitting.now)
    made = card("x01/deciding-number")
    assert made.own_words == "No line was starred."
    assert design.derivation.deciding.text in made.back
    assert design.derivation.deciding.formula in made.back


@pytest.mark.parametrize(("factor", "missed"), [("1.09", False), ("0.91", False), ("1.11", True), ("0.89", True)])
def test_a_deciding_number_off_by_more_than_ten_percent_is_a_card(sitting: Sitting, factor: str, missed: bool) -> None:
    sitting.begin().save("worksheet", f"run = {factor} * 2000000 * 1500 * 16e9 / (8 * 989.5e12 * 0.5) * 1 s")
    services.deciding_star(round=sitting.round, line_name="run", now=sitting.now)
    sitting.write().save("s1", EVIDENCE)
    services.round_submit(round=sitting.round, now=sitting.now)
    services.scores_record(round=sitting.round, scores=scores(), now=sitting.now)
    assert Card.objects.filter(key="x01/deciding-number").exists() == missed


def test_a_value_as_good_as_the_deciding_number_is_no_miss_and_is_named(sitting: Sitting) -> None:
    sitting.begin().save("worksheet", "run = 2000000 * 1500 * 16e9 / (8 * 989.5e12) * 1 s")
    services.deciding_star(round=sitting.round, line_name="run", now=sitting.now)
    sitting.write().save("s1", EVIDENCE)
    services.round_submit(round=sitting.round, now=sitting.now)
    services.scores_record(round=sitting.round, scores=scores(), now=sitting.now)
    assert not Card.objects.filter(key="x01/deciding-number").exists()
    reveal = selectors.round_page(sitting.round, sitting.now).reveal
    assert reveal is not None
    assert reveal.deciding.agrees_with.startswith("The same at the peak of the datasheet: ")


def test_a_deciding_number_of_another_dimension_is_a_card(sitting: Sitting) -> None:
    sitting.begin().save("worksheet", "run = 5 GiB")
    services.deciding_star(round=sitting.round, line_name="run", now=sitting.now)
    sitting.write().save("s1", EVIDENCE)
    services.round_submit(round=sitting.round, now=sitting.now)
    services.scores_record(round=sitting.round, scores=scores(), now=sitting.now)
    assert "another dimension" in card("x01/deciding-number").own_words


@pytest.mark.parametrize(("mark", "missed"), [("hit", False), ("partial", True), ("miss", True)])
def test_a_critique_marked_below_a_hit_is_a_card_with_its_revision_behind(
    sitting: Sitting, design: LoadedDesign, mark: str, missed: bool
) -> None:
    sitting.to("critique")
    services.critique_answer(round=sitting.round, number=1, text="Mine.", now=sitting.tick())
    assert not Card.objects.exists()
    services.critique_mark(round=sitting.round, number=1, mark=mark, now=sitting.tick())
    assert Card.objects.exists() == missed
    if missed:
        made = card("x01/critique/1")
        assert design.text(design.design.critiques[0].critique) in made.front
        assert "{{" not in made.front + made.back
        assert "Bound it to what the workers read" in made.back
        assert (made.own_words, made.link) == ("Mine.", f"{sitting.url()}#critique-1-title")


def test_the_same_miss_in_a_second_round_resets_the_card_and_makes_no_second(
    sitting: Sitting, now: dt.datetime
) -> None:
    for later in (sitting, Sitting(sitting.user, now + dt.timedelta(days=7), mode="practice")):
        later.to("critique")
        services.critique_answer(round=later.round, number=1, text="Mine.", now=later.tick())
        services.critique_mark(round=later.round, number=1, mark="miss", now=later.tick())
    assert Card.objects.count() == 1
    assert card("x01/critique/1").round_id == later.id
