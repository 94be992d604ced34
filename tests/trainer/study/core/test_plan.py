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
    found = sessions(STOPS, STOPS, Wish(start, weekday, dt.time(19), weeks, ZoneInfo("Europe/Berlin"), "1"))
    days = [one.begins_at.date() for one in found]
    assert 0 <= (days[0] - start).days <= 6
    assert {day.weekday() for day in days} == {weekday}
    assert [(day - days[0]).days for day in days] == [7 * week for week in range(weeks)]
    assert len({one.uid for one in found}) == weeks
    assert [one.stop.slug for one in found[:3]] == ["m01", "m02", "m03"][:weeks]
    assert [one.again for one in found] == [week >= 3 for week in range(weeks)]


@given(st.sets(st.integers(0, 2), min_size=1), st.integers(1, 26))
def test_what_is_left_comes_first_and_then_everything_in_order(kept: set[int], weeks: int) -> None:
    left = [STOPS[place] for place in sorted(kept)]
    wish = Wish(dt.date(2027, 3, 1), 0, dt.time(19), weeks, ZoneInfo("UTC"), "1")
    found = sessions(left, STOPS, wish)
    expected = [*left, *STOPS * weeks][:weeks]
    assert [one.stop for one in found] == expected
    assert [one.again for one in found] == [week >= len(left) for week in range(weeks)]
    assert len({one.uid for one in found}) == weeks
