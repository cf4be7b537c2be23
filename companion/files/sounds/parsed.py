"""The parts of files of sounds."""

from __future__ import annotations

from typing import NamedTuple


class Film(Exception):
    """There are pictures that move in it."""


class Bare(NamedTuple):
    """A file with nothing beside the sound, and how many seconds it lasts."""

    content: bytes
    seconds: float
