"""The plan as a calendar file, read back the way that a calendar would."""

import datetime as dt
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.test import Client
from icalendar import Calendar

from designs.loader import load_designs
from designs.services import design_version_store
from trainer.accounts.models import User
from trainer.rounds.models import Mode, Round, State

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("track")]

ASKED = {"start": "2027-03-01", "weekday": "2", "time": "19:30", "weeks": "9", "zone": "Europe/Berlin"}


def plan(client: Client, **changed: str) -> Calendar:
    response = client.get("/study/plan.ics", ASKED | changed)
    assert response.status_code == 200
    assert response.headers["Content-Type"] == "text/calendar; charset=utf-8"
    assert "attachment" in response.headers["Content-Disposition"]
    read = Calendar.from_ical(response.content)
    assert isinstance(read, Calendar)
    return read


def rounds(read: Calendar) -> dict[str, dt.datetime]:
    return {str(one["uid"]): one.decoded("dtstart") for one in read.events if "rrule" not in one}


def test_each_design_has_its_evening_in_the_recommended_order(alice_client: Client) -> None:
    read = plan(alice_client)
    titles = [str(one["summary"]) for one in read.events]
    assert titles[0] == "Roofline: sit Multi-tenant LLM API platform"
    assert titles[-1] == "Roofline: cards and one drill"
    evenings = list(rounds(read).values())
    assert len(evenings) == 9
    assert evenings[0] == dt.datetime(2027, 3, 3, 19, 30, tzinfo=ZoneInfo("Europe/Berlin"))
    assert {evening.weekday() for evening in evenings} == {2}
    assert evenings[1] - evenings[0] == dt.timedelta(weeks=1)
    first = read.events[0]
    assert first.decoded("duration") == dt.timedelta(minutes=110)
    assert str(first["description"]).startswith("The canonical round.")
    assert str(first["url"]).endswith("/designs/m01/")


def test_the_evening_stays_at_its_hour_when_the_clocks_change(alice_client: Client) -> None:
    evenings = list(rounds(plan(alice_client)).values())
    assert {(evening.hour, evening.minute) for evening in evenings} == {(19, 30)}
    assert {evening.utcoffset() for evening in evenings} == {dt.timedelta(hours=1), dt.timedelta(hours=2)}


def test_every_zone_that_an_event_names_is_described(alice_client: Client) -> None:
    read = plan(alice_client)
    assert {str(zone["tzid"]) for zone in read.timezones} == {"Europe/Berlin"}
    assert read.get_missing_tzids() == set()


def test_a_plan_made_anew_moves_the_same_events(alice: User, alice_client: Client, bob_client: Client) -> None:
    with time_machine.travel(dt.datetime(2027, 2, 1, 12, tzinfo=dt.UTC), tick=False):
        alice_client.force_login(alice)
        before = plan(alice_client)
    with time_machine.travel(dt.datetime(2027, 2, 2, 12, tzinfo=dt.UTC), tick=False):
        after = plan(alice_client, weekday="4", time="07:00")
    assert rounds(before).keys() == rounds(after).keys()
    assert set(rounds(before).values()).isdisjoint(rounds(after).values())
    pairs = zip(before.events, after.events, strict=True)
    assert all(int(old["sequence"]) < int(new["sequence"]) for old, new in pairs)
    assert rounds(plan(bob_client)).keys().isdisjoint(rounds(before).keys())


def test_after_the_last_design_the_first_is_sat_again_under_another_name(alice_client: Client) -> None:
    found = rounds(plan(alice_client, weeks="11"))
    assert len(found) == 11
    assert sum(uid.startswith("m01-") for uid in found) == 2


def test_ten_minutes_a_day_last_as_long_as_the_plan(alice_client: Client) -> None:
    daily = plan(alice_client, weeks="3").events[-1]
    assert daily["rrule"] == {"FREQ": ["DAILY"], "COUNT": [21]}
    assert daily.decoded("duration") == dt.timedelta(minutes=10)


def test_the_file_keeps_to_the_form(alice_client: Client) -> None:
    content = alice_client.get("/study/plan.ics", ASKED).content
    lines = content.split(b"\r\n")
    assert b"\n" not in b"".join(lines)
    assert max(map(len, lines)) <= 75
    assert (lines[0], lines[-2]) == (b"BEGIN:VCALENDAR", b"END:VCALENDAR")
    for name in (b"VERSION:2.0", b"PRODID:", b"METHOD:PUBLISH"):
        assert any(line.startswith(name) for line in lines)


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("start", "2027-02-30", "From: give a day from 2000-01-01 to 2099-12-31"),
        ("start", "1970-01-01", "From: give a day from 2000-01-01 to 2099-12-31"),
        ("start", "", "From: give a day"),
        ("weekday", "7", "Evening: a number from 0 (Monday) to 6 (Sunday)."),
        ("weekday", "", "Evening: choose a day of the week."),
        ("time", "24:00", "At: give a time from 00:00 to 23:59."),
        ("time", "", "At: give a time"),
        ("weeks", "0", "Weeks: a whole number from 1 to 26."),
        ("weeks", "27", "Weeks: a whole number from 1 to 26."),
        ("weeks", "1.5", "Weeks: a whole number from 1 to 26."),
        ("zone", "Mars/Olympus", "Time zone: there is none called"),
        ("zone", "../../etc/passwd", "Time zone: there is none called"),
        ("zone", "", "Time zone: give its name"),
    ],
)
def test_what_is_refused_is_named_by_field_and_range(field: str, value: str, told: str, alice_client: Client) -> None:
    response = alice_client.get("/study/plan.ics", ASKED | {field: value})
    page = response.content.decode()
    assert response.status_code == 422
    assert told in page
    assert 'value="19:30"' in page or field == "time"


def test_the_form_begins_with_ones_own_zone_and_day(alice: User, alice_client: Client) -> None:
    alice.time_zone = "Pacific/Auckland"
    alice.save()
    page = alice_client.get("/study/order/").content.decode()
    assert 'value="Pacific/Auckland"' in page
    assert "The canonical round." in page


def sat(user: User, now: dt.datetime, *slugs: str) -> None:
    for slug in slugs:
        Round.objects.create(
            user=user,
            design_version=design_version_store(slug=slug, now=now),
            slug=slug,
            mode=Mode.EXAM,
            rubric_version="1",
            seed=1,
            state=State.DONE,
            created_at=now,
            sealed_at=now,
            done_at=now,
        )


def test_what_is_sat_already_is_left_out_and_the_page_says_so(
    alice: User, alice_client: Client, bob_client: Client, now: dt.datetime
) -> None:
    assert "The plan leaves those out" not in alice_client.get("/study/order/").content.decode()
    sat(alice, now, "m01", "m08")
    slugs = [uid.partition("-")[0] for uid in rounds(plan(alice_client, weeks="7"))]
    assert slugs == ["m02", "m03", "m06", "m05", "m07", "m04", "chatgpt"]
    page = " ".join(alice_client.get("/study/order/").content.decode().split())
    title = load_designs().designs["m02"].title
    assert f"You have sat 2 of 9. The plan leaves those out and begins with what is next for you: {title}." in page
    assert 'name="weeks" value="7"' in page
    assert next(iter(rounds(plan(bob_client)))).startswith("m01-")


def test_after_what_is_left_everything_is_sat_once_more(alice: User, alice_client: Client, now: dt.datetime) -> None:
    sat(alice, now, "m01", "m02", "m08", "m03", "m06", "m05", "m07")
    slugs = [uid.partition("-")[0] for uid in rounds(plan(alice_client, weeks="4"))]
    assert slugs == ["m04", "chatgpt", "m01", "m02"]


def test_a_plan_that_holds_nothing_says_so(
    alice: User, alice_client: Client, bob_client: Client, now: dt.datetime
) -> None:
    assert "data-nothing-left" not in alice_client.get("/study/order/").content.decode()
    sat(alice, now, *load_designs().designs)
    page = alice_client.get("/study/order/").content.decode()
    assert "You have sat every design: nothing is left to plan." in page
    assert "Download the plan" not in page
    refused = alice_client.get("/study/plan.ics", ASKED)
    assert refused.status_code == 422
    assert "nothing is left to plan" in refused.content.decode()
    assert len(rounds(plan(bob_client))) == 9
