"""The hosted form: the commands and settings of docker-compose.yml, with a real PostgreSQL and a real broker."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.processes import compose
from tests.processes.home import SECTION, begin_writing, save
from tests.services import Broker, Process, StartProcess, free_port, reachable, wait_for
from tests.visitor import Visitor

ROOT = Path(__file__).resolve().parents[2]
PASSWORD = "a long enough password"
SET = {"SECRET_KEY": "a-secret-for-tests-" * 4, "POSTGRES_PASSWORD": "secret", "ALLOWED_HOSTS": "roofline.example"}
PROXY = {"Host": "roofline.example", "X-Forwarded-Proto": "https"}


@pytest.mark.parametrize("name", SET)
def test_a_secret_that_is_not_set_stops_the_start_and_is_named(name: str) -> None:
    with pytest.raises(compose.Missing, match=name):
        compose.services({key: value for key, value in SET.items() if key != name})


def test_the_site_starts_after_the_migration_and_that_after_a_healthy_database() -> None:
    found = compose.services(SET)
    assert found["migrate"]["depends_on"] == {"postgres": {"condition": "service_healthy"}}
    for name in ("web", "worker", "beat"):
        assert found[name]["depends_on"]["migrate"] == {"condition": "service_completed_successfully"}
        assert found[name]["depends_on"]["redis"] == {"condition": "service_healthy"}


def test_every_lasting_service_has_a_health_check_and_comes_back() -> None:
    for name, service in compose.services(SET).items():
        if name != "migrate":
            assert service["healthcheck"]["test"][0] == "CMD"
            assert service["restart"] == "unless-stopped"


def test_data_are_in_named_volumes_and_only_the_web_is_reachable_from_this_machine_alone() -> None:
    found = compose.services(SET)
    used = {volume.partition(":")[0] for service in found.values() for volume in service.get("volumes", [])}
    assert used == compose.named_volumes() == {"postgres", "redis", "data"}
    assert {name for name, service in found.items() if "ports" in service} == {"web"}
    assert found["web"]["ports"] == ["127.0.0.1:8000:8000"]


def test_the_image_runs_as_an_ordinary_user_and_compiles_nothing() -> None:
    lines = (ROOT / "Dockerfile").read_text().splitlines()
    user = lines.index("USER roofline")
    assert not any(line.startswith(("RUN", "COPY")) for line in lines[user:])
    assert any("--require-hashes --only-binary :all:" in line for line in lines)
    assert not any(line.startswith(("ARG", "ENV")) and "SECRET" in line for line in lines)


class Host:
    """The services of docker-compose.yml as processes of this machine."""

    def __init__(self, start_process: StartProcess, database_url: str, broker_url: str) -> None:
        self.start_process = start_process
        self.services = compose.services(SET)
        self.places = {"DATABASE_URL": database_url, "BROKER_URL": broker_url}
        self.port = free_port()

    def environment(self, name: str) -> dict[str, str]:
        given: dict[str, str] = self.services[name]["environment"]
        assert set(self.places) < set(given)
        return {**given, **self.places}

    def start(self, name: str) -> Process:
        command = [word.replace("0.0.0.0:8000", f"127.0.0.1:{self.port}") for word in self.services[name]["command"]]
        return self.start_process(*command, **self.environment(name))

    def finish(self, name: str) -> str:
        process = self.start(name)
        assert process.popen.wait(timeout=60) == 0, process.says()
        return process.says()

    def finish_command(self, *arguments: str) -> str:
        process = self.start_process("python", "manage.py", *arguments, **self.environment("web"))
        assert process.popen.wait(timeout=60) == 0, process.says()
        return process.says()

    def add_user(self, name: str, var_dir: Path) -> None:
        environment = {**self.environment("web"), "ROOFLINE_VAR": str(var_dir)}
        command = [sys.executable, "manage.py", "user_add", name]
        subprocess.run(command, cwd=ROOT, env=environment, input=f"{PASSWORD}\n", text=True, check=True)

    def visitor(self) -> Visitor:
        return Visitor(f"http://127.0.0.1:{self.port}/", PROXY)


@pytest.fixture
def host(start_process: StartProcess, postgres_url: str, broker: Broker, tmp_path: Path) -> Host:
    """Migrated, with static files as the image has them, and with the accounts of Alice and Bob."""
    host = Host(start_process, postgres_url, broker.url)
    host.finish("migrate")
    collect = start_process("python", "manage.py", "collectstatic", "--noinput")
    assert collect.popen.wait(timeout=60) == 0, collect.says()
    for name in ("alice", "bob"):
        host.add_user(name, tmp_path / "var")
    return host


def log_in(host: Host, name: str) -> Visitor:
    visitor = host.visitor()
    page = visitor.get("/")
    assert page.url.endswith("/log-in/?next=/")
    assert visitor.post(page.url, username=name, password=PASSWORD, next="/").status == 200
    return visitor


def start_web(host: Host) -> Process:
    web = host.start("web")
    wait_for(lambda: not web.alive or reachable(host.visitor()), "the web server")
    assert web.alive, web.says()
    return web


def test_a_round_is_sat_on_the_hosted_form_and_is_nobody_elses(host: Host) -> None:
    for name in ("worker", "beat"):
        host.start(name)
    start_web(host)
    alice, bob = log_in(host, "alice"), log_in(host, "bob")
    wait_for(lambda: host.visitor().get("/healthz").status == 200, "every part to be well")
    for part in ("worker", "scheduler"):
        assert f"{part}: ok" in host.finish_command("alive", part)

    path = begin_writing(alice)
    save(alice, path, SECTION)
    for visitor in (bob, host.visitor()):
        answer = visitor.get(path)
        assert SECTION not in answer.text
    assert bob.get(path).status == 404
    assert alice.post(f"{path}submit/").status == 200
    page = wait_for(lambda: scoring_page(alice, path), "the scoring to open after the grace")
    scores: dict[str, object] = {}
    for line in range(1, 9):
        scores |= {
            f"level_{line}": 2,
            f"quote_{line}": "The deciding number is the KV cache.",
            f"confidence_{line}": 60,
        }
    assert "scoring" in page
    assert alice.post(f"{path}scores/", **scores).status == 200
    assert alice.get(f"{path}clock.json").json()["state"] == "reveal"


def scoring_page(visitor: Visitor, path: str) -> str:
    clock: dict[str, Any] = visitor.get(f"{path}clock.json").json()
    return visitor.get(path).text if clock["state"] == "scoring" else ""


def test_pages_are_for_https_and_for_the_hosts_name_only_and_say_so_to_browsers(host: Host) -> None:
    start_web(host)
    page = host.visitor().get("/log-in/")
    assert page.status == 200
    assert page.headers["Strict-Transport-Security"].startswith("max-age=31536000")
    cookies = [cookie for cookie in visited(host, "/log-in/").cookies if cookie.name == "csrftoken"]
    assert [cookie.secure for cookie in cookies] == [True]
    elsewhere = Visitor(host.visitor().address, {**PROXY, "Host": "elsewhere.example"})
    assert elsewhere.get("/log-in/").status == 400
    (script,) = set(re.findall(r'href="(/static/css/base\.[0-9a-f]+\.css)"', page.text))
    assert "immutable" in host.visitor().get(script).headers["Cache-Control"]


def visited(host: Host, path: str) -> Visitor:
    visitor = host.visitor()
    visitor.get(path)
    return visitor


def test_a_form_from_another_site_is_refused(host: Host) -> None:
    start_web(host)
    visitor = visited(host, "/log-in/")
    visitor.headers = {**PROXY, "Origin": "https://elsewhere.example"}
    assert visitor.post("/log-in/", username="alice", password=PASSWORD).status == 403
