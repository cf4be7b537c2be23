"""``--minutes 8``: a run that starts no test after eight minutes, and says how many it left out.

The commit's hash draws the order of the modules: it is the same for one commit, and over many commits each
module is among the first. The tests of a module stay together, as they may share fixtures.
"""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--minutes", type=float, metavar="N", help="start no test after so many minutes")


def pytest_configure(config: pytest.Config) -> None:
    if config.option.minutes is None:
        return
    # A worker of xdist keeps to the deadline and the order of its controller.
    given = getattr(config, "workerinput", {})
    config.option.deadline = given.get("deadline") or time.time() + 60 * config.option.minutes
    config.option.order = given.get("order") or _commit(config.rootpath)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    option = node.config.option
    if option.minutes is not None:
        node.workerinput |= {"deadline": option.deadline, "order": option.order}


def _commit(folder: Path) -> str:
    asked = ["git", "rev-parse", "HEAD"]
    return subprocess.run(asked, cwd=folder, capture_output=True, text=True, check=False).stdout.strip()


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Iterator[None]:
    """Draw the order of the modules, after pytest-django has put tests with real transactions last."""
    yield
    if config.option.minutes is None:
        return
    modules: dict[Path, list[pytest.Item]] = {}
    for item in items:
        modules.setdefault(item.path, []).append(item)
    order = sorted(modules)
    Random(config.option.order).shuffle(order)
    items[:] = [item for path in order for item in modules[path]]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    minutes = item.config.option.minutes
    if minutes is not None and time.time() > item.config.option.deadline:
        pytest.skip(f"left out: the {minutes:g} minutes of this run were over")
