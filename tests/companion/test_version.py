"""The version by git's tags: in a checkout, in an archive of git, and without either."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from companion.version import NONE_YET, parse_description, revision
from tests.servers import ROOT

CODE = ("companion/__init__.py", "companion/version.py")


@pytest.mark.parametrize(
    ("description", "version", "checked_out"),
    [
        ("v0.2.0", "0.2.0", "v0.2.0"),
        ("v0.2.0-dirty", "0.2.0+changed", "v0.2.0"),
        ("v0.2.0-5-g1a2b3c4d", "0.2.0.post5+g1a2b3c4d", "1a2b3c4d"),
        ("v0.2.0-5-g1a2b3c4d-dirty", "0.2.0.post5+g1a2b3c4d.changed", "1a2b3c4d"),
        ("1a2b3c4d", f"{NONE_YET}+g1a2b3c4d", "1a2b3c4d"),
        ("1a2b3c4d-dirty", f"{NONE_YET}+g1a2b3c4d.changed", "1a2b3c4d"),
        ("", f"{NONE_YET}+unknown", ""),
        ("v0.2.0-beta", f"{NONE_YET}+unknown", ""),
    ],
)
def test_a_git_description_becomes_a_version_that_pip_can_order(
    description: str, version: str, checked_out: str
) -> None:
    assert parse_description(description) == version
    assert revision(version) == checked_out


def run(*words: str, folder: Path) -> str:
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, check=True).stdout.strip()


def told(folder: Path) -> str:
    """Return the version that a folder's code says it is."""
    return run(sys.executable, "-c", "from companion.version import version; print(version())", folder=folder)


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A repository of its own with the code of versions and releases in it, and a commit."""
    folder = tmp_path / "clone"
    (folder / "companion").mkdir(parents=True)
    (folder / ".ci").mkdir()
    for name in (*CODE, ".gitattributes", ".gitignore", ".ci/release", "CHANGELOG.md"):
        shutil.copy(ROOT / name, folder / name)
    git(folder, "init", "--quiet")
    for name, value in (("user.name", "Somebody"), ("user.email", "somebody@takujo.example")):
        git(folder, "config", name, value)
    commit(folder, "One")
    return folder


def git(folder: Path, *words: str) -> str:
    return run("git", *words, folder=folder)


def commit(folder: Path, words: str) -> str:
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--allow-empty", "-m", words)
    return git(folder, "rev-parse", "--short", "HEAD")


def packed(clone: Path, folder: Path) -> Path:
    """Unpack what ``git archive`` makes of a repository: it has no history."""
    folder.mkdir()
    git(clone, "archive", "--output", str(folder / "it.tar"), "HEAD")
    run("tar", "-xf", "it.tar", folder=folder)
    return folder


def test_a_tag_is_a_release_and_later_versions_name_their_commit(clone: Path, tmp_path: Path) -> None:
    first = git(clone, "rev-parse", "--short", "HEAD")
    assert told(clone) == told(packed(clone, tmp_path / "none")) == f"{NONE_YET}+g{first}"
    git(clone, "tag", "-a", "v0.2.0", "-m", "0.2.0")
    git(clone, "tag", "some-other-tag")
    assert told(clone) == told(packed(clone, tmp_path / "release")) == "0.2.0"
    second = commit(clone, "Two")
    assert told(clone) == told(packed(clone, tmp_path / "after")) == f"0.2.0.post1+g{second}"
    (clone / ".gitignore").unlink()
    assert told(clone) == f"0.2.0.post1+g{second}", "an image is built of a part of the files"
    (clone / ".gitignore").write_text("something else\n")
    assert told(clone) == f"0.2.0.post1+g{second}.changed"


def test_a_folder_without_git_ignores_a_repository_around_it(clone: Path) -> None:
    """The files are unpacked within another repository."""
    git(clone, "tag", "v9.9.9")
    (clone / "within" / "companion").mkdir(parents=True)
    for name in CODE:
        shutil.copy(ROOT / name, clone / "within" / name)
    assert told(clone / "within") == f"{NONE_YET}+unknown"


def test_a_release_makes_a_changelog_section_a_commit_and_a_tag(clone: Path) -> None:
    run(".ci/release", "0.2.0", folder=clone)
    assert told(clone) == "0.2.0"
    assert git(clone, "status", "--porcelain") == ""
    sections = [line for line in (clone / "CHANGELOG.md").read_text().splitlines() if line.startswith("## ")]
    assert sections[0] == "## [Unreleased]"
    assert re.fullmatch(r"## \[0\.2\.0\] - \d{4}-\d\d-\d\d", sections[1])
    for refused in ("", "v0.3.0", "0.3"):
        with pytest.raises(subprocess.CalledProcessError):
            run(".ci/release", refused, folder=clone)
    (clone / "CHANGELOG.md").write_text("something that nobody has committed")
    with pytest.raises(subprocess.CalledProcessError):
        run(".ci/release", "0.3.0", folder=clone)
    assert git(clone, "tag") == "v0.2.0"
