"""Runs the public calculators that install from PyPI on the rows that engines logged, and stores what they say.

Each is installed into an environment of its own under ``var/peers``, thrown away afterwards. The results go to
``calculator/data/measured/peers.toml`` with version and date; the accuracy page shows them beside ours.
"""

import datetime as dt
import json
import shutil
import statistics
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any

from calculator import catalogue, measured
from calculator.core.checkpoint import checkpoint_bytes
from calculator.core.llms import LanguageModel
from calculator.core.units import GIB

ROOT = Path(__file__).resolve().parents[2]
STORE = ROOT / "calculator" / "data" / "measured" / "peers.toml"
CONFIGS = ROOT / "tests" / "calculator" / "configs" / "published.json"
ADAPTERS = ROOT / "tests" / "peers" / "adapters.py"
INSTALL_S, ASK_S = 900, 300
PEERS = ("ridgepoint", "vramscout", "kvfit", "llm-cal", "llm-sizer", "llm-analysis")
"""As in ``tests/peers/adapters.py``, which runs in their environments and not in ours."""
INSTALLED_AS = {"llm-analysis": [["--no-deps", "llm-analysis"], ["fire", "transformers"]]}
"""llm-analysis pins dependencies of 2023 that do not build on today's Python: it gets present ones."""
HEADER = """# What public calculators that install from PyPI answer for the rows of kv_cache.toml: bytes of KV cache of
# a token, and of the KV pool, of one GPU. Written by tests/bench/peers.py (`make bench`). refused: no answer.
"""


class Report:
    """What a run of the peers has to say in one line."""

    def __init__(self, text: str) -> None:
        self.text = text

    def line(self) -> str:
        return self.text


def questions() -> list[dict[str, Any]]:
    """Every row with a published configuration, as the adapters ask it."""
    published = json.loads(CONFIGS.read_text())
    return [
        question(row, row.model, published[row.model_key]["config"])
        for row in measured.kv_rows()
        if row.model is not None and row.model_key in published
    ]


def question(row: measured.MeasuredRow, model: LanguageModel, config: dict[str, Any]) -> dict[str, Any]:
    """One row: what its log states, and the configuration of its model.

    ``context`` is inside every window, where a token costs what the log's tokens do.
    """
    gpu = catalogue.accelerators()[row.gpu] if row.gpu else None
    seen = gpu.memory_framework_bytes if gpu else None
    return {
        "key": row.key,
        "model": row.model_key,
        "config": config,
        "params": model.params,
        "checkpoint_bytes": round(checkpoint_bytes(model, row.weights_dtype or "bf16")),
        "dtype": row.weights_dtype or "bf16",
        "engine": row.engine,
        "gpu": row.gpu,
        "memory_gib": seen / GIB if seen else None,
        "memory_marketed_gb": gpu.memory_marketed_bytes / GIB if gpu else None,
        "tensor_parallel": row.tensor_parallel,
        "mem_util": row.mem_util,
        "max_model_len": row.max_model_len,
        "context": min(row.max_model_len or 8192, model.sliding_window_tokens or 8192, 8192),
    }


def ask(name: str, rows: list[dict[str, Any]], folder: Path) -> tuple[str, list[dict[str, Any]]]:
    """Install a peer, ask it, and give its version and answers."""
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    for wanted in INSTALLED_AS.get(name, [[name]]):
        command = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *wanted]
        subprocess.run(command, check=True, capture_output=True, timeout=INSTALL_S)
    code = "import importlib.metadata, sys; print(importlib.metadata.version(sys.argv[1]))"
    version = subprocess.run([python, "-c", code, name], check=True, capture_output=True, text=True).stdout.strip()
    asked = subprocess.run(
        [python, ADAPTERS, name],
        input=json.dumps(rows),
        capture_output=True,
        text=True,
        check=True,
        timeout=ASK_S,
        cwd=folder,
    )
    return version, json.loads(asked.stdout[asked.stdout.index("[") :])


def table(name: str, version: str, answers: list[dict[str, Any]], today: dt.date) -> str:
    """A peer's part of the stored file."""
    key = name.replace("-", "_")
    lines = [f"[{key}]", f'name = "{name}"', f'version = "{version}"', f"run = {today.isoformat()}"]
    for field in ("per_token_bytes", "pool_bytes"):
        lines.append(f"[{key}.{field}]")
        lines += [f"{one['key']} = {round(one[field])}" for one in answers if one.get(field) is not None]
    lines.append(f"[{key}.refused]")
    lines += [f"{one['key']} = {json.dumps(one['refused'])}" for one in answers if "refused" in one]
    return "\n".join(lines) + "\n"


def spoken(name: str, version: str, answers: list[dict[str, Any]]) -> str:
    """How many rows a peer answered, and how long a call of its Python API takes beside our sweep's figure."""
    times = [one["took_s"] for one in answers if "took_s" in one]
    each = f", {statistics.median(times) * 1e6:,.0f} µs a call" if times else ""
    return f"{name} {version} answers {len(times)} of {len(answers)} rows{each}"


def measure() -> Report:
    """Ask every peer and store what they say. One that does not install keeps the file from being written."""
    rows, parts, said = questions(), [], []
    for name in PEERS:
        folder = ROOT / "var" / "peers" / name
        shutil.rmtree(folder, ignore_errors=True)
        try:
            version, answers = ask(name, rows, folder)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        parts.append(table(name, version, answers, dt.datetime.now(tz=dt.UTC).date()))
        said.append(spoken(name, version, answers))
    STORE.write_text(HEADER + "\n" + "\n".join(parts))
    return Report("           peers: " + "; ".join(said))


if __name__ == "__main__":
    print(measure().line(), file=sys.stdout)
