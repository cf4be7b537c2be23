"""Data of earlier versions, as those left them: upgraded, played on, moved to another server, proven.

``python -m tests.kept_versions NAME`` keeps those of this version. Kept files are never written again.
"""

from __future__ import annotations

import json
import lzma
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.home import surroundings
from tests.kept_versions.data import RUNNING
from tests.servers import ROOT

KEPT = sorted(path.parent for path in Path(__file__).parent.glob("*/takujo.sqlite3.xz"))
#: A version from before there were files of campaigns has none.
FILES = sorted(Path(__file__).parent.glob("*/campaign.zip"))


class Home:
    """The data folder of a server with this version."""

    def __init__(self, var: Path, kept: Path | None = None) -> None:
        self.environment = surroundings("en_GB.UTF-8", TAKUJO_VAR=str(var), DEBUG="1")
        var.mkdir()
        if kept:
            database = lzma.decompress((kept / "takujo.sqlite3.xz").read_bytes())
            (var / "takujo.sqlite3").write_bytes(database)
        self.run("manage.py", "migrate", "-v0")
        if not kept:
            self.run("manage.py", "demo")

    def run(self, *words: str | Path) -> str:
        done = subprocess.run(
            [sys.executable, *words],
            cwd=ROOT,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def later(self, what: str) -> Any:
        return json.loads(self.run("-m", "tests.kept_versions.later", what))


def over(tables: list[list[Any]]) -> list[list[Any]]:
    """Return those of evenings that were over when they were kept."""
    return [table for table in tables if table[0] != RUNNING]


def are_proven(tables: list[list[Any]]) -> bool:
    return all(holds for _, _, _, holds, _ in tables)


@pytest.mark.parametrize("kept", KEPT, ids=lambda folder: folder.name)
def test_an_older_servers_nights_go_on_and_move_to_another(kept: Path, tmp_path: Path) -> None:
    here, there, file = Home(tmp_path / "here", kept), Home(tmp_path / "there"), tmp_path / "campaign.zip"
    before = here.later("tell")
    assert len(before) > len(over(before)) >= 6
    assert are_proven(before)
    assert here.later("play") > 20
    after = here.later("tell")
    assert over(after) == over(before)
    assert are_proven(after)
    assert set(here.later("pages").values()) == {200}
    here.run("manage.py", "export_campaign", "1", file)
    there.run("manage.py", "import_campaign", file, "--gm", "gm")
    assert there.later("tell") == after
    assert set(there.later("pages").values()) == {200}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.parent.name)
def test_an_older_campaigns_file_comes_in_and_ends_as_it_ended(file: Path, tmp_path: Path) -> None:
    wrote, here = Home(tmp_path / "wrote", file.parent), Home(tmp_path / "here")
    here.run("manage.py", "import_campaign", file, "--gm", "gm")
    assert here.later("tell") == over(wrote.later("tell"))
