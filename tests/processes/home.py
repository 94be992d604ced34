"""The home form as `make run` starts it, on a spare port and with data of its own."""

import contextlib
import os
import signal
from dataclasses import dataclass
from pathlib import Path

import psutil

from tests.services import Process, StartProcess, free_port, reachable, wait_for
from tests.visitor import Visitor

SECTION = "Two hundred thousand people at once. The deciding number is the KV cache."


@dataclass
class Home:
    """One folder of data; started and ended as often as a test wants."""

    start_process: StartProcess
    var_dir: Path
    port: int
    process: Process | None = None

    @classmethod
    def at(cls, start_process: StartProcess, var_dir: Path) -> "Home":
        return cls(start_process, var_dir, free_port())

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def launch(self, **variables: str) -> Process:
        environment = {"PORT": str(self.port), "ROOFLINE_VAR": str(self.var_dir), **variables}
        return self.start_process("python", "-m", "trainer.ops.run", **environment)

    def start(self) -> Visitor:
        self.process = process = self.launch()
        announced = f"Roofline is at {self.address}"
        wait_for(lambda: announced in process.says() or not process.alive, "the address", patience_s=60)
        assert process.alive, process.says()
        visitor = Visitor(self.address)
        assert reachable(visitor)
        return visitor

    def groups(self) -> dict[str, int]:
        """The process groups of the broker, the web server and the worker."""
        return {path.name: int(path.read_text()) for path in (self.var_dir / "processes").iterdir()}

    def kill_all(self) -> None:
        """SIGKILL to every process, the runner's and all the others', as when the machine's memory runs out."""
        assert self.process is not None
        groups = self.groups().values()
        self.process.kill()
        for group in groups:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(group, signal.SIGKILL)
        wait_for(lambda: not any(map(group_lives, groups)), "the processes to be gone")

    def kill_leftovers(self) -> None:
        for path in (self.var_dir / "processes").glob("*"):
            with contextlib.suppress(ProcessLookupError, ValueError):
                os.killpg(int(path.read_text()), signal.SIGKILL)


def group_lives(group: int) -> bool:
    """Whether a process of the group still runs; one that has ended and waits to be collected does not."""
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, ProcessLookupError):
            if os.getpgid(process.pid) == group and process.status() != psutil.STATUS_ZOMBIE:
                return True
    return False


def begin_writing(visitor: Visitor) -> str:
    """Start a round of the first design and come to its writing; the round's path."""
    visitor.get("/rounds/")
    page = visitor.post("/rounds/start/", design="m01", mode="exam")
    assert page.status == 200, page.text
    path = page.url.removeprefix(visitor.address.rstrip("/"))
    for state in ("prompt", "arithmetic"):
        answer = visitor.post(f"{path}begin/", **{"from": state})
        assert answer.status == 200, answer.text
    return path


def save(visitor: Visitor, path: str, text: str, base_revision: int = 0) -> None:
    body = {"text": text, "base_revision": base_revision, "save_id": f"test-{base_revision}"}
    answer = visitor.put_json(f"{path}documents/s1/", body)
    assert (answer.status, answer.json()["revision"]) == (200, base_revision + 1)
