"""The script that keeps one process of the site running, alone."""

import fcntl
from pathlib import Path

import psutil

from tests.services import StartProcess, wait_for
from trainer.ops.leftovers import as_child


def test_a_process_starts_once_the_last_one_of_its_name_has_let_go(start_process: StartProcess, tmp_path: Path) -> None:
    """What a killed worker leaves behind may hold the lock for a moment longer than the worker itself."""
    command = as_child(tmp_path, "worker", ["/bin/sleep", "60"])
    path = Path(command[-3])
    with path.open("a+") as dying:
        fcntl.flock(dying, fcntl.LOCK_EX | fcntl.LOCK_NB)
        child = start_process(*command)
        wait_for(lambda: waits_for(child.popen.pid, path), "the second one to ask for the lock")
        assert child.alive
        assert path.read_text() == ""
    wait_for(lambda: path.read_text() == str(child.popen.pid), "the second one to hold the lock")
    assert child.alive


def waits_for(pid: int, path: Path) -> bool:
    """Whether the process has opened the file: it asks for the lock from then on."""
    return str(path.resolve()) in (opened.path for opened in psutil.Process(pid).open_files())
