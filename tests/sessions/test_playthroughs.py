"""Golden playthroughs: what each script printed, line for line.

``python -m tests.sessions.test_playthroughs`` writes the goldens anew; read the diff before committing it.
"""

from pathlib import Path

import pytest

from sessions import modules
from sessions.engine.playthrough import read, run
from sessions.engine.shelf import shelf
from sessions.engine.step import encode

FOLDER = Path(modules.__path__[0])
SCRIPTS = sorted(FOLDER.glob("*/playthroughs/*.json"))


def lines(path: Path) -> tuple[list[str], bool]:
    """The lines that the script prints, and True if everything went as it says."""
    played = [(encode(line).decode(), as_scripted) for line, as_scripted in run(read(path.read_bytes()))]
    return [line for line, _ in played], all(as_scripted for _, as_scripted in played)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: f"{path.parts[-3]}/{path.stem}")
def test_playthrough(path: Path) -> None:
    printed, as_scripted = lines(path)
    assert as_scripted
    assert printed == path.with_suffix(".golden").read_text("utf-8").splitlines()


def test_every_module_has_a_playthrough_that_ends() -> None:
    ended = {
        path.parts[-3]
        for path in FOLDER.glob("*/playthroughs/*.golden")
        if '"winners"' in path.read_text("utf-8").splitlines()[-1]
    }
    assert set(shelf()) == ended


if __name__ == "__main__":
    for script in SCRIPTS:
        script.with_suffix(".golden").write_text("\n".join(lines(script)[0]) + "\n", "utf-8")
