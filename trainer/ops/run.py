"""`make run`: the broker, the web server, the workers and beat, started and stopped together."""

import datetime as dt
import os
import shlex
import signal
import socket
import sys
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

from honcho.manager import Manager
from honcho.printer import Message, Printer

from trainer.ops.broker import broker_command
from trainer.ops.leftovers import AlreadyRuns, as_child, end_leftovers, hold_folder

HOST = "127.0.0.1"
DEFAULT_PORT = 8000
WORKER_OPTIONS = ("--without-gossip", "--without-mingle")  # they are for several workers that know each other
STOPPED_BY_HAND = {128 + signal.SIGINT, 128 + signal.SIGTERM}


class CannotStart(RuntimeError):
    """What stands in the way of a start, in words for the person who started it."""


def say(text: str) -> None:
    print(text, flush=True)


def wanted_port() -> int:
    text = os.environ.get("PORT") or str(DEFAULT_PORT)
    if not text.isdecimal() or not 1 <= int(text) <= 65535:
        raise CannotStart(f"PORT is {text!r}; it must be a whole number from 1 to 65535.")
    return int(text)


def check_port_is_free(port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as the web server does
        try:
            probe.bind((HOST, port))
        except OSError as error:
            raise CannotStart(
                f"Port {port} of {HOST} cannot be used ({error.strerror}): another program listens there. "
                f"Choose another one: PORT={port + 1} make run"
            ) from error


def prepare(var_dir: Path) -> None:
    """All that must be right before the first process starts: database, static files, content."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "trainer.settings")
    django.setup()

    from django.db import connections

    from trainer.ops.backup import BackupFailed, migrate_with_backup
    from trainer.ops.content import content_report
    from trainer.ops.static import collect_static

    try:
        migrate_with_backup(var_dir / "backups", dt.datetime.now(dt.UTC), say)
    except BackupFailed as error:
        raise CannotStart(f"The database needs migrating, but could not be backed up first. {error}") from error
    collect_static(say)
    for line in content_report():
        say(line)
    connections.close_all()  # the processes are forked from this one


def commands(var_dir: Path, port: int) -> dict[str, list[str]]:
    """The processes by name. `docker-compose.yml` starts the same ones, apart."""
    bin_dir = Path(sys.executable).parent
    celery = [str(bin_dir / "celery"), "-A", "trainer", "--quiet"]
    return {
        "broker": broker_command(var_dir),
        "web": [
            *(str(bin_dir / "gunicorn"), "-c", "python:trainer.ops.gunicorn_conf", "--bind", f"{HOST}:{port}"),
            "trainer.wsgi",
        ],
        "worker": [*celery, "worker", "--loglevel", "WARNING", *WORKER_OPTIONS],
        "critic": [*celery, "worker", "--loglevel", "WARNING", *WORKER_OPTIONS, *critic_options()],
        "beat": [*celery, "beat", "--loglevel", "WARNING", "--pidfile", ""],
    }


def critic_options() -> list[str]:
    """Of the worker that calls models: threads, because calls wait and do not compute."""
    from django.conf import settings

    concurrency = str(settings.CRITIC_CONCURRENCY)
    return ["--queues", "critic", "--pool", "threads", "--concurrency", concurrency, "--hostname", "critic@%h"]


class Runner(Manager):
    """Honcho's manager, which says the address once the site answers there."""

    def __init__(self, address: str) -> None:
        super().__init__(Printer(sys.stdout))
        self.address = address

    def _start(self) -> None:
        super()._start()
        threading.Thread(target=self._announce, daemon=True).start()

    def _announce(self) -> None:
        while not self._terminating and not answers(f"{self.address}livez"):
            time.sleep(0.05)
        if not self._terminating:
            text = f"Roofline is at {self.address} (Ctrl-C stops it)\n"
            self.events.put(Message("line", text, dt.datetime.now(), "system", None))  # noqa: DTZ005 (shown as local)


def answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=2) as response:
            return bool(response.status == 200)
    except OSError:
        return False


def run() -> int:
    from django.conf import settings

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "trainer.settings")
    port = wanted_port()
    address = f"http://{HOST}:{port}/"
    var_dir = settings.VAR_DIR
    with hold_folder(var_dir, address):
        for name in end_leftovers(var_dir):
            say(f"Ended the {name} that an earlier start had left behind")
        check_port_is_free(port)
        prepare(var_dir)
        runner = Runner(address)
        for name, command in commands(var_dir, port).items():
            if name == "critic" and not settings.CRITIC_BASE_URL:
                continue  # no model to call: the built-in critic needs no worker
            runner.add_process(name, "exec " + shlex.join(as_child(var_dir, name, command)))
        runner.loop()
    return 0 if runner.returncode in STOPPED_BY_HAND else 1


def main() -> int:
    try:
        return run()
    except (CannotStart, AlreadyRuns) as error:
        print(f"Roofline cannot start. {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
