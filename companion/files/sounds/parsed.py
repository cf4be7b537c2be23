"""The parts of files of sounds."""

from __future__ import annotations

from typing import NamedTuple


class Film(Exception):
    """There are pictures that move in it."""


class OtherKind(Exception):
    """It is sound, but of a kind that is not taken. ``name`` is what people call it."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class Bare(NamedTuple):
    """A file with nothing beside the sound, and how many seconds it lasts."""

    content: bytes
    seconds: float
