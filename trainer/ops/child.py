"""Keeps one of the site's processes running, so that a later start can tell whether it still lives, and end it.

Used as a script, not as a module: it must not load the site for this.

    python child.py FILE COMMAND...

COMMAND is started again when it ends by itself; when it keeps ending at once, this gives up with its status. It and its
processes hold a lock on FILE, which holds the id of their group. However the runner ended, the lock is held for as
long as any of them lives, so a stale id is never taken for a live one. One that was killed a moment ago is waited for.
"""

import fcntl
import os
import signal
import subprocess
import sys
import threading
import time

SOON_S = 10.0  # a process that ends within this time of its start has failed to start
TRIES = 5
LAST_ONE_DIES_S = 10.0  # the processes of a group that was killed do not all end in the same moment


def main() -> int:
    path, command = sys.argv[1], sys.argv[2:]
    if os.getpgrp() != os.getpid():
        os.setpgrp()
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    hold(file)
    os.ftruncate(file, 0)
    os.write(file, str(os.getpid()).encode())
    return keep_running(command, file)


def hold(file: int) -> None:
    """Take the lock on `file`, which the last of the processes before may still hold.

    Raises: BlockingIOError when it is held for longer than a killed process takes to end.
    """
    give_up_at = time.monotonic() + LAST_ONE_DIES_S
    while True:
        try:
            return fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > give_up_at:
                raise
            time.sleep(0.02)


def keep_running(command: list[str], file: int) -> int:
    """Run `command` until SIGTERM (which its whole group gets), or until it has failed to start too often."""
    stopping = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stopping.set())
    failures = 0
    while True:
        started_at = time.monotonic()
        process = subprocess.Popen(command, pass_fds=[file])
        if stopping.is_set():  # the signal came before there was a process to get it
            process.terminate()
        status = process.wait()
        if stopping.is_set():
            return status
        failures = failures + 1 if time.monotonic() - started_at < SOON_S else 1
        if failures == TRIES:
            print(f"Ended {TRIES} times in a row soon after its start. Given up.", flush=True)
            return status or 1
        print(f"Ended by itself (status {status}). Starting it again in {failures} s.", flush=True)
        if stopping.wait(failures):
            return status


if __name__ == "__main__":
    sys.exit(main())
