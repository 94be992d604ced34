"""Documents by revision, the star, the focus, and text that came too late."""

import datetime as dt

import pytest

from tests.trainer.rounds.sitting import WORKSHEET, Sitting
from trainer.rounds import services
from trainer.rounds.models import DocumentRevision, Focus, LateAddendum, Round
from trainer.rounds.refusals import RoundRefused

pytestmark = pytest.mark.django_db


def refused_save(sitting: Sitting, key: str, text: object, **kwargs: object) -> RoundRefused:
    with pytest.raises(RoundRefused) as refusal:
        sitting.save(key, text, **kwargs)  # type: ignore[arg-type]
    return refusal.value


def test_each_save_makes_the_next_revision_and_every_one_is_kept(sitting: Sitting) -> None:
    sitting.to("writing")
    assert [sitting.save("s1", text).revision for text in ("a", "b", "c")] == [1, 2, 3]
    kept = DocumentRevision.objects.filter(document__round=sitting.round, document__key="s1").order_by("revision")
    assert list(kept.values_list("text", flat=True)) == ["a", "b", "c"]
    assert sitting.text("s1") == "c"


def test_the_same_save_again_gives_the_same_answer_and_no_second_revision(sitting: Sitting) -> None:
    sitting.to("writing")
    first = sitting.save("s1", "a", base=0, save_id="x")
    sitting.save("s1", "b")
    again = sitting.after(5).save("s1", "a", base=0, save_id="x")
    assert again == first
    assert sitting.text("s1") == "b"


def test_a_save_sent_again_after_the_seal_is_still_acknowledged(sitting: Sitting) -> None:
    sitting.to("writing")
    first = sitting.save("s1", "a", base=0, save_id="x")
    services.round_submit(round=sitting.round, now=sitting.now)
    assert sitting.save("s1", "a", base=0, save_id="x") == first
    assert not LateAddendum.objects.exists()


def test_a_save_id_used_for_another_text_is_refused_at_its_field(sitting: Sitting) -> None:
    sitting.to("writing").save("s1", "a", base=0, save_id="x")
    refusal = refused_save(sitting, "s1", "other", base=1, save_id="x")
    assert (refusal.status, refusal.field) == (422, "save_id")
    assert sitting.text("s1") == "a"


def test_a_stale_revision_is_a_409_with_what_stands_and_overwrites_nothing(sitting: Sitting) -> None:
    sitting.to("writing").save("s1", "from the first tab")
    refusal = refused_save(sitting, "s1", "from the second tab", base=0)
    assert (refusal.status, refusal.reason) == (409, "stale")
    assert (refusal.extra["revision"], refusal.extra["text"]) == (1, "from the first tab")
    assert sitting.text("s1") == "from the first tab"
    assert sitting.save("s1", "both", base=1).revision == 2


def test_b031_a_stale_copy_submitted_late_leaves_both_versions_known(sitting: Sitting) -> None:
    sitting.to("writing").save("s2", "old")
    sitting.after(1200).save("s2", "new")
    refusal = refused_save(sitting, "s2", "old, edited in the copy", base=1)
    assert (refusal.reason, refusal.extra["text"]) == ("stale", "new")
    services.round_submit(round=sitting.round, now=sitting.now)
    assert sitting.text("s2") == "new"


def test_b021_edits_in_two_sections_are_both_there(sitting: Sitting) -> None:
    sitting.to("writing")
    sitting.save("s1", "one")
    sitting.save("s4", "four")
    assert (sitting.text("s1"), sitting.text("s4")) == ("one", "four")


@pytest.mark.parametrize("base", [-1, "", "x", None, 1.5, True, 2**31, [0]])
def test_a_base_revision_that_is_no_number_is_a_422_at_its_field(sitting: Sitting, base: object) -> None:
    sitting.to("writing")
    with pytest.raises(RoundRefused) as refusal:
        services.document_save(
            round=sitting.round, key="s1", text="a", base_revision=base, save_id="x", now=sitting.now
        )
    assert (refusal.value.status, refusal.value.field) == (422, "base_revision")


@pytest.mark.parametrize("text", [None, 3, {}, "nul \x00", "half \ud83e"])
def test_text_that_cannot_be_stored_is_a_422_at_its_field(sitting: Sitting, text: object) -> None:
    refusal = refused_save(sitting.to("writing"), "s1", text)
    assert (refusal.status, refusal.field) == (422, "text")


@pytest.mark.parametrize("save_id", [None, "", " ", "x" * 65, "a\x00", 7])
def test_a_save_without_a_usable_id_is_a_422_at_its_field(sitting: Sitting, save_id: object) -> None:
    sitting.to("writing")
    with pytest.raises(RoundRefused) as refusal:
        services.document_save(
            round=sitting.round, key="s1", text="a", base_revision=0, save_id=save_id, now=sitting.now
        )
    assert (refusal.value.status, refusal.value.field) == (422, "save_id")


def test_a_section_takes_its_limit_and_refuses_one_character_more(sitting: Sitting) -> None:
    sitting.to("writing")
    assert sitting.save("s1", "字" * 200_000).revision == 1
    refusal = refused_save(sitting, "s1", "字" * 200_001)
    assert (refusal.status, refusal.field) == (413, "text")
    assert "200,001" in refusal.message
    assert "200,000" in refusal.message
    assert len(sitting.text("s1")) == 200_000


def test_an_unknown_document_is_a_404_that_names_the_known_ones(sitting: Sitting) -> None:
    with pytest.raises(RoundRefused, match="s1 to s10 and worksheet") as refusal:
        services.document_save(
            round=sitting.to("writing").round, key="s11", text="a", base_revision=0, save_id="x", now=sitting.now
        )
    assert refusal.value.status == 404


def test_sections_are_locked_during_the_arithmetic_and_the_worksheet_is_not(sitting: Sitting) -> None:
    sitting.begin()
    assert sitting.save("worksheet", "a = 1").revision == 1
    refusal = refused_save(sitting, "s1", "a")
    assert (refusal.status, refusal.reason) == (409, "locked")


def test_while_paused_a_save_is_refused_and_says_so(practice: Sitting) -> None:
    practice.to("writing")
    services.round_pause(round=practice.round, now=practice.now)
    refusal = refused_save(practice, "s1", "a")
    assert (refusal.status, refusal.reason) == (409, "paused")


def test_b030_a_round_never_submitted_is_finalised_with_its_last_save(sitting: Sitting) -> None:
    sitting.to("writing").after(2400).save("s1", "Forty minutes of work.")
    assert sitting.after(86_400).look().state == "scoring"
    assert sitting.text("s1") == "Forty minutes of work."


def test_b029_typing_across_the_bell_leaves_the_text_of_the_last_acknowledged_save(sitting: Sitting) -> None:
    sitting.to("writing")
    sitting.now = sitting.round.writing_started_at + dt.timedelta(seconds=2600)
    for seconds in range(0, 110, 2):
        sitting.save("s1", f"typed until {seconds}")
        sitting.after(2)
    assert refused_save(sitting, "s1", "typed on").reason == "sealed"
    assert sitting.look().state == "scoring"
    assert sitting.text("s1") == "typed until 108"  # 2708 s: the last save before the seal at 2710


@pytest.mark.parametrize(("seconds", "lands"), [(2701, True), (2709, True), (2711, False)])
def test_b032_a_save_in_the_grace_lands_and_one_after_it_leaves_what_stood(
    sitting: Sitting, seconds: float, lands: bool
) -> None:
    sitting.begin().write().save("s1", "before")
    sitting.after(seconds)
    if lands:
        assert sitting.save("s1", "in time").revision == 2
    else:
        assert refused_save(sitting, "s1", "too late").reason == "sealed"
    assert sitting.text("s1") == ("in time" if lands else "before")


@pytest.mark.parametrize("seconds", [2701, 2709])
def test_b032_a_submission_in_the_grace_is_complete_and_counts_as_of_the_bell(sitting: Sitting, seconds: float) -> None:
    sitting.begin().write().save("s1", "before")
    sitting.after(seconds).save("s1", "complete")
    round_ = services.round_submit(round=sitting.round, now=sitting.now)
    assert (round_.state, round_.submitted_by_bell, round_.sealed_at) == ("scoring", True, sitting.now)
    assert sitting.text("s1") == "complete"


def test_in_the_grace_a_save_that_builds_on_an_older_revision_is_stale(sitting: Sitting) -> None:
    sitting.begin().write().save("s1", "before")
    assert refused_save(sitting.after(2705), "s1", "x", base=0).reason == "stale"


def test_b017_after_the_seal_every_document_is_refused_and_kept(sitting: Sitting) -> None:
    sitting.to("scoring")
    keys = [*(f"s{number}" for number in range(1, 11)), "worksheet"]
    before = {key: sitting.text(key) for key in keys}
    for key in keys:
        refusal = refused_save(sitting, key, "changed")
        assert (refusal.status, refusal.reason, refusal.extra["text"]) == (409, "sealed", before[key])
    assert {key: sitting.text(key) for key in keys} == before


def test_b003_writes_after_the_true_end_are_refused_whatever_the_client_thinks(sitting: Sitting) -> None:
    sitting.begin().write()
    assert sitting.after(2699).save("s1", "in time").revision == 1
    assert refused_save(sitting.after(11), "s1", "late").reason == "sealed"


def test_b048_after_a_submission_elsewhere_a_save_is_refused_at_once(sitting: Sitting) -> None:
    sitting.to("writing").save("s1", "final")
    services.round_submit(round=sitting.round, now=sitting.now)
    assert refused_save(sitting, "s1", "not final").reason == "sealed"
    assert sitting.text("s1") == "final"


def test_b052_an_idle_tab_that_saves_its_old_text_changes_nothing(sitting: Sitting) -> None:
    sitting.to("writing").save("s1", "old")
    sitting.save("s1", "finished")
    assert refused_save(sitting, "s1", "old, with a space ", base=1).reason == "stale"
    services.round_submit(round=sitting.round, now=sitting.now)
    assert refused_save(sitting, "s1", "old, with a space ", base=1).reason == "sealed"
    assert sitting.text("s1") == "finished"


def test_b034_a_save_that_arrives_after_the_seal_is_kept_as_a_late_addendum(sitting: Sitting) -> None:
    sitting.begin().write().save("s1", "before")
    refusal = refused_save(sitting.after(2715), "s1", "before, and more", save_id="in-flight")
    late = LateAddendum.objects.get(round=sitting.round)
    assert refusal.extra["addendum"] == late.pk
    assert (late.key, late.text, late.decision) == ("s1", "before, and more", "offered")
    assert sitting.text("s1") == "before"


def test_the_same_late_text_is_offered_once_however_it_arrives(sitting: Sitting) -> None:
    sitting.to("scoring")
    refused_save(sitting, "s1", "late", save_id="x")
    for save_id in ("x", "y"):
        services.addendum_offer(round=sitting.round, key="s1", text="late", save_id=save_id, now=sitting.now)
    assert LateAddendum.objects.count() == 1


def test_late_text_that_stands_in_the_submission_is_no_addendum(sitting: Sitting) -> None:
    sitting.to("scoring")
    text = sitting.text("s1")
    assert services.addendum_offer(round=sitting.round, key="s1", text=text, save_id="x", now=sitting.now) is None


def test_text_of_an_open_round_is_no_late_addendum(sitting: Sitting) -> None:
    sitting.to("writing")
    with pytest.raises(RoundRefused) as refusal:
        services.addendum_offer(round=sitting.round, key="s1", text="a", save_id="x", now=sitting.now)
    assert (refusal.value.status, refusal.value.reason) == (409, "open")


def offered(sitting: Sitting) -> int:
    late = services.addendum_offer(
        round=sitting.to("scoring").round, key="s1", text="late", save_id="x", now=sitting.now
    )
    assert late is not None
    return late.pk


@pytest.mark.parametrize(("first", "second"), [("kept", "discarded"), ("discarded", "kept")])
def test_a_late_addendum_is_decided_once(sitting: Sitting, first: str, second: str) -> None:
    pk = offered(sitting)
    for _ in range(2):
        services.addendum_decide(round=sitting.round, addendum_id=pk, decision=first, now=sitting.now)
    with pytest.raises(RoundRefused, match=first) as refusal:
        services.addendum_decide(round=sitting.round, addendum_id=pk, decision=second, now=sitting.now)
    assert refusal.value.status == 409
    assert LateAddendum.objects.get().decision == first


def test_a_decision_about_nothing_or_in_other_words_is_refused(sitting: Sitting) -> None:
    pk = offered(sitting)
    for addendum_id, decision, status in ((pk + 1, "kept", 404), (pk, "offered", 422), (pk, "", 422)):
        with pytest.raises(RoundRefused) as refusal:
            services.addendum_decide(round=sitting.round, addendum_id=addendum_id, decision=decision, now=sitting.now)
        assert refusal.value.status == status


def starred(sitting: Sitting) -> Round:
    sitting.begin().save("worksheet", WORKSHEET)
    return services.deciding_star(round=sitting.round, line_name="run", now=sitting.tick())


def test_the_star_keeps_its_moment_and_the_value_of_its_line(sitting: Sitting) -> None:
    starred(sitting)
    round_ = sitting.round
    assert (round_.deciding_line, round_.deciding_starred_at) == ("run", sitting.now)
    assert round_.deciding_expression == "tokens / rate"
    assert round_.deciding_value == pytest.approx(3e9 / (8 * 989.5e12 * 0.5 / 16e9))


def test_the_star_is_taken_back_with_an_empty_name(sitting: Sitting) -> None:
    starred(sitting)
    services.deciding_star(round=sitting.round, line_name="", now=sitting.now)
    round_ = sitting.round
    assert (round_.deciding_line, round_.deciding_value, round_.deciding_starred_at) == ("", None, None)


def test_starring_the_same_line_again_keeps_the_first_moment(sitting: Sitting) -> None:
    first = starred(sitting).deciding_starred_at
    services.deciding_star(round=sitting.round, line_name="run", now=sitting.after(60).now)
    assert sitting.round.deciding_starred_at == first


@pytest.mark.parametrize("name", ["nothing", "run ", "r" * 200, "run\x00"])
def test_a_star_for_a_line_without_a_value_is_a_422_at_its_field(sitting: Sitting, name: str) -> None:
    sitting.begin().save("worksheet", WORKSHEET + "\nbroken = 1 GiB + 1 s")
    for line_name in (name, "broken"):
        with pytest.raises(RoundRefused) as refusal:
            services.deciding_star(round=sitting.round, line_name=line_name, now=sitting.now)
        assert (refusal.value.status, refusal.value.field) == (422, "line")


def test_a_star_after_the_bell_is_refused_even_in_the_grace(sitting: Sitting) -> None:
    sitting.begin().save("worksheet", WORKSHEET)
    sitting.write().after(2701)
    assert sitting.look().state == "writing"
    with pytest.raises(RoundRefused) as refusal:
        services.deciding_star(round=sitting.round, line_name="run", now=sitting.now)
    assert refusal.value.status == 409
    assert sitting.round.deciding_line == ""


def test_the_starred_line_counts_as_it_stands_when_sealed_with_the_moment_of_its_star(sitting: Sitting) -> None:
    at = starred(sitting).deciding_starred_at
    sitting.write().save("worksheet", WORKSHEET.replace("1500", "3000"))
    round_ = sitting.after(3000).look()
    assert (round_.state, round_.deciding_starred_at) == ("scoring", at)
    assert round_.deciding_value == pytest.approx(6e9 / (8 * 989.5e12 * 0.5 / 16e9))


def test_a_starred_line_broken_at_the_bell_keeps_the_value_it_was_starred_with(sitting: Sitting) -> None:
    value = starred(sitting).deciding_value
    sitting.write().save("worksheet", WORKSHEET.replace("run = tokens / rate", "run = tokens /"))
    round_ = services.round_submit(round=sitting.round, now=sitting.now)
    assert (round_.deciding_line, round_.deciding_value) == ("run", value)


def test_turning_to_a_section_is_recorded_once_per_turn(sitting: Sitting) -> None:
    sitting.to("writing")
    for key in ("s1", "s1", "s2", "s1", "away"):
        services.focus_record(round=sitting.round, key=key, now=sitting.tick())
    assert list(Focus.objects.order_by("at").values_list("key", flat=True)) == ["s1", "s2", "s1", "away"]


def test_turning_to_an_unknown_place_or_without_a_clock_is_refused(sitting: Sitting) -> None:
    with pytest.raises(RoundRefused) as refusal:
        services.focus_record(round=sitting.round, key="s99", now=sitting.now)
    assert (refusal.value.status, refusal.value.field) == (422, "key")
    with pytest.raises(RoundRefused) as refusal:
        services.focus_record(round=sitting.round, key="s1", now=sitting.now)
    assert refusal.value.status == 409
