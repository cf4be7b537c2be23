"""An evening at home: ``play`` as a host runs it, in a checkout or where Takujō is installed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.servers import ROOT, missing

#: Takujō's command line in this checkout, and the same where there is nothing of Unix.
HERE = (sys.executable, "manage.py")
ELSEWHERE = (sys.executable, "tests/elsewhere.py")
#: Runs Takujō's commands in one process, a line of standard input each.
ONE_BY_ONE = """
import shlex, sys
from companion.command_line import main
for line in sys.stdin:
    sys.argv = ["manage.py", *shlex.split(line)]
    main()
"""


@dataclass(frozen=True)
class Terminal:
    """A terminal for Takujō's commands."""

    environment: dict[str, str]
    command: Sequence[str | Path] = HERE
    folder: Path = ROOT

    def run(self, *words: str, fails: bool = False) -> str:
        """Run a command and return what it says; of one that fails, what it says of that."""
        return self._finish([*self.command, *words], "", fails)

    def run_each(self, *lines: str, fails: bool = False) -> str:
        """Run several commands in one process, of which the last may fail."""
        return self._finish([sys.executable, "-c", ONE_BY_ONE], "\n".join(lines), fails)

    def _finish(self, command: Sequence[str | Path], typed: str, fails: bool) -> str:
        done = subprocess.run(
            command, cwd=self.folder, env=self.environment, input=typed, capture_output=True, text=True
        )
        assert bool(done.returncode) == fails, done.stdout + done.stderr
        assert "Traceback" not in done.stderr
        return done.stderr if fails else done.stdout

    @contextmanager
    def evening(self, *options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
        """Run ``play``; yield the process and what it printed before it served."""
        process = subprocess.Popen(
            [*self.command, "play", *options],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        try:
            printed = ""
            assert process.stdout
            while "Ctrl-C" not in printed:
                line = process.stdout.readline()
                assert line, printed
                printed += line
            yield process, printed
        finally:
            process.kill()
            process.communicate()


def surroundings(lang: str = "C.UTF-8", **more: str) -> dict[str, str]:
    """Return the environment of a terminal that knows nothing of the tests."""
    keep = {"PATH", "HOME", "LC_ALL"} & os.environ.keys()
    return {**{key: os.environ[key] for key in keep}, "LANG": lang, "PYTHONUTF8": "1", **more}


def gm_path(printed: str) -> str:
    """Return the path of the GM's link that ``play`` printed."""
    found = re.search(r"http://[^/]+(/gm/enter/\S+)", printed)
    assert found, printed
    return found[1]


def run(
    *command: str, var: Path, before: Sequence[str] = (), **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run a command as a host types it; ``before`` is a program, with its options, that runs it."""
    return subprocess.run(
        [*before, sys.executable, "manage.py", *command],
        cwd=ROOT,
        env=surroundings(environment.pop("lang", "en_US.UTF-8"), TAKUJO_VAR=str(var), **environment),
        capture_output=True,
        text=True,
        timeout=60,
    )


def refused(*command: str, var: Path, before: Sequence[str] = (), **environment: str) -> str:
    """Run a command that is to fail; return the one line that it says."""
    ended = run(*command, var=var, before=before, **environment)
    assert ended.returncode == 1
    assert not ended.stdout
    assert ended.stderr.count("\n") == 1, ended.stderr
    return ended.stderr


def apart(mount: str) -> list[str]:
    """Return the words that let a command see a file system of its own, which this mounts."""
    alone = ["unshare", "--map-root-user", "--mount", "sh", "-c"]
    if not shutil.which("unshare") or subprocess.run([*alone, mount], capture_output=True).returncode:
        missing("a file system of one's own")
    return [*alone, f'{mount} && exec "$@"', "sh"]
