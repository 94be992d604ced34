"""A copy of the database before a start changes its form."""

import datetime as dt
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

KEPT = 10


class BackupFailed(RuntimeError):
    """The database was not copied; nothing was migrated."""


def migrate_with_backup(backups: Path, now: dt.datetime, say: Callable[[str], None]) -> None:
    """Apply the migrations that are pending; a database that holds data is copied into `backups` first.

    Raises:
        BackupFailed: the copy could not be made; nothing was migrated.
    """
    executor = MigrationExecutor(connection)
    if not executor.migration_plan(executor.loader.graph.leaf_nodes()):
        return
    if executor.loader.applied_migrations:  # a new database has none and holds nothing
        back_up(backups, now, say)
    say("Migrating the database")
    call_command("migrate", interactive=False, verbosity=0)


def back_up(backups: Path, now: dt.datetime, say: Callable[[str], None]) -> Path | None:
    """Copy the site's database into `backups`, of which the last ten stay; None if there is no means to.

    Raises:
        BackupFailed: the copy could not be made.
    """
    try:
        backups.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise BackupFailed(f"{backups} is no folder and cannot be made one: {error.strerror}") from error
    name = now.strftime("%Y-%m-%dT%H%M%S.%fZ")
    if connection.vendor == "sqlite":
        target = backups / f"{name}.sqlite3"
        _copy_sqlite(Path(connection.settings_dict["NAME"]), target)
    elif shutil.which("pg_dump"):
        target = backups / f"{name}.pgdump"
        _dump_postgresql(connection.settings_dict, target)
    else:
        say("pg_dump is not installed: the database is migrated WITHOUT a backup")
        return None
    say(f"Backed up the database to {target}")
    forget_old(backups, target.suffix)
    return target


def forget_old(backups: Path, suffix: str) -> None:
    """Leave the last `KEPT` backups; their names are their times."""
    for old in sorted(path for path in backups.iterdir() if path.suffix == suffix)[:-KEPT]:
        old.unlink()


def _copy_sqlite(source: Path, target: Path) -> None:
    """By SQLite's own backup, so that what stands in the write-ahead log is in the copy too."""
    unfinished = target.with_suffix(".unfinished")
    try:
        with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(unfinished)) as new:
            old.backup(new)
        unfinished.rename(target)
    except (sqlite3.Error, OSError) as error:
        unfinished.unlink(missing_ok=True)
        raise BackupFailed(f"{source} could not be copied to {target}: {error}") from error


def _dump_postgresql(settings: dict[str, Any], target: Path) -> None:
    unfinished = target.with_suffix(".unfinished")
    places = {"PGHOST": "HOST", "PGPORT": "PORT", "PGUSER": "USER", "PGPASSWORD": "PASSWORD", "PGDATABASE": "NAME"}
    environment = {variable: str(settings[key]) for variable, key in places.items() if settings.get(key)}
    done = subprocess.run(
        ["pg_dump", "--format=custom", f"--file={unfinished}"],
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        unfinished.unlink(missing_ok=True)
        raise BackupFailed(f"pg_dump failed: {done.stderr.strip()}")
    unfinished.rename(target)
