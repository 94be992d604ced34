"""One question on the command line, against Python starting and importing what any such command needs."""

import subprocess
import sys
from pathlib import Path

from trainer.ops.bench import Measured, compare

SCRIPT = Path(__file__).resolve().parents[2] / "calculator" / "gpu_math.py"
QUESTION = ["--model", "llama-70b", "--gpu", "h100", "--gpus", "4", "--seq-len", "8192", "--batch", "64", "--json"]
BARE = [sys.executable, "-c", "import argparse, json, tomllib"]


def measure() -> Measured:
    asked = [sys.executable, str(SCRIPT), *QUESTION]
    return compare("a question to gpu-math", lambda: run(asked), "a bare start with three imports", lambda: run(BARE))


def run(command: list[str]) -> None:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
