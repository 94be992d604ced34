"""The settings as a host's environment makes them, each in a process of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
COMPLETE = {
    "ROOFLINE_HOSTED": "1",
    "SECRET_KEY": "a-long-secret-of-the-host-that-is-not-used-elsewhere-0123456789",
    "ALLOWED_HOSTS": "roofline.example",
    "DATABASE_URL": "postgresql://roofline:secret@db.example:5432/roofline",
    "BROKER_URL": "redis://broker.example:6379/0",
}
SHOW = """
import json, django
from django.conf import settings
django.setup()
print(json.dumps({name: getattr(settings, name) for name in dir(settings) if name.isupper()}, default=str))
"""


def python(code: str, var_dir: Path, variables: dict[str, str]) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": os.environ["PATH"], "ROOFLINE_VAR": str(var_dir), **variables}
    environment["DJANGO_SETTINGS_MODULE"] = "trainer.settings"
    command = [sys.executable, "-c", code]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


def settings_with(var_dir: Path, variables: dict[str, str]) -> dict[str, Any]:
    done = python(SHOW, var_dir, variables)
    assert done.returncode == 0, done.stderr
    shown: dict[str, Any] = json.loads(done.stdout)
    return shown


@pytest.mark.parametrize("name", [name for name in COMPLETE if name != "ROOFLINE_HOSTED"])
def test_a_host_that_forgets_a_setting_does_not_start_and_is_told_which(name: str, tmp_path: Path) -> None:
    done = python(SHOW, tmp_path, {key: value for key, value in COMPLETE.items() if key != name})
    assert done.returncode != 0
    assert f"{name} must be set in the environment when ROOFLINE_HOSTED=1." in done.stderr


def test_hosted_cookies_travel_by_https_alone(tmp_path: Path) -> None:
    shown = settings_with(tmp_path, COMPLETE)
    assert shown["SESSION_COOKIE_SECURE"] is shown["CSRF_COOKIE_SECURE"] is shown["SECURE_SSL_REDIRECT"] is True
    assert shown["SECURE_HSTS_SECONDS"] == 365 * 24 * 3600
    assert shown["SECURE_PROXY_SSL_HEADER"] == ["HTTP_X_FORWARDED_PROTO", "https"]
    assert shown["DEBUG"] is False
    assert "roofline.example" in shown["ALLOWED_HOSTS"]


def test_debug_is_not_to_be_had_when_hosted(tmp_path: Path) -> None:
    assert settings_with(tmp_path, {**COMPLETE, "ROOFLINE_DEBUG": "1"})["DEBUG"] is False
    assert settings_with(tmp_path, {"ROOFLINE_DEBUG": "1"})["DEBUG"] is True


def test_at_home_nothing_need_be_set_and_the_key_stays_the_same(tmp_path: Path) -> None:
    first, second = settings_with(tmp_path, {}), settings_with(tmp_path, {})
    assert len(first["SECRET_KEY"]) > 40
    assert first["SECRET_KEY"] == second["SECRET_KEY"]
    assert first["DATABASES"]["default"]["NAME"] == str(tmp_path / "roofline.sqlite3")
    assert first["CELERY_BROKER_URL"] == f"redis+socket://{tmp_path}/broker.sock?virtual_host=0"


def test_two_checkouts_have_brokers_of_their_own_even_when_their_paths_are_too_long_for_a_socket(
    tmp_path: Path,
) -> None:
    deep = tmp_path / ("deep" * 30)
    urls = {settings_with(deep / name, {})["CELERY_BROKER_URL"] for name in ("one", "two")}
    assert len(urls) == 2
    for url in urls:
        assert len(url.removeprefix("redis+socket://").removesuffix("?virtual_host=0")) < 104


def test_hosted_on_sqlite_is_refused_by_a_check(tmp_path: Path) -> None:
    code = "import django; django.setup(); from django.core.management import call_command; call_command('check')"
    done = python(code, tmp_path, {**COMPLETE, "DATABASE_URL": f"sqlite:///{tmp_path / 'x.sqlite3'}"})
    assert done.returncode != 0
    assert "roofline.E002" in done.stderr
