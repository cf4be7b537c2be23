"""The version of this code: a release, or the last release plus the current commit.

A release is a git tag, like ``v0.2.0``. Five commits later the version is ``0.2.0.post5+g1a2b3c4``, with
``.changed`` at the end if files differ from that commit. Wheels and archives store their version when made.
The build reads this file (``[tool.hatch.version]``), so it must not import our other modules.
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
#: The version before the first release.
NONE_YET = "0.1.0"
#: Placeholders that ``git archive`` replaces by the description and the commit; see .gitattributes.
PACKED = ("$Format:%(describe:tags=true,match=v[0-9]*)$", "$Format:%h$")
DESCRIBE = ("git", "describe", "--tags", "--match=v[0-9]*", "--always")
#: Fails if files differ. Missing files do not count: an image is built from a part of them.
COMPARE = ("git", "diff", "--quiet", "--diff-filter=d", "HEAD")
DESCRIBED = re.compile(
    r"(?:v(?P<release>[\d.]+))?-?(?:(?:(?P<since>\d+)-g)?(?P<commit>[0-9a-f]{7,}))?(?P<changed>-dirty)?"
)


@cache
def version() -> str:
    """Return the version in a form that pip can sort."""
    if (PACKAGE / "shared").is_dir():  # a wheel was installed
        return metadata.version("takujo")
    if (built := ROOT / "PKG-INFO").is_file():  # an sdist
        return str(BytesParser().parsebytes(built.read_bytes())["Version"])
    return parse_description(describe_checkout())


def describe_checkout() -> str:
    """Return git's description of this checkout or archive; "" if unknown."""
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
    """Return the commit or tag of a version, for ``git checkout``; "" if unknown."""
    if commit := re.search(r"\+g([0-9a-f]{7,})", version):
        return commit[1]
    release = re.fullmatch(r"([\d.]+)(\+changed)?", version)
    return f"v{release[1]}" if release else ""


def parse_description(description: str) -> str:
    found = DESCRIBED.fullmatch(description)
    if not found or not description:
        return f"{NONE_YET}+unknown"
    since = f".post{found['since']}" if found["since"] else ""
    marks = [f"g{found['commit']}"] if found["commit"] else []
    marks += ["changed"] if found["changed"] else []
    return (found["release"] or NONE_YET) + since + ("+" + ".".join(marks) if marks else "")
