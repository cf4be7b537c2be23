"""``make bundle``: Takujō for Windows in one zip that needs no network; a double click opens an evening."""

from __future__ import annotations

import argparse
import io
import shutil
import subprocess
import sys
import urllib.request
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
#: The Python that everything in the zip is for, and which of them comes along.
PYTHON = "3.13"
EMBEDDABLE = "https://www.python.org/ftp/python/3.13.11/python-3.13.11-embed-amd64.zip"
PC = ["--python-platform", "x86_64-pc-windows-msvc", "--python-version", PYTHON, "--only-binary", ":all:"]
#: Where that Python looks, seen from its own folder; it has some of these and asks for no others.
PLACES = ["python313.zip", "Lib", "DLLs", ".", "..\\app"]


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--into", type=Path, default=ROOT / "dist", metavar="DIR")
    asked.add_argument("--python", default=EMBEDDABLE, metavar="FILE", help="an embeddable Python, as a zip")
    options = asked.parse_args()
    with TemporaryDirectory() as made:
        folder = Path(made) / "takujo"
        put_program(folder / "app")
        put_python(folder / "python", options.python)
        for name in ("Takujo.cmd", "はじめに.txt", "no-python.txt"):
            put_text(name, folder)
        version = subprocess.run(
            [sys.executable, "manage.py", "--version"], cwd=ROOT, check=True, capture_output=True, text=True
        )
        options.into.mkdir(parents=True, exist_ok=True)
        name = options.into / f"takujo-{version.stdout.strip()}-windows"
        print(shutil.make_archive(str(name), "zip", made, "takujo"))


def put_program(app: Path) -> None:
    """Lay Takujō and what it needs, by the lock file, where Python finds them without installing anything."""
    install = [
        sys.executable,
        "-m",
        "uv",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--target",
        str(app),
        *PC,
    ]
    subprocess.run([*install, "--require-hashes", "-r", str(ROOT / "requirements.lock")], check=True)
    with TemporaryDirectory() as built:
        build = [sys.executable, "-m", "uv", "build", "--quiet", "--wheel", "--out-dir", built, str(ROOT)]
        subprocess.run(build, check=True)
        subprocess.run([*install, *map(str, Path(built).glob("*.whl"))], check=True)
    shutil.rmtree(app / "bin", ignore_errors=True)  # programs of the machine on which this was made


def put_python(folder: Path, source: str) -> None:
    """Unpack a Python for Windows; without one, Takujo.cmd looks for one on the PC."""
    try:
        content = urllib.request.urlopen(source).read() if ":" in source else Path(source).read_bytes()
    except OSError as problem:
        print(f"No Python comes along ({problem}): the PC needs one of its own, Python {PYTHON}.")
        return
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        packed.extractall(folder)
    (folder / "python313._pth").write_text("\n".join(PLACES), "utf-8")


def put_text(name: str, folder: Path) -> None:
    """Copy a text with the ends of lines of Windows, and, where people read it, the mark of UTF-8."""
    text = (HERE / name).read_text("utf-8")
    (folder / name).write_text(text, "ascii" if name.endswith(".cmd") else "utf-8-sig", newline="\r\n")


if __name__ == "__main__":
    main()
