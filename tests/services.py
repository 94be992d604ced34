"""Fixtures that start real services and processes of the site; each ends what it started, and nothing else."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
import pytest
from django.conf import settings as django_settings
from django.db import connection
from pytest_django import Settings

from tests.visitor import Visitor
from trainer.celery import app
from trainer.ops.broker import broker_command, broker_url
from trainer.ops.leftovers import as_child
from trainer.ops.postgres import test_postgres
from trainer.ops.run import commands

ROOT = Path(__file__).resolve().parent.parent
PATIENCE_S = 40.0


def wait_for[T](look: Callable[[], T], what: str, patience_s: float = PATIENCE_S) -> T:
    """The first true answer of `look`; a failure that says what was awaited if none comes."""
    give_up_at = time.monotonic() + patience_s
    while not (answer := look()):
        if time.monotonic() > give_up_at:
            pytest.fail(f"Waited {patience_s:.0f} s in vain for {what}.")
        time.sleep(0.05)
    return answer


@dataclass
class Process:
    """A process in a group of its own, with its output in a file."""

    command: list[str]
    environment: dict[str, str]
    output: Path
    popen: subprocess.Popen[bytes] = field(init=False)

    def __post_init__(self) -> None:
        with self.output.open("ab") as output:
            self.popen = subprocess.Popen(
                self.command,
                cwd=ROOT,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    @property
    def alive(self) -> bool:
        return self.popen.poll() is None

    def says(self) -> str:
        return self.output.read_text(errors="replace")

    def kill(self) -> None:
        """SIGKILL to the whole group: nothing is put in order."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.popen.pid, signal.SIGKILL)
        self.popen.wait()

    def interrupt(self) -> int:
        """What Ctrl-C does; the exit status."""
        self.popen.send_signal(signal.SIGINT)
        return self.popen.wait(timeout=PATIENCE_S)


StartProcess = Callable[..., Process]


@pytest.fixture
def start_process(tmp_path: Path) -> Iterator[StartProcess]:
    """Starts a process of this project: `start_process("celery", "-A", "trainer", "worker", DATABASE_URL=…)`."""
    started: list[Process] = []

    def start(program: str, *arguments: str, **variables: str) -> Process:
        keep = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "TMPDIR") if name in os.environ}
        environment = {**keep, "DJANGO_SETTINGS_MODULE": "trainer.settings", "PYTHONUNBUFFERED": "1"}
        environment |= {"ROOFLINE_WARM": "0"} | variables
        environment.setdefault("ROOFLINE_VAR", str(tmp_path / "var"))
        path = Path(sys.executable).parent / program
        process = Process([str(path), *arguments], environment, tmp_path / f"{path.name}-{len(started)}.log")
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        print(f"\n{' '.join(process.command)}\n{process.says()}")  # shown when the test failed


StartSite = Callable[..., Visitor]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture
def start_site(start_process: StartProcess) -> StartSite:
    """Starts the web server alone, and gives a visitor of it once it answers."""

    def start(**variables: str) -> Visitor:
        address = f"127.0.0.1:{free_port()}"
        options = ["-c", "python:trainer.ops.gunicorn_conf", "--bind", address]
        web = start_process("gunicorn", *options, "trainer.wsgi", **variables)
        visitor = Visitor(f"http://{address}")
        wait_for(lambda: not web.alive or reachable(visitor), f"the web server: {web.says()}")
        assert web.alive, web.says()
        return visitor

    return start


def reachable(visitor: Visitor) -> bool:
    try:
        return visitor.get("/livez").status == 200
    except OSError:
        return False


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The URL of a real PostgreSQL, started from its wheel if none is named."""
    with test_postgres() as url:
        yield url


@pytest.fixture
def postgres_url(postgres_server: str) -> Iterator[str]:
    """The URL of a new, empty database of a real PostgreSQL."""
    name = f"roofline_{uuid.uuid4().hex}"
    with psycopg.connect(postgres_server, autocommit=True) as server:
        server.execute(f'CREATE DATABASE "{name}"')
        yield f"{postgres_server.rpartition('/')[0]}/{name}"
        server.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@dataclass
class Broker:
    """A real Valkey whose queue survives `kill` and `start`."""

    var_dir: Path
    _popen: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return broker_url(self.var_dir)

    def start(self) -> None:
        command = broker_command(self.var_dir)
        self._popen = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT)
        wait_for(self.answers, "the broker")

    def answers(self) -> bool:
        from redis import Redis
        from redis.exceptions import RedisError

        try:
            with Redis.from_url(self.url.replace("redis+socket", "unix").replace("virtual_host", "db")) as client:
                return bool(client.ping())
        except RedisError:
            return False

    def send_signal(self, number: signal.Signals) -> None:
        assert self._popen is not None
        self._popen.send_signal(number)

    def kill(self) -> None:
        if self._popen is not None:
            self._popen.kill()
            self._popen.wait()
            self._popen = None


@pytest.fixture
def stopped_broker(settings: Settings) -> Iterator[Broker]:
    """A broker that this process's queue and health page use, not started yet."""
    with tempfile.TemporaryDirectory(prefix="roofline-broker-") as folder:
        broker = Broker(Path(folder))
        settings.CELERY_BROKER_URL = broker.url
        before, app.conf.broker_url = app.conf.broker_url, broker.url
        forget_connections()
        yield broker
        broker.kill()
        app.conf.broker_url = before
        forget_connections()


def forget_connections() -> None:
    """Celery keeps connections to the broker in pools; the next use makes new ones."""
    app.amqp._producer_pool = None
    app._pool = None
    app.conf.broker_read_url = app.conf.broker_write_url = app.conf.broker_url


@pytest.fixture
def broker(stopped_broker: Broker) -> Broker:
    """A running broker that this process's queue and health page use."""
    stopped_broker.start()
    return stopped_broker


@pytest.fixture
def database_url(transactional_db: None) -> str:
    """The URL of the tests' own database, for a process that works on the same rows."""
    name = connection.settings_dict["NAME"]
    if connection.vendor == "sqlite":
        return f"sqlite:///{name}"
    return f"{os.environ['DATABASE_URL'].rpartition('/')[0]}/{name}"


@pytest.fixture
def start_worker(
    start_process: StartProcess, database_url: str, stopped_broker: Broker, tmp_path: Path
) -> Callable[[], Process]:
    """Starts a worker on the tests' database and broker, as `make run` does; beat too, the first time."""
    var_dir = tmp_path / "var"
    variables = {
        "DATABASE_URL": database_url,
        "BROKER_URL": stopped_broker.url,
        "SECRET_KEY": django_settings.SECRET_KEY,
        "ROOFLINE_VAR": str(var_dir),
    }
    beats: list[Process] = []

    def launch(name: str) -> Process:
        return start_process(*as_child(var_dir, name, commands(var_dir, 0)[name]), **variables)

    def start() -> Process:
        if not beats:
            beats.append(launch("beat"))
        return launch("worker")

    return start
