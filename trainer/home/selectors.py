"""What is due today: cards, a round left unfinished, this week's round, a drill; and one button for the first."""

import datetime as dt

from designs.loader import load_designs
from trainer.accounts.models import User
from trainer.drills.core.picking import Record
from trainer.drills.selectors import Filters, done_today, next_drill, records_of
from trainer.home.order import next_to_sit, sitting_order, streak_weeks, week_of
from trainer.home.parts import NextDesign, NextDrill, Primary, TodayPage, UnfinishedRound
from trainer.home.progress import HEAVY, design_of_round, scores_of, weak_classes_of, weak_lines_of
from trainer.review.days import study_day_of
from trainer.review.models import Card
from trainer.review.selectors import Standing, standing
from trainer.rounds.core import machine
from trainer.rounds.models import DesignReading, Round


def today_page(user: User, now: dt.datetime, wished: str = "") -> TodayPage:
    """The page as of `now`. `wished` is a design asked for by name; an unknown one is passed over.

    Rounds are read as they stand: whoever calls has settled those whose bell has rung.
    """
    mine = Round.objects.filter(user=user).select_related("design_version").defer(*HEAVY)
    rounds = list(mine.order_by("created_at"))
    loaded = load_designs()
    unfinished = _unfinished(rounds)
    sat = [round_ for round_ in rounds if round_.submitted_at and round_.state != machine.ABANDONED]
    days = [study_day_of(user, round_.submitted_at) for round_ in sat if round_.submitted_at]
    cards = standing(user, now)
    sat_this_week = week_of(cards.today) in {week_of(day) for day in days}
    next_design = _next_design(user, rounds, sat, wished)
    drill, drills_today = _next_drill(user, now, cards), done_today(user, now)
    scores = scores_of(user)
    return TodayPage(
        first_visit=not rounds and not Card.objects.filter(user=user).exists(),
        first_round=not sat,
        primary=_primary(
            cards, unfinished, next_design, sat_this_week and not wished, drill_left=bool(drill) and not drills_today
        ),
        standing=cards,
        unfinished=unfinished,
        next_design=next_design,
        next_drill=drill,
        drills_today=drills_today,
        sat_this_week=sat_this_week,
        designs_count=len(loaded.designs),
        refused_names=tuple(refused.name for refused in loaded.refused),
        streak_weeks=streak_weeks(days, cards.today),
        scores=scores,
        weak_lines=weak_lines_of(scores),
        weak_classes=weak_classes_of(user),
    )


def _primary(
    cards: Standing,
    unfinished: tuple[UnfinishedRound, ...],
    next_design: NextDesign | None,
    week_done: bool,
    drill_left: bool,
) -> Primary:
    """The first thing due. A running clock waits for nothing; then cards, unfinished rounds, a new one, a drill."""
    if any(round_.deadline_at for round_ in unfinished):
        return Primary.CLOCK
    if cards.due:
        return Primary.REVIEW
    if unfinished:
        return Primary.RESUME
    if next_design and not week_done:
        return Primary.START
    if drill_left:
        return Primary.DRILL
    return Primary.NONE


def _next_drill(user: User, now: dt.datetime, cards: Standing) -> NextDrill | None:
    records = records_of(user, now, cards.due)
    found = next_drill(user, Filters(), records)
    if found is None:
        return None
    record = records.get(found.id, Record())
    return NextDrill(found.title, found.kind.label, record.due, found.seconds)


def _unfinished(rounds: list[Round]) -> tuple[UnfinishedRound, ...]:
    """The rounds before their end: clocked ones first, then the latest begun."""
    left = [round_ for round_ in rounds if round_.state not in machine.FINISHED]
    left.sort(key=lambda round_: round_.created_at, reverse=True)
    left.sort(key=lambda round_: (round_.deadline_at is None, round_.state not in machine.CLOCKED))
    return tuple(
        UnfinishedRound(
            id=round_.pk,
            slug=round_.slug,
            title=loaded.title if (loaded := design_of_round(round_)) else round_.slug,
            stands=machine.STATE_NAMES[round_.state],
            clocked=round_.state in machine.CLOCKED,
            paused=round_.paused_seconds_left is not None,
            deadline_at=round_.deadline_at,
            begun_at=round_.created_at,
        )
        for round_ in left
    )


def _next_design(user: User, rounds: list[Round], sat: list[Round], wished: str) -> NextDesign | None:
    designs = load_designs().designs
    open_slugs = {round_.slug for round_ in rounds if round_.state not in machine.FINISHED}
    sat_slugs = [round_.slug for round_ in sorted(sat, key=lambda row: row.submitted_at or row.created_at)]
    slug = wished if wished in designs else next_to_sit(sitting_order(designs), sat_slugs, open_slugs)
    if slug is None:
        return None
    design = designs[slug]
    return NextDesign(
        slug=slug,
        title=design.title,
        summary=design.summary,
        read_before=DesignReading.objects.filter(user=user, slug=slug).exists(),
        sat_before=slug in sat_slugs,
    )
