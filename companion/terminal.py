"""The language of the terminal in which a command runs."""

from __future__ import annotations

import os


def language() -> str:
    """Return English where the terminal speaks it, else Japanese."""
    return "en" if os.environ.get("LANG", "").startswith("en") else "ja"
