"""Why a file from outside is not taken in, or not written."""

from __future__ import annotations


class Unusable(Exception):
    """The reason as a sentence for people. Nothing was changed."""
