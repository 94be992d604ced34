"""A round moves through its states, held by the server."""

import datetime as dt

import pytest
from django.db import IntegrityError, transaction

from tests.factories import make_user
from tests.trainer.rounds.sitting import SLUG, STATES, Sitting
from trainer.accounts.models import User
from trainer.rounds import services
from trainer.rounds.core import machine
from trainer.rounds.models import DesignReading, Document, Pause, Round
from trainer.rounds.refusals import RoundRefused

pytestmark = pytest.mark.django_db


def seconds(number: float) -> dt.timedelta:
    return dt.timedelta(seconds=number)


def test_a_round_begins_at_the_prompt_with_eleven_empty_documents(sitting: Sitting) -> None:
    round_ = sitting.round
    assert (round_.state, round_.mode, round_.deadline_at) == ("prompt", "exam", None)
    assert Document.objects.filter(round=round_, text="", revision=0).count() == 11
    assert round_.design_version.slug == SLUG


def test_an_unknown_design_is_a_404_that_names_it(alice: User, now: dt.datetime) -> None:
    with pytest.raises(RoundRefused, match="z99") as refusal:
        services.round_start(user=alice, slug="z99", mode="exam", now=now)
    assert (refusal.value.status, refusal.value.field) == (404, "design")
    assert not Round.objects.exists()


@pytest.mark.parametrize("mode", ["", "Exam", "free"])
def test_an_unknown_mode_is_a_422_at_its_field(alice: User, now: dt.datetime, mode: str) -> None:
    with pytest.raises(RoundRefused) as refusal:
        services.round_start(user=alice, slug=SLUG, mode=mode, now=now)
    assert (refusal.value.status, refusal.value.field) == (422, "mode")


def test_b051_a_start_posted_twice_is_one_round(alice: User, sitting: Sitting, now: dt.datetime) -> None:
    again = services.round_start(user=alice, slug=SLUG, mode="exam", now=now + seconds(2))
    assert again.pk == sitting.id
    assert Round.objects.count() == 1


def test_a_start_in_the_other_mode_is_another_round(alice: User, sitting: Sitting, now: dt.datetime) -> None:
    assert services.round_start(user=alice, slug=SLUG, mode="practice", now=now).pk != sitting.id


def test_a_design_that_was_read_marks_its_later_rounds(alice: User, now: dt.datetime) -> None:
    services.design_reading_record(user=alice, slug=SLUG, now=now)
    assert Sitting(alice, now).round.read_before
    assert not Sitting(make_user("carol"), now).round.read_before


def test_reading_the_design_before_its_scores_makes_the_round_practice(sitting: Sitting) -> None:
    sitting.to("scoring")
    services.design_reading_record(user=sitting.user, slug=SLUG, now=sitting.now)
    services.design_reading_record(user=sitting.user, slug=SLUG, now=sitting.now)
    assert sitting.round.read_before
    assert DesignReading.objects.count() == 1


def test_the_design_cannot_be_read_while_its_clock_runs(sitting: Sitting) -> None:
    sitting.to("writing")
    with pytest.raises(RoundRefused) as refusal:
        services.design_reading_record(user=sitting.user, slug=SLUG, now=sitting.now)
    assert (refusal.value.status, refusal.value.extra["url"]) == (409, sitting.url())
    assert not DesignReading.objects.exists()


def test_b005_the_deadline_is_stored_at_the_start_and_a_changed_setting_does_not_move_it(
    sitting: Sitting, alice: User
) -> None:
    sitting.begin()
    deadline = sitting.round.deadline_at
    alice.extra_time_factor = "1.50"
    alice.save()
    assert sitting.after(60).look().deadline_at == deadline == sitting.round.arithmetic_started_at + seconds(300)
    assert sitting.write().round.deadline_at == sitting.now + seconds(2700)


def test_extra_time_is_fixed_at_the_start_of_the_round(alice: User, now: dt.datetime) -> None:
    alice.extra_time_factor = "1.25"
    alice.save()
    sitting = Sitting(alice, now).begin()
    assert sitting.round.deadline_at == now + seconds(375)
    assert sitting.write().round.deadline_at == now + seconds(3375)


def test_b002_the_phases_end_on_schedule_though_no_tab_ever_woke(sitting: Sitting) -> None:
    sitting.begin()
    began = sitting.now
    round_ = sitting.after(2 * 3600).look()
    assert round_.state == "scoring"
    assert round_.writing_started_at == began + seconds(300)
    assert round_.submitted_at == began + seconds(3000)
    assert round_.sealed_at == began + seconds(3010)
    assert round_.submitted_by_bell


def test_b015_a_look_exactly_at_zero_and_a_second_later_lands_on_the_next_phase(sitting: Sitting) -> None:
    sitting.begin()
    assert sitting.after(300).look().state == "writing"
    sitting.save("s1", "The last answer.")
    assert sitting.after(2700).look().state == "writing"
    assert sitting.after(1).look().state == "writing"
    assert sitting.after(9).look().state == "scoring"
    assert sitting.text("s1") == "The last answer."


def test_b016_a_finished_round_is_not_changed_by_looking_at_it_for_long(sitting: Sitting) -> None:
    sitting.to("done")
    before = Round.objects.filter(pk=sitting.id).values().get()
    sitting.after(10_000).look()
    assert Round.objects.filter(pk=sitting.id).values().get() == before


def test_b012_a_running_round_keeps_its_deadline_and_its_version_of_the_design(
    sitting: Sitting, settings: object
) -> None:
    sitting.to("writing")
    deadline, version = sitting.round.deadline_at, sitting.round.design_version_id
    settings.CONTENT_DIRS = []  # type: ignore[attr-defined]  the design was withdrawn
    round_ = sitting.after(100).look()
    assert (round_.deadline_at, round_.design_version_id, round_.state) == (deadline, version, "writing")
    assert sitting.to("done").state == "done"


def test_b019_after_a_failure_the_clock_has_run_on_and_the_text_is_the_last_saved(sitting: Sitting) -> None:
    sitting.begin().write()
    sitting.after(20 * 60).save("s3", "Minute twenty.")
    round_ = sitting.after(3 * 60).look()
    assert round_.deadline_at - sitting.now == dt.timedelta(minutes=22)
    assert sitting.text("s3") == "Minute twenty."


def test_b033_a_submission_replayed_later_is_refused_and_shows_the_first(sitting: Sitting) -> None:
    sitting.to("writing").after(600)
    first = services.round_submit(round=sitting.round, now=sitting.now).submitted_at
    with pytest.raises(RoundRefused) as refusal:
        services.round_submit(round=sitting.round, now=sitting.after(3000).now)
    assert (refusal.value.status, refusal.value.extra["state"]) == (409, "scoring")
    assert sitting.round.submitted_at == first


def test_a_row_read_long_ago_does_not_let_a_submission_through(sitting: Sitting) -> None:
    stale = sitting.to("writing").round
    services.round_submit(round=sitting.round, now=sitting.after(60).now)
    with pytest.raises(RoundRefused):
        services.round_submit(round=stale, now=sitting.after(60).now)


ASKED_FOR = {
    "begin": (lambda s: services.arithmetic_begin(round=s.round, now=s.now), {"prompt"}),
    "write": (lambda s: services.writing_begin(round=s.round, now=s.now), {"arithmetic"}),
    "submit": (lambda s: services.round_submit(round=s.round, now=s.now), {"writing"}),
    "pause": (lambda s: services.round_pause(round=s.round, now=s.now), {"arithmetic", "writing"}),
    "resume": (lambda s: services.round_resume(round=s.round, now=s.now), set()),
}


@pytest.mark.parametrize("action", ASKED_FOR)
@pytest.mark.parametrize("state", STATES)
def test_a_state_asked_for_out_of_order_is_a_409_with_the_present_state(
    practice: Sitting, state: str, action: str
) -> None:
    act, states = ASKED_FOR[action]
    practice.to(state)
    if state in states:
        act(practice)
        return
    with pytest.raises(RoundRefused) as refusal:
        act(practice)
    assert (refusal.value.status, refusal.value.extra["state"]) == (409, state)
    assert practice.state == state


def test_one_clock_runs_at_a_time_and_the_refusal_links_to_the_other_round(
    alice: User, sitting: Sitting, practice: Sitting
) -> None:
    sitting.begin()
    with pytest.raises(RoundRefused) as refusal:
        practice.begin()
    assert (refusal.value.status, refusal.value.reason) == (409, "clock_running")
    assert refusal.value.extra["url"] == sitting.url()
    assert practice.state == "prompt"


def test_a_clock_that_has_run_out_unseen_does_not_stand_in_the_way(sitting: Sitting, practice: Sitting) -> None:
    sitting.begin()
    practice.after(7200).begin()
    assert (sitting.state, practice.state) == ("scoring", "arithmetic")


def test_two_people_have_a_clock_each(sitting: Sitting, bob: User, now: dt.datetime) -> None:
    sitting.begin()
    assert Sitting(bob, now).begin().state == "arithmetic"


def test_a_paused_clock_lets_another_run_but_not_both(sitting: Sitting, practice: Sitting) -> None:
    practice.begin()
    services.round_pause(round=practice.round, now=practice.after(10).now)
    sitting.begin()
    with pytest.raises(RoundRefused) as refusal:
        services.round_resume(round=practice.round, now=practice.after(10).now)
    assert (refusal.value.reason, refusal.value.extra["url"]) == ("clock_running", sitting.url())


def test_a_pause_is_recorded_and_costs_no_time(practice: Sitting) -> None:
    practice.to("writing").after(100)
    left = practice.round.deadline_at - practice.now
    services.round_pause(round=practice.round, now=practice.now)
    paused_at = practice.now
    assert practice.after(10**6).look().paused_seconds_left == left.total_seconds()
    services.round_resume(round=practice.round, now=practice.now)
    assert practice.round.deadline_at == practice.now + left
    pause = Pause.objects.get(round=practice.round)
    assert (pause.started_at, pause.ended_at) == (paused_at, practice.now)


def test_a_round_abandoned_while_paused_ends_its_pause(practice: Sitting) -> None:
    practice.begin()
    services.round_pause(round=practice.round, now=practice.now)
    services.round_abandon(round=practice.round, now=practice.after(5).now)
    assert Pause.objects.get(round=practice.round).ended_at == practice.now
    assert practice.state == "abandoned"


@pytest.mark.parametrize("state", ["prompt", "arithmetic", "writing", "scoring", "reveal", "critique"])
def test_a_round_can_be_abandoned_from_any_state_before_it_is_done(sitting: Sitting, state: str) -> None:
    services.round_abandon(round=sitting.to(state).round, now=sitting.now)
    assert (sitting.state, sitting.round.abandoned_at) == ("abandoned", sitting.now)


def test_a_writing_page_left_open_past_the_bell_does_not_abandon_the_submission(sitting: Sitting) -> None:
    sitting.to("writing").after(3000)
    with pytest.raises(RoundRefused, match="moved on"):
        services.round_abandon(round=sitting.round, now=sitting.now, seen_state="writing")
    assert sitting.look().state == "scoring"


def test_a_round_can_be_sat_again_once_the_first_is_over(sitting: Sitting, now: dt.datetime) -> None:
    sitting.to("done")
    assert Sitting(sitting.user, now).id != sitting.id


@pytest.mark.parametrize(
    "fields",
    [
        {"state": "resting"},
        {"mode": "free"},
        {"paused_seconds_left": 5.0},
        {"state": "arithmetic"},
        {"state": "scoring"},
        {"deadline_at": dt.datetime(2026, 3, 2, tzinfo=dt.UTC)},
    ],
)
def test_the_database_refuses_a_round_that_cannot_be(sitting: Sitting, fields: dict[str, object]) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Round.objects.filter(pk=sitting.id).update(**fields)


def test_every_state_can_be_reached(sitting: Sitting) -> None:
    for state in machine.ORDER:
        assert sitting.to(state).state == state
