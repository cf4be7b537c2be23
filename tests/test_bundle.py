"""The zip for Windows, as far as a machine without Windows can look into it."""

from __future__ import annotations

import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.servers import ROOT

pytestmark = pytest.mark.long


def test_the_zip_for_windows_has_all_files_that_a_server_needs(tmp_path: Path) -> None:
    python = tmp_path / "python.zip"
    with zipfile.ZipFile(python, "w") as packed:
        packed.writestr("python.exe", b"MZ")
        packed.writestr("python313._pth", "python313.zip\n.\n")
    words = ["deploy/windows/bundle.py", "--into", str(tmp_path), "--python", str(python)]
    done = subprocess.run([sys.executable, *words], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    with zipfile.ZipFile(done.stdout.strip()) as made:
        held = {name.removeprefix("takujo/"): name for name in made.namelist()}
        command = made.read(held["Takujo.cmd"])
        guide = made.read(held["はじめに.txt"]).decode("utf-8-sig")
        places = made.read(held["python/python313._pth"]).decode()
    assert {"python/python.exe", "no-python.txt", "app/companion/__main__.py", "app/django/__init__.py"} <= {
        *held
    }
    assert "app/companion/locale/ja/LC_MESSAGES/django.mo" in held
    assert "app/companion/shared/static/css/base.css" in held
    assert any(name.endswith(".cp313-win_amd64.pyd") for name in held)
    assert not [name for name in held if re.search(r"-(linux|darwin|musl)\S*\.so$", name)]
    assert "..\\app" in places, "an embeddable Python looks nowhere else"
    assert command.isascii()
    assert command.count(b"\n") == command.count(b"\r\n") > 10, "cmd.exe loses its way without"
    assert len(re.findall(r"^\d\. ", guide, re.MULTILINE)) == 3, "three steps to the QR code"
