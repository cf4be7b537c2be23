"""What deploy/ holds, as far as it can be tried without Docker's images and without systemd at work."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.error import HTTPError

import pytest
import yaml
from prometheus_client import REGISTRY

from companion.observability import metrics  # noqa: F401 (it registers them)
from tests.proxy import before
from tests.servers import PATIENCE, ROOT, free_port, program, wait_until

DEPLOY = ROOT / "deploy"
FACE = "0d1f4a52-5f3c-4a53-9a39-2f1f4d6c1c11"


class Worker(BaseHTTPRequestHandler):
    """Answers which worker it is, and with which headers it was asked."""

    def do_GET(self) -> None:
        answer = json.dumps({"port": self.server.server_address[1], "headers": dict(self.headers)}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *args: object) -> None:
        """Keep quiet."""


@pytest.fixture
def workers() -> Iterator[list[ThreadingHTTPServer]]:
    servers = [ThreadingHTTPServer(("127.0.0.1", free_port()), Worker) for _ in range(4)]
    for server in servers:
        Thread(target=server.serve_forever, daemon=True).start()
    yield servers
    for server in servers:
        end(server)


def end(server: ThreadingHTTPServer) -> None:
    server.shutdown()
    server.server_close()


@pytest.fixture
def proxy(workers: list[ThreadingHTTPServer], tmp_path: Path) -> Iterator[str]:
    """The address of a Caddy with our Caddyfile before these workers."""
    with before([server.server_port for server in workers], tmp_path, patience="1s") as front:
        yield front.url


def asked(proxy: str, path: str, patience: float = PATIENCE, **headers: str) -> tuple[int, dict[str, str]]:
    """Return which worker answers, and the headers that it was given."""
    request = urllib.request.Request(proxy + path, headers=headers)
    with urllib.request.urlopen(request, timeout=patience) as answer:
        told = json.load(answer)
    return told["port"], told["headers"]


@pytest.mark.long
def test_the_proxy_sends_all_pages_of_a_table_to_one_worker(proxy: str) -> None:
    rooms = [
        ["/t/{}/", "/t/{}/log/", "/t/{}/log/?page=2", "/ws/tables/{}/", "/ws/tables/{}/?layout=phone"],
        ["/s/{}/", "/s/{}/chat/", "/ws/sessions/{}/"],
    ]
    for pages in rooms:
        where = [{asked(proxy, page.format(number))[0] for page in pages} for number in range(1, 25)]
        assert all(len(ports) == 1 for ports in where)
        assert len(set.union(*where)) == 4, "each worker has some of them"
    faces = {asked(proxy, f"{path}/{FACE}/")[0] for path in ("/face", "/ws/faces")}
    assert len(faces) == 1
    anywhere = {asked(proxy, "/", **{"X-Room": "table-1"})[0] for _ in range(40)}
    assert len(anywhere) > 1, "nobody chooses a worker"


@pytest.mark.long
def test_the_proxy_tells_a_worker_the_clients_address_and_host(proxy: str) -> None:
    _, headers = asked(proxy, "/", **{"X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https"})
    assert headers["Host"] == proxy.removeprefix("http://"), "with its port: websockets compare it"
    assert headers["X-Forwarded-For"] == "127.0.0.1", "nobody claims to be another"
    assert headers["X-Forwarded-Proto"] == "http"


@pytest.mark.long
def test_tables_of_a_stopped_worker_are_served_by_another_at_once(
    proxy: str, workers: list[ThreadingHTTPServer]
) -> None:
    before, _ = asked(proxy, "/t/1/")
    ended = next(server for server in workers if server.server_port == before)
    end(ended)
    after = {asked(proxy, path)[0] for path in ("/t/1/", "/t/1/log/", "/ws/tables/1/")}
    assert len(after) == 1
    assert before not in after


def refused(proxy: str, **headers: str) -> tuple[HTTPError, str]:
    """Return the answer of Caddy where there is no other."""
    with pytest.raises(HTTPError) as refusal:
        urllib.request.urlopen(urllib.request.Request(f"{proxy}/t/1/", **headers), timeout=PATIENCE)
    return refusal.value, refusal.value.read().decode()


def answering(proxy: str, path: str, patience: float = PATIENCE) -> int | None:
    """Return which worker answers, or None while Caddy itself still does."""
    try:
        worker, _ = asked(proxy, path, patience)
    except HTTPError:
        return None
    return worker


@pytest.mark.long
def test_the_proxy_shows_a_page_that_reloads_while_no_worker_answers(
    proxy: str, workers: list[ThreadingHTTPServer]
) -> None:
    port = workers[0].server_port
    for server in workers:
        end(server)
    opens = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    answer, page = refused(proxy, headers=opens)
    assert (answer.code, answer.headers["Retry-After"]) == (503, "5")
    assert answer.headers["Cache-Control"] == "no-store"
    assert '<meta http-equiv="refresh" content="5">' in page
    assert "One moment, please" in page
    assert "少しお待ちください" in page
    assert refused(proxy, headers={"Accept": "application/json"})[1] == "", "scripts read no pages"
    assert refused(proxy, headers=opens, data=b"", method="POST")[1] == "", "nothing is sent again by itself"
    workers[0] = ThreadingHTTPServer(("127.0.0.1", port), Worker)
    Thread(target=workers[0].serve_forever, daemon=True).start()
    wait_until(lambda: answering(proxy, "/t/1/") == port)


@pytest.mark.long
def test_tables_of_a_hanging_worker_are_soon_served_by_another(
    proxy: str, workers: list[ThreadingHTTPServer]
) -> None:
    before, _ = asked(proxy, "/t/1/")
    hung = next(server for server in workers if server.server_port == before)
    hung.shutdown()  # It goes on to take lines, and answers none.

    def at_another() -> bool:
        with suppress(TimeoutError):
            return answering(proxy, "/t/1/", patience=1) not in (None, before)
        return False

    wait_until(at_another)


@pytest.mark.long
def test_systemd_accepts_the_units(tmp_path: Path) -> None:
    verify = [program("systemd-analyze"), "verify", "takujo-worker@8000.service", "takujo-prepare.service"]
    verify += ["takujo-chores.service", "takujo-chores.timer"]
    verify += ["takujo-rehearsal.service", "takujo-rehearsal.timer", "mail-failure@x.service"]
    units = tmp_path / "units"
    shutil.copytree(DEPLOY / "systemd", units)
    for unit in units.glob("*.service"):
        # It wants to see the program.
        unit.write_text(unit.read_text().replace("/opt/takujo/bin/takujo", shutil.which("true") or ""))
    done = subprocess.run(
        verify, env={**os.environ, "SYSTEMD_UNIT_PATH": f"{units}:"}, capture_output=True, text=True
    )
    assert done.returncode == 0
    assert "takujo" not in done.stderr, done.stderr


def test_every_setting_in_compose_yaml_is_in_the_example() -> None:
    asked_for = set(re.findall(r"\$\{(\w+)", (DEPLOY / "compose.yaml").read_text()))
    assert asked_for <= set(re.findall(r"^(\w+)=", (DEPLOY / "example.env").read_text(), re.MULTILINE))


def test_every_service_of_docker_has_limits_and_no_privileges() -> None:
    for file in ("compose.yaml", "small/compose.yaml"):
        for name, service in yaml.safe_load((DEPLOY / file).read_text())["services"].items():
            limits = {"mem_limit", "pids_limit", "logging"}
            assert limits <= service.keys(), name
            assert service["cap_drop"] == ["ALL"], name
            assert service["security_opt"] == ["no-new-privileges:true"], name
            assert re.search(r":\d+\.\d+|^takujo", service["image"]), f"{name} has no minor version"


@pytest.mark.parametrize("status", [200, 503])
def test_the_health_check_of_docker_starts_no_interpreter(status: int, tmp_path: Path) -> None:
    class Health(Worker):
        def do_GET(self) -> None:
            self.send_response(status if self.path == "/health/" else 404)
            self.end_headers()

    server = ThreadingHTTPServer(("127.0.0.1", 0), Health)
    Thread(target=server.serve_forever, daemon=True).start()
    found = re.search(r"HEALTHCHECK.*?CMD (\[.*?\])$", (DEPLOY / "Dockerfile").read_text(), re.DOTALL | re.M)
    assert found
    command = [word.replace("8000", str(server.server_port)) for word in json.loads(found[1])]
    assert command[0] == "bash"
    try:
        done = subprocess.run(command, capture_output=True, timeout=PATIENCE)
        assert (done.returncode == 0, done.stderr) == (status == 200, b"")
    finally:
        end(server)
    assert subprocess.run(command, capture_output=True, timeout=PATIENCE).returncode, "nobody listens"


def test_alerts_and_dashboard_name_metrics_that_exist() -> None:
    rules = yaml.safe_load((DEPLOY / "alerts.yml").read_text())["groups"][0]["rules"]
    assert len({rule["alert"] for rule in rules}) == len(rules)
    assert all(rule["labels"]["severity"] and rule["annotations"]["summary"] for rule in rules)
    panels = json.loads((DEPLOY / "dashboard.json").read_text())["panels"]
    asked = [rule["expr"] for rule in rules]
    asked += [target["expr"] for panel in panels for target in panel["targets"]]
    kept = {sample.name for metric in REGISTRY.collect() for sample in metric.samples}
    kept |= {"takujo_refusals_total", "takujo_build_info"}  # they begin with a refusal, and with the server
    named = set(re.findall(r"takujo_\w+", " ".join(asked)))
    assert named <= kept
    documented = set(re.findall(r"^\| `(takujo_\w+)`", (ROOT / "docs/hosting.md").read_text(), re.MULTILINE))
    families = {name for name in documented if {name, f"{name}_bucket"} & kept}
    assert families == documented
    assert {re.sub("_(bucket|count|sum)$", "", name) for name in named} <= documented


def test_docker_workers_see_the_static_files_of_a_newer_version() -> None:
    """What a service says of its volumes stands in the place of what it has from others."""
    worker = (DEPLOY / "compose.yaml").read_text().partition("x-worker:")[2].partition("\nservices:")[0]
    assert '"takujo:/var/lib/takujo"' in worker


@pytest.mark.long
def test_docker_accepts_the_compose_file(tmp_path: Path) -> None:
    if subprocess.run(["docker", "compose", "version"], capture_output=True).returncode:
        pytest.skip("docker compose is not installed")
    filled = re.sub(
        r"^(SECRET_KEY|POSTGRES_PASSWORD)=$",
        r"\1=0123456789",
        (DEPLOY / "example.env").read_text(),
        flags=re.M,
    )
    deploy = shutil.copytree(DEPLOY, tmp_path / "deploy")
    (deploy / ".env").write_text(filled)
    check = ["docker", "compose", "config", "--quiet"]
    done = subprocess.run(check, cwd=deploy, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_unit_that_prepares_an_update_stops_no_worker() -> None:
    """A unit that requires another one, or is part of it, goes down when that one is started again."""
    worker = (DEPLOY / "systemd" / "takujo-worker@.service").read_text()
    bound = re.findall(r"^(?:Requires|BindsTo|PartOf|Requisite)=.*takujo-prepare", worker, re.MULTILINE)
    assert bound == []
    assert "Type=notify" in worker, "a restart waits until the worker takes requests"
