"""A finding of the doctor: a sentence and its remedy."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Severity(Enum):
    """The mark of a finding in a terminal."""

    GOOD = "✓"
    LOOK = "!"
    BAD = "✗"


@dataclass(frozen=True)
class Finding:
    """One sentence, and a remedy if there is a problem."""

    mark: Severity
    said: str
    remedy: str = ""
