"""`make test`: the whole suite, with a real PostgreSQL, a real broker and a real Chromium.

Pytest runs twice: everything (on SQLite), then what uses the database once more on PostgreSQL. Arguments are passed on.
"""

import os
import subprocess
import sys

from trainer.ops.chromium import NoChromium, ensure_chromium
from trainer.ops.postgres import VARIABLE, test_postgres

NO_TEST_CHOSEN = 5  # pytest's status when the arguments choose no test


def pytest(title: str, environment: dict[str, str], *options: str) -> int:
    print(f"\n== {title}", flush=True)
    command = [sys.executable, "-m", "pytest", "--numprocesses=2", "--dist=worksteal", *options, *sys.argv[1:]]
    return subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, check=False).returncode


def main() -> int:
    try:
        chromium = ensure_chromium()
    except NoChromium as error:
        print(f"The tests cannot run. {error}", file=sys.stderr)
        return 1
    environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    environment["CHROMIUM"] = str(chromium)
    # Importing the site's package has named the site's own settings; the variable would win over pytest's.
    environment["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    print(f"Chromium: {chromium}")
    with test_postgres() as url:
        print(f"PostgreSQL: {url}")
        environment[VARIABLE] = url
        everything = pytest("Everything, on SQLite", environment)
        again = pytest("What uses the database, on PostgreSQL", {**environment, "DATABASE_URL": url}, "--only-database")
    if sys.argv[1:] and {everything, again} == {0, NO_TEST_CHOSEN}:
        return 0
    return everything or again


if __name__ == "__main__":
    sys.exit(main())
