"""Golden playthroughs: the lines that each script printed.

``python -m sessions.game_tests.test_playthroughs`` writes the goldens of all games again; read the diff
before committing it.
"""

from __future__ import annotations

from pathlib import Path

from companion.games import folder_of, games
from sessions.engine.playthrough import read_script, run_script
from sessions.engine.step import encode
from sessions.game import AnyModule


def scripts(folder: Path | None) -> list[Path]:
    return sorted(folder.glob("playthroughs/*.json")) if folder else []


def lines(path: Path) -> tuple[list[str], bool]:
    """The lines that the script prints, and True if everything went as it says."""
    played = [
        (encode(line).decode(), as_scripted)
        for line, as_scripted in run_script(read_script(path.read_bytes()))
    ]
    return [line for line, _ in played], all(as_scripted for _, as_scripted in played)


def test_playthroughs_print_their_golden_files(module: AnyModule) -> None:
    for path in scripts(folder_of(module.key)):
        printed, as_scripted = lines(path)
        assert as_scripted, path.name
        assert printed == path.with_suffix(".golden").read_text("utf-8").splitlines(), path.name


def test_one_playthrough_reaches_the_end_of_the_game(module: AnyModule) -> None:
    goldens = [path.with_suffix(".golden") for path in scripts(folder_of(module.key))]
    assert any('"winners"' in path.read_text("utf-8").splitlines()[-1] for path in goldens)


if __name__ == "__main__":
    for script in (path for game in games() for path in scripts(game.folder)):
        script.with_suffix(".golden").write_text("\n".join(lines(script)[0]) + "\n", "utf-8")
