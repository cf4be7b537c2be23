"""Data of earlier versions, as those left them: upgraded, played on, moved to another server, proven.

``python -m tests.kept_versions NAME`` keeps those of this version. Kept files are never written again.
"""

from __future__ import annotations

import json
import lzma
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from companion.server.environment import DATABASE_FILE
from tests.home import surroundings
from tests.kept_versions.data import RUNNING
from tests.servers import ROOT

KEPT = sorted(path.parent for path in Path(__file__).parent.glob("*/takujo.sqlite3.xz"))


def later(var: Path, *steps: str) -> list[Any]:
    """Take these steps in a new process of this version, and return what they answer (``later.py``)."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.kept_versions.later", *steps],
        cwd=ROOT,
        env=surroundings("en_GB.UTF-8", TAKUJO_VAR=str(var), DEBUG="1"),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    answers: list[Any] = json.loads(done.stdout)
    return answers


def over(tables: list[list[Any]]) -> list[list[Any]]:
    """Return those of evenings that were over when they were kept."""
    return [table for table in tables if table[0] != RUNNING]


def are_proven(tables: list[list[Any]]) -> bool:
    return all(holds for _, _, _, holds, _ in tables)


@pytest.mark.parametrize("kept", KEPT, ids=lambda folder: folder.name)
def test_an_older_servers_nights_go_on_and_move_to_another(
    kept: Path, tmp_path: Path, migrated_database: Path
) -> None:
    here, there, file = tmp_path / "here", tmp_path / "there", tmp_path / "campaign.zip"
    here.mkdir()
    (here / DATABASE_FILE).write_bytes(lzma.decompress((kept / "takujo.sqlite3.xz").read_bytes()))
    there.mkdir()
    shutil.copyfile(migrated_database, there / DATABASE_FILE)

    _, before, moves = later(here, "migrate -v0", "tell", "play")
    assert len(before) > len(over(before)) >= 6
    assert are_proven(before)
    assert moves > 20
    after, pages, _ = later(here, "tell", "pages", f"export_campaign 1 {file}")
    assert over(after) == over(before)
    assert are_proven(after)
    assert set(pages.values()) == {200}

    steps, moved = [f"import_campaign {file} --gm gm"], after
    # A version from before there were files of campaigns has none.
    if (older := kept / "campaign.zip").exists():
        steps, moved = [*steps, f"import_campaign {older} --gm gm"], after + over(before)
    *_, tables, pages = later(there, "demo", *steps, "tell", "pages")
    assert tables == moved
    assert set(pages.values()) == {200}
