"""Runs one of the site's processes so that a later start can tell whether it still lives, and end it.

Used as a script, not as a module: it becomes the other program at once and must not load the site for that.

    python child.py FILE COMMAND...

The command inherits a lock on FILE, which holds the process's id, the id of its group too. However the runner ended,
the lock is held for as long as any process of the group lives, so a stale id is never taken for a live one.
"""

import fcntl
import os
import sys


def main() -> None:
    path, command = sys.argv[1], sys.argv[2:]
    if os.getpgrp() != os.getpid():
        os.setpgrp()
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    os.ftruncate(file, 0)
    os.write(file, str(os.getpid()).encode())
    os.set_inheritable(file, True)
    os.execvp(command[0], command)


if __name__ == "__main__":
    main()
