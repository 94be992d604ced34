"""`make lint`: every check of the code that runs none of it; all of them run, then the failed ones are named."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(sys.executable).parent

COMMANDS: dict[str, list[str | Path]] = {
    "ruff": [BIN / "ruff", "check", "."],
    "format": [BIN / "ruff", "format", "--check", "."],
    "types": [BIN / "mypy"],
    "imports": [BIN / "lint-imports"],
    "migrations": [BIN / "python", "manage.py", "makemigrations", "--check", "--dry-run"],
    "system checks": [BIN / "python", "manage.py", "check", "--fail-level", "WARNING"],
}

# Where a lock file would say where a package came from. Whoever installs has an index of their own.
ADDRESS_IN_A_LOCK = re.compile(r"https?://|--(?:extra-)?index-url|--find-links")
ADDRESS_IN_NPMS_LOCK = re.compile(r'"resolved":')
# A path that is right on one machine only. Documents say "you" there, and Homebrew has a home of its own.
MACHINE_PATH = re.compile(r"(?<![\w.:/-])/(?:home|root|Users|work)/(?!you/|linuxbrew/)[\w.]")


def tracked_files() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / name for name in listed.split("\0") if name and (ROOT / name).is_file()]


def lines_with(pattern: re.Pattern[str], files: list[Path]) -> list[str]:
    found = []
    for path in files:
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # a picture or a font
        for number, line in enumerate(text.splitlines(), start=1):
            if pattern.search(line):
                found.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()[:120]}")
    return found


def addresses_in_lock_files() -> list[str]:
    python = [path for path in tracked_files() if re.fullmatch(r"requirements.*\.(txt|in)", path.name)]
    npm = [path for path in tracked_files() if path.name == "package-lock.json"]
    return lines_with(ADDRESS_IN_A_LOCK, python) + lines_with(ADDRESS_IN_NPMS_LOCK, npm)


def paths_of_a_machine() -> list[str]:
    return lines_with(MACHINE_PATH, tracked_files())


SEARCHES: dict[str, Callable[[], list[str]]] = {
    "no index address in a lock file": addresses_in_lock_files,
    "no path of one machine": paths_of_a_machine,
}


def main() -> int:
    failed = []
    for name, command in COMMANDS.items():
        print(f"== {name}", flush=True)
        if subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, check=False).returncode:
            failed.append(name)
    for name, search in SEARCHES.items():
        print(f"== {name}", flush=True)
        if found := search():
            print("\n".join(found))
            failed.append(name)
    print(f"\nFailed: {', '.join(failed)}" if failed else "\nNothing to complain of.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
