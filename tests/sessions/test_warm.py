"""No thread is ever the first to use a type of a module."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.parametrize("number", range(4))
def test_threads_that_use_preloaded_types_at_once_do_not_crash(number: int) -> None:
    """Each in a process of its own: a thread that is the first takes the whole process down."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.sessions.rush"], capture_output=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr.decode()[-2000:]
