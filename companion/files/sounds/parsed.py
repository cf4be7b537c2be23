"""The result and the errors of the parsers of sounds."""

from __future__ import annotations

from typing import NamedTuple


class Film(Exception):
    """The file is a video."""


class OtherKind(Exception):
    """The file is a sound of a format that is not accepted. ``name`` is its common name."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class Bare(NamedTuple):
    """The content of a file without metadata, and its duration in seconds."""

    content: bytes
    seconds: float
