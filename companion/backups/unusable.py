"""Why a backup is not made, or not restored."""

from __future__ import annotations


class Unusable(Exception):
    """The reason in a sentence for the host. Nothing was changed."""
