"""The version of this code: the release that it is, or the last one and the commit reached since.

A release is a tag of git, like ``v0.2.0``; five commits later it is ``0.2.0.post5+g1a2b3c4``, with
``.changed`` at the end if files differ from that commit. What is built or packed is told its version then.
The build itself reads this file (``[tool.hatch.version]``), so it imports nothing of ours.
"""

from __future__ import annotations

import re
import subprocess
from email.parser import BytesParser
from functools import cache
from importlib import metadata
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
ROOT = PACKAGE.parent
#: Before the first release.
NONE_YET = "0.1.0"
#: "git archive" writes what it packs in the place of these; see .gitattributes.
PACKED = ("$Format:%(describe:tags=true,match=v[0-9]*)$", "$Format:%h$")
DESCRIBE = ("git", "describe", "--tags", "--match=v[0-9]*", "--always")
#: Fails if files differ. Those that are not there do not count: an image is built of a part of them.
COMPARE = ("git", "diff", "--quiet", "--diff-filter=d", "HEAD")
DESCRIBED = re.compile(
    r"(?:v(?P<release>[\d.]+))?-?(?:(?:(?P<since>\d+)-g)?(?P<commit>[0-9a-f]{7,}))?(?P<changed>-dirty)?"
)


@cache
def version() -> str:
    """Return the version, as pip orders them; it stays what it was when this process asked first."""
    if (PACKAGE / "shared").is_dir():  # a wheel was installed
        return metadata.version("takujo")
    if (built := ROOT / "PKG-INFO").is_file():  # an sdist
        return str(BytesParser().parsebytes(built.read_bytes())["Version"])
    return named(described())


def described() -> str:
    """Return how git describes what lies here; "" if nobody knows."""
    if (ROOT / ".git").exists():
        try:
            told = _git(*DESCRIBE)
            told.check_returncode()
            return told.stdout.strip() + ("-dirty" if _git(*COMPARE).returncode else "")
        except (OSError, subprocess.CalledProcessError):  # no git, or not this user's folder
            return ""
    return next((told for told in PACKED if told and not told.startswith("$")), "")


def _git(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603


def revision(version: str) -> str:
    """Return what ``git checkout`` takes for a version: its commit or its tag; "" if nobody knows."""
    if commit := re.search(r"\+g([0-9a-f]{7,})", version):
        return commit[1]
    release = re.fullmatch(r"([\d.]+)(\+changed)?", version)
    return f"v{release[1]}" if release else ""


def named(description: str) -> str:
    """Return the version of what git describes so."""
    found = DESCRIBED.fullmatch(description)
    if not found or not description:
        return f"{NONE_YET}+unknown"
    since = f".post{found['since']}" if found["since"] else ""
    marks = [f"g{found['commit']}"] if found["commit"] else []
    marks += ["changed"] if found["changed"] else []
    return (found["release"] or NONE_YET) + since + ("+" + ".".join(marks) if marks else "")
