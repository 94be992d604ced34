"""The content is read ahead once the web process has answered, and what fails there stops nothing."""

from collections.abc import Iterator
from threading import Event, Thread

import pytest

from designs import loader as designs_loader
from trainer.drills import bank as drills_bank
from trainer.ops import gunicorn_conf, warm
from trainer.study import chapters, loader

PATIENCE_S = 60


def test_after_warming_no_chapter_design_or_drill_is_read_again() -> None:
    warm.warm()
    caches = (chapters._page, loader._load, loader._chapter, designs_loader._load, drills_bank._bank)
    before = [cache.cache_info().misses for cache in caches]
    for loaded in loader.load_study().chapters.values():
        chapters.chapter_page(loaded, {})
    assert designs_loader.load_designs().designs
    assert drills_bank.bank().drills
    assert [cache.cache_info().misses for cache in caches] == before


def test_a_part_that_fails_is_logged_and_the_others_are_read(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    read: list[str] = []

    def some() -> Iterator[warm.Part]:
        yield "the broken part", lambda: 1 / 0
        yield "the good part", lambda: read.append("good")
        raise OSError("no disk")

    monkeypatch.setattr(warm, "parts", some)
    warm.warm()
    assert read == ["good"]
    assert "could not read the broken part ahead" in caplog.text
    assert "could not read the content ahead" in caplog.text


def test_nothing_is_read_before_the_first_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, answered = Event(), Event()
    monkeypatch.setattr(warm, "warm", begun.set)
    thread = warm.start_warming(answered, longest_wait_s=PATIENCE_S)
    assert thread.daemon
    assert not begun.is_set()
    answered.set()
    thread.join(PATIENCE_S)
    assert begun.is_set()


def test_a_process_that_nobody_asks_begins_on_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    begun = Event()
    monkeypatch.setattr(warm, "warm", begun.set)
    warm.start_warming(Event(), longest_wait_s=0).join(PATIENCE_S)
    assert begun.is_set()


@pytest.mark.parametrize(("setting", "count"), [("1", 1), ("0", 0)])
def test_a_web_process_warms_itself_unless_it_is_told_not_to(
    setting: str, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting: list[Event] = []

    def started(event: Event) -> Thread:
        waiting.append(event)
        return Thread()

    monkeypatch.setenv("ROOFLINE_WARM", setting)
    monkeypatch.setattr(gunicorn_conf, "start_warming", started)
    monkeypatch.setattr(gunicorn_conf, "first_answer", Event())
    gunicorn_conf.post_worker_init(None)
    assert len(waiting) == count
    gunicorn_conf.post_request(None, None, None, None)
    assert all(event.is_set() for event in waiting)
    assert gunicorn_conf.first_answer.is_set()
