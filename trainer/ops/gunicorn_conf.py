"""The web server's settings, at home and hosted. The address is given on the command line."""

import os
from threading import Event
from typing import Any

from trainer.ops.warm import start_warming

os.environ["ROOFLINE_DATABASE_POOL"] = "1"

worker_class = "gthread"
workers = int(os.environ.get("ROOFLINE_WEB_PROCESSES", "2"))
threads = 8
preload_app = True  # imported once, not by each process
timeout = 30
graceful_timeout = 5
keepalive = 5
loglevel = "warning"
control_socket_disable = True  # it would be a file in the home folder

first_answer = Event()


def post_worker_init(worker: Any) -> None:
    """Read the content ahead, in a thread of its own, once there was an answer. ROOFLINE_WARM=0 leaves it out."""
    if os.environ.get("ROOFLINE_WARM", "1") != "0":
        start_warming(first_answer)


def post_request(worker: Any, request: Any, environ: Any, response: Any) -> None:
    """After each answer."""
    first_answer.set()


def worker_exit(server: Any, worker: Any) -> None:
    """Close the pool of connections, whose threads would hold up the end of the process."""
    from django.db import connection

    connection.close()
    if close_pool := getattr(connection, "close_pool", None):
        close_pool()
