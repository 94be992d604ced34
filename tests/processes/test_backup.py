"""A database that holds data is copied before its form changes, by the command that a start runs."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import psycopg

from trainer.ops.backup import KEPT, forget_old
from trainer.ops.postgres import wheel_programs

ROOT = Path(__file__).resolve().parents[2]


def manage(var_dir: Path, *arguments: str, typed: str = "", **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": os.environ["PATH"], "ROOFLINE_VAR": str(var_dir), **variables}
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, input=typed, capture_output=True, text=True, check=False)


def backups(var_dir: Path) -> list[Path]:
    return sorted((var_dir / "backups").iterdir()) if (var_dir / "backups").exists() else []


def prepared(var_dir: Path, **variables: str) -> None:
    """A database with an account, whose review tables are still to be made."""
    done = manage(var_dir, "migrate_with_backup", **variables)
    assert (done.returncode, done.stderr) == (0, "")
    assert backups(var_dir) == []  # a new database holds nothing
    assert manage(var_dir, "user_add", "alice", typed="a long enough password\n", **variables).returncode == 0
    assert manage(var_dir, "migrate", "review", "zero", **variables).returncode == 0


def names(database: Path) -> tuple[list[str], bool]:
    """The accounts of a database, and whether it has the table of cards."""
    with closing(sqlite3.connect(database)) as rows:
        users = [name for (name,) in rows.execute("SELECT username FROM accounts_user")]
        cards = rows.execute("SELECT count(*) FROM sqlite_master WHERE name = 'review_card'").fetchone()[0]
    return users, bool(cards)


def test_data_are_copied_before_they_are_migrated_and_only_then(tmp_path: Path) -> None:
    prepared(tmp_path)
    done = manage(tmp_path, "migrate_with_backup")
    assert done.returncode == 0, done.stderr
    (copy,) = backups(tmp_path)
    assert f"Backed up the database to {copy}" in done.stdout
    assert names(copy) == (["alice"], False)
    assert names(tmp_path / "roofline.sqlite3") == (["alice"], True)

    again = manage(tmp_path, "migrate_with_backup")
    assert (again.returncode, again.stdout) == (0, "")
    assert backups(tmp_path) == [copy]


def test_nothing_is_migrated_when_no_backup_can_be_made(tmp_path: Path) -> None:
    prepared(tmp_path)
    (tmp_path / "backups").write_text("in the way")
    done = manage(tmp_path, "migrate_with_backup")
    assert done.returncode == 1
    assert "Not migrated, because no backup could be made." in done.stderr
    assert names(tmp_path / "roofline.sqlite3") == (["alice"], False)


def test_postgresql_is_dumped_by_its_own_program(tmp_path: Path, postgres_url: str) -> None:
    # This machine's own pg_dump may be older than the server, which it then refuses to read.
    path = f"{wheel_programs()}:{os.environ['PATH']}"
    prepared(tmp_path, DATABASE_URL=postgres_url)
    done = manage(tmp_path, "migrate_with_backup", DATABASE_URL=postgres_url, PATH=path)
    assert done.returncode == 0, done.stderr
    (copy,) = backups(tmp_path)
    restore = ["pg_restore", "--data-only", "--table=accounts_user", "--file=-", str(copy)]
    restored = subprocess.run(restore, env={"PATH": path}, capture_output=True, text=True, check=True).stdout
    assert "alice" in restored
    with psycopg.connect(postgres_url) as rows:
        assert rows.execute("SELECT to_regclass('review_card') IS NOT NULL").fetchone() == (True,)


def test_a_start_without_pg_dump_says_that_there_is_no_backup(tmp_path: Path, postgres_url: str) -> None:
    prepared(tmp_path, DATABASE_URL=postgres_url)
    done = manage(tmp_path, "migrate_with_backup", DATABASE_URL=postgres_url, PATH=str(tmp_path))
    assert (done.returncode, done.stderr) == (0, "")
    assert "pg_dump is not installed: the database is migrated WITHOUT a backup" in done.stdout


def test_the_last_ten_backups_stay(tmp_path: Path) -> None:
    for number in range(KEPT + 3):
        (tmp_path / f"2026-03-{number + 1:02}T180000.000000Z.sqlite3").touch()
    (tmp_path / "2026-01-01T180000.000000Z.pgdump").touch()
    forget_old(tmp_path, ".sqlite3")
    kept = sorted(path.name for path in tmp_path.iterdir())
    assert kept == ["2026-01-01T180000.000000Z.pgdump"] + [
        f"2026-03-{number + 1:02}T180000.000000Z.sqlite3" for number in range(3, KEPT + 3)
    ]
