"""A stranger's machine: Takujō as one file, installed with pip, and nothing of this folder."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from companion.version import version
from tests.home import Terminal, gm_path, surroundings
from tests.phones import Visitor, joined, opened
from tests.servers import PATIENCE, ROOT, Addresses, free_port

pytestmark = pytest.mark.long


def run(*words: str | Path, folder: Path = ROOT) -> str:
    """Run a program that finds pip's index and knows nothing of the tests; return what it printed."""
    ours = ("PYTHON", "DJANGO", "TAKUJO")
    outside = {key: value for key, value in os.environ.items() if not key.startswith(ours)}
    done = subprocess.run(words, capture_output=True, text=True, cwd=folder, env=outside)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def installed(folder: Path, *packages: str | Path) -> Path:
    """Install packages into an environment of their own; return the folder of its programs."""
    run(sys.executable, "-m", "venv", folder)
    run(folder / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check", *packages)
    return folder / "bin"


def files(folder: Path) -> dict[Path, int]:
    """Return when each file was written, but for what Python compiles on its own."""
    found = [path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    return {path: path.stat().st_mtime_ns for path in found}


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Python that can build."""
    return installed(tmp_path_factory.mktemp("tools"), "hatchling", "Babel") / "python"


@pytest.fixture(scope="module")
def wheel(tools: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that a stranger makes of the sdist, in which no catalogue is compiled."""
    folder = tmp_path_factory.mktemp("built")
    run(tools, "-m", "hatchling", "build", "-d", folder)
    run("tar", "-xf", folder / f"takujo-{version()}.tar.gz", "-C", folder)
    source = folder / f"takujo-{version()}"
    assert not list(source.rglob("*.mo"))
    run(tools, "-m", "hatchling", "build", "-t", "wheel", "-d", folder / "again", folder=source)
    name = f"takujo-{version()}-py3-none-any.whl"
    assert names(folder / "again" / name) == names(folder / name)
    return folder / "again" / name


def names(wheel: Path) -> list[str]:
    with zipfile.ZipFile(wheel) as packed:
        return sorted(packed.namelist())


def test_a_wheel_contains_the_files_for_a_host_and_no_others(wheel: Path) -> None:
    packed = names(wheel)
    assert {"companion/shared/templates/base.html", "companion/shared/static/css/base.css"} <= {*packed}
    sources = run("git", "ls-files", "*.po", ":!sessions/management/starter*").split()
    assert sorted(name for name in packed if name.endswith(".mo")) == sorted(
        source.removesuffix("po") + "mo" for source in sources
    )
    assert not [
        name
        for name in packed
        if re.search(r"\.po$|/tests/|/playthroughs/|__pycache__", name) and "/starter" not in name
    ]
    shipped = run("git", "ls-files", "sessions/scenarios/shipped").split()
    assert {name for name in shipped if not name.endswith(".svg")} == {
        name for name in packed if name.startswith("sessions/scenarios/shipped/")
    }, "scenarios of ours come with their pictures, drawn"
    starter = run("git", "ls-files", "sessions/management/starter*").split()
    assert {*starter} <= {*packed}, "takujo startgame copies all of it"


def test_the_docker_image_gets_all_files_of_a_wheel(tools: Path, wheel: Path, tmp_path: Path) -> None:
    for name in re.findall(r"^!(\S+)$", (ROOT / "deploy/Dockerfile.dockerignore").read_text(), re.MULTILINE):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, tmp_path / name)
    run(tools, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path / "dist", folder=tmp_path)
    assert names(tmp_path / "dist" / wheel.name) == names(wheel)


def test_a_wheel_serves_a_session_without_the_repository(wheel: Path, tmp_path: Path) -> None:
    programs = installed(tmp_path / "venv", wheel)
    code_of_it = files(tmp_path / "venv")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    host = Terminal(surroundings(HOME=str(elsewhere)), [programs / "takujo"], elsewhere)
    assert run(programs / "takujo", "--version").strip() == version()
    server, gm = Addresses(), Visitor()
    server.port = free_port()
    with host.evening("--no-qr", "--host", "127.0.0.1", "--port", str(server.port)) as (process, printed):
        assert "同じWi-Fi" in printed, "the catalogues are inside"
        gm.get(server, gm_path(printed))
        gm.post(server, gm_path(printed))
        session, code = opened(server, gm)
        player = joined(server, code, "あゆみ")
        seat = re.findall(r'name="seat" value="(\d+)"', gm.get(server, session))[0]
        table = gm.post(server, f"{session}tables/", module="uroboros", seat=seat)
        page = player.get(server, table)
        assert "手札" in page
        styles = re.findall(r'href="(/static/[^"]+\.css)"', page)
        assert any("/tables/uroboros/" in style for style in styles), "a game brings its own"
        for address in [*styles, *re.findall(r'src="(/static/[^"]+\.js)"', page)]:
            assert player.get(server, address)
        assert "無限蛇の鎖" in player.get(server, "/rules/uroboros/"), "the books of rules are inside"
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 0
    assert files(tmp_path / "venv") == code_of_it, "nothing is written among the programs"
    assert {path.name for path in elsewhere.iterdir()} == {".local"}
    assert (elsewhere / ".local/share/takujo/takujo.sqlite3").exists()


def test_a_wheel_makes_and_tests_a_new_game_without_the_repository(wheel: Path, tmp_path: Path) -> None:
    programs = installed(tmp_path / "venv", wheel)
    run(programs / "takujo", "startgame", "quoits", "--seats", "2-4", "--name", "輪投げ", folder=tmp_path)
    game = tmp_path / "quoits"
    run(programs / "pip", "install", "--quiet", "-e", f"{game}[test]")
    tested = run(programs / "pytest", "-v", "-p", "no:cacheprovider", folder=game)
    assert re.search(r"\d{2} passed", tested)
    assert "test_promises.py::test_nothing_leaks[quoits-0] PASSED" in tested, "what all games promise, too"
    assert re.search(r"test_a_game_is_played_by_pressing_its_buttons\[quoits-0\] (PASSED|SKIPPED)", tested)
    server = Addresses()
    server.port = free_port()
    host = Terminal(surroundings(HOME=str(tmp_path)), [programs / "takujo"], tmp_path)
    with host.evening("--no-qr", "--host", "127.0.0.1", "--port", str(server.port)) as (process, printed):
        assert "quoits" not in printed, "nothing stays off the shelf"
        book = Visitor().get(server, "/rules/quoits/")
        assert "輪投げ" in book
        assert "QU-1.1" in book
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 0
