"""The small container of deploy/small, as far as it can be tried without Docker's images."""

from __future__ import annotations

import compileall
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.home import Terminal, gm_path, surroundings
from tests.phones import Visitor, joined, opened
from tests.servers import PATIENCE, ROOT, Addresses, free_port

pytestmark = pytest.mark.long

SMALL = ROOT / "deploy" / "small"
#: What python:3.13-alpine has without us, rounded up, and what all of it may have; in MB.
BASE, MOST = 55, 200


def tree(folder: Path, *kind: str) -> Path:
    """Lay all packages into a folder as the Dockerfile does, and trim them.

    :param kind: uv's options for another kind of machine.
    """
    install = [
        sys.executable,
        "-m",
        "uv",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--target",
        folder,
        *kind,
    ]
    subprocess.run([*install, "--only-binary", ":all:", "-r", "requirements.lock"], cwd=ROOT, check=True)
    subprocess.run([*install, ROOT], check=True)
    subprocess.run(["sh", SMALL / "trim", folder], check=True)
    return folder


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_the_small_image_stays_below_200_mb(machine: str, tmp_path: Path) -> None:
    kind = ["--python-platform", f"{machine}-unknown-linux-musl", "--python-version", "3.13"]
    folder = tree(tmp_path / "takujo", *kind)
    compileall.compile_dir(folder, quiet=2)
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    assert size / 10**6 + BASE < MOST


def test_the_files_of_the_small_image_serve_a_session(tmp_path: Path) -> None:
    folder = tree(tmp_path / "takujo", "--python", sys.executable)
    environment = surroundings(TAKUJO_VAR=str(tmp_path / "data"), PYTHONPATH=str(folder))
    host = Terminal(environment, [sys.executable, "-P", "-m", "companion"], tmp_path)
    server, gm = Addresses(), Visitor()
    server.port = free_port()
    with host.evening("--in-container", "--port", str(server.port)) as (process, printed):
        assert "<このサーバー>" in printed
        gm.get(server, gm_path(printed))
        gm.post(server, gm_path(printed))
        session, code = opened(server, gm)
        player = joined(server, code, "あゆみ")
        seat = re.findall(r'name="seat" value="(\d+)"', gm.get(server, session))[0]
        assert "手札" in player.get(
            server, gm.post(server, f"{session}tables/", module="uroboros", seat=seat)
        )
        process.terminate()
        assert process.wait(PATIENCE) == 0


@pytest.mark.parametrize("name", ["compose.yaml", "casaos.yaml"])
def test_docker_accepts_the_compose_files_of_the_small_image(name: str) -> None:
    if subprocess.run(["docker", "compose", "version"], capture_output=True).returncode:
        pytest.skip("docker compose is not installed")
    check = ["docker", "compose", "--file", SMALL / name, "config", "--quiet"]
    done = subprocess.run(check, capture_output=True, text=True, env=surroundings(TZ="Asia/Tokyo"))
    assert done.returncode == 0, done.stderr
