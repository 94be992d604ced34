"""The weekly plan as evenings."""

import datetime as dt
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from trainer.study.core.plan import Stop, Wish, sessions

STOPS = [Stop(f"m0{number}", f"Design {number}", "", "") for number in range(1, 4)]
DAYS = st.dates(dt.date(2000, 1, 1), dt.date(2099, 12, 31))


@given(DAYS, st.integers(0, 6), st.integers(1, 26))
def test_evenings_begin_in_the_first_week_on_the_wished_day_and_go_on_weekly(
    start: dt.date, weekday: int, weeks: int
) -> None:
    found = sessions(STOPS, Wish(start, weekday, dt.time(19), weeks, ZoneInfo("Europe/Berlin"), "1"))
    days = [one.begins_at.date() for one in found]
    assert 0 <= (days[0] - start).days <= 6
    assert {day.weekday() for day in days} == {weekday}
    assert [(day - days[0]).days for day in days] == [7 * week for week in range(weeks)]
    assert len({one.uid for one in found}) == weeks
    assert [one.stop.slug for one in found[:3]] == ["m01", "m02", "m03"][:weeks]
    assert [one.again for one in found] == [week >= 3 for week in range(weeks)]
