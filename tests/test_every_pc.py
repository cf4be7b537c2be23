"""What Takujō needs is to be had on the PCs of those who host, without a compiler on any of them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import InMemoryStorage

from companion.pages.static_files import bundle_files
from tests.servers import ROOT, missing

#: As uv names them: a Windows PC, a Mac of now, a server, and a small one (a NAS, a container) with musl.
PCS = [
    "x86_64-pc-windows-msvc",
    "aarch64-apple-darwin",
    "x86_64-unknown-linux-gnu",
    "aarch64-unknown-linux-gnu",
    "aarch64-unknown-linux-musl",
]


def found_for(pc: str, python: str, folder: Path, *, needs: Path = ROOT / "requirements.lock") -> str:
    """Return what is wrong with the wheels for a PC; nothing is installed and nothing built."""
    words = ["--dry-run", "--quiet", "--no-deps", "--only-binary", ":all:", "--target", str(folder)]
    asked = [sys.executable, "-m", "uv", "pip", "install", *words, "-r", str(needs)]
    asked += ["--python-platform", pc, "--python-version", python]
    done = subprocess.run(asked, capture_output=True, text=True)
    if done.returncode and "Failed to fetch" in done.stderr:
        missing("the way to an index of packages")
    return done.stderr


@pytest.mark.parametrize("python", ["3.11", "3.13", "3.14"])
@pytest.mark.parametrize("pc", PCS)
def test_every_pc_gets_a_wheel_of_every_dependency(pc: str, python: str, tmp_path: Path) -> None:
    assert not found_for(pc, python, tmp_path)


def test_a_dependency_without_a_wheel_for_a_pc_is_found(tmp_path: Path) -> None:
    needs = tmp_path / "needs.txt"
    needs.write_text("uvloop==0.23.0\n")
    assert "uvloop" in found_for(PCS[0], "3.13", tmp_path, needs=needs)


def test_style_sheets_are_bundled_without_a_minifier_and_on_windows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "minify", None)
    written = InMemoryStorage()
    written.save("all.css", ContentFile(b'@import url("one.css");\np { margin: 0 }\n'))
    written.save("one.css", ContentFile(b"a { color: red }\n"))
    made = bundle_files({"css\\all.css": (written, "all.css"), "css\\one.css": (written, "one.css")})
    storage, name = made["css/all.css"]
    with storage.open(name) as file:
        assert file.read() == b"a { color: red }\np { margin: 0 }\n"
