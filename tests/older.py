"""The code before the newest migration, as a server has it before an update."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.servers import ROOT, missing

MIGRATIONS = "*/migrations/0*.py"


def git(*words: str) -> str:
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        missing(f"the history of this repository ({done.stderr.strip()})")
    return done.stdout.strip()


def unpack(folder: Path) -> Path:
    """Put that code into a folder, and return it."""
    newest = git("log", "--first-parent", "-m", "--diff-filter=A", "--format=%H", "-1", "--", MIGRATIONS)
    folder.mkdir()
    git("archive", f"--output={folder / 'code.tar'}", f"{newest}^1")
    subprocess.run(["tar", "-xf", "code.tar"], cwd=folder, check=True)
    return folder
