"""How the tests are run: which of them are asked once more, and how a run keeps to its minutes."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import TOO_LATE
from tests.servers import ROOT

#: The first test that a process runs uses up its time.
MODULE = """
from pathlib import Path
import pytest

@pytest.mark.parametrize("number", range(3))
def test_it(request, number):
    Path(f"deadline-of-{getattr(request.config, 'workerinput', {}).get('workerid')}").write_text(
        str(request.config.option.deadline)
    )
    request.config.option.deadline = 0
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A repository with three modules of three tests each."""
    for name in "abc":
        (tmp_path / f"test_{name}.py").write_text(MODULE, "utf-8")
    (tmp_path / "pytest.ini").touch()
    git(tmp_path, "init", "-q")
    commit(tmp_path)
    return tmp_path


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", "-C", folder, *arguments], check=True)


def commit(folder: Path) -> None:
    who = ["-c", "user.name=t", "-c", "user.email=t@takujo.example"]
    git(folder, *who, "commit", "-q", "--allow-empty", "-m", "change")


def run(folder: Path, *arguments: str) -> str:
    plugins = ["-p", "tests.budget", "-p", "no:django", "-p", "no:cacheprovider", "-p", "no:randomly"]
    command = [sys.executable, "-m", "pytest", "-q", "-rs", *plugins, *arguments]
    done = subprocess.run(
        command, cwd=folder, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize(("workers", "passed"), [("0", 1), ("2", 2)])
def test_a_run_with_a_time_budget_ends_begun_modules_and_skips_the_rest(
    checkout: Path, workers: str, passed: int
) -> None:
    printed = run(checkout, "--minutes", "10", "-n", workers)
    assert f"{passed} passed, {9 - passed} skipped" in printed
    assert f"SKIPPED [{9 - passed}]" in printed
    assert "left out: the 10 minutes of this run were over" in printed
    deadlines = [path.read_text() for path in checkout.glob("deadline-of-*")]
    assert len(deadlines) == passed
    assert len(set(deadlines)) == 1, "the workers have one deadline"


def test_a_run_without_minutes_has_no_time_budget(checkout: Path) -> None:
    for name in "abc":
        (checkout / f"test_{name}.py").write_text("def test_it(): pass", "utf-8")
    assert "3 passed" in run(checkout)


def test_the_commit_shuffles_the_order_of_the_test_modules(checkout: Path) -> None:
    def order() -> list[str]:
        return re.findall(r"^(\S+\.py)::", run(checkout, "--minutes", "10", "--collect-only"), re.MULTILINE)

    first = order()
    assert sorted(first) == [f"test_{name}.py" for name in "abc" for _ in range(3)]
    assert first == order()
    assert [first[0], first[3], first[6]] == list(dict.fromkeys(first)), "a module stays together"
    for _ in range(20):
        commit(checkout)
        if order()[0] != first[0]:
            return
    pytest.fail("the first module is always the same")


@pytest.mark.parametrize(
    "failure",
    [
        "AssertionError: Locator expected to have text '成功'\nActual value: ",
        "AssertionError: Locator expected to be visible",
        "AssertionError: Page URL expected to be '/t/1/'",
        "TimeoutError: Locator.click: Timeout 20000ms exceeded.",
        "TimeoutExpired: Command 'x' timed out after 60 seconds",
    ],
)
def test_a_test_that_timed_out_is_run_again(failure: str) -> None:
    assert re.search(TOO_LATE, failure)


@pytest.mark.parametrize(
    "failure",
    [
        "AssertionError: assert not True",
        "AssertionError: Locator expected not to contain text 'd11'\nActual value: d11",
        "AssertionError: Locator expected not to be visible",
        "AssertionError: Locator expected to be hidden",
        "AssertionError: Locator expected to have count '0'\nActual value: 1",
        "AssertionError: assert ['console: TimeoutError'] == []",
    ],
)
def test_a_test_that_failed_without_a_timeout_is_not_run_again(failure: str) -> None:
    assert not re.search(TOO_LATE, failure)
