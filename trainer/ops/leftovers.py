"""Processes that outlived their runner (it was killed with SIGKILL): found by the locks they hold, and ended."""

import contextlib
import fcntl
import os
import signal
import sys
import time
from pathlib import Path
from typing import TextIO

CHILD = Path(__file__).with_name("child.py")
PATIENCE_S = 5.0


class AlreadyRuns(RuntimeError):
    """Another runner holds this folder; the message says which."""


def processes_dir(var_dir: Path) -> Path:
    folder = var_dir / "processes"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def as_child(var_dir: Path, name: str, command: list[str]) -> list[str]:
    """`command`, run so that `end_leftovers` finds it."""
    return [sys.executable, "-I", "-S", str(CHILD), str(processes_dir(var_dir) / name), *command]


def hold_folder(var_dir: Path, address: str) -> TextIO:
    """The lock of the one runner of `var_dir`; it goes with the process, however that ends.

    Raises:
        AlreadyRuns: another runner holds it.
    """
    file = (var_dir / "runner").open("a+")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.seek(0)
        pid, _, where = file.read().partition(" ")
        file.close()
        raise AlreadyRuns(f"Roofline already runs from this folder: {where} (process {pid}).") from None
    file.truncate(0)
    file.write(f"{os.getpid()} {address}")
    file.flush()
    return file


def end_leftovers(var_dir: Path) -> list[str]:
    """End what an earlier runner left behind: politely, then by force. The names of what was found."""
    found: list[str] = []
    for path in sorted(processes_dir(var_dir).iterdir()):
        if not _held(path):
            continue
        found.append(path.name)
        group = int(path.read_text())
        for signal_number in (signal.SIGTERM, signal.SIGKILL):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(group, signal_number)
            if _let_go(path):
                break
    return found


def _held(path: Path) -> bool:
    with path.open("r+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def _let_go(path: Path) -> bool:
    give_up_at = time.monotonic() + PATIENCE_S
    while _held(path):
        if time.monotonic() > give_up_at:
            return False
        time.sleep(0.02)
    return True
