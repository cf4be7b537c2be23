"""Start-up checks: a game that cannot be loaded gives a warning; all others stay playable."""

from __future__ import annotations

from typing import Any

from django.core import checks

from sessions.engine.shelf import left_out


@checks.register
def check_games(**kwargs: Any) -> list[checks.CheckMessage]:
    return [
        checks.Warning(f"The game {package} stays off the shelf: {why}", id="play.W001")
        for package, why in left_out().items()
    ]
