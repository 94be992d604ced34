"""`make test-llm`: the critic's whole path with a real, small model on loopback. It shows wiring, not judgement.

The model (135 million parameters) and its server come in wheels, into an environment of their own in `var/`. What the
model says is worth nothing, so what is held is this: its replies end as shown or as failed with a reason, each page
answers, and nothing else happens.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PLACE = ROOT / "var" / "llm"
LOCK = ROOT / "requirements-llm.txt"
SERVE = ROOT / "tests" / "llm" / "serve.py"
MOST_OUTPUT_TOKENS = "1200"


def python_of_the_model() -> Path:
    """The environment's Python; made, and filled from the lock, when that has changed."""
    python, stamp = PLACE / "venv" / "bin" / "python", PLACE / "installed"
    if stamp.is_file() and stamp.read_text() == LOCK.read_text():
        return python
    uv = str(Path(sys.executable).parent / "uv")
    print("Installing the small model and its server into var/llm/", flush=True)
    subprocess.run([uv, "venv", "--quiet", "--clear", "--python", sys.executable, str(PLACE / "venv")], check=True)
    options = ["--quiet", "--require-hashes", "--no-deps", "--only-binary", ":all:"]
    subprocess.run([uv, "pip", "install", *options, "--python", str(python), "-r", str(LOCK)], check=True)
    stamp.write_text(LOCK.read_text())
    return python


@contextmanager
def served() -> Iterator[str]:
    """The address of the small model's server."""
    PLACE.mkdir(parents=True, exist_ok=True)
    python = python_of_the_model()
    with (PLACE / "server.log").open("w") as log:
        command = [str(python), str(SERVE)]
        server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True)
        try:
            assert server.stdout is not None
            said = next((line for line in server.stdout if line.startswith("LISTENING ")), "")
            if not said:
                raise SystemExit(f"The model's server did not start; {log.name} says why.")
            yield said.split()[1].rstrip("/") + "/v1"
        finally:
            server.kill()
            server.wait()


def main() -> int:
    with served() as address:
        environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "tests.settings",
            "CRITIC_BASE_URL": address,
            "CRITIC_MODEL": "smollm2",
            "CRITIC_API_KEY": "",
            "CRITIC_TIMEOUT_S": "140",
            "CRITIC_MAX_OUTPUT_TOKENS": MOST_OUTPUT_TOKENS,
        }
        command = [sys.executable, "-m", "tests.llm.whole_path"]
        return subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
