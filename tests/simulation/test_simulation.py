"""Evenings of the real code under one scheduler: acknowledged moves stand, and every page shows them."""

from __future__ import annotations

import os
import subprocess
import sys
from types import ModuleType
from weakref import WeakKeyDictionary, WeakValueDictionary

import pytest

from tests.servers import ROOT

#: Containers below these are filled once, from the code alone.
OF_THE_CODE = tuple(f"sessions.{room}" for room in ("modules", "engine", "lab", "migrations", "game_tests"))


def simulate(*options: str, hash_seed: str = "0") -> str:
    """Play evenings in a process of their own: time and chance are others there."""
    command = [sys.executable, "-m", "tests.simulation", *options]
    env = {name: value for name, value in os.environ.items() if name not in ("TAKUJO_VAR", "DATABASE_URL")}
    env["PYTHONHASHSEED"] = hash_seed
    played = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=1800)
    assert played.returncode == 0, played.stdout + played.stderr
    return played.stdout


def test_acknowledged_moves_stand_and_every_page_shows_them() -> None:
    simulate("--seed", "known", "--evenings", "12", "--jobs", "1")


def test_the_same_seed_simulates_the_same_session() -> None:
    once = simulate("--seed", "same", "--evenings", "3", "--jobs", "1", "--tell", hash_seed="1")
    again = simulate("--seed", "same", "--evenings", "3", "--jobs", "1", "--tell", hash_seed="2")
    assert once == again
    assert "← accepted" in once


def test_the_simulation_clears_every_cache_of_a_killed_process() -> None:
    from tests.simulation.process import MEMORIES

    known = {(owner.__name__, name) for owner, name, _ in MEMORIES if isinstance(owner, ModuleType)}
    found = {
        (module.__name__, name)
        for module in list(sys.modules.values())
        if module and module.__name__.startswith("sessions.") and not module.__name__.startswith(OF_THE_CODE)
        for name, value in vars(module).items()
        if name.startswith("_") and name.islower() and not name.startswith("__")
        if isinstance(value, dict | set | WeakKeyDictionary | WeakValueDictionary)
    }
    assert found <= known


@pytest.mark.long
def test_a_hundred_simulated_sessions_have_no_fault() -> None:
    simulate("--seed", "many", "--evenings", "100")


@pytest.mark.long
def test_the_simulation_finds_every_planted_fault() -> None:
    simulate("--planted")
