"""The exception for imported data that is refused."""

from __future__ import annotations

SHOWN = 60


class UnreadableSheet(Exception):
    """The data is no character that we can read."""

    def __init__(self, code: str, **details: object) -> None:
        super().__init__(code)
        self.code = code
        self.details = {name: _short(str(value)) for name, value in details.items()}


def _short(text: str) -> str:
    """Return the printable beginning of a value, short enough for a sentence."""
    shown = "".join(char if char.isprintable() else "�" for char in text[:SHOWN])
    return shown + "…" if len(text) > SHOWN else shown
