"""The command line: three ways to start it, the same answer, and refusals on the right stream."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculator.gpu_math import main, option, parser, quick
from calculator.parsing import FIELDS
from tests.calculator.helpers import plan_for

ROOT = Path(__file__).resolve().parents[2]
QUESTION = ["--model", "llama-70b", "--gpu", "h100", "--gpus", "4", "--seq-len", "8192", "--batch", "64"]


def run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize(
    ("command", "folder"),
    [
        ([sys.executable, "gpu_math.py"], ROOT / "calculator"),
        ([sys.executable, "-S", "-E", "gpu_math.py"], ROOT / "calculator"),
        ([sys.executable, "-m", "calculator.gpu_math"], ROOT),
    ],
)
def test_it_starts_as_a_script_without_packages_and_as_a_module(command: list[str], folder: Path) -> None:
    ran = run([*command, *QUESTION, "--json"], folder)
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout) == json.loads(json.dumps(plan_for(gpus=4, seq_len=8192, batch=64).as_dict()))


def test_json_has_the_results_of_the_plan(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*QUESTION, "--params", "70e9", "--price", "3", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    plan = plan_for(gpus=4, seq_len=8192, batch=64, params="70e9", price="3")
    assert answer == json.loads(json.dumps(plan.as_dict()))


def test_people_get_budget_batch_floor_verdict_cost_and_the_script(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(QUESTION) == 0
    text = capsys.readouterr().out
    for part in (
        "Memory budget",
        "Largest batch",
        "Decode step, floor",
        "Verdict",
        "Memory-bound",
        "Cost",
        "The script",
    ):
        assert part in text
    assert "2 × 80 × 8 × 128 × 2 B = 327,680 B = 320 KiB" in text
    assert "69 sequences" in text


def test_a_model_that_does_not_fit_is_said_aloud(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--model", "llama-70b", "--gpu", "h100"]) == 0
    assert "needs at least 2 GPUs" in capsys.readouterr().out


def test_list_names_every_model_and_accelerator(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--list"]) == 0
    text = capsys.readouterr().out
    assert "llama70b" in text
    assert "mi300x" in text
    assert len(text.splitlines()) >= 22 + 25


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--gpu", "h100"], ["--model"]),
        ([], ["--model", "--gpu"]),
        (["--model", "lama-70b", "--gpu", "h100"], ["--model", "llama70b"]),
        ([*QUESTION, "--gpus", "0"], ["--gpus", "1 to 1,024"]),
        ([*QUESTION, "--batch", "-3"], ["--batch"]),
        ([*QUESTION, "--mem-util", "95%"], ["--mem-util", "0.95"]),
        ([*QUESTION, "--dtype", "fp7"], ["--dtype", "bf16"]),
        ([*QUESTION, "--seq-len", "131073"], ["--seq-len", "131,072"]),
    ],
)
def test_a_refusal_names_the_option_on_stderr_and_exits_with_2(
    arguments: list[str], named: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    caught = capsys.readouterr()
    assert caught.out == ""
    assert all(name in caught.err for name in named)


def test_an_option_that_does_not_exist_exits_with_2(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main([*QUESTION, "--seq", "8192"])
    assert stopped.value.code == 2
    assert "--seq" in capsys.readouterr().err


def test_help_names_every_option(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    text = capsys.readouterr().out
    for name in ("--kv-dtype", "--prompt-len", "--output-len", "--mem-util", "--price", "--params", "--json", "--list"):
        assert name in text


WORDS = st.sampled_from([*(option(field) for field in FIELDS), "--config", "--json", "--list", "64", "h100", "0.5", ""])


@given(st.lists(WORDS, max_size=8))
def test_the_quick_way_reads_a_command_line_as_the_long_one_does(words: list[str]) -> None:
    found = quick(words)
    if found is None:
        return
    read = vars(parser().parse_args(words))
    assert found == {name: value for name, value in read.items() if value not in (None, False)}


@pytest.mark.parametrize("words", [["--help"], ["--batch"], ["--batch", "-3"], ["--batch=3"], ["--bat", "3"], ["3"]])
def test_the_quick_way_leaves_the_unusual_to_the_long_one(words: list[str]) -> None:
    assert quick(words) is None


CORE = sorted((ROOT / "calculator" / "core").glob("*.py"))
ALONE = [*CORE, *(ROOT / "calculator" / name for name in ("catalogue.py", "gpu_math.py", "parsing.py"))]


@pytest.mark.parametrize("path", ALONE, ids=lambda path: path.name)
def test_what_the_script_needs_is_written_for_python_3_11(path: Path) -> None:
    # The default python3 of a machine may be that old, and the script is to run on it.
    assert ast.parse(path.read_text(), feature_version=(3, 11)).body
