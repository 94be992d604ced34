"""The set-up's search for a Python, with folders that stand for a machine's."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FIND = ROOT / "trainer" / "ops" / "find_python.sh"
SET_UP = ROOT / "trainer" / "ops" / "setup.sh"


def program(path: Path, body: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return path


def new_enough(path: Path) -> Path:
    return program(path, f'exec "{sys.executable}" "$@"')


def too_old(path: Path) -> Path:
    """As an old Python answers the question whether it will do."""
    return program(path, "exit 1")


def shim(path: Path) -> Path:
    """As pyenv's shim answers for a version that is not switched on."""
    return program(path, 'echo "pyenv: $(basename "$0"): command not found" >&2; exit 127')


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """A machine with sh and the few programs that the script uses, and no Python."""
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in ("sh", "grep", "dirname", "cat", "cksum"):
        found = next(Path(folder) / name for folder in ("/usr/bin", "/bin") if (Path(folder) / name).exists())
        (tools / name).symlink_to(found)
    (tmp_path / "brew").mkdir()
    return tmp_path


def find(machine: Path) -> str:
    environment = {
        "PATH": f"{machine / 'bin'}:{machine / 'local bin'}",
        "HOME": str(machine),
        "HOMEBREW_PREFIX": str(machine / "brew"),
    }
    done = subprocess.run([FIND], env=environment, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert (done.returncode == 0) == bool(done.stdout)
    return done.stdout.strip()


def test_no_python_is_found_where_none_is(machine: Path) -> None:
    assert find(machine) == ""


def test_a_python_on_the_path_is_found_though_the_first_one_is_too_old(machine: Path) -> None:
    too_old(machine / "bin" / "python3")
    wanted = new_enough(machine / "local bin" / "python3")
    assert find(machine) == str(wanted)


def test_a_shim_that_answers_127_is_passed_over_for_the_version_behind_it(machine: Path) -> None:
    for name in ("python3", "python3.12", "python3.13"):
        shim(machine / "bin" / name)
    too_old(machine / ".pyenv/versions/3.11.7/bin/python3")
    wanted = new_enough(machine / ".pyenv/versions/3.13.0/bin/python3")
    assert find(machine) == str(wanted)


def test_the_path_comes_before_pyenv_and_pyenv_before_homebrew(machine: Path) -> None:
    homebrew = new_enough(machine / "brew/bin/python3.13")
    assert find(machine) == str(homebrew)
    pyenv = new_enough(machine / ".pyenv/versions/3.12.1/bin/python3")
    assert find(machine) == str(pyenv)
    path = new_enough(machine / "bin/python3.12")
    assert find(machine) == str(path)


def test_a_python_without_a_part_that_the_site_needs_is_passed_over(machine: Path) -> None:
    # Debian's python3 without python3-venv: new enough, but `ensurepip` cannot be imported.
    hollow = 'import sys; sys.modules["ensurepip"] = None; exec(sys.argv[1])'
    program(machine / "bin/python3", f"""exec "{sys.executable}" -c '{hollow}' "$2" """)
    assert find(machine) == ""
    whole = new_enough(machine / "local bin/python3.12")
    assert find(machine) == str(whole)


def test_a_failing_step_says_which_and_what_to_do(machine: Path) -> None:
    copy = machine / "checkout"
    (copy / "trainer/ops").mkdir(parents=True)
    for script in (FIND, SET_UP):
        (copy / "trainer/ops" / script.name).write_bytes(script.read_bytes())
        (copy / "trainer/ops" / script.name).chmod(0o755)
    (copy / "requirements-dev.txt").write_text("")
    environment = {"PATH": str(machine / "bin"), "HOME": str(machine), "HOMEBREW_PREFIX": str(machine / "brew")}
    done = subprocess.run([copy / "trainer/ops/setup.sh"], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "[1/5] Looking for Python 3.12 or newer" in done.stderr
    assert "The set-up failed at step 1: there is no Python at all" in done.stderr
    assert "Install Python 3.12 or newer" in done.stderr


def test_a_second_set_up_has_nothing_to_do() -> None:
    subprocess.run([SET_UP], env=dict(os.environ), capture_output=True, check=True)
    done = subprocess.run([SET_UP], env=dict(os.environ), capture_output=True, text=True, check=True)
    assert done.stdout == done.stderr == ""
