"""The Today page: what is due, in its order, with one primary button."""

import datetime as dt
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import time_machine
from django.urls import reverse

from grading.core import rubric
from grading.models import LineScore
from tests.trainer.drills.conftest import put_small_bank
from tests.trainer.review.helpers import record
from trainer.drills.models import Attempt
from trainer.home.parts import Primary
from trainer.home.selectors import today_page
from trainer.rounds import services
from trainer.rounds.models import CritiqueAnswer, DesignReading, Round

PACK = Path(__file__).resolve().parents[2] / "designs" / "pack" / "x01"
DAY = dt.timedelta(days=1)
TODAY = reverse("home:today")


def add_design(folder: Path, slug: str) -> None:
    """The example pack's design under another slug, with a title of its own."""
    shutil.copytree(PACK, folder / slug)
    path = folder / slug / "design.toml"
    path.write_text(path.read_text().replace('slug = "x01"', f'slug = "{slug}"'))


@pytest.fixture
def designs(settings, tmp_path) -> Path:
    for slug in ("m02", "m01"):
        add_design(tmp_path, slug)
    settings.CONTENT_DIRS = [tmp_path]
    return tmp_path


@pytest.fixture
def clock(now) -> Iterator[time_machine.Traveller]:
    with time_machine.travel(now, tick=False) as traveller:
        yield traveller


def sit(user, now, slug: str = "m01", **fields) -> Round:
    """A round, brought to where the fields say it stands."""
    round_ = services.round_start(user=user, slug=slug, mode="practice", now=now)
    Round.objects.filter(pk=round_.pk).update(**fields)
    round_.refresh_from_db()
    return round_


def done(user, now, slug: str = "m01", level: int = 2, **fields) -> Round:
    """A round sat to its end, every line scored at `level`."""
    moments = {"submitted_at": now, "sealed_at": now, "scored_at": now, "done_at": now}
    round_ = sit(user, now, slug, state="done", **moments, **fields)
    for line in rubric.LINES:
        LineScore.objects.create(
            round=round_, line=line.number, level=level, quote="my words", confidence=70, scored_at=now
        )
    return round_


def text(response) -> str:
    return response.content.decode()


def primaries(page: str) -> list[str]:
    return re.findall(r'class="button button-primary"[^>]*>([^<]*)<', page)


# What is due


def test_a_first_visit_explains_the_loop_in_four_lines_and_offers_the_first_round(designs, alice_client, clock):
    page = text(alice_client.get(TODAY))
    loop = re.search(r'<ol class="today-loop">(.*?)</ol>', page, re.DOTALL).group(1)
    assert loop.count("<li>") == 4
    assert "Your first round · m01" in " ".join(page.split())
    assert 'name="design" value="m01"' in page
    assert re.findall(r'name="mode" value="(\w+)"', page) == ["exam", "practice"]
    assert primaries(page) == ["Open the prompt"]


def test_a_card_before_the_first_round_leaves_it_the_first_and_practice(designs, alice, alice_client, now, clock):
    record(alice, now)
    page = text(alice_client.get(TODAY))
    assert "Your first round · m01" in " ".join(page.split())
    assert 'value="practice" checked' in page
    sit(alice, now, state="scoring", submitted_at=now, sealed_at=now)
    assert 'value="exam" checked' in text(alice_client.get(TODAY))


def test_the_first_button_starts_the_first_round(designs, alice_client, clock):
    response = alice_client.post(reverse("rounds:start"), {"design": "m01", "mode": "practice"})
    assert response.status_code in (302, 303)
    assert Round.objects.get().slug == "m01"


def test_cards_come_first(designs, alice, now):
    record(alice, now)
    sit(alice, now, state="scoring", submitted_at=now, sealed_at=now)
    page = today_page(alice, now + DAY)
    assert page.primary is Primary.REVIEW
    assert len(page.standing.due) == 1
    assert not page.first_visit


def test_then_a_round_left_unfinished(designs, alice, now):
    record(alice, now + DAY)
    left = sit(alice, now, state="scoring", submitted_at=now, sealed_at=now)
    page = today_page(alice, now + DAY)
    assert page.primary is Primary.RESUME
    assert [(row.id, row.stands, row.clocked) for row in page.unfinished] == [(left.pk, "at scoring", False)]


def test_then_this_weeks_round_in_the_recommended_order(designs, alice, now):
    done(alice, now - 7 * DAY)
    page = today_page(alice, now)
    assert (page.primary, page.next_design.slug, page.sat_this_week) == (Primary.START, "m02", False)


def test_once_this_weeks_round_is_sat_a_drill_is_left(designs, alice, now):
    done(alice, now)
    page = today_page(alice, now)
    assert (page.primary, page.next_design.slug, page.sat_this_week) == (Primary.DRILL, "m02", True)


def test_a_running_clock_goes_before_everything_since_it_waits_for_nothing(designs, alice, now):
    record(alice, now - DAY)
    older = sit(alice, now - DAY, "m02", state="reveal", submitted_at=now, sealed_at=now, scored_at=now)
    running = sit(
        alice, now - 2 * DAY, state="writing", writing_started_at=now, deadline_at=now + dt.timedelta(minutes=45)
    )
    page = today_page(alice, now)
    assert page.primary is Primary.CLOCK
    assert [row.id for row in page.unfinished] == [running.pk, older.pk]


def test_a_design_whose_round_is_open_is_not_offered_a_second_time(designs, alice, now):
    sit(alice, now)
    assert today_page(alice, now).next_design.slug == "m02"


def test_an_abandoned_round_is_neither_unfinished_nor_sat(designs, alice, now):
    sit(alice, now, state="abandoned", abandoned_at=now, sealed_at=now, submitted_at=now)
    page = today_page(alice, now)
    assert (page.unfinished, page.next_design.slug, page.streak_weeks) == ((), "m01", 0)


def test_a_design_asked_for_by_name_is_offered_and_an_unknown_one_passed_over(designs, alice, now):
    done(alice, now)
    assert today_page(alice, now, wished="m01").next_design.sat_before
    assert today_page(alice, now, wished="m99").next_design.slug == "m02"


def test_a_design_that_was_read_says_that_a_round_of_it_is_practice(designs, alice, alice_client, clock, now):
    DesignReading.objects.create(user=alice, slug="m01", at=now)
    assert "counts as practice, not as evidence" in text(alice_client.get(TODAY))


def test_when_no_design_loads_the_page_says_so(settings, tmp_path, alice_client, clock):
    settings.CONTENT_DIRS = [tmp_path]
    page = text(alice_client.get(TODAY))
    assert "No design is loaded" in page
    assert primaries(page) == []


def test_a_design_folder_that_cannot_be_read_is_named_and_the_others_stand(designs, alice_client, clock):
    (designs / "m02" / "design.toml").write_text("slug = ")
    page = text(alice_client.get(TODAY))
    assert "left out: m02" in page
    assert 'name="design" value="m01"' in page


def test_a_bell_that_rang_meanwhile_is_seen_by_a_look_at_today(designs, alice, alice_client, clock, now):
    started = now - dt.timedelta(hours=1)
    sit(
        alice,
        started,
        state="writing",
        arithmetic_started_at=started,
        writing_started_at=started,
        deadline_at=started + dt.timedelta(minutes=45),
    )
    page = text(alice_client.get(TODAY))
    assert "Left at scoring" in page
    assert "A clock is running" not in page


@pytest.mark.parametrize("situation", ["nothing", "cards", "unfinished", "running", "sat"])
def test_there_is_at_most_one_primary_button(designs, alice, alice_client, clock, now, situation):
    if situation in ("cards", "unfinished", "running"):
        record(alice, now - DAY)
    if situation in ("unfinished", "running"):
        sit(alice, now, "m02", state="critique", submitted_at=now, sealed_at=now, scored_at=now)
    if situation == "running":
        sit(alice, now, state="arithmetic", arithmetic_started_at=now, deadline_at=now + dt.timedelta(minutes=5))
    if situation == "sat":
        done(alice, now)
    expected = {
        "nothing": ["Open the prompt"],
        "cards": ["Review"],
        "unfinished": ["Review"],
        "running": ["Go on with it"],
        "sat": ["Drill"],
    }
    assert primaries(text(alice_client.get(TODAY))) == expected[situation]


# How it has gone


def test_scores_stand_by_line_with_the_latest_round_last(designs, alice, now):
    done(alice, now - 7 * DAY, level=2)
    done(alice, now, "m02", level=3, mode="exam")
    scores = today_page(alice, now).scores
    assert [(column.slug, column.percentage, column.evidence) for column in scores.rounds] == [
        ("m01", 50.0, False),
        ("m02", 75.0, True),
    ]
    assert [row.levels for row in scores.lines] == [(2, 3)] * 8


def test_the_weakest_lines_are_the_lowest_three_below_3(designs, alice, now):
    round_ = done(alice, now, level=3)
    for line, level in ((7, 0), (2, 1), (8, 2), (5, 2)):
        LineScore.objects.filter(round=round_, line=line).update(level=level)
    assert [(weak.number, weak.mean_level) for weak in today_page(alice, now).weak_lines] == [(7, 0), (2, 1), (5, 2)]


def test_the_weakest_defect_classes_count_only_critiques_that_were_marked(designs, alice, now):
    round_ = done(alice, now)
    for number, mark in ((1, "miss"), (2, "partial"), (3, "hit"), (4, "")):
        CritiqueAnswer.objects.create(round=round_, number=number, shown_at=now, answered_at=now, mark=mark)
    weak = today_page(alice, now).weak_classes
    assert sum(row.missed for row in weak) == 2
    assert sum(row.met for row in weak) <= 3
    assert all(row.missed <= row.met for row in weak)


def test_without_rounds_there_is_nothing_weak(designs, alice, now):
    page = today_page(alice, now)
    assert (page.weak_lines, page.weak_classes, page.scores.rounds, page.streak_weeks) == ((), (), (), 0)


def test_the_streak_counts_study_days_of_the_trainees_own_zone(designs, alice, now):
    alice.time_zone = "Pacific/Auckland"
    alice.save()
    done(alice, dt.datetime(2026, 3, 1, 18, 0, tzinfo=dt.UTC))  # Monday 07:00 in Auckland
    assert today_page(alice, now).sat_this_week


def test_the_page_asks_the_database_a_bounded_number_of_questions(designs, alice, now, django_assert_max_num_queries):
    for weeks in range(8):
        done(alice, now - 7 * weeks * DAY)
    with django_assert_max_num_queries(12):
        today_page(alice, now)


# Who may


def test_everyone_sees_their_own_today_alone(
    designs, alice, alice_client, bob_client, stranger_client, anonymous_client, clock, now
):
    record(alice, now - DAY)
    own = sit(alice, now)
    assert str(own.pk) in text(alice_client.get(TODAY))
    for client in (bob_client, stranger_client):
        page = text(client.get(TODAY))
        assert str(own.pk) not in page
        assert "to review" not in page
    response = anonymous_client.get(TODAY)
    assert response.status_code == 302
    assert response.url.startswith(reverse("accounts:log_in"))


def test_no_text_of_the_worked_design_is_on_the_page(designs, alice, alice_client, clock, now):
    done(alice, now)
    page = text(alice_client.get(TODAY))
    for part in ("sections", "critiques"):
        for path in (PACK / part).glob("*.md"):
            body = path.read_text().split("+++")[-1]
            for line in filter(lambda line: len(line) > 40, body.splitlines()):
                assert line not in page


@pytest.fixture
def drills(tmp_path, monkeypatch) -> None:
    """The small bank of drills."""
    folder = tmp_path / "bank"
    folder.mkdir()
    put_small_bank(folder, monkeypatch)


def drilled(user, now, id: str = "floor", *, right: bool = True) -> Attempt:
    fields = {"kind": "numeric", "seed": f"{now:%s}", "client_id": f"{id}-{now:%s}", "typed": "1", "right": right}
    return Attempt.objects.create(user=user, drill_id=id, at=now, **fields)


@pytest.mark.usefixtures("designs", "drills")
def test_one_drill_stands_last_and_is_the_primary_once_the_weeks_round_is_sat(alice, now):
    assert today_page(alice, now).primary is Primary.START
    done(alice, now)
    page = today_page(alice, now)
    assert (page.primary, page.next_drill.title, page.drills_today) == (Primary.DRILL, "The floor of a step", 0)


@pytest.mark.usefixtures("designs", "drills")
def test_a_drill_done_today_is_counted_and_leaves_the_button_alone(alice, now):
    done(alice, now)
    drilled(alice, now)
    page = today_page(alice, now)
    assert (page.primary, page.next_drill.title, page.drills_today) == (Primary.NONE, "KV cache of one token", 1)
    assert today_page(alice, now + DAY).primary is Primary.DRILL


@pytest.mark.usefixtures("designs", "drills")
def test_the_page_offers_the_drill_after_the_round(alice, alice_client, clock, now):
    done(alice, now)
    text = alice_client.get(TODAY).content.decode()
    assert text.index('id="today-next"') < text.index('id="today-drill"')
    assert re.findall(r'class="button button-primary" href="([^"]+)"', text) == [reverse("drills:next")]


@pytest.mark.usefixtures("designs", "drills")
def test_somebody_elses_drill_is_not_counted(alice, bob, now):
    drilled(bob, now)
    assert today_page(alice, now).drills_today == 0
