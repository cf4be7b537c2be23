"""What the doctor finds: a sentence, and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Mark(Enum):
    """How a finding is marked in a terminal."""

    GOOD = "✓"
    LOOK = "!"
    BAD = "✗"


@dataclass(frozen=True)
class Finding:
    """One sentence, and its remedy unless all is well."""

    mark: Mark
    said: str
    remedy: str = ""
