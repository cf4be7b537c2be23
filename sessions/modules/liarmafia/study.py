"""The data of LIAR MAFIA for the designer's lab."""

from __future__ import annotations

from sessions.game import Study

study = Study(
    rules={
        "LM-3.2": lambda event: event.kind == "blocked",
        "LM-3.4": lambda event: event.kind == "doubted",
        "LM-3.5": lambda event: event.kind in ("gained", "paid"),
        "LM-3.6": lambda event: event.kind in ("nothing_gained", "no_boss"),
        "LM-3.7": lambda event: event.kind in ("rotated", "exchanged"),
        "LM-4.2": lambda event: event.kind == "left",
    },
)
