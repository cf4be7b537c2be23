"""A few rounds of ``make faults``: no acknowledged move is lost or doubled by any fault."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.servers import ROOT

pytestmark = pytest.mark.long

#: Begins with the faults that have broken the most: lines and processes at home, PostgreSQL and Redis hosted.
#: Then the second machine is alone.
SEED = "5611"


def test_no_move_is_lost_or_doubled_on_a_home_server_with_faults() -> None:
    play("--rounds", "2")


def test_no_move_is_lost_or_doubled_on_a_hosted_server_with_faults(postgres_url: str, redis_url: str) -> None:
    """The services of the other tests only say that there are such programs: these are killed."""
    play("--rounds", "4", "--hosted")


def play(*options: str) -> None:
    command = [sys.executable, "-m", "tests.faults", "--seed", SEED, "--phones", "8", *options]
    env = {name: value for name, value in os.environ.items() if name != "TAKUJO_VAR"}
    played = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=300)
    assert played.returncode == 0, played.stdout + played.stderr
