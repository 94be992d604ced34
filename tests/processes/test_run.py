"""`make run`: starts, stops, and starts again after whatever happened to it."""

import contextlib
import os
import shutil
import socket
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.processes.home import SECTION, Home, begin_writing, group_lives, save
from tests.services import StartProcess, free_port, reachable, wait_for


@pytest.fixture
def home(start_process: StartProcess, tmp_path: Path) -> Iterator[Home]:
    home = Home.at(start_process, tmp_path / "var")
    yield home
    home.kill_leftovers()


def test_every_part_is_well_and_ctrl_c_ends_all_of_them(home: Home) -> None:
    visitor = home.start()
    wait_for(lambda: visitor.get("/healthz").status == 200, "every part to be well")
    groups = home.groups()
    assert set(groups) == {"broker", "web", "worker", "beat"}
    assert home.process is not None
    assert home.process.interrupt() == 0
    wait_for(lambda: not any(map(group_lives, groups.values())), "the processes to be gone", patience_s=5)


def test_nothing_acknowledged_is_lost_when_every_process_is_killed(home: Home) -> None:
    visitor = home.start()
    path = begin_writing(visitor)
    save(visitor, path, SECTION)
    home.kill_all()
    tear_the_end_of_the_brokers_file(home.var_dir)

    visitor = home.start()
    assert SECTION in visitor.get(path).text
    assert visitor.get(f"{path}clock.json").json()["state"] == "writing"
    save(visitor, path, SECTION + " And more.", base_revision=1)
    wait_for(lambda: visitor.get("/healthz").status == 200, "every part to be well again")


def tear_the_end_of_the_brokers_file(var_dir: Path) -> None:
    """As a power cut leaves it: the last command is not whole."""
    (file,) = (var_dir / "broker" / "appendonlydir").glob("*.incr.aof")
    with file.open("ab") as appended:
        appended.write(b"*3\r\n$3\r\nSET\r\n$20\r\nhalf a ")


def test_a_start_ends_what_a_killed_runner_left_behind(home: Home) -> None:
    home.start()
    left = home.groups()
    assert home.process is not None
    home.process.kill()  # the runner alone
    assert group_lives(left["broker"])
    home.start()
    assert home.process is not None
    assert "Ended the broker that an earlier start had left behind" in home.process.says()
    assert not group_lives(left["broker"])


def test_a_second_start_from_the_same_folder_is_refused_and_told_where_the_first_one_is(home: Home) -> None:
    home.start()
    second = home.launch(PORT=str(free_port()))
    assert second.popen.wait(timeout=30) == 1
    assert f"Roofline already runs from this folder: {home.address}" in second.says()
    assert home.process is not None
    assert home.process.alive


def test_two_folders_run_side_by_side(home: Home, start_process: StartProcess, tmp_path: Path) -> None:
    other = Home.at(start_process, tmp_path / "other")
    try:
        first, second = home.start(), other.start()
        path = begin_writing(first)
        save(first, path, SECTION)
        assert second.get(path).status == 404
    finally:
        other.kill_leftovers()


def test_a_busy_port_is_named_with_what_to_do(home: Home) -> None:
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", home.port))
        busy.listen()
        process = home.launch()
        assert process.popen.wait(timeout=30) == 1
    assert f"Port {home.port} of 127.0.0.1 cannot be used" in process.says()
    assert f"PORT={home.port + 1} make run" in process.says()


@pytest.mark.parametrize("port", ["eighty", "0", "65536", "-1"])
def test_a_port_that_is_none_is_refused_by_range(home: Home, port: str) -> None:
    process = home.launch(PORT=port)
    assert process.popen.wait(timeout=30) == 1
    assert f"PORT is '{port}'; it must be a whole number from 1 to 65535." in process.says()


@pytest.mark.parametrize("name", ["broker", "web", "worker", "beat"])
def test_a_part_that_is_killed_comes_back_and_the_round_goes_on(home: Home, name: str) -> None:
    visitor = home.start()
    path = begin_writing(visitor)
    wait_for(lambda: visitor.get("/healthz").status == 200, "every part to be well")
    kill_all_but_its_keeper(home.groups()[name])
    if name != "web":  # the round itself needs neither the broker nor the worker
        save(visitor, path, SECTION)
    assert home.process is not None
    process = home.process
    wait_for(lambda: "Ended by itself" in process.says(), "the end to be noticed")
    wait_for(lambda: reachable(visitor) and visitor.get("/healthz").status == 200, "every part to be well again")
    if name == "web":
        save(visitor, path, SECTION)
    assert SECTION in visitor.get(path).text


def kill_all_but_its_keeper(group: int) -> None:
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, ProcessLookupError):
            if process.pid != group and os.getpgid(process.pid) == group:
                process.kill()


def test_a_part_that_cannot_start_ends_the_others_and_is_named(home: Home) -> None:
    spoilt = home.var_dir / "broker" / "appendonlydir" / "appendonly.aof.manifest"
    spoilt.parent.mkdir(parents=True)
    spoilt.write_text("not a manifest\n")
    process = home.launch()
    assert process.popen.wait(timeout=60) == 1
    said = process.says()
    assert "broker | Ended 5 times in a row soon after its start. Given up." in said
    assert not any(map(group_lives, home.groups().values()))


def test_a_design_that_is_refused_is_named_and_the_rest_is_served(home: Home, tmp_path: Path) -> None:
    broken = tmp_path / "pack" / "broken"
    broken.mkdir(parents=True)
    (broken / "design.toml").write_text("slug = ")
    process = home.process = home.launch(CONTENT_DIRS=str(tmp_path / "pack"))
    wait_for(lambda: f"Roofline is at {home.address}" in process.says() or not process.alive, "the address", 60)
    assert "Design broken was refused and is left out:" in process.says()
    assert "Designs: m01" in process.says()


def test_static_files_are_collected_again_when_one_changed_and_only_then(home: Home) -> None:
    home.start()
    assert home.process is not None
    assert "Collecting the static files" in home.process.says()
    home.process.interrupt()
    home.start()
    assert "Collecting the static files" not in home.process.says()
    home.process.interrupt()
    shutil.rmtree(home.var_dir / "static")
    home.start()
    assert "Collecting the static files" in home.process.says()
