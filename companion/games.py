"""Find games: in our own folder, in installed packages, and in folders that the host names.

They are found without importing them, because the settings need their template folders before Django is set
up. The code of a game is trusted like the server's own.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path

OURS = "sessions.modules"
#: The group of entry points by which an installed package brings games: ``key = "package"``.
GROUP = "takujo.games"
#: The environment variable that lists folders, separated as in PATH: each is a game, or contains games.
NAMED = "TAKUJO_GAMES"


@dataclass(frozen=True)
class FoundGame:
    """A game; ``folder`` is None if its package does not exist or another package has its name."""

    key: str
    package: str
    folder: Path | None


@cache
def games() -> tuple[FoundGame, ...]:
    """Return all games, our own first. If two have the same key, the first one gets it."""
    folders = _packages(Path(__file__).parents[1].joinpath(*OURS.split(".")))
    ours = [FoundGame(folder.name, f"{OURS}.{folder.name}", folder) for folder in folders]
    entries = sorted(entry_points(group=GROUP), key=lambda entry: (entry.name, entry.value))
    installed = [FoundGame(entry.name, entry.module, _package_folder(entry.module)) for entry in entries]
    return (*ours, *installed, *_games_in_folders())


def folder_of(key: str) -> Path | None:
    return next((game.folder for game in games() if game.key == key), None)


def folders_named(name: str) -> list[Path]:
    """Return the folders of this name, such as ``templates``, of all games that have one."""
    folders = [game.folder / name for game in games() if game.folder]
    return [folder for folder in folders if folder.is_dir()]


def _games_in_folders() -> Iterator[FoundGame]:
    for named in filter(None, os.environ.get(NAMED, "").split(os.pathsep)):
        root = Path(named).resolve()
        if not root.is_dir():
            yield FoundGame(root.name, root.name, None)
            continue
        is_a_game = (root / "__init__.py").exists()
        parent = str(root.parent if is_a_game else root)
        if parent not in sys.path:
            sys.path.append(parent)  # at the end, so that a game shadows no other package
        for folder in [root] if is_a_game else _packages(root):
            is_importable = _package_folder(folder.name) == folder
            yield FoundGame(folder.name, folder.name, folder if is_importable else None)


def _packages(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if (path / "__init__.py").exists())


def _package_folder(package: str) -> Path | None:
    try:
        spec = find_spec(package)
    except Exception:  # noqa: BLE001 (importing a parent package runs its code, which may raise anything)
        return None
    places = spec.submodule_search_locations if spec else None
    return Path(places[0]) if places else None
